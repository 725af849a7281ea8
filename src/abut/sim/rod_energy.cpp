// Elasticity of rods as energies of a simulation, and what they remember of reference frames.

#include "abut/base/error.hpp"
#include "abut/sim/plastic_history.hpp"
#include "abut/sim/rods.hpp"
#include "abut/solver/divisible.hpp"

namespace abut {

namespace {

constexpr const char* directors_name = "rods.directors";
constexpr const char* twist_name = "rods.reference_twist";

/// Energies of positions alone.
template <typename Elasticity>
class RodTerms final : public Terms {
public:
    explicit RodTerms(Elasticity elasticity) : elasticity_(std::move(elasticity)) {}
    [[nodiscard]] const Stencils& stencils() const override { return elasticity_.stencils(); }
    void evaluate(const Unknowns& x, const TermOutput& out) const override { elasticity_.evaluate(x.vertices(), out); }

private:
    Elasticity elasticity_;
};

double largest_step_of(const RodStretch& stretch, const ConstPositions& x, const ConstPositions& dx)
{
    return stretch.largest_step_with_length(x, dx);
}
double largest_step_of(const RodCorners& corners, const ConstPositions& x, const ConstPositions& dx)
{
    return corners.largest_unfolded_step(x, dx);
}

template <typename Elasticity>
class RodEnergy final : public Energy, public Divisible {
public:
    RodEnergy(std::string_view name, Elasticity elasticity) : name_(name), elasticity_(std::move(elasticity)) {}

    [[nodiscard]] std::string_view name() const override { return name_; }
    [[nodiscard]] const Stencils& stencils() const override { return elasticity_.stencils(); }
    void evaluate(const Unknowns& x, const TermOutput& out) const override { elasticity_.evaluate(x.vertices(), out); }
    [[nodiscard]] std::unique_ptr<Terms> subset(std::span<const int> terms) const override
    {
        return std::make_unique<RodTerms<Elasticity>>(elasticity_.subset(terms));
    }
    [[nodiscard]] std::unique_ptr<Energy> part(std::span<const int> terms) const override
    {
        return std::make_unique<RodEnergy>(name_, elasticity_.subset(terms));
    }
    [[nodiscard]] double limit_step(const Unknowns& x, const Unknowns& dx) const override
    {
        return largest_step_of(elasticity_, x.vertices(), dx.vertices());
    }

private:
    std::string_view name_;
    Elasticity elasticity_;
};

/// The numbers of arcs, which lie one behind the other.
std::span<const double> arcs_of(const RodSet& rods, const Unknowns& x)
{
    if (rods.arc_edges.empty())
        return {};
    const int first = rods.arc_blocks[rods.arc_edges.front()];
    return {x.numbers().data() + x.layout().offset(first), rods.arc_edges.size()};
}

std::span<const double> arcs_of_state(const RodSet& rods, const State& state)
{
    return {state.others.data() + rods.first_arc, rods.arc_edges.size()};
}

RodBending make_bending(const Model& model)
{
    const RodSet& rods = *model.rods;
    RodBending::Options options{
        .materials = {}, .arc_radii = rods.arc_radii, .arc_blocks = rods.arc_blocks, .directors = rods.directors};
    for (const RodJoint& joint : rods.topology.joints) {
        const SceneObject& object = model.scene.objects[rods.objects[joint.edges[0]]];
        options.materials.push_back(
            {rod_stiffness(object.rod.section, object.youngs_modulus, shear_modulus(object)), object.rod.is_straight,
             object.rod.rest_twist, object.rod.section.area(), object.plasticity});
    }
    return {model.rest, rods.topology, std::move(options)};
}

std::vector<double> to_numbers(const Positions& rows) { return {rows.data(), rows.data() + rows.size()}; }

/// What a history has of frames; nothing where it has none. Throws InvalidInput for frames of other rods.
std::optional<RodBending::Frames> frames_of(const Model& model, const History& history)
{
    const std::vector<double>*directors = history.find(directors_name), *twist = history.find(twist_name);
    if (directors == nullptr || twist == nullptr)
        return std::nullopt;
    const Positions& like = model.rods->directors;
    if (std::ssize(*directors) != like.size() || twist->size() != model.rods->topology.joints.size())
        reject(
            "state: frames of {} edges and {} joints of rods, but the scene has {} and {}", directors->size() / 3,
            twist->size(), like.rows(), model.rods->topology.joints.size());
    return RodBending::Frames{Eigen::Map<const Positions>(directors->data(), like.rows(), 3), *twist};
}

/// Carries on from where a state is, by what it remembers.
void carry_on(RodBending& bending, const Model& model, const State& state)
{
    if (const std::optional<RodBending::Frames> frames = frames_of(model, state.history)) {
        bending.set_frames(state.x, *frames);
        return;
    }
    bending.set_frames(model.rest, make_bending(model).frames_at(model.rest));
    bending.set_frames(state.x, bending.frames_at(state.x));
}

class BendingTerms final : public Terms {
public:
    BendingTerms(const RodSet& rods, RodBending bending) : rods_(rods), bending_(std::move(bending)) {}
    [[nodiscard]] const Stencils& stencils() const override { return bending_.stencils(); }
    void evaluate(const Unknowns& x, const TermOutput& out) const override
    {
        bending_.evaluate(x.vertices(), arcs_of(rods_, x), out);
    }

private:
    const RodSet& rods_;
    RodBending bending_;
};

/// Remembers directors and reference twists, which belong to the positions of a state.
class BendingEnergy final : public Energy {
public:
    BendingEnergy(const Model& model, Flow flow)
        : model_(model), bending_(make_bending(model)), flow_(flow), frames_(bending_.frames_at(model.rest)),
          flowed_(bending_.initial_flow())
    {}

    [[nodiscard]] std::string_view name() const override { return "bending and twist of rods"; }
    [[nodiscard]] const Stencils& stencils() const override { return bending_.stencils(); }
    void evaluate(const Unknowns& x, const TermOutput& out) const override
    {
        bending_.evaluate(x.vertices(), arcs_of(*model_.rods, x), out);
    }
    [[nodiscard]] std::unique_ptr<Terms> subset(std::span<const int> terms) const override
    {
        return std::make_unique<BendingTerms>(*model_.rods, bending_.subset(terms));
    }
    [[nodiscard]] double limit_step(const Unknowns& x, const Unknowns& dx) const override
    {
        return bending_.largest_unfolded_step(x.vertices(), dx.vertices());
    }

    void begin_step(const State& start, double dt) override
    {
        carry_on(bending_, model_, start);
        if (bending_.is_plastic())
            bending_.begin_flow(
                plastic_state(start.history, names_of_rods, bending_.initial_flow()), dt, flow_ == Flow::free);
    }
    [[nodiscard]] bool begin_iteration(const Unknowns& x) override { return bending_.begin_search(x.vertices()); }
    void end_step(const State& end) override
    {
        frames_ = bending_.frames_at(end.x);
        if (bending_.is_plastic())
            flowed_ = bending_.flowed(end.x, arcs_of_state(*model_.rods, end));
    }
    [[nodiscard]] std::optional<FlowSums> flow_sums(const Unknowns& x) const override
    {
        if (!bending_.is_plastic())
            return std::nullopt;
        return bending_.sums(x.vertices(), arcs_of(*model_.rods, x));
    }

    void save(History& history) const override
    {
        history.set(directors_name, to_numbers(frames_.directors));
        history.set(twist_name, frames_.twist);
        if (bending_.is_plastic())
            save_plastic_state(history, names_of_rods, flowed_);
    }
    void load(const History& history) override
    {
        if (std::optional<RodBending::Frames> frames = frames_of(model_, history))
            frames_ = std::move(*frames);
        if (bending_.is_plastic())
            flowed_ = plastic_state(history, names_of_rods, bending_.initial_flow());
    }

private:
    const Model& model_;
    RodBending bending_;
    Flow flow_;
    RodBending::Frames frames_; // of the state between steps
    PlasticState flowed_;       // the same
};

/// What is wrong with a rod is said of its object, by its own vertices.
template <typename Make>
auto made(const Model& model, const Make& make)
{
    try {
        return make();
    } catch (const InvalidInput& error) {
        // Alone, so that its vertices have their own numbers
        for (std::size_t k = 0; k < model.scene.objects.size(); ++k) {
            const SceneObject& object = model.scene.objects[k];
            if (object.kind != ObjectKind::rod)
                continue;
            const RodTopology own = rod_topology(object.mesh.edges, static_cast<int>(object.mesh.vertices.rows()));
            try {
                check_unfolded(object.mesh.vertices, own);
            } catch (const InvalidInput& of_object) {
                reject("objects[{}] '{}': {}", k, object.name, of_object.what());
            }
        }
        throw;
    }
}

} // namespace

std::vector<std::unique_ptr<Energy>> make_rod_energies(const Model& model)
{
    return make_rod_energies_of(model, Flow::free);
}

std::vector<std::unique_ptr<Energy>> make_rod_energies_of(const Model& model, Flow flow)
{
    std::vector<std::unique_ptr<Energy>> energies;
    if (!model.rods)
        return energies;
    const RodSet& rods = *model.rods;
    const auto object_of = [&](int edge) -> const SceneObject& { return model.scene.objects[rods.objects[edge]]; };
    const auto stiffness_of = [&](int edge) {
        const SceneObject& object = object_of(edge);
        return rod_stiffness(object.rod.section, object.youngs_modulus, shear_modulus(object));
    };
    std::vector<double> stretch;
    for (int e = 0; e < static_cast<int>(rods.objects.size()); ++e)
        stretch.push_back(stiffness_of(e).stretch);
    energies.push_back(std::make_unique<RodEnergy<RodStretch>>(
        "stretch of rods", RodStretch(model.rest, rods.topology.directed, std::move(stretch))));
    if (!rods.topology.joints.empty())
        energies.push_back(made(model, [&] { return std::make_unique<BendingEnergy>(model, flow); }));
    if (!rods.topology.corners.empty()) {
        std::vector<double> bending;
        std::vector<bool> is_straight;
        for (const RodJoint& corner : rods.topology.corners) {
            if (object_of(corner.edges[0]).plasticity)
                reject(
                    "{}: '{}' branches at {}, and what branches does not yield; leave plasticity out, or part it "
                    "there",
                    field_of_object(rods.objects[corner.edges[0]], "plasticity"), object_of(corner.edges[0]).name,
                    model.names->vertex(corner.vertices[1]));
            bending.push_back(stiffness_of(corner.edges[0]).bending[0]);
            is_straight.push_back(object_of(corner.edges[0]).rod.is_straight);
        }
        energies.push_back(std::make_unique<RodEnergy<RodCorners>>(
            "bending of branched rods", RodCorners(model.rest, rods.topology.corners, bending, is_straight)));
    }
    return energies;
}

Positions rod_directors(const Model& model, const State& state)
{
    ABUT_ASSERT(model.rods != nullptr);
    if (std::optional<RodBending::Frames> frames = frames_of(model, state.history))
        return std::move(frames->directors);
    return make_bending(model).frames_at(state.x).directors;
}

RodTwists rod_twists(const Model& model, const State& state)
{
    const RodSet& rods = *model.rods;
    const std::size_t num_edges = rods.objects.size();
    RodTwists all{
        std::vector<double>(num_edges, 0.0), std::vector<double>(num_edges, 0.0),
        std::vector<Vec3>(num_edges, Vec3::Zero())};
    const Positions d = rod_directors(model, state), t = tangents_of(state.x, rods.topology.directed);
    const std::span<const double> arcs = arcs_of_state(rods, state);
    for (std::size_t k = 0; k < rods.arc_edges.size(); ++k) {
        const int e = rods.arc_edges[k];
        const Vec3 first = point<3>(d, e), second = point<3>(t, e).cross(first);
        all.angle[e] = arcs[k] / rods.arc_radii[e];
        all.director[e] = std::cos(all.angle[e]) * first + std::sin(all.angle[e]) * second;
    }
    if (rods.topology.joints.empty())
        return all;
    RodBending bending = make_bending(model);
    carry_on(bending, model, state);
    const std::vector<double> twists = bending.twists(state.x, arcs);
    std::vector<int> counts(num_edges, 0);
    for (std::size_t k = 0; k < twists.size(); ++k)
        for (const int e : rods.topology.joints[k].edges) {
            all.twist[e] += twists[k];
            ++counts[e];
        }
    for (std::size_t e = 0; e < num_edges; ++e)
        if (counts[e] > 0)
            all.twist[e] /= counts[e];
    return all;
}

} // namespace abut
