#include "abut/contact/ogc/trust_region.hpp"

#include "detection.hpp"
#include "enums.hpp"
#include "module.hpp"
#include "normal_collisions.hpp"

namespace abut::python {

template <>
struct EnumNames<Truncation> {
    static constexpr auto type = "Truncation";
    static constexpr auto members = "PROJECT SCALE PLANES";
    static constexpr auto doc =
        "How the step of a vertex is cut: PROJECT, its end goes to the nearest point of the vertex's region, as in the "
        "paper; SCALE, it ends where it leaves the region; PLANES, it ends where it crosses a plane between two near "
        "elements.";
};

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
        collisions = {std::make_shared<const NormalCollisions>(region.collisions()), MeshSize::of(*mesh)};
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

void def_results(py::class_<SharedTrustRegion>& type)
{
    type.def_property_readonly(
        "collisions", [](const SharedTrustRegion& self) { return self.collisions; },
        "The NormalCollisions at the last update. They stay as they are at other positions, until the next.");
    type.def_property_readonly(
        "bounds", [](const SharedTrustRegion& self) { return to_numpy(as_span(self.bounds)); },
        "How far each vertex may move from its centre, in any direction, (#V,) [m]; a copy.");
    type.def_property_readonly(
        "centers", [](const SharedTrustRegion& self) { return matrix_to_numpy(self.centers); },
        "Positions of the last update (#V, dim) [m]; a copy, empty before.");
    const auto def_distances = [&](const char* name, std::vector<double> ElementDistances::*list, const char* doc) {
        type.def_property_readonly(
            name, [list](const SharedTrustRegion& self) { return to_numpy(std::span(self.distances.*list)); }, doc);
    };
    def_distances(
        "vertex_distances", &ElementDistances::vertices,
        "From each vertex to the nearest face that it is no corner of, at most the query radius (#V,) [m]; a copy.");
    def_distances(
        "edge_distances", &ElementDistances::edges,
        "From each edge to the nearest that shares no vertex with it, at most the query radius (#E,) [m]; a copy.");
    def_distances(
        "face_distances", &ElementDistances::faces,
        "From each face to the nearest vertex that is no corner of it, at most the query radius (#F,) [m]; a copy.");
    def_distances(
        "plane_distances", &ElementDistances::planes,
        "From each vertex to the nearest plane, at most the query radius (#V,) [m]; a copy, empty without planes.");
    type.def_property_readonly(
        "query_radius", [](const SharedTrustRegion& self) { return self.distances.query_radius; },
        "How far the last update looked [m]; 0 before.");
    type.def_property_readonly(
        "needs_update", [](const SharedTrustRegion& self) { return self.needs_update; },
        "Is a new update due? Before the first, and when more than the allowed share of vertices was cut since.");
    type.def_property_readonly(
        "num_updates", [](const SharedTrustRegion& self) { return self.num_updates; }, "Updates so far.");
}

void def_updates(py::class_<SharedTrustRegion>& type)
{
    type.def(
        "update",
        [](SharedTrustRegion& self, const ArrayLike& X) {
            const Positions x = positions_argument(X, "X");
            const InUse in_use = self.begin("update");
            without_gil([&] { self.region.update(x); });
            self.keep_results();
        },
        "X"_a,
        R"(Looks around at positions X (#V, dim) [m], which become the centres of the regions.

Raises InvalidStart, naming the pair, where two elements are at distance dmin or less. Runs in parallel, without the
interpreter lock. On failure everything stays as it was.)");
    type.def(
        "update",
        [](SharedTrustRegion& self, SharedDetection& detection, const ArrayLike& X) {
            const Positions x = positions_argument(X, "X");
            const InUse in_use = self.begin("update");
            detection.read_at(*self.mesh, x, [&](const Detection& found) { self.region.update(found, x); });
            self.keep_results();
        },
        "detection"_a, "X"_a,
        "The same from a Detection of the same mesh that was updated at X; its range becomes the query radius.");
    type.def(
        "warm_start",
        [](SharedTrustRegion& self, const ArrayLike& X, const ArrayLike& predicted) {
            const Positions x = positions_argument(X, "X"), end = positions_argument(predicted, "predicted");
            const InUse in_use = self.begin("warm_start");
            const Positions start = without_gil([&] { return self.region.warm_start(x, end); });
            self.keep_results();
            return matrix_to_numpy(start);
        },
        "X"_a, "predicted"_a,
        R"(A start for a step from X: updates at X and returns the predicted positions cut to the regions.

X, predicted: (#V, dim) [m]. The query radius allows for the moves as far as max_query_radius does.)");
}

void def_steps(py::class_<SharedTrustRegion>& type)
{
    type.def(
        "truncate",
        [](SharedTrustRegion& self, const ArrayLike& X, const ArrayLike& dx, const py::object& gradient) {
            const Positions x = positions_argument(X, "X");
            TruncatedStepItem item{positions_argument(dx, "dx"), {}};
            const bool has_gradient = !gradient.is_none();
            const Eigen::VectorXd g = has_gradient ? vector_argument(gradient, "gradient") : Eigen::VectorXd();
            const InUse in_use = self.begin("truncate");
            item.step = without_gil(
                [&] { return has_gradient ? self.region.truncate(x, item.dx, g) : self.region.truncate(x, item.dx); });
            self.needs_update = self.region.needs_update();
            return item;
        },
        "X"_a, "dx"_a, "gradient"_a = py::none(),
        R"(Cuts a step so that all vertices stay in their regions on the way from X to X + dx: a TruncatedStep.

X: positions now (#V, dim) [m], within the regions. dx: the step (#V, dim) [m].
gradient: of the energy at X, flat by vertex. With it the step is scaled as a whole where its vertices cut one by one
would no longer descend.)");
    type.def(
        "largest_scale",
        [](SharedTrustRegion& self, const ArrayLike& X, const ArrayLike& dx) {
            const Positions x = positions_argument(X, "X"), step = positions_argument(dx, "dx");
            const InUse in_use = self.begin("largest_scale");
            const StepScale limit = without_gil([&] { return self.region.largest_scale(x, step); });
            return py::make_tuple(limit.scale, limit.vertex);
        },
        "X"_a, "dx"_a,
        "How much of the whole step stays in the regions, and the vertex that leaves its region first: (scale, "
        "vertex), or (1.0, -1) where none does.");
}

void def_truncated_step(py::module_& m)
{
    using Item = TruncatedStepItem;
    py::class_<Item>(m, "TruncatedStep", "A step that was cut to the regions of a TrustRegion. Immutable.")
        .def_property_readonly(
            "dx", [](const Item& self) { return matrix_to_numpy(self.dx); }, "The step (#V, dim) [m]; a copy.")
        .def_property_readonly(
            "num_truncated", [](const Item& self) { return self.step.num_truncated; },
            "Vertices whose step is shorter now, or would be had the whole step not been scaled.")
        .def_property_readonly(
            "scale", [](const Item& self) { return self.step.scale; },
            "Of the whole step, where its vertices cut one by one would not have descended; else 1.")
        .def_property_readonly(
            "slope", [](const Item& self) { return self.step.slope; },
            "Gradient times the step that is left; 0 without a gradient.")
        .def("__repr__", [](const Item& self) {
            return fmt::format(
                "<abut.TruncatedStep: {} of {} vertices cut, scale {}>", self.step.num_truncated, self.dx.rows(),
                self.step.scale);
        });
}

} // namespace

void def_trust_region(py::module_& m)
{
    def_enum<Truncation>(m);
    def_truncated_step(m);
    py::class_<SharedTrustRegion> type(
        m, "TrustRegion",
        "Steps that pass through nothing, without continuous collision detection: each vertex has a region around the "
        "place of the last update in which it may move freely. After \"Offset Geometric Contact\" (Chen et al. 2025).");
    const TrustRegionOptions defaults{.dhat = 1};
    type.def(
        py::init([](const CollisionMesh& mesh, double dhat, double dmin, double query_radius, double max_query_radius,
                    double relaxation, double max_truncated_share, const py::object& truncation,
                    const py::object& set_type, bool use_area_weighting) {
            return std::make_unique<SharedTrustRegion>(
                mesh, TrustRegionOptions{
                          .dhat = dhat,
                          .dmin = dmin,
                          .query_radius = query_radius,
                          .max_query_radius = max_query_radius,
                          .relaxation = relaxation,
                          .max_truncated_share = max_truncated_share,
                          .truncation = enum_argument<Truncation>(truncation, "truncation"),
                          .set_type = enum_argument<CollisionSetType>(set_type, "set_type"),
                          .use_area_weighting = use_area_weighting});
        }),
        "mesh"_a, "dhat"_a, "dmin"_a = defaults.dmin, py::kw_only(), "query_radius"_a = defaults.query_radius,
        "max_query_radius"_a = defaults.max_query_radius, "relaxation"_a = defaults.relaxation,
        "max_truncated_share"_a = defaults.max_truncated_share,
        py::arg_v("truncation", m.attr("Truncation").attr("PROJECT"), "Truncation.PROJECT"),
        py::arg_v("set_type", m.attr("CollisionSetType").attr("OGC"), "CollisionSetType.OGC"),
        "use_area_weighting"_a = defaults.use_area_weighting, py::keep_alive<1, 2>(),
        R"(For a mesh, without regions yet.

dhat: contact radius: pairs closer than dmin + dhat are contacts [m], > 0.
dmin: distance that elements keep, e.g. the thickness of cloth [m], >= 0.
query_radius: how far others are looked for [m]. A bound is at most nearly half of it. At least dmin + dhat; 0 stands for
dmin + 2 dhat.
max_query_radius: up to which it grows where warm_start() predicts farther moves [m]; 0 stands for twice query_radius.
relaxation: share of a gap that each of two elements may use up, in (0, 0.5).
max_truncated_share: a larger share of cut vertices asks for an update, in [0, 1].
truncation: a Truncation.
set_type, use_area_weighting: of the collisions, as in NormalCollisions.build().)");
    def_updates(type);
    def_steps(type);
    def_results(type);
    type.def("__repr__", [](const SharedTrustRegion& self) {
        return fmt::format(
            "<abut.TrustRegion: {} vertices, dhat {} m, {} updates>", self.mesh->num_vertices(),
            self.region.options().dhat, self.num_updates);
    });
}

} // namespace abut::python
