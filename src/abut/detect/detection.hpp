#pragma once
// What is near what: all pairs of elements within a range, with their distances and closest features. One pass at the
// largest range that anyone needs is shared by guards, barriers, adhesion and bounds, whose laws vanish beyond their
// own. Where the mesh has offsets, every distance here is a gap: less the offset of the pair, 0 where they overlap.

#include "abut/detect/candidates.hpp"

#include <limits>

namespace abut {

/// Pairs of one kind within range, in three arrays of the same length.
struct DetectedPairs {
    std::vector<IndexPair> pairs;          ///< in the order of Candidates, sorted
    std::vector<double> squared_distances; ///< [m²]
    std::vector<std::uint8_t> features;    ///< PointEdgeFeature, EdgeEdgeFeature or PointTriangleFeature; else 0

    [[nodiscard]] std::size_t size() const { return pairs.size(); }
    bool operator==(const DetectedPairs&) const = default;
};

/// Pairs within range: vv of loose vertices; pv by signed distance, so that a vertex on a plane or behind it, however
/// far, is at distance 0 of it.
struct NearPairs : ByKind<DetectedPairs> {
    /// Those closer than `range` [m], in their order.
    [[nodiscard]] NearPairs closer_than(double range) const;
    bool operator==(const NearPairs&) const = default;
};

/// The candidates that are closer than `range` [m] at X, in their order.
[[nodiscard]] NearPairs
find_near_pairs(const Candidates& candidates, const CollisionMesh& mesh, const ConstPositions& X, double range);

struct DetectionOptions {
    double range; ///< pairs closer than this are reported [m], > 0
    double slack =
        0.25; ///< share of the range by which the search looks farther, to be used again after small moves, >= 0
};

class Detection {
public:
    Detection(const CollisionMesh& mesh, const DetectionOptions& options);

    /// Finds the pairs closer than the range at X. Where no vertex has moved farther than the slack allows since the
    /// last search, its candidates serve again and only distances are computed. The result depends on X alone.
    void update(const ConstPositions& X);

    /// Was the last update at these positions?
    [[nodiscard]] bool is_at(const ConstPositions& X) const
    {
        return updated_at_.rows() == X.rows() && updated_at_.cols() == X.cols() && updated_at_ == X;
    }

    [[nodiscard]] double range() const { return options_.range; }
    [[nodiscard]] const NearPairs& pairs() const { return pairs_; }
    [[nodiscard]] std::size_t size() const { return pairs_.size(); }

    /// Pairs that may come within range before the next search, and a few more: what an update measures.
    [[nodiscard]] const Candidates& candidates() const { return candidates_; }

    /// The smallest distance among the pairs [m]; infinity if there are none.
    [[nodiscard]] double smallest_distance() const;

    /// Searches so far; the other updates computed distances only.
    [[nodiscard]] int num_searches() const { return num_searches_; }

private:
    const CollisionMesh& mesh_;
    DetectionOptions options_;
    Positions searched_at_, updated_at_; // empty before the first search, update
    Candidates candidates_;
    NearPairs pairs_;
    int num_searches_ = 0;
};

/// The smallest distance of two elements that share no vertex, or of a vertex to a plane, at X [m]; infinity if there
/// are no such pairs, 0 with a vertex behind a plane. Searches ever farther until it finds a pair, so a filter that
/// excludes almost everything makes it look at almost all pairs.
[[nodiscard]] double compute_minimum_distance(const CollisionMesh& mesh, const ConstPositions& X);

} // namespace abut
