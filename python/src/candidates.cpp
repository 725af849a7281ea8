#include "candidates.hpp"

#include "abut/base/error.hpp"
#include "arrays.hpp"
#include "module.hpp"

namespace abut::python {

namespace {

constexpr CandidatesOptions candidates_defaults;

CandidatesOptions options_argument(const std::string& method, std::int64_t max_pairs)
{
    return {.method = broad_phase_argument(method, "method"), .max_pairs = max_pairs};
}

/// Defines a list of pairs as a property. The array keeps the lists alive, whatever becomes of the object.
void def_pairs(
    py::class_<SharedCandidates>& type, const char* name, std::vector<IndexPair> Candidates::*pairs, const char* doc)
{
    type.def_property_readonly(
        name,
        [pairs](const SharedCandidates& self) {
            using Lists = std::shared_ptr<const Candidates>;
            const py::capsule owner(new Lists(self.lists), [](void* lists) { delete static_cast<Lists*>(lists); });
            return view(std::span<const IndexPair>((*self.lists).*pairs), owner);
        },
        doc);
}

} // namespace

BroadPhase broad_phase_argument(const std::string& value, const char* name)
{
    if (value != "bvh" && value != "brute_force")
        reject("{}: expected \"bvh\" or \"brute_force\", got \"{}\"", name, value);
    return value == "bvh" ? BroadPhase::bvh : BroadPhase::brute_force;
}

void def_candidates(py::module_& m)
{
    py::class_<SharedCandidates> type(
        m, "Candidates",
        "Pairs of elements that may be in contact, from a broad phase. In 3D these are edge-edge and face-vertex "
        "pairs, in 2D edge-vertex pairs; loose vertices and loose edges add vertex-vertex and edge-vertex pairs. "
        "Elements that share a vertex, and pairs that the mesh's filter excludes, are left out. The mesh's planes are "
        "paired with all vertices near them. Every list is sorted and holds each pair once.");
    type.def(py::init<>(), "No pairs.");
    type.def(
        "build",
        [](SharedCandidates& self, const CollisionMesh& mesh, const ArrayLike& X, double inflation,
           const std::string& method, std::int64_t max_pairs) {
            const Positions x = positions_argument(X, "X");
            const CandidatesOptions options = options_argument(method, max_pairs);
            const auto lists = std::make_shared<Candidates>();
            without_gil([&] { lists->build(mesh, x, inflation, options); });
            self.lists = lists;
        },
        "mesh"_a, "X"_a, "inflation"_a, py::kw_only(), "method"_a = "bvh",
        "max_pairs"_a = candidates_defaults.max_pairs,
        R"(Finds the pairs whose boxes, each grown by `inflation` [m], overlap at positions X (#V, dim) [m].

Boxes grow on every side, so that these are all pairs within 2 inflation of each other, and some others. inflation >= 0.
Planes are paired with the vertices whose signed distance, negative behind the plane, is at most 2 inflation.
method: "bvh", or "brute_force", which looks at all pairs of boxes and is for tests.
max_pairs: more pairs than this of one kind raise LimitReached before they are stored.

Runs in parallel, without the interpreter lock. On failure the pairs stay as they were.)");
    type.def(
        "build",
        [](SharedCandidates& self, const CollisionMesh& mesh, const ArrayLike& X0, const ArrayLike& X1,
           double inflation, const std::string& method, std::int64_t max_pairs) {
            const Positions x0 = positions_argument(X0, "X0"), x1 = positions_argument(X1, "X1");
            const CandidatesOptions options = options_argument(method, max_pairs);
            const auto lists = std::make_shared<Candidates>();
            without_gil([&] { lists->build(mesh, x0, x1, inflation, options); });
            self.lists = lists;
        },
        "mesh"_a, "X0"_a, "X1"_a, "inflation"_a, py::kw_only(), "method"_a = "bvh",
        "max_pairs"_a = candidates_defaults.max_pairs,
        "The same for the boxes around the straight paths from X0 to X1, each (#V, dim) [m], and for the smaller of "
        "the signed distances at their ends.");
    def_pairs(
        type, "vv", &Candidates::vv,
        "(vertex, vertex) pairs (n, 2) int32, the smaller first, of loose vertices; read-only.");
    def_pairs(type, "ev", &Candidates::ev, "(edge, vertex) pairs (n, 2) int32; read-only.");
    def_pairs(type, "ee", &Candidates::ee, "(edge, edge) pairs (n, 2) int32, the smaller first; read-only.");
    def_pairs(type, "fv", &Candidates::fv, "(face, vertex) pairs (n, 2) int32; read-only.");
    def_pairs(type, "pv", &Candidates::pv, "(plane, vertex) pairs (n, 2) int32, whatever the filter says; read-only.");
    type.def(
        "__len__", [](const SharedCandidates& self) { return self.lists->size(); }, "Number of pairs of all kinds.");
    type.def(
        "__eq__", [](const SharedCandidates& a, const SharedCandidates& b) { return *a.lists == *b.lists; },
        py::is_operator(), "Are the pairs the same?");
    type.def("__repr__", [](const SharedCandidates& self) {
        const Candidates& lists = *self.lists;
        return fmt::format(
            "<abut.Candidates: {} vv, {} ev, {} ee, {} fv, {} pv>", lists.vv.size(), lists.ev.size(), lists.ee.size(),
            lists.fv.size(), lists.pv.size());
    });
}

} // namespace abut::python
