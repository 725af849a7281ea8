#include "abut/sim/damping_energy.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/sim/energy_kinds.hpp"

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
    std::unique_ptr<Energy> elastic, std::vector<double> beta, const BlockLayout& layout, const Integrator& integrator)
    : elastic_(std::move(elastic)), beta_(std::move(beta)), layout_(layout), integrator_(integrator)
{
    ABUT_ASSERT(beta_.size() == elastic_->stencils().size());
}

void StiffnessDamping::begin_step(const State& start, double /*dt*/)
{
    const Stencils& terms = elastic_->stencils();
    Eigen::VectorXd x(layout_.num_unknowns());
    x.head(start.x.size()) = Eigen::Map<const Eigen::VectorXd>(start.x.data(), start.x.size());
    x.tail(start.others.size()) = start.others;
    const int block_size = layout_.dim() * layout_.dim();
    blocks_.resize(static_cast<std::size_t>(terms.num_blocks() * block_size));
    elastic_->evaluate({layout_, x}, {.blocks = blocks_.data(), .hessian = HessianForm::clamp});
    for (std::size_t term = 0; term < terms.size(); ++term) {
        const auto n = static_cast<std::int64_t>(terms[term].size());
        double* first = blocks_.data() + terms.block_offset(term) * block_size;
        for (double* entry = first; entry != first + n * (n + 1) / 2 * block_size; ++entry)
            *entry *= beta_[term] / integrator_.velocity_time();
    }
    origin_ = integrator_.rest_point();
}

void StiffnessDamping::evaluate(const Unknowns& x, const TermOutput& out) const
{
    constexpr std::size_t terms_per_task = 256;
    ABUT_ASSERT(origin_.rows() == x.layout().num_vertices());
    parallel_for(beta_.size(), terms_per_task, [&](std::size_t term) {
        if (x.layout().dim() == 2)
            evaluate_term<2>(x.vertices(), out, term);
        else
            evaluate_term<3>(x.vertices(), out, term);
    });
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

std::vector<std::unique_ptr<Energy>> make_damping_energies(const Model& model, const Integrator& integrator)
{
    std::vector<int> damped_vertices;
    std::vector<double> damped_masses;
    std::vector<std::size_t> stiff;
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
        if (beta > 0 && object.kind != ObjectKind::points)
            stiff.push_back(k);
    }
    std::vector<std::unique_ptr<Energy>> energies;
    if (!damped_vertices.empty())
        energies.push_back(std::make_unique<MassDamping>(
            std::move(damped_vertices),
            Eigen::Map<const Eigen::VectorXd>(damped_masses.data(), static_cast<Eigen::Index>(damped_masses.size())),
            integrator));
    for (std::unique_ptr<Energy>& elastic : make_elastic_energies_of(model, stiff)) {
        std::vector<double> betas;
        for (std::size_t term = 0; term < elastic->stencils().size(); ++term)
            betas.push_back(
                model.scene.objects[model.names->object_of(elastic->stencils()[term][0])].damping.stiffness);
        energies.push_back(
            std::make_unique<StiffnessDamping>(std::move(elastic), std::move(betas), model.layout, integrator));
    }
    return energies;
}

} // namespace abut
