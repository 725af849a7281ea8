#include "abut/solver/problem.hpp"

#include "abut/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace abut {

Problem::Problem(BlockLayout layout, std::vector<Energy*> energies, StepGuard* guard, Proximity* proximity)
    : layout_(std::move(layout)), energies_(std::move(energies)), guard_(guard), proximity_(proximity),
      is_fixed_(layout_.num_blocks(), 0)
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
}

void Problem::clear_fixed(Eigen::VectorXd& numbers) const
{
    for (int block = 0; block < layout_.num_blocks(); ++block)
        if (is_fixed_[block] != 0)
            numbers.segment(layout_.offset(block), layout_.size(block)).setZero();
}

void Problem::update(const Eigen::VectorXd& x)
{
    if (proximity_ != nullptr)
        proximity_->update(view(x));
    for (Energy* energy : energies_)
        energy->update(view(x));
}

bool Problem::begin_iteration(const Eigen::VectorXd& x)
{
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
    for (Energy* energy : energies_)
        is_changed |= energy->iterated(view(x));
    return is_changed;
}

double Problem::value_of(const Energy& energy, const Eigen::VectorXd& x)
{
    const std::size_t terms = energy.stencils().size();
    local_.resize(terms);
    energy.evaluate(view(x), {.values = local_.data()});
    double sum = 0;
    for (std::size_t k = 0; k < terms; ++k)
        sum += local_[k];
    return sum;
}

double Problem::value(const Eigen::VectorXd& x)
{
    double sum = 0;
    for (const Energy* energy : energies_)
        sum += value_of(*energy, x);
    return sum;
}

Eigen::VectorXd Problem::gradient_of(const Energy& energy, const Eigen::VectorXd& x) const
{
    return gradient_of_terms(energy.stencils(), layout_, [&](const TermOutput& out) { energy.evaluate(view(x), out); });
}

void Problem::gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient)
{
    gradient.setZero(layout_.num_unknowns());
    for (const Energy* energy : energies_) {
        local_.resize(num_gradient_numbers(energy->stencils(), layout_));
        energy->evaluate(view(x), {.gradients = local_.data()});
        add_local_gradients(energy->stencils(), layout_, local_.span(), gradient);
    }
    clear_fixed(gradient);
}

LinearSystem Problem::hessian(const Eigen::VectorXd& x, HessianForm form)
{
    Stencils all;
    std::size_t terms = 0, entries = 0;
    for (const Energy* energy : energies_) {
        terms += energy->stencils().size();
        entries += energy->stencils().num_entries();
    }
    all.reserve(terms, entries);
    for (const Energy* energy : energies_)
        all.append(energy->stencils());
    hessian_.assemble(layout_, all, form, [&](TermOutput out) {
        for (const Energy* energy : energies_) {
            energy->evaluate(view(x), out);
            out.blocks += num_hessian_numbers(energy->stencils(), layout_);
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
