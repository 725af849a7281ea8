#include "abut/contact/ogc/trust_region.hpp"

#include "module.hpp"
#include "normal_collisions.hpp"

namespace abut::python {

template <>
inline constexpr EnumNames enum_names<Truncation>{
    "Truncation", "PROJECT SCALE PLANES",
    "How the step of a vertex is cut: PROJECT, its end goes to the nearest point of the vertex's region, as in the "
    "paper; SCALE, it ends where it leaves the region; PLANES, it ends where it crosses a plane between two near "
    "elements."};

namespace {

/// A cut step, for Python, which does not change arrays in place.
struct TruncatedStepItem {
    Positions dx;
    TruncatedStep step;
};

/// A TrustRegion that one Python thread at a time works with. What an update found is kept as objects that never
/// change, which all threads may read.
class SharedTrustRegion {
public:
    SharedTrustRegion(const CollisionMesh& of, const TrustRegionOptions& options) : mesh(&of), region(of, options) {}

    /// To be held while working with the region, if nobody else is at it.
    [[nodiscard]] InUse begin(const char* name)
    {
        if (num_uses_ > 0) // no lock to wait for: a filter's callable that comes back here would wait forever
            throw std::runtime_error(
                fmt::format("{}: this TrustRegion is at work in another call; give each thread its own", name));
        return InUse(num_uses_);
    }

    void keep_results()
    {
        collisions = {std::make_shared<const NormalCollisions>(region.collisions()), MeshSizes::of(*mesh)};
        bounds = region.bounds();
        centers = region.centers();
        distances = region.distances();
        num_updates = region.num_updates();
        needs_update = region.needs_update();
    }

    const CollisionMesh* mesh;
    TrustRegion region;
    SharedNormalCollisions collisions;
    Eigen::VectorXd bounds;
    Positions centers;
    ElementDistances distances;
    int num_updates = 0;
    bool needs_update = true;

private:
    int num_uses_ = 0;
};

using Region = SharedTrustRegion;

void def_results(Class<Region>& type)
{
    type.get(
        "collisions",
        "The NormalCollisions at the last update. They stay as they are at other positions, until the next.",
        &Region::collisions);
    type.get(
        "bounds", "How far each vertex may move from its centre, in any direction, (#V,) [m]; a copy.",
        &Region::bounds);
    type.get("centers", "Positions of the last update (#V, dim) [m]; a copy, empty before.", &Region::centers);
    const auto def_distances = [&](const char* name, const char* doc, std::vector<double> ElementDistances::*list) {
        type.get(name, doc, [list](const Region& self) { return std::span<const double>(self.distances.*list); });
    };
    def_distances(
        "vertex_distances",
        "From each vertex to the nearest face that it is no corner of, at most the query radius (#V,) [m]; a copy.",
        &ElementDistances::vertices);
    def_distances(
        "edge_distances",
        "From each edge to the nearest that shares no vertex with it, at most the query radius (#E,) [m]; a copy.",
        &ElementDistances::edges);
    def_distances(
        "face_distances",
        "From each face to the nearest vertex that is no corner of it, at most the query radius (#F,) [m]; a copy.",
        &ElementDistances::faces);
    def_distances(
        "plane_distances",
        "From each vertex to the nearest plane, at most the query radius (#V,) [m]; a copy, empty without planes.",
        &ElementDistances::planes);
    type.get("query_radius", "How far the last update looked [m]; 0 before.", [](const Region& self) {
        return self.distances.query_radius;
    });
    type.get(
        "needs_update",
        "Is a new update due? Before the first, and when more than the allowed share of vertices was cut since.",
        &Region::needs_update);
    type.get("num_updates", "Updates so far.", &Region::num_updates);
    type.repr([](const Region& self) {
        return fmt::format(
            "{} vertices, dhat {} m, {} updates", self.mesh->num_vertices(), self.region.options().dhat,
            self.num_updates);
    });
}

void def_updates(Class<Region>& type)
{
    type.def(
        "update", "X"_a, R"(Looks around at positions X (#V, dim) [m], which become the centres of the regions.

Raises InvalidStart, naming the pair, where two elements are at distance dmin or less. Runs in parallel, without the
interpreter lock. On failure everything stays as it was.)",
        [](Region& self, const Positions& X) {
            const InUse in_use = self.begin("update");
            without_gil([&] { self.region.update(X); });
            self.keep_results();
        });
    type.def(
        "update", "detection"_a, "X"_a,
        "The same from a Detection of the same mesh that was updated at X; its range becomes the query radius.",
        [](Region& self, SharedDetection& detection, const Positions& X) {
            const InUse in_use = self.begin("update");
            detection.read_at(*self.mesh, X, [&](const Detection& found) { self.region.update(found, X); });
            self.keep_results();
        });
    type.def(
        "warm_start", "X"_a, "predicted"_a,
        R"(A start for a step from X: updates at X and returns the predicted positions cut to the regions.

X, predicted: (#V, dim) [m]. The query radius allows for the moves as far as max_query_radius does.)",
        [](Region& self, const Positions& X, const Positions& predicted) {
            const InUse in_use = self.begin("warm_start");
            Positions start = without_gil([&] { return self.region.warm_start(X, predicted); });
            self.keep_results();
            return start;
        });
}

void def_steps(Class<Region>& type)
{
    type.def(
        "truncate", "X"_a, "dx"_a, "gradient"_a = py::none(),
        R"(Cuts a step so that all vertices stay in their regions on the way from X to X + dx: a TruncatedStep.

X: positions now (#V, dim) [m], within the regions. dx: the step (#V, dim) [m].
gradient: of the energy at X, flat by vertex. With it the step is scaled as a whole where its vertices cut one by one
would no longer descend.)",
        [](Region& self, const Positions& X, const Positions& dx, const py::object& gradient) {
            TruncatedStepItem item{dx, {}};
            const bool has_gradient = !gradient.is_none();
            const Eigen::VectorXd g = has_gradient ? vector_argument(gradient, "gradient") : Eigen::VectorXd();
            const InUse in_use = self.begin("truncate");
            item.step = without_gil(
                [&] { return has_gradient ? self.region.truncate(X, item.dx, g) : self.region.truncate(X, item.dx); });
            self.needs_update = self.region.needs_update();
            return item;
        });
    type.def(
        "largest_scale", "X"_a, "dx"_a,
        "How much of the whole step stays in the regions, and the vertex that leaves its region first: (scale, "
        "vertex), or (1.0, -1) where none does.",
        [](Region& self, const Positions& X, const Positions& dx) {
            const InUse in_use = self.begin("largest_scale");
            const StepScale limit = without_gil([&] { return self.region.largest_scale(X, dx); });
            return py::make_tuple(limit.scale, limit.vertex);
        });
}

void def_truncated_step(py::module_& m)
{
    using Item = TruncatedStepItem;
    Class<Item> type(m, "TruncatedStep", "A step that was cut to the regions of a TrustRegion. Immutable.");
    type.get("dx", "The step (#V, dim) [m]; a copy.", &Item::dx);
    const auto def_field = [&](const char* name, const char* doc, auto field) {
        type.get(name, doc, [field](const Item& self) { return self.step.*field; });
    };
    def_field(
        "num_truncated", "Vertices whose step is shorter now, or would be had the whole step not been scaled.",
        &TruncatedStep::num_truncated);
    def_field(
        "scale", "Of the whole step, where its vertices cut one by one would not have descended; else 1.",
        &TruncatedStep::scale);
    def_field("slope", "Gradient times the step that is left; 0 without a gradient.", &TruncatedStep::slope);
    type.repr([](const Item& self) {
        return fmt::format("{} of {} vertices cut, scale {}", self.step.num_truncated, self.dx.rows(), self.step.scale);
    });
}

} // namespace

void def_trust_region(py::module_& m)
{
    using O = TrustRegionOptions;
    def_enum<Truncation>(m);
    def_truncated_step(m);
    Class<Region> type(
        m, "TrustRegion",
        "Steps that pass through nothing, without continuous collision detection: each vertex has a region around the "
        "place of the last update in which it may move freely. After \"Offset Geometric Contact\" (Chen et al. 2025).");
    type.init(
        "mesh"_a, required<&O::dhat>, options<&O::dmin>, py::kw_only(),
        options<
            &O::query_radius, &O::max_query_radius, &O::relaxation, &O::max_truncated_share, &O::truncation,
            &O::set_type, &O::use_area_weighting>,
        py::keep_alive<1, 2>(),
        R"(For a mesh, without regions yet.

dhat: contact radius: pairs closer than dmin + dhat are contacts [m], > 0.
dmin: distance that elements keep, e.g. the thickness of cloth [m], >= 0.
query_radius: how far others are looked for [m]. A bound is at most nearly half of it. At least dmin + dhat; 0 stands for
dmin + 2 dhat.
max_query_radius: up to which it grows where warm_start() predicts farther moves [m]; 0 stands for twice query_radius.
relaxation: share of a gap that each of two elements may use up, in (0, 0.5).
max_truncated_share: a larger share of cut vertices asks for an update, in [0, 1].
truncation: a Truncation.
set_type, use_area_weighting: of the collisions, as in NormalCollisions.build().)",
        [](const CollisionMesh& mesh, const O& given) { return std::make_unique<Region>(mesh, given); });
    def_updates(type);
    def_steps(type);
    def_results(type);
}

} // namespace abut::python
