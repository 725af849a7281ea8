// Elasticity of the elastic folder as energies of a simulation.

#include "abut/base/error.hpp"
#include "abut/elastic/hinge_bending.hpp"
#include "abut/elastic/simplex_elasticity.hpp"
#include "abut/elastic/woven_elasticity.hpp"
#include "abut/sim/energy_kinds.hpp"

#include <algorithm>
#include <numeric>

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

/// What keeps a neo-Hookean energy finite.
template <typename Elasticity>
double largest_step(const Elasticity& elasticity, const ConstPositions& x, const ConstPositions& dx)
{
    if constexpr (std::is_same_v<Elasticity, MembraneElasticity>)
        return elasticity.largest_step_with_area(x, dx);
    else
        return elasticity.largest_uninverted_step(x, dx);
}

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
        if constexpr (requires { elasticity_.model(); })
            if (elasticity_.model() == ElasticModel::neo_hookean)
                return largest_step(elasticity_, x.vertices(), dx.vertices());
        return 1;
    }

private:
    std::string_view name_;
    Elasticity elasticity_;
};

/// Elements of many objects that are one energy: evaluating an energy costs a pass over all unknowns, so that one per
/// object would be quadratic in their number.
struct ElementGroup {
    ObjectKind kind;
    ElasticModel model;
    std::vector<std::size_t> objects{};
};

/// Groups by kind and model, in the order of their first objects.
std::vector<ElementGroup> groups_of(const Scene& scene, std::span<const std::size_t> objects)
{
    std::vector<ElementGroup> groups;
    for (const std::size_t k : objects) {
        const SceneObject& object = scene.objects[k];
        if (object.kind != ObjectKind::solid && object.kind != ObjectKind::shell && object.kind != ObjectKind::planar)
            continue;
        auto group = std::find_if(groups.begin(), groups.end(), [&](const ElementGroup& each) {
            return each.kind == object.kind && each.model == object.model;
        });
        if (group == groups.end())
            group = groups.insert(groups.end(), {object.kind, object.model.value()});
        group->objects.push_back(k);
    }
    return groups;
}

/// The elements of objects one behind the other, by the vertices of the model, and the material of each.
struct JoinedElements {
    Elements elements;
    std::vector<LameParameters> lame;
    std::vector<double> thickness, plate_stiffness;
    // Of woven shells alone
    std::vector<WovenModuli> woven;
    std::vector<Vec3> warp_direction;
};

JoinedElements join(const Model& model, const std::vector<std::size_t>& objects)
{
    const auto elements_of = [&](const SceneObject& object) -> ConstElements {
        return object.kind == ObjectKind::solid ? ConstElements(object.mesh.tets) : ConstElements(object.mesh.faces);
    };
    Eigen::Index count = 0;
    for (const std::size_t k : objects)
        count += elements_of(model.scene.objects[k]).rows();
    JoinedElements all;
    all.elements.resize(count, elements_of(model.scene.objects[objects.front()]).cols());
    Eigen::Index end = 0;
    for (const std::size_t k : objects) {
        const SceneObject& object = model.scene.objects[k];
        const ConstElements own = elements_of(object);
        all.elements.middleRows(end, own.rows()) = own.array() + model.object_starts[k];
        end += own.rows();
        const IsotropicModuli moduli{object.youngs_modulus, object.poisson_ratio};
        const bool is_shell = object.kind == ObjectKind::shell;
        all.lame.resize(end, is_shell ? plane_stress_lame_parameters(moduli) : lame_parameters(moduli));
        all.thickness.resize(end, object.thickness);
        all.plate_stiffness.resize(end, is_shell ? plate_stiffness(moduli, object.thickness) : 0);
        if (object.is_woven()) {
            all.woven.resize(end, woven_moduli(object));
            all.warp_direction.resize(end, object.weave.warp_direction);
        }
    }
    return all;
}

template <typename Elasticity>
std::unique_ptr<Energy> make_elastic(std::string_view name, Elasticity elasticity)
{
    return std::make_unique<ElasticEnergy<Elasticity>>(name, std::move(elasticity));
}

/// The energy of the elements of these objects; what is wrong with one of them is said of it alone.
template <typename Make>
std::unique_ptr<Energy> make_joined(const Model& model, const std::vector<std::size_t>& objects, const Make& make)
{
    try {
        return make(join(model, objects));
    } catch (const InvalidInput&) {
        for (const std::size_t k : objects)
            try {
                (void)make(join(model, {k}));
            } catch (const InvalidInput& error) {
                reject("objects[{}] '{}': {}", k, model.scene.objects[k].name, error.what());
            }
        throw;
    }
}

} // namespace

WovenModuli woven_moduli(const SceneObject& object)
{
    const SceneWeave& weave = object.weave;
    return {
        .warp = weave.warp.value_or(object.youngs_modulus),
        .weft = weave.weft.value_or(object.youngs_modulus),
        .shear = weave.shear.value_or(object.youngs_modulus / (2 * (1 + object.poisson_ratio)))};
}

std::vector<std::unique_ptr<Energy>> make_elastic_energies(const Model& model)
{
    std::vector<std::size_t> all(model.scene.objects.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return make_elastic_energies_of(model, all);
}

std::vector<std::unique_ptr<Energy>> make_elastic_energies_of(const Model& model, std::span<const std::size_t> objects)
{
    std::vector<std::unique_ptr<Energy>> energies;
    const Positions& rest = model.rest;
    for (const ElementGroup& group : groups_of(model.scene, objects)) {
        energies.push_back(make_joined(model, group.objects, [&](const JoinedElements& all) {
            if (group.kind == ObjectKind::solid)
                return make_elastic("elasticity", TetElasticity(rest, all.elements, {group.model, all.lame}));
            if (group.kind == ObjectKind::shell && group.model == ElasticModel::baraff_witkin)
                return make_elastic(
                    "woven", WovenElasticity(rest, all.elements, {all.woven, all.thickness, all.warp_direction}));
            if (group.kind == ObjectKind::shell)
                return make_elastic(
                    "membranes", MembraneElasticity(rest, all.elements, {group.model, all.lame, all.thickness}));
            return make_elastic(
                "elasticity", PlanarElasticity(rest, all.elements, {group.model, all.lame, all.thickness}));
        }));
        std::vector<std::size_t> bending;
        for (const std::size_t k : group.objects)
            if (group.kind == ObjectKind::shell && model.scene.objects[k].has_bending)
                bending.push_back(k);
        if (!bending.empty())
            energies.push_back(make_joined(model, bending, [&](const JoinedElements& all) {
                return make_elastic("bending", HingeBending(rest, all.elements, {all.plate_stiffness}));
            }));
    }
    return energies;
}

} // namespace abut
