// Elasticity of the elastic folder as energies of a simulation.

#include "abut/elastic/hinge_bending.hpp"
#include "abut/elastic/simplex_elasticity.hpp"
#include "abut/sim/energy_kinds.hpp"

namespace abut {

namespace {

template <typename Elasticity>
class ElasticTerms final : public Terms {
public:
    explicit ElasticTerms(Elasticity elasticity) : elasticity_(std::move(elasticity)) {}
    [[nodiscard]] const Stencils& stencils() const override { return elasticity_.stencils(); }
    void evaluate(const Unknowns& x, const TermOutput& out) const override { elasticity_.evaluate(x.vertices(), out); }

private:
    Elasticity elasticity_;
};

template <typename Elasticity>
class ElasticEnergy final : public Energy {
public:
    ElasticEnergy(std::string_view name, Elasticity elasticity) : name_(name), elasticity_(std::move(elasticity)) {}

    [[nodiscard]] std::string_view name() const override { return name_; }
    [[nodiscard]] const Stencils& stencils() const override { return elasticity_.stencils(); }
    void evaluate(const Unknowns& x, const TermOutput& out) const override { elasticity_.evaluate(x.vertices(), out); }
    [[nodiscard]] std::unique_ptr<Terms> subset(std::span<const int> terms) const override
    {
        return std::make_unique<ElasticTerms<Elasticity>>(elasticity_.subset(terms));
    }
    [[nodiscard]] double limit_step(const Unknowns& x, const Unknowns& dx) const override
    {
        if constexpr (requires { elasticity_.largest_uninverted_step(x.vertices(), dx.vertices()); })
            if (elasticity_.model() == ElasticModel::neo_hookean)
                return elasticity_.largest_uninverted_step(x.vertices(), dx.vertices());
        return 1;
    }

private:
    std::string_view name_;
    Elasticity elasticity_;
};

template <typename Elasticity>
std::unique_ptr<Energy> make_elastic(std::string_view name, Elasticity elasticity)
{
    return std::make_unique<ElasticEnergy<Elasticity>>(name, std::move(elasticity));
}

} // namespace

std::vector<std::unique_ptr<Energy>> make_elastic_energies(const Model& model)
{
    std::vector<std::unique_ptr<Energy>> energies;
    const Positions& rest = model.rest;
    for (std::size_t k = 0; k < model.scene.objects.size(); ++k) {
        const SceneObject& object = model.scene.objects[k];
        const IsotropicModuli moduli{object.youngs_modulus, object.poisson_ratio};
        const auto global = [&](const auto& elements) { return Elements(elements.array() + model.object_starts[k]); };
        switch (object.kind) {
        case ObjectKind::solid:
            energies.push_back(make_elastic(
                "elasticity",
                TetElasticity(rest, global(object.mesh.tets), {object.model, {lame_parameters(moduli)}})));
            break;
        case ObjectKind::shell:
            energies.push_back(make_elastic(
                "membranes", MembraneElasticity(
                                 rest, global(object.mesh.faces),
                                 {object.model, {plane_stress_lame_parameters(moduli)}, {object.thickness}})));
            if (object.has_bending)
                energies.push_back(make_elastic(
                    "bending",
                    HingeBending(rest, global(object.mesh.faces), {{plate_stiffness(moduli, object.thickness)}})));
            break;
        case ObjectKind::planar:
            energies.push_back(make_elastic(
                "elasticity",
                PlanarElasticity(
                    rest, global(object.mesh.faces), {object.model, {lame_parameters(moduli)}, {object.thickness}})));
            break;
        case ObjectKind::points:
        case ObjectKind::obstacle:
            break;
        }
    }
    return energies;
}

} // namespace abut
