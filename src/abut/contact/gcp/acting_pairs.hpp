#pragma once
// Which of the pairs that are near each other act: GCP's tests of their directions. Internal: SmoothCollisions is the
// entrance, and its header says what the pairs are.

#include "abut/contact/gcp/extents.hpp"
#include "abut/contact/gcp/smooth_collisions.hpp"

namespace abut::gcp {

struct FoundPair {
    IndexPair elements;
    double distance, dhat, weight;
};

/// Pairs of one kind in the order in which they were found, with their stencils and tests.
struct FoundPairs {
    std::vector<FoundPair> pairs;
    Stencils stencils;
    std::vector<Test> tests;
    std::vector<std::int64_t> test_starts{0};

    [[nodiscard]] std::size_t size() const { return pairs.size(); }
};

/// By how much tests are widened when the pairs of the rest shape are collected.
[[nodiscard]] double rest_margin(SmoothContactVariant variant);

/// The pairs of `near`, all within dhat, that act at X, as tasks found them: of each kind those of one part come before
/// those of the next. The tests are widened by `margin`, of cosines and of coordinates on elements. Throws
/// InvalidStart, naming the pair, where two elements touch.
[[nodiscard]] std::vector<ByKind<FoundPairs>> find_acting_pairs(
    const NearPairs& near, const CollisionMesh& mesh, const ConstPositions& X, const SmoothContactParameters& params,
    const SmoothExtents& extents, double margin);

} // namespace abut::gcp
