#include "hessian_cache.hpp"

#include "abut/base/error.hpp"
#include "abut/contact/normal_potential.hpp"
#include "candidates.hpp"
#include "module.hpp"

namespace abut::python {

namespace {

struct SharedPattern {
    std::shared_ptr<const BlockPattern> pattern;
};

/// Rejects candidates of another mesh, whose indices this one lacks.
void require_candidates_of(const CollisionMesh& mesh, const Candidates& candidates)
{
    const auto check = [](const std::vector<IndexPair>& pairs, int num_first, int num_second, const char* name) {
        for (const auto& [first, second] : pairs)
            if (first >= num_first || second >= num_second)
                reject("candidates: {} has ({}, {}), which is no pair of this mesh", name, first, second);
    };
    check(candidates.vv, mesh.num_vertices(), mesh.num_vertices(), "vv");
    check(candidates.ev, mesh.num_edges(), mesh.num_vertices(), "ev");
    check(candidates.ee, mesh.num_edges(), mesh.num_edges(), "ee");
    check(candidates.fv, mesh.num_faces(), mesh.num_vertices(), "fv");
    check(candidates.pv, static_cast<int>(mesh.planes().size()), mesh.num_vertices(), "pv");
}

} // namespace

void def_hessian_cache(py::module_& m)
{
    def_enum<PSDProjectionMethod>(m);
    py::class_<SharedPattern>(
        m, "BlockPattern",
        "Where the dim x dim blocks of a symmetric matrix are, one row of blocks per vertex. Immutable.")
        .def_property_readonly(
            "num_rows", [](const SharedPattern& self) { return self.pattern->num_rows(); }, "Rows of blocks.")
        .def_property_readonly(
            "dim", [](const SharedPattern& self) { return self.pattern->layout().dim(); },
            "Rows and columns of a block.")
        .def_property_readonly(
            "num_blocks", [](const SharedPattern& self) { return self.pattern->num_blocks(); },
            "Blocks on and above the diagonal.")
        .def("__repr__", [](const SharedPattern& self) {
            return fmt::format(
                "<abut.BlockPattern: {} blocks of {} x {} in {} rows>", self.pattern->num_blocks(),
                self.pattern->layout().dim(), self.pattern->layout().dim(), self.pattern->num_rows());
        });
    m.def(
        "candidate_pattern",
        [](const SharedCandidates& candidates, const CollisionMesh& mesh) {
            const auto lists = candidates.lists;
            return SharedPattern{without_gil([&] {
                require_candidates_of(mesh, *lists);
                return candidate_pattern(*lists, mesh);
            })};
        },
        "candidates"_a, "mesh"_a,
        "The BlockPattern of Hessians over any subset of these Candidates of the mesh, for a HessianCache.");
    py::class_<SharedCache>(
        m, "HessianCache",
        "What Hessians are assembled with, kept from one call of hessian(..., cache=cache) to the next. While the "
        "collisions stay the same, nothing is sorted again. One call at a time.")
        .def(
            py::init([](const SharedPattern* pattern) {
                return std::make_unique<SharedCache>(pattern == nullptr ? nullptr : pattern->pattern);
            }),
            "pattern"_a = py::none(),
            R"(An empty cache.

pattern: a BlockPattern that all Hessians of this cache have, with zeros where a collision is not active, as a solver
likes that keeps its symbolic factorisation; see candidate_pattern. By default that of the active collisions.)")
        .def_property_readonly(
            "num_analyses", &SharedCache::num_analyses, "How often terms were sorted into a pattern so far.")
        .def("__repr__", [](const SharedCache& self) {
            return fmt::format("<abut.HessianCache: {} analyses>", self.num_analyses());
        });
}

} // namespace abut::python
