#include "detection.hpp"

#include "module.hpp"

namespace abut::python {

namespace {

void def_detected_pairs(py::module_& m)
{
    using Self = DetectedPairs;
    Class<Self, std::shared_ptr<Self>> type(
        m, "DetectedPairs", "Pairs of one kind within range, in three arrays of the same length. Immutable.");
    type.view("pairs", "The elements (n, 2) int32, sorted; read-only.", &Self::pairs);
    type.view("squared_distances", "Squared distances (n,) [m²]; read-only.", &Self::squared_distances);
    type.view(
        "features",
        "PointEdgeFeatures, EdgeEdgeFeatures or PointTriangleFeatures, by the kind of pair, (n,) uint8; 0 for pairs of "
        "vertices and of planes. Read-only.",
        &Self::features);
    type.def("__len__", "Number of pairs.", &Self::size);
    type.def(
        "__eq__", py::is_operator(), "Are pairs, distances and features the same?",
        [](const Self& a, const Self& b) { return a == b; });
    type.repr([](const Self& self) { return fmt::format("{} pairs", self.size()); });
}

void def_results(Class<SharedDetection>& type)
{
    using Self = SharedDetection;
    const auto def_pairs = [&](const char* name, const char* doc, DetectedPairs NearPairs::*member) {
        type.get(name, doc, [member](const Self& self) {
            const auto& all = self.results().pairs;
            return std::shared_ptr<DetectedPairs>(all, &(*all.*member));
        });
    };
    def_pairs("vv", "(vertex, vertex) pairs of loose vertices, as DetectedPairs.", &NearPairs::vv);
    def_pairs("ev", "(edge, vertex) pairs, as DetectedPairs with PointEdgeFeatures.", &NearPairs::ev);
    def_pairs("ee", "(edge, edge) pairs, as DetectedPairs with EdgeEdgeFeatures.", &NearPairs::ee);
    def_pairs("fv", "(face, vertex) pairs, as DetectedPairs with PointTriangleFeatures.", &NearPairs::fv);
    def_pairs(
        "pv", "(plane, vertex) pairs, as DetectedPairs; a vertex on a plane or behind it is at distance 0.",
        &NearPairs::pv);
    type.get(
        "candidates",
        "The Candidates that may come within range before the next search, and a few more: what an update measures.",
        [](const Self& self) { return self.results().candidates; });
    type.get(
        "smallest_distance", "The smallest distance among the pairs [m]; inf if there are none.",
        [](const Self& self) { return self.results().smallest_distance; });
    type.get("num_searches", "Searches so far; the other updates computed distances only.", [](const Self& self) {
        return self.results().num_searches;
    });
    type.def("__len__", "Number of pairs of all kinds.", [](const Self& self) { return self.results().pairs->size(); });
    type.repr([](const Self& self) {
        return fmt::format("{} pairs closer than {} m", self.results().pairs->size(), self.range());
    });
}

} // namespace

void def_detection(py::module_& m)
{
    using O = DetectionOptions;
    def_detected_pairs(m);
    Class<SharedDetection> type(
        m, "Detection",
        "What is near what: all pairs of elements of a mesh within a range, with their distances and closest features, "
        "at the positions of the last update.");
    type.init(
        "mesh"_a, py::kw_only(), required<&O::range>, options<&O::slack>, py::keep_alive<1, 2>(),
        R"(For a mesh, without pairs yet.

range: pairs closer than this are reported [m], > 0.
slack: share of the range by which a search looks farther, to be used again after small moves, 0 to 10.)",
        [](const CollisionMesh& mesh, const O& options) { return std::make_unique<SharedDetection>(mesh, options); });
    type.def(
        "update", "X"_a, R"(Finds the pairs closer than the range at positions X (#V, dim) [m].

Where no vertex has moved farther than the slack allows since the last search, its candidates serve again and only
distances are computed. The result depends on X alone. Runs in parallel, without the interpreter lock; one update of an
object at a time. On failure the pairs stay as they were.)",
        &SharedDetection::update);
    type.get("range", "Pairs closer than this are reported [m].", &SharedDetection::range);
    def_results(type);
    def(m, "compute_minimum_distance", "mesh"_a, "X"_a, unlocked,
        "The smallest distance [m] of two elements that share no vertex and that the mesh's filter allows, or of a "
        "vertex to a plane, at positions X (#V, dim) [m]; inf if there are no such pairs, 0 with a vertex behind a "
        "plane. Runs in parallel, without the interpreter lock.",
        compute_minimum_distance);
}

} // namespace abut::python
