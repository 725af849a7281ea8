#include "abut/sim/damping_energy.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/linear/term_subset.hpp"
#include "abut/sim/energy_kinds.hpp"
#include "abut/sim/twist_motion.hpp"

#include <algorithm>
#include <array>

namespace abut {

MassDamping::MassDamping(std::vector<int> vertices, Eigen::VectorXd damped_masses, const Integrator& integrator)
    : integrator_(integrator), damped_masses_(std::move(damped_masses)), anchors_(std::move(vertices))
{
    ABUT_ASSERT(damped_masses_.size() == static_cast<Eigen::Index>(anchors_.vertices().size()));
}

void MassDamping::begin_step(const State& /*start*/, double /*dt*/)
{
    const Positions& rest_point = integrator_.rest_point();
    const Eigen::Index count = damped_masses_.size();
    Positions targets(count, rest_point.cols());
    for (Eigen::Index k = 0; k < count; ++k)
        targets.row(k) = rest_point.row(anchors_.vertices()[k]);
    anchors_.set(
        {std::move(targets), Positions::Zero(count, rest_point.cols()), damped_masses_ / integrator_.velocity_time()});
}

StiffnessDamping::StiffnessDamping(
    std::unique_ptr<Energy> elastic, std::vector<double> beta, const Model& model, const Integrator& integrator)
    : elastic_(std::move(elastic)), beta_(std::move(beta)), model_(model), integrator_(integrator),
      has_vertices_only_(elastic_->stencils().vertex_bound() <= model.num_vertices()), gradient_offsets_{0},
      block_offsets_{0}
{
    const Stencils& terms = elastic_->stencils();
    ABUT_ASSERT(beta_.size() == terms.size());
    for (std::size_t term = 0; term < terms.size(); ++term) {
        std::int64_t size = 0, squares = 0;
        for (const int block : terms[term]) {
            size += model.layout.size(block);
            squares += model.layout.size(block) * model.layout.size(block);
        }
        gradient_offsets_.push_back(gradient_offsets_.back() + size);
        block_offsets_.push_back(block_offsets_.back() + (size * size + squares) / 2);
    }
}

std::unique_ptr<Energy> StiffnessDamping::part(std::span<const int> terms) const
{
    const auto* divisible = dynamic_cast<const Divisible*>(elastic_.get());
    std::unique_ptr<Energy> elastic = divisible != nullptr ? divisible->part(terms) : nullptr;
    if (!elastic)
        return nullptr;
    return std::make_unique<StiffnessDamping>(std::move(elastic), selected(beta_, terms), model_, integrator_);
}

void StiffnessDamping::begin_step(const State& start, double dt)
{
    const BlockLayout& layout = model_.layout;
    Eigen::VectorXd x(layout.num_unknowns());
    x.head(start.x.size()) = Eigen::Map<const Eigen::VectorXd>(start.x.data(), start.x.size());
    x.tail(start.others.size()) = start.others;
    elastic_->begin_step(start, dt);
    blocks_.resize(static_cast<std::size_t>(block_offsets_.back()));
    elastic_->evaluate({layout, x}, {.blocks = blocks_.data(), .hessian = HessianForm::clamp});
    for (std::size_t term = 0; term < beta_.size(); ++term)
        for (std::int64_t k = block_offsets_[term]; k < block_offsets_[term + 1]; ++k)
            blocks_[k] *= beta_[term] / integrator_.velocity_time();
    origin_ = integrator_.rest_point().topRows(start.x.rows());
    if (has_vertices_only_)
        return;
    origins_ = Eigen::VectorXd::Zero(layout.num_unknowns());
    origins_.head(origin_.size()) = Eigen::Map<const Eigen::VectorXd>(origin_.data(), origin_.size());
    const Eigen::Index num_arcs = model_.rods ? model_.rods->num_arcs() : 0;
    for (Eigen::Index k = 0; k < num_arcs; ++k)
        origins_[layout.offset(model_.rods->arc_block(k))] = integrator_.rest_point()(start.x.rows() + k, 0);
}

void StiffnessDamping::evaluate(const Unknowns& x, const TermOutput& out) const
{
    constexpr std::size_t terms_per_task = 256;
    ABUT_ASSERT(origin_.rows() == x.layout().num_vertices());
    parallel_for(beta_.size(), terms_per_task, [&](std::size_t term) {
        if (!has_vertices_only_)
            evaluate_mixed_term(x, out, term);
        else if (x.layout().dim() == 2)
            evaluate_term<2>(x.vertices(), out, term);
        else
            evaluate_term<3>(x.vertices(), out, term);
    });
}

void StiffnessDamping::evaluate_mixed_term(const Unknowns& x, const TermOutput& out, std::size_t term) const
{
    constexpr int most_numbers = 12;
    const std::span<const int> blocks = elastic_->stencils()[term];
    const BlockLayout& layout = x.layout();
    std::array<double, most_numbers> moved, force{};
    ABUT_ASSERT(gradient_offsets_[term + 1] - gradient_offsets_[term] <= most_numbers);
    int end = 0;
    for (const int block : blocks)
        for (std::int64_t k = layout.offset(block); k < layout.offset(block) + layout.size(block); ++k)
            moved[end++] = x.numbers()[k] - origins_[k];
    const double* K = blocks_.data() + block_offsets_[term];
    for (int i = 0, row = 0; i < std::ssize(blocks); row += layout.size(blocks[i++]))
        for (int j = 0, column = 0; j <= i; column += layout.size(blocks[j++]))
            for (int b = 0; b < layout.size(blocks[j]); ++b)
                for (int a = 0; a < layout.size(blocks[i]); ++a, ++K) {
                    force[row + a] += *K * moved[column + b];
                    if (j < i)
                        force[column + b] += *K * moved[row + a];
                }
    if (out.values != nullptr) {
        double sum = 0;
        for (int k = 0; k < end; ++k)
            sum += moved[k] * force[k];
        out.values[term] = 0.5 * sum;
    }
    if (out.gradients != nullptr)
        std::copy(force.begin(), force.begin() + end, out.gradients + gradient_offsets_[term]);
    if (out.blocks != nullptr)
        std::copy(
            blocks_.begin() + block_offsets_[term], blocks_.begin() + block_offsets_[term + 1],
            out.blocks + block_offsets_[term]);
}

template <int Dim>
void StiffnessDamping::evaluate_term(const ConstPositions& x, const TermOutput& out, std::size_t term) const
{
    const Stencils& terms = elastic_->stencils();
    const std::span<const int> vertices = terms[term];
    ABUT_ASSERT(vertices.size() <= 4);
    std::array<Vec<Dim>, 4> moved, force;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        moved[i] = point<Dim>(x, vertices[i]) - point<Dim>(origin_, vertices[i]);
        force[i].setZero();
    }
    const double* first = blocks_.data() + terms.block_offset(term) * Dim * Dim;
    const double* block = first;
    for (std::size_t i = 0; i < vertices.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j, block += Dim * Dim) {
            const Eigen::Map<const Mat<Dim, Dim>> K(block);
            force[i] += K * moved[j];
            if (j < i)
                force[j] += K.transpose() * moved[i];
        }
    if (out.values != nullptr) {
        double sum = 0;
        for (std::size_t i = 0; i < vertices.size(); ++i)
            sum += moved[i].dot(force[i]);
        out.values[term] = 0.5 * sum;
    }
    if (out.gradients != nullptr)
        for (std::size_t i = 0; i < vertices.size(); ++i)
            Eigen::Map<Vec<Dim>>{out.gradients + (terms.offset(term) + static_cast<std::int64_t>(i))* Dim} = force[i];
    if (out.blocks != nullptr)
        std::copy(first, block, out.blocks + terms.block_offset(term) * Dim * Dim);
}

namespace {

/// α M of the twist of rods; null where no rod has any.
std::unique_ptr<Energy> make_twist_damping(const Model& model, const Integrator& integrator)
{
    if (!model.rods || model.rods->num_arcs() == 0)
        return nullptr;
    Eigen::VectorXd damped = model.rods->arc_masses;
    for (Eigen::Index k = 0; k < damped.size(); ++k)
        damped[k] *= model.scene.objects[model.rods->objects[model.rods->arc_edges[k]]].damping.mass;
    if (!(damped.maxCoeff() > 0))
        return nullptr;
    return std::make_unique<TwistDamping>(model, std::move(damped), integrator);
}

} // namespace

std::vector<std::unique_ptr<Energy>> make_damping_energies(const Model& model, const Integrator& integrator)
{
    std::vector<int> damped_vertices;
    std::vector<double> damped_masses;
    std::vector<std::size_t> stiff;
    bool has_stiff_rods = false;
    for (std::size_t k = 0; k < model.scene.objects.size(); ++k) {
        const SceneObject& object = model.scene.objects[k];
        const auto& [alpha, beta] = object.damping;
        for (const auto& [value, key] : {std::pair{alpha, "damping.mass"}, std::pair{beta, "damping.stiffness"}})
            if (!(value >= 0 && std::isfinite(value)))
                reject(
                    "{}: {} is not a finite number >= 0; negative damping would make motion grow",
                    field_of_object(k, key), value);
        if (!has_mass(object))
            continue;
        for (int v = model.object_starts[k]; v < model.object_starts[k + 1] && alpha > 0; ++v) {
            damped_vertices.push_back(v);
            damped_masses.push_back(alpha * model.masses[v]);
        }
        if (beta > 0 && object.kind == ObjectKind::rod)
            has_stiff_rods = true;
        else if (beta > 0 && object.kind != ObjectKind::points)
            stiff.push_back(k);
    }
    std::vector<std::unique_ptr<Energy>> energies;
    if (!damped_vertices.empty())
        energies.push_back(std::make_unique<MassDamping>(
            std::move(damped_vertices),
            Eigen::Map<const Eigen::VectorXd>(damped_masses.data(), static_cast<Eigen::Index>(damped_masses.size())),
            integrator));
    if (std::unique_ptr<Energy> twist = make_twist_damping(model, integrator))
        energies.push_back(std::move(twist));
    // What they remember of flow is that of all objects that do.
    const auto flows = [&](std::size_t k) { return model.scene.objects[k].plasticity.has_value(); };
    if (std::any_of(stiff.begin(), stiff.end(), flows)) {
        const std::vector<std::size_t> given = stiff;
        for (std::size_t k = 0; k < model.scene.objects.size(); ++k)
            if (flows(k) && !std::binary_search(given.begin(), given.end(), k))
                stiff.push_back(k);
        std::sort(stiff.begin(), stiff.end());
    }
    std::vector<std::unique_ptr<Energy>> elastic = make_elastic_energies_of(model, stiff, Flow::frozen);
    if (has_stiff_rods)
        for (std::unique_ptr<Energy>& of_rods :
             make_rod_energies_of(model, Flow::frozen)) // of all, some of them without damping
            elastic.push_back(std::move(of_rods));
    for (std::unique_ptr<Energy>& each : elastic) {
        std::vector<double> betas;
        for (std::size_t term = 0; term < each->stencils().size(); ++term)
            betas.push_back(model.scene.objects[model.names->object_of(each->stencils()[term][0])].damping.stiffness);
        energies.push_back(std::make_unique<StiffnessDamping>(std::move(each), std::move(betas), model, integrator));
    }
    return energies;
}

} // namespace abut
