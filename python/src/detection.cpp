#include "detection.hpp"

#include "abut/base/error.hpp"
#include "module.hpp"

namespace abut::python {

namespace {

/// Defines an array as a property. DetectedPairs never change in Python, so views of them stay valid.
template <typename T>
void def_array(
    py::class_<DetectedPairs, std::shared_ptr<DetectedPairs>>& type, const char* name,
    std::vector<T> DetectedPairs::*array, const char* doc)
{
    type.def_property_readonly(
        name,
        [array](const py::object& self) {
            return view(std::span<const T>(py::cast<const DetectedPairs&>(self).*array), self);
        },
        doc);
}

void def_detected_pairs(py::module_& m)
{
    py::class_<DetectedPairs, std::shared_ptr<DetectedPairs>> type(
        m, "DetectedPairs", "Pairs of one kind within range, in three arrays of the same length. Immutable.");
    def_array(type, "pairs", &DetectedPairs::pairs, "The elements (n, 2) int32, sorted; read-only.");
    def_array(type, "squared_distances", &DetectedPairs::squared_distances, "Squared distances (n,) [m²]; read-only.");
    def_array(
        type, "features", &DetectedPairs::features,
        "PointEdgeFeatures, EdgeEdgeFeatures or PointTriangleFeatures, by the kind of pair, (n,) uint8; 0 for pairs of "
        "vertices and of planes. Read-only.");
    type.def("__len__", &DetectedPairs::size, "Number of pairs.");
    type.def(
        "__eq__", [](const DetectedPairs& a, const DetectedPairs& b) { return a == b; }, py::is_operator(),
        "Are pairs, distances and features the same?");
    type.def("__repr__", [](const DetectedPairs& self) {
        return fmt::format("<abut.DetectedPairs: {} pairs>", self.size());
    });
}

} // namespace

void def_detection(py::module_& m)
{
    def_detected_pairs(m);
    const auto pairs = [](std::shared_ptr<DetectedPairs> DetectionResults::*member) {
        return [member](const SharedDetection& self) { return self.results().*member; };
    };
    py::class_<SharedDetection>(
        m, "Detection",
        "What is near what: all pairs of elements of a mesh within a range, with their distances and closest features, "
        "at the positions of the last update.")
        .def(
            py::init([](const CollisionMesh& mesh, double range, double slack) {
                return std::make_unique<SharedDetection>(mesh, DetectionOptions{.range = range, .slack = slack});
            }),
            "mesh"_a, py::kw_only(), "range"_a, "slack"_a = DetectionOptions{.range = 1}.slack, py::keep_alive<1, 2>(),
            R"(For a mesh, without pairs yet.

range: pairs closer than this are reported [m], > 0.
slack: share of the range by which a search looks farther, to be used again after small moves, 0 to 10.)")
        .def(
            "update", [](SharedDetection& self, const ArrayLike& X) { self.update(positions_argument(X, "X")); }, "X"_a,
            R"(Finds the pairs closer than the range at positions X (#V, dim) [m].

Where no vertex has moved farther than the slack allows since the last search, its candidates serve again and only
distances are computed. The result depends on X alone. Runs in parallel, without the interpreter lock; one update of an
object at a time. On failure the pairs stay as they were.)")
        .def_property_readonly("range", &SharedDetection::range, "Pairs closer than this are reported [m].")
        .def_property_readonly(
            "vv", pairs(&DetectionResults::vv), "(vertex, vertex) pairs of loose vertices, as DetectedPairs.")
        .def_property_readonly(
            "ev", pairs(&DetectionResults::ev), "(edge, vertex) pairs, as DetectedPairs with PointEdgeFeatures.")
        .def_property_readonly(
            "ee", pairs(&DetectionResults::ee), "(edge, edge) pairs, as DetectedPairs with EdgeEdgeFeatures.")
        .def_property_readonly(
            "fv", pairs(&DetectionResults::fv), "(face, vertex) pairs, as DetectedPairs with PointTriangleFeatures.")
        .def_property_readonly(
            "pv", pairs(&DetectionResults::pv),
            "(plane, vertex) pairs, as DetectedPairs; a vertex on a plane or behind it is at distance 0.")
        .def_property_readonly(
            "candidates", [](const SharedDetection& self) { return self.results().candidates; },
            "The Candidates that may come within range before the next search, and a few more: what an update "
            "measures.")
        .def_property_readonly(
            "smallest_distance", [](const SharedDetection& self) { return self.results().smallest_distance; },
            "The smallest distance among the pairs [m]; inf if there are none.")
        .def_property_readonly(
            "num_searches", [](const SharedDetection& self) { return self.results().num_searches; },
            "Searches so far; the other updates computed distances only.")
        .def("__len__", &SharedDetection::size, "Number of pairs of all kinds.")
        .def("__repr__", [](const SharedDetection& self) {
            return fmt::format("<abut.Detection: {} pairs closer than {} m>", self.size(), self.range());
        });
    m.def(
        "compute_minimum_distance",
        [](const CollisionMesh& mesh, const ArrayLike& X) {
            const Positions x = positions_argument(X, "X");
            return without_gil([&] { return compute_minimum_distance(mesh, x); });
        },
        "mesh"_a, "X"_a,
        "The smallest distance [m] of two elements that share no vertex and that the mesh's filter allows, or of a "
        "vertex to a plane, at positions X (#V, dim) [m]; inf if there are no such pairs, 0 with a vertex behind a "
        "plane. Runs in parallel, without the interpreter lock.");
}

} // namespace abut::python
