#include "abut/contact/gcp/smooth_collisions.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/contact/gcp/acting_pairs.hpp"
#include "abut/contact/gcp/pair_energy.hpp"
#include "abut/detect/near_search.hpp"
#include "abut/mesh/validate.hpp"

#include <algorithm>

namespace abut {

std::string touching_message(PairKind kind, const IndexPair& elements)
{
    const auto& kinds = element_kinds(kind);
    return fmt::format(
        "vertices: {} {} and {} {} touch, and no barrier has a value there; move them apart", to_string(kinds[0]),
        elements[0], to_string(kinds[1]), elements[1]);
}

void SmoothCollisions::build(
    const CollisionMesh& mesh, const ConstPositions& X, const SmoothContactParameters& params,
    const SmoothExtents& extents, BroadPhase broad_phase)
{
    validate_positions(X, mesh.num_vertices(), mesh.dim(), "X");
    params.validate(mesh);
    if (broad_phase == BroadPhase::bvh) {
        build_from_near(search_near_pairs(mesh, X, params.dhat / 2, params.dhat), mesh, X, params, extents);
        return;
    }
    Candidates candidates;
    candidates.build(mesh, X, params.dhat / 2, {.method = broad_phase});
    build(candidates, mesh, X, params, extents);
}

void SmoothCollisions::build(
    const Candidates& candidates, const CollisionMesh& mesh, const ConstPositions& X,
    const SmoothContactParameters& params, const SmoothExtents& extents)
{
    validate_positions(X, mesh.num_vertices(), mesh.dim(), "X");
    params.validate(mesh);
    candidates.validate(mesh);
    build_from_near(find_near_pairs(candidates, mesh, X, params.dhat), mesh, X, params, extents);
}

void SmoothCollisions::build(
    const Detection& detection, const CollisionMesh& mesh, const ConstPositions& X,
    const SmoothContactParameters& params, const SmoothExtents& extents)
{
    validate_positions(X, mesh.num_vertices(), mesh.dim(), "X");
    params.validate(mesh);
    if (detection.range() < params.dhat)
        reject(
            "detection: its range of {} m is below dhat = {} m; make it at least as large", detection.range(),
            params.dhat);
    build_from_near(detection.pairs(), mesh, X, params, extents);
}

void SmoothCollisions::build_from_near(
    const NearPairs& near, const CollisionMesh& mesh, const ConstPositions& X, const SmoothContactParameters& params,
    const SmoothExtents& extents)
{
    extents.validate(mesh);
    const std::vector<ByKind<gcp::FoundPairs>> found = gcp::find_acting_pairs(near, mesh, X, params, extents, 0);
    *this = {}; // not before: a set that cannot be built stays as it was
    struct Part {
        PairKind kind;
        const gcp::FoundPairs* list;
        std::size_t first_pair, first_test;
    };
    std::vector<Part> parts;
    std::vector<const Stencils*> stencils;
    std::size_t num_pairs = 0, num_tests = 0;
    for (const PairKind kind :
         {PairKind::vertex_vertex, PairKind::edge_vertex, PairKind::edge_edge, PairKind::face_vertex,
          PairKind::plane_vertex})
        for (const ByKind<gcp::FoundPairs>& part : found) {
            const gcp::FoundPairs& list = part[kind];
            ABUT_ASSERT(list.stencils.size() == list.size() && list.test_starts.size() == list.size() + 1);
            parts.push_back({kind, &list, num_pairs, num_tests});
            stencils.push_back(&list.stencils);
            num_pairs += list.size();
            num_tests += list.tests.size();
        }
    pairs_.resize(num_pairs);
    tests_.resize(num_tests);
    test_starts_.resize(num_pairs + 1);
    parallel_for(parts.size(), 16, [&](std::size_t k) {
        const auto& [kind, list, first_pair, first_test] = parts[k];
        for (std::size_t i = 0; i < list->size(); ++i) {
            const gcp::FoundPair& pair = list->pairs[i];
            pairs_[first_pair + i] = {kind, pair.elements, pair.dhat, pair.weight};
            test_starts_[first_pair + i + 1] = static_cast<std::int64_t>(first_test) + list->test_starts[i + 1];
        }
        std::copy(list->tests.begin(), list->tests.end(), tests_.begin() + static_cast<std::ptrdiff_t>(first_test));
    });
    stencils_ = Stencils::joined(stencils);
    mesh_sizes_ = MeshSizes::of(mesh);
    params_ = params;
    ABUT_ASSERT(pairs_.size() == stencils_.size() && test_starts_.size() == pairs_.size() + 1);
    ABUT_ASSERT(stencils_.vertex_bound() <= mesh.num_vertices());
    ABUT_ASSERT(
        std::is_sorted(pairs_.begin(), pairs_.end(), [](const Pair& a, const Pair& b) { return a.kind < b.kind; }));
}

SmoothCollisions SmoothCollisions::subset(std::span<const int> terms) const
{
    validate_rising_terms(terms, size());
    SmoothCollisions part;
    part.pairs_ = selected(pairs_, terms);
    part.stencils_ = stencils_.subset(terms);
    for (const int pair : terms) {
        const auto own = tests(pair);
        part.tests_.insert(part.tests_.end(), own.begin(), own.end());
        part.test_starts_.push_back(static_cast<std::int64_t>(part.tests_.size()));
    }
    part.params_ = params_;
    part.mesh_sizes_ = mesh_sizes_;
    return part;
}

SmoothCollision SmoothCollisions::operator[](std::size_t pair) const
{
    if (pair >= size())
        reject("collisions: there is no pair {}; the set has {}", pair, size());
    const Pair& p = pairs_[pair];
    const std::span<const int> stencil = stencils_[pair];
    return {p.kind, p.elements, stencil.first(stencil_size(p.kind)), stencil, p.dhat, p.weight};
}

std::size_t SmoothCollisions::count(PairKind kind) const
{
    return std::count_if(pairs_.begin(), pairs_.end(), [&](const Pair& pair) { return pair.kind == kind; });
}

Eigen::VectorXd SmoothCollisions::distances(const CollisionMesh& mesh, const ConstPositions& X) const
{
    validate(mesh, X);
    Eigen::VectorXd distances(static_cast<Eigen::Index>(size()));
    const auto find = [&]<int Dim>(std::integral_constant<int, Dim>) {
        for (std::size_t k = 0; k < size(); ++k) {
            const auto x = [&](int i) { return Vec<Dim>(point<Dim>(X, stencils_[k][i])); };
            const Plane* plane =
                pairs_[k].kind == PairKind::plane_vertex ? &mesh.planes()[pairs_[k].elements[0]] : nullptr;
            distances[static_cast<Eigen::Index>(k)] = gcp::closest_vector<Dim>(pairs_[k].kind, x, plane).norm();
        }
    };
    if (mesh.dim() == 2)
        find(std::integral_constant<int, 2>{});
    else
        find(std::integral_constant<int, 3>{});
    return distances;
}

double SmoothCollisions::compute_minimum_distance(const CollisionMesh& mesh, const ConstPositions& X) const
{
    const Eigen::VectorXd all = distances(mesh, X);
    return all.size() > 0 ? all.minCoeff() : std::numeric_limits<double>::infinity();
}

void SmoothCollisions::validate(const CollisionMesh& mesh, const ConstPositions& X) const
{
    mesh_sizes_.require(mesh);
    validate_positions(X, mesh.num_vertices(), mesh.dim(), "X");
}

void SmoothCollisions::require_parameters(const SmoothContactParameters& params, int dim) const
{
    if (!params_)
        return;
    if (const std::string found = difference(*params_, params, dim); !found.empty())
        reject(
            "collisions: built with other parameters than the potential's, {}; build them with the potential's", found);
}

bool SmoothCollisions::operator==(const SmoothCollisions& other) const
{
    return pairs_ == other.pairs_ && stencils_ == other.stencils_ && tests_ == other.tests_;
}

} // namespace abut
