// Loads on whole objects that never change: a force, spread over the vertices by mass, and what gravity_scale adds to
// the gravity that the integrator knows.
//
//   E(x) = - sum_v  f_v . (x_v - X_v),    f_v = m_v ( (s - 1) g + F / M )
//
// with s the scale and F the force of the object that v is part of, M its mass, X where v starts. It is a potential, so
// that every integrator and the balance treat it as they treat any other.

#include "abut/sim/anchors.hpp"
#include "abut/sim/energy_kinds.hpp"

namespace abut {

namespace {

class ConstantLoads final : public Energy {
public:
    explicit ConstantLoads(Anchors anchors) : anchors_(std::move(anchors)) {}

    [[nodiscard]] std::string_view name() const override { return "loads"; }
    [[nodiscard]] EnergyRole role() const override { return EnergyRole::load; }
    [[nodiscard]] const Stencils& stencils() const override { return anchors_.stencils(); }
    void evaluate(const Unknowns& x, const TermOutput& out) const override { anchors_.evaluate(x, out); }
    [[nodiscard]] std::unique_ptr<Terms> subset(std::span<const int> terms) const override
    {
        return std::make_unique<Anchors>(anchors_.subset(terms));
    }

private:
    Anchors anchors_; // of no stiffness
};

/// Of an object, per mass [m/s²].
Vec3 extra_acceleration(const Model& model, std::size_t k)
{
    const SceneObject& object = model.scene.objects[k];
    if (!has_mass(object))
        return Vec3::Zero();
    Vec3 extra = (object.gravity_scale - 1) * model.scene.gravity;
    if (object.force != Vec3::Zero())
        extra +=
            object.force /
            model.masses.segment(model.object_starts[k], model.object_starts[k + 1] - model.object_starts[k]).sum();
    return extra;
}

} // namespace

std::vector<std::unique_ptr<Energy>> make_constant_loads(const Model& model)
{
    std::vector<int> vertices;
    std::vector<Vec3> pulls;
    for (std::size_t k = 0; k < model.scene.objects.size(); ++k) {
        const Vec3 extra = extra_acceleration(model, k);
        for (int v = model.object_starts[k]; extra != Vec3::Zero() && v < model.object_starts[k + 1]; ++v) {
            vertices.push_back(v);
            pulls.push_back(model.masses[v] * extra);
        }
    }
    std::vector<std::unique_ptr<Energy>> energies;
    if (vertices.empty())
        return energies;
    const auto count = static_cast<Eigen::Index>(vertices.size());
    Positions starts(count, model.dim()), forces(count, model.dim());
    for (Eigen::Index i = 0; i < count; ++i) {
        starts.row(i) = model.rest.row(vertices[i]);
        forces.row(i) = -pulls[i].head(model.dim()).transpose();
    }
    Anchors anchors(std::move(vertices));
    anchors.set({std::move(starts), std::move(forces), Eigen::VectorXd::Zero(count)});
    energies.push_back(std::make_unique<ConstantLoads>(std::move(anchors)));
    return energies;
}

} // namespace abut
