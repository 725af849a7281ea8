#include "abut/solver/problem.hpp"

#include "abut/base/error.hpp"
#include "abut/base/ranks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace abut {

Problem::Problem(
    BlockLayout layout, std::vector<Energy*> energies, StepGuard* guard, Proximity* proximity, TermShares shares)
    : layout_(std::move(layout)), energies_(std::move(energies)), shares_(std::move(shares)), guard_(guard),
      proximity_(proximity), is_fixed_(layout_.num_blocks(), 0)
{
    Stencils lasting;
    for (const Energy* energy : energies_)
        if (energy->role() != EnergyRole::contact && energy->role() != EnergyRole::friction)
            lasting.append(energy->stencils());
    if (lasting.vertex_bound() <= layout_.num_blocks()) // where it is not, whoever asks for a Hessian is told
        lasting_ = std::make_shared<BlockPattern>(layout_, lasting);
}

void Problem::set_fixed(std::vector<std::uint8_t> is_fixed)
{
    if (static_cast<int>(is_fixed.size()) != layout_.num_blocks())
        reject("is_fixed: {} flags for {} blocks", is_fixed.size(), layout_.num_blocks());
    is_fixed_ = std::move(is_fixed);
    terms_changed(); // a step has begun
}

void Problem::clear_fixed(Eigen::VectorXd& numbers) const
{
    for (int block = 0; block < layout_.num_blocks(); ++block)
        if (is_fixed_[block] != 0)
            numbers.segment(layout_.offset(block), layout_.size(block)).setZero();
}

void Problem::update(const Eigen::VectorXd& x)
{
    shares_.forget_changing();
    if (proximity_ != nullptr)
        proximity_->update(view(x));
    for (Energy* energy : energies_)
        energy->update(view(x));
}

bool Problem::begin_iteration(const Eigen::VectorXd& x)
{
    shares_.forget_changing();
    bool is_changed = proximity_ != nullptr && proximity_->begin_iteration(view(x));
    for (Energy* energy : energies_)
        is_changed |= energy->begin_iteration(view(x));
    return is_changed;
}

void Problem::look_around(const Eigen::VectorXd& x)
{
    if (proximity_ != nullptr)
        proximity_->begin_step(view(x));
    update(x);
}

bool Problem::iterated(const Eigen::VectorXd& x)
{
    bool is_changed = false;
    shares_.forget_changing();
    for (Energy* energy : energies_)
        is_changed |= energy->iterated(view(x));
    return is_changed;
}

double Problem::value_of(const Energy& energy, const Eigen::VectorXd& x)
{
    double sum = own_value_of(energy, x);
    ranks().sum({&sum, 1});
    return sum;
}

double Problem::own_value_of(const Energy& energy, const Eigen::VectorXd& x)
{
    const Terms& own = shares_.own_terms(energy);
    const std::size_t terms = own.stencils().size();
    local_.resize(terms);
    own.evaluate(view(x), {.values = local_.data()});
    double sum = 0;
    for (std::size_t k = 0; k < terms; ++k)
        sum += local_[k];
    return sum;
}

double Problem::value(const Eigen::VectorXd& x)
{
    double sum = 0;
    for (const Energy* energy : energies_)
        sum += own_value_of(*energy, x);
    ranks().sum({&sum, 1});
    return sum;
}

Eigen::VectorXd Problem::gradient_of(const Energy& energy, const Eigen::VectorXd& x) const
{
    const Terms& own = shares_.own_terms(energy);
    Eigen::VectorXd gradient =
        gradient_of_terms(own.stencils(), layout_, [&](const TermOutput& out) { own.evaluate(view(x), out); });
    ranks().sum({gradient.data(), static_cast<std::size_t>(gradient.size())});
    return gradient;
}

void Problem::gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient)
{
    gradient.setZero(layout_.num_unknowns());
    for (const Energy* energy : energies_) {
        const Terms& own = shares_.own_terms(*energy);
        local_.resize(num_gradient_numbers(own.stencils(), layout_));
        own.evaluate(view(x), {.gradients = local_.data()});
        add_local_gradients(own.stencils(), layout_, local_.span(), gradient);
    }
    ranks().sum({gradient.data(), static_cast<std::size_t>(gradient.size())});
    clear_fixed(gradient);
}

double Problem::limit_step(const Eigen::VectorXd& x, const Eigen::VectorXd& dx) const
{
    double limit = 1;
    for (const Energy* energy : energies_)
        limit = std::min(limit, energy->limit_step(view(x), view(dx)));
    return least_over_ranks(limit);
}

LinearSystem Problem::hessian(const Eigen::VectorXd& x, HessianForm form)
{
    Stencils all;
    std::size_t terms = 0, entries = 0;
    for (const Energy* energy : energies_) {
        const Stencils& own = shares_.own_terms(*energy).stencils();
        terms += own.size();
        entries += own.num_entries();
    }
    all.reserve(terms, entries);
    for (const Energy* energy : energies_)
        all.append(shares_.own_terms(*energy).stencils());
    hessian_.assemble(layout_, all, form, [&](TermOutput out) {
        for (const Energy* energy : energies_) {
            const Terms& own = shares_.own_terms(*energy);
            own.evaluate(view(x), out);
            out.blocks += num_hessian_numbers(own.stencils(), layout_);
        }
    });
    return {
        .blocks = hessian_.matrix(),
        .is_fixed = is_fixed_,
        .rank_one = rank_one(x, form),
        .lasting = lasting_,
        .positions = &x};
}

std::span<const RankOne> Problem::rank_one(const Eigen::VectorXd& x, HessianForm form)
{
    rank_one_.clear();
    for (const Energy* energy : energies_)
        energy->add_rank_one(view(x), form, rank_one_);
    return rank_one_;
}

double Problem::imbalance(const Eigen::VectorXd& x, double least) const
{
    double largest = least;
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(layout_.num_unknowns());
    for (const Energy* energy : energies_) {
        Eigen::VectorXd own = gradient_of(*energy, x);
        clear_fixed(own);
        largest = std::max(largest, own.norm());
        sum += own;
    }
    return largest > 0 ? sum.norm() / largest : 0;
}

std::string Problem::describe_forces(const Eigen::VectorXd& x) const
{
    std::string text;
    for (const Energy* energy : energies_) {
        Eigen::VectorXd gradient = gradient_of(*energy, x);
        clear_fixed(gradient);
        text += fmt::format("{}{} {:.3g} N", text.empty() ? "" : ", ", energy->name(), gradient.norm());
    }
    return text;
}

} // namespace abut
