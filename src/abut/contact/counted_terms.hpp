#pragma once
// The terms of sets whose weights count contacts: those of IPC and OGC in space without areas, offsets and shape
// derivatives. What pairs lead to is the same as in normal_collisions_builder.cpp, which has the rules for all sets;
// here a contact is two numbers instead of all that a weight may be made of, and edges and faces are looked at a few at
// once. Internal: NormalCollisions::build() is the entrance.

#include "abut/contact/normal_collisions.hpp"
#include "abut/detect/broad_phase.hpp"

namespace abut {

/// How many pairs of edges, of those that counts_edges(i, j) counts, find the same contact as edges a and b at these
/// features: where an end of a meets b, all edges at this end do, for none of them is closer.
template <typename CountsEdges>
[[nodiscard]] int count_sharers(
    const CollisionMesh& mesh, const PairRules& rules, int a, int b, EdgeEdgeFeature feature,
    CountsEdges&& counts_edges)
{
    const auto edges_at = [&](const int& edge, int end) -> std::span<const int> {
        return end == whole_edge ? std::span(&edge, 1) : mesh.vertex_edges(mesh.edges()(edge, end));
    };
    const auto [end_of_a, end_of_b] = ends_of(feature);
    int count = 0;
    for (const int i : edges_at(a, end_of_a))
        for (const int j : edges_at(b, end_of_b))
            count += rules.edge_edge(i, j) && counts_edges(i, j);
    return count;
}

/// Whether a set of these options has terms that are counted.
[[nodiscard]] bool has_counted_terms(const CollisionMesh& mesh, const NormalCollisionsOptions& options);

/// The terms for pairs that include all within dmin + dhat of each other; none of them touches.
[[nodiscard]] NormalTerms counted_terms(
    const NearPairs& pairs, const CollisionMesh& mesh, const ConstPositions& X, const NormalCollisionsOptions& options);

} // namespace abut
