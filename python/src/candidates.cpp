#include "candidates.hpp"

#include "module.hpp"

namespace abut::python {

BroadPhase broad_phase_argument(const std::string& value, const char* name)
{
    if (value != "bvh" && value != "brute_force")
        reject("{}: expected \"bvh\" or \"brute_force\", got \"{}\"", name, value);
    return value == "bvh" ? BroadPhase::bvh : BroadPhase::brute_force;
}

void def_candidates(py::module_& m)
{
    using Self = SharedCandidates;
    Class<Self> type(
        m, "Candidates",
        "Pairs of elements that may be in contact, from a broad phase. In 3D these are edge-edge and face-vertex "
        "pairs, in 2D edge-vertex pairs; loose vertices and loose edges add vertex-vertex and edge-vertex pairs. "
        "Elements that share a vertex, and pairs that the mesh's filter excludes, are left out. The mesh's planes are "
        "paired with all vertices near them. Every list is sorted and holds each pair once.");
    type.init("No pairs.", [] { return Self(); });
    const auto build_options =
        std::tuple("inflation"_a, py::kw_only(), options<&CandidatesOptions::method, &CandidatesOptions::max_pairs>);
    const auto build = [](Self& self, const auto&... arguments) {
        const auto lists = std::make_shared<Candidates>();
        without_gil([&] { lists->build(arguments...); });
        self.lists = lists;
    };
    type.def(
        "build", "mesh"_a, "X"_a, build_options,
        R"(Finds the pairs whose boxes, each grown by `inflation` [m], overlap at positions X (#V, dim) [m].

Boxes grow on every side, so that these are all pairs within 2 inflation of each other, and some others. inflation >= 0.
Planes are paired with the vertices whose signed distance, negative behind the plane, is at most 2 inflation.
method: "bvh", or "brute_force", which looks at all pairs of boxes and is for tests.
max_pairs: more pairs than this of one kind raise LimitReached before they are stored.

Runs in parallel, without the interpreter lock. On failure the pairs stay as they were.)",
        [build](
            Self& self, const CollisionMesh& mesh, const Positions& X, double inflation, const CandidatesOptions& o) {
            build(self, mesh, X, inflation, o);
        });
    type.def(
        "build", "mesh"_a, "X0"_a, "X1"_a, build_options,
        "The same for the boxes around the straight paths from X0 to X1, each (#V, dim) [m], and for the smaller of "
        "the signed distances at their ends.",
        [build](
            Self& self, const CollisionMesh& mesh, const Positions& X0, const Positions& X1, double inflation,
            const CandidatesOptions& o) { build(self, mesh, X0, X1, inflation, o); });
    // The array keeps the lists alive, whatever becomes of the object.
    const auto def_pairs = [&](const char* name, const char* doc, std::vector<IndexPair> Candidates::*pairs) {
        type.get(name, doc, [pairs](const Self& self) {
            using Lists = std::shared_ptr<const Candidates>;
            const py::capsule owner(new Lists(self.lists), [](void* lists) { delete static_cast<Lists*>(lists); });
            return view((*self.lists).*pairs, owner);
        });
    };
    def_pairs(
        "vv", "(vertex, vertex) pairs (n, 2) int32, the smaller first, of loose vertices; read-only.", &Candidates::vv);
    def_pairs("ev", "(edge, vertex) pairs (n, 2) int32; read-only.", &Candidates::ev);
    def_pairs("ee", "(edge, edge) pairs (n, 2) int32, the smaller first; read-only.", &Candidates::ee);
    def_pairs("fv", "(face, vertex) pairs (n, 2) int32; read-only.", &Candidates::fv);
    def_pairs("pv", "(plane, vertex) pairs (n, 2) int32, whatever the filter says; read-only.", &Candidates::pv);
    type.def("__len__", "Number of pairs of all kinds.", [](const Self& self) { return self.lists->size(); });
    type.def("__eq__", py::is_operator(), "Are the pairs the same?", [](const Self& a, const Self& b) {
        return *a.lists == *b.lists;
    });
    type.repr([](const Self& self) {
        const Candidates& lists = *self.lists;
        return counts_text(lists.vv.size(), lists.ev.size(), lists.ee.size(), lists.fv.size(), lists.pv.size());
    });
}

} // namespace abut::python
