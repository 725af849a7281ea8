// Elasticity of the elastic folder as energies of a simulation.

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/elastic/hinge_bending.hpp"
#include "abut/elastic/plastic_hinges.hpp"
#include "abut/elastic/plastic_solids.hpp"
#include "abut/elastic/simplex_elasticity.hpp"
#include "abut/elastic/uninverted_step.hpp"
#include "abut/elastic/woven_elasticity.hpp"
#include "abut/sim/block_kernels.hpp"
#include "abut/sim/energy_kinds.hpp"
#include "abut/sim/plastic_history.hpp"
#include "abut/solver/divisible.hpp"

#include <algorithm>
#include <numeric>

namespace abut {

namespace {

constexpr std::size_t elements_per_task = 128;

template <typename Elasticity>
class ElasticTerms final : public Terms {
public:
    explicit ElasticTerms(Elasticity elasticity) : elasticity_(std::move(elasticity)) {}
    [[nodiscard]] const Stencils& stencils() const override { return elasticity_.stencils(); }
    void evaluate(const Unknowns& x, const TermOutput& out) const override { elasticity_.evaluate(x.vertices(), out); }

private:
    Elasticity elasticity_;
};

/// What keeps an energy finite that is infinite without volume.
template <typename Elasticity>
double largest_step(const Elasticity& elasticity, const ConstPositions& x, const ConstPositions& dx)
{
    if constexpr (std::is_same_v<Elasticity, MembraneElasticity>)
        return elasticity.largest_step_with_area(x, dx);
    else
        return elasticity.largest_uninverted_step(x, dx);
}

/// The same of one element.
template <typename Elasticity>
double step_of(const Elasticity& elasticity, int element, const ConstPositions& x, const ConstPositions& dx)
{
    if constexpr (std::is_same_v<Elasticity, MembraneElasticity>)
        return step_with_area_of(elasticity.stencils(), element, x, dx);
    else
        return uninverted_step_of < std::is_same_v<Elasticity, PlanarElasticity>
                   ? 2
                   : 3 > (elasticity.stencils(), element, x, dx);
}

template <typename Elasticity>
class ElasticEnergy final : public Energy, public Divisible {
public:
    ElasticEnergy(std::string_view name, Elasticity elasticity) : name_(name), elasticity_(std::move(elasticity)) {}

    [[nodiscard]] std::string_view name() const override { return name_; }
    [[nodiscard]] const Stencils& stencils() const override { return elasticity_.stencils(); }
    void evaluate(const Unknowns& x, const TermOutput& out) const override { elasticity_.evaluate(x.vertices(), out); }
    [[nodiscard]] std::unique_ptr<Terms> subset(std::span<const int> terms) const override
    {
        return std::make_unique<ElasticTerms<Elasticity>>(elasticity_.subset(terms));
    }
    [[nodiscard]] std::unique_ptr<Energy> part(std::span<const int> terms) const override
    {
        return std::make_unique<ElasticEnergy>(name_, elasticity_.subset(terms));
    }
    [[nodiscard]] std::unique_ptr<BlockTerms> by_blocks(const BlockGroups& groups, const Unknowns& /*x*/) const override
    {
        if constexpr (requires { make_block_terms(elasticity_, groups); })
            return make_block_terms(elasticity_, groups);
        return nullptr;
    }
    [[nodiscard]] double limit_step(const Unknowns& x, const Unknowns& dx) const override
    {
        if constexpr (requires { elasticity_.model(); })
            if (keeps_volume(elasticity_.model()))
                return largest_step(elasticity_, x.vertices(), dx.vertices());
        return 1;
    }
    [[nodiscard]] bool limits_terms() const override
    {
        if constexpr (requires { elasticity_.model(); })
            return keeps_volume(elasticity_.model());
        return false;
    }
    void
    limit_terms(const Unknowns& x, const Unknowns& dx, std::span<const int> terms, std::span<double> t) const override
    {
        if constexpr (requires { elasticity_.model(); })
            parallel_for(terms.size(), elements_per_task, [&](std::size_t k) {
                t[k] = step_of(elasticity_, terms[k], x.vertices(), dx.vertices());
            });
    }

private:
    std::string_view name_;
    Elasticity elasticity_;
};

/// Elements that flow: PlasticSolids, PlasticHinges. What a step starts from is in the state; what it ends with is kept
/// until it is saved, so that the terms stay those of the step.
template <typename Elements>
class PlasticEnergy final : public Energy {
public:
    PlasticEnergy(std::string_view name, PlasticNames names, Elements elements, Flow flow)
        : name_(name), names_(names), elements_(std::move(elements)), flow_(flow), end_(elements_.initial())
    {}

    [[nodiscard]] std::string_view name() const override { return name_; }
    [[nodiscard]] const Stencils& stencils() const override { return elements_.stencils(); }
    void evaluate(const Unknowns& x, const TermOutput& out) const override { elements_.evaluate(x.vertices(), out); }
    [[nodiscard]] std::unique_ptr<Terms> subset(std::span<const int> terms) const override
    {
        return std::make_unique<ElasticTerms<decltype(elements_.subset(terms))>>(elements_.subset(terms));
    }
    [[nodiscard]] std::unique_ptr<BlockTerms> by_blocks(const BlockGroups& groups, const Unknowns& /*x*/) const override
    {
        if constexpr (requires { make_block_terms(elements_, groups); })
            return make_block_terms(elements_, groups);
        return nullptr;
    }
    [[nodiscard]] double limit_step(const Unknowns& x, const Unknowns& dx) const override
    {
        if constexpr (requires { elements_.model(); })
            return elements_.largest_uninverted_step(x.vertices(), dx.vertices());
        else
            return 1;
    }
    [[nodiscard]] bool limits_terms() const override
    {
        return requires { elements_.model(); };
    }
    void
    limit_terms(const Unknowns& x, const Unknowns& dx, std::span<const int> terms, std::span<double> t) const override
    {
        parallel_for(terms.size(), elements_per_task, [&](std::size_t k) {
            t[k] = x.layout().dim() == 3 ? uninverted_step_of<3>(stencils(), terms[k], x.vertices(), dx.vertices())
                                         : uninverted_step_of<2>(stencils(), terms[k], x.vertices(), dx.vertices());
        });
    }
    void begin_step(const State& start, double dt) override
    {
        elements_.begin_step(plastic_state(start.history, names_, elements_.initial()), dt, flow_ == Flow::free);
    }
    void end_step(const State& end) override { end_ = elements_.flowed(end.x); }
    [[nodiscard]] std::optional<FlowSums> flow_sums(const Unknowns& x) const override
    {
        return elements_.sums(x.vertices());
    }
    void save(History& history) const override { save_plastic_state(history, names_, end_); }
    void load(const History& history) override { end_ = plastic_state(history, names_, elements_.initial()); }

private:
    std::string_view name_;
    PlasticNames names_;
    Elements elements_;
    Flow flow_;
    PlasticState end_; // of the state between steps
};

/// Elements of many objects that are one energy: evaluating an energy costs a pass over all unknowns, so that one per
/// object would be quadratic in their number.
struct ElementGroup {
    ObjectKind kind;
    ElasticModel model;
    bool flows; ///< of solids and planar bodies
    std::vector<std::size_t> objects{};
};

/// Groups by kind, model and flow, in the order of their first objects.
std::vector<ElementGroup> groups_of(const Scene& scene, std::span<const std::size_t> objects)
{
    std::vector<ElementGroup> groups;
    for (const std::size_t k : objects) {
        const SceneObject& object = scene.objects[k];
        if (object.kind != ObjectKind::solid && object.kind != ObjectKind::shell && object.kind != ObjectKind::planar)
            continue;
        const bool flows = object.kind != ObjectKind::shell && object.plasticity;
        auto group = std::find_if(groups.begin(), groups.end(), [&](const ElementGroup& each) {
            return each.kind == object.kind && each.model == object.model && each.flows == flows;
        });
        if (group == groups.end())
            group = groups.insert(groups.end(), {object.kind, object.model.value(), flows});
        group->objects.push_back(k);
    }
    return groups;
}

/// The elements of objects one behind the other, by the vertices of the model, and the material of each.
struct JoinedElements {
    Elements elements;
    std::vector<LameParameters> lame;
    std::vector<double> thickness, plate_stiffness;
    std::vector<Plasticity> plasticity; // where objects have it
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
        if (object.plasticity)
            all.plasticity.resize(end, *object.plasticity);
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
    return make_elastic_energies_of(model, all, Flow::free);
}

std::vector<std::unique_ptr<Energy>>
make_elastic_energies_of(const Model& model, std::span<const std::size_t> objects, Flow flow)
{
    std::vector<std::unique_ptr<Energy>> energies;
    const Positions& rest = model.rest;
    std::vector<std::size_t> bending_and_flow;
    for (const ElementGroup& group : groups_of(model.scene, objects)) {
        energies.push_back(make_joined(model, group.objects, [&](const JoinedElements& all) -> std::unique_ptr<Energy> {
            if (group.kind == ObjectKind::solid) {
                TetElasticity tets(rest, all.elements, {group.model, all.lame});
                if (group.flows)
                    return std::make_unique<PlasticEnergy<PlasticSolids<3>>>(
                        "elasticity and flow", names_of_solids, PlasticSolids<3>(std::move(tets), all.plasticity),
                        flow);
                return make_elastic("elasticity", std::move(tets));
            }
            if (group.kind == ObjectKind::shell && group.model == ElasticModel::baraff_witkin)
                return make_elastic(
                    "woven", WovenElasticity(rest, all.elements, {all.woven, all.thickness, all.warp_direction}));
            if (group.kind == ObjectKind::shell)
                return make_elastic(
                    "membranes", MembraneElasticity(rest, all.elements, {group.model, all.lame, all.thickness}));
            PlanarElasticity triangles(rest, all.elements, {group.model, all.lame, all.thickness});
            if (group.flows)
                return std::make_unique<PlasticEnergy<PlasticSolids<2>>>(
                    "elasticity and flow", names_of_solids, PlasticSolids<2>(std::move(triangles), all.plasticity),
                    flow);
            return make_elastic("elasticity", std::move(triangles));
        }));
        std::vector<std::size_t> bending;
        for (const std::size_t k : group.objects)
            if (group.kind == ObjectKind::shell && model.scene.objects[k].has_bending)
                (model.scene.objects[k].plasticity ? bending_and_flow : bending).push_back(k);
        if (!bending.empty())
            energies.push_back(make_joined(model, bending, [&](const JoinedElements& all) {
                return make_elastic("bending", HingeBending(rest, all.elements, {all.plate_stiffness}));
            }));
    }
    if (!bending_and_flow.empty()) {
        std::sort(bending_and_flow.begin(), bending_and_flow.end());
        energies.push_back(
            make_joined(model, bending_and_flow, [&](const JoinedElements& all) -> std::unique_ptr<Energy> {
                HingeBending hinges(rest, all.elements, {all.plate_stiffness});
                std::vector<double> thickness;
                std::vector<Plasticity> plasticity;
                for (std::size_t k = 0; k < hinges.stencils().size(); ++k) {
                    const SceneObject& object = model.scene.objects[model.names->object_of(hinges.stencils()[k][0])];
                    thickness.push_back(object.thickness);
                    plasticity.push_back(*object.plasticity);
                }
                return std::make_unique<PlasticEnergy<PlasticHinges>>(
                    "bending and flow", names_of_hinges, PlasticHinges(std::move(hinges), rest, thickness, plasticity),
                    flow);
            }));
    }
    return energies;
}

} // namespace abut
