#include "hessian_cache.hpp"

#include "abut/contact/normal_potential.hpp"
#include "candidates.hpp"
#include "module.hpp"

namespace abut::python {

namespace {

struct SharedPattern {
    std::shared_ptr<const BlockPattern> pattern;
};

} // namespace

void def_hessian_cache(py::module_& m)
{
    using Pattern = SharedPattern;
    def_enum<PSDProjectionMethod>(m);
    Class<Pattern> pattern(
        m, "BlockPattern",
        "Where the dim x dim blocks of a symmetric matrix are, one row of blocks per vertex. Immutable.");
    pattern.get("num_rows", "Rows of blocks.", [](const Pattern& self) { return self.pattern->num_rows(); });
    pattern.get(
        "dim", "Rows and columns of a block.", [](const Pattern& self) { return self.pattern->layout().dim(); });
    pattern.get("num_blocks", "Blocks on and above the diagonal.", [](const Pattern& self) {
        return self.pattern->num_blocks();
    });
    pattern.repr([](const Pattern& self) {
        return fmt::format(
            "{0} blocks of {1} x {1} in {2} rows", self.pattern->num_blocks(), self.pattern->layout().dim(),
            self.pattern->num_rows());
    });
    def(m, "candidate_pattern", "candidates"_a, "mesh"_a,
        "The BlockPattern of Hessians over any subset of these Candidates of the mesh, for a HessianCache.",
        [](const SharedCandidates& candidates, const CollisionMesh& mesh) {
            return Pattern{without_gil([&, lists = candidates.lists] { return candidate_pattern(*lists, mesh); })};
        });
    Class<SharedCache> cache(
        m, "HessianCache",
        "What Hessians are assembled with, kept from one call of hessian(..., cache=cache) to the next. While the "
        "collisions stay the same, nothing is sorted again. One call at a time.");
    cache.init(
        "pattern"_a = py::none(), R"(An empty cache.

pattern: a BlockPattern that all Hessians of this cache have, with zeros where a collision is not active, as a solver
likes that keeps its symbolic factorisation; see candidate_pattern. By default that of the active collisions.)",
        [](const Pattern* given) {
            return std::make_unique<SharedCache>(given == nullptr ? nullptr : given->pattern);
        });
    cache.get("num_analyses", "How often terms were sorted into a pattern so far.", &SharedCache::num_analyses);
    cache.repr([](const SharedCache& self) { return fmt::format("{} analyses", self.num_analyses()); });
}

} // namespace abut::python
