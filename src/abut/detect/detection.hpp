#pragma once
// What is near what: all pairs of elements within a range, with their distances and closest features. One pass at the
// largest range that anyone needs is shared by guards, barriers, adhesion and bounds, whose laws vanish beyond their
// own.

#include "abut/detect/candidates.hpp"

#include <limits>

namespace abut {

/// Pairs of one kind within range, in three arrays of the same length.
struct DetectedPairs {
    std::vector<IndexPair> pairs;          ///< in the order of Candidates, sorted
    std::vector<double> squared_distances; ///< [m²]
    std::vector<std::uint8_t> features;    ///< PointEdgeFeature, EdgeEdgeFeature or PointTriangleFeature; 0 for points

    [[nodiscard]] std::size_t size() const { return pairs.size(); }
    bool operator==(const DetectedPairs&) const = default;
};

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

    [[nodiscard]] double range() const { return options_.range; }
    [[nodiscard]] const DetectedPairs& vv() const { return vv_; } ///< loose vertices
    [[nodiscard]] const DetectedPairs& ev() const { return ev_; } ///< (edge, vertex)
    [[nodiscard]] const DetectedPairs& ee() const { return ee_; } ///< (edge, edge)
    [[nodiscard]] const DetectedPairs& fv() const { return fv_; } ///< (face, vertex)
    [[nodiscard]] std::size_t size() const { return vv_.size() + ev_.size() + ee_.size() + fv_.size(); }

    /// Pairs that the last search looks at, within range or not.
    [[nodiscard]] const Candidates& candidates() const { return candidates_; }

    /// The smallest distance among the pairs [m]; infinity if there are none.
    [[nodiscard]] double smallest_distance() const;

    /// Searches so far; the other updates computed distances only.
    [[nodiscard]] int num_searches() const { return num_searches_; }

private:
    const CollisionMesh& mesh_;
    DetectionOptions options_;
    Positions searched_at_; // empty before the first search
    Candidates candidates_;
    DetectedPairs vv_, ev_, ee_, fv_;
    int num_searches_ = 0;
};

/// The smallest distance of two elements that share no vertex, at X [m]; infinity if there are no such pairs. Searches
/// ever farther until it finds a pair, so a filter that excludes almost everything makes it look at almost all pairs.
[[nodiscard]] double compute_minimum_distance(const CollisionMesh& mesh, const ConstPositions& X);

} // namespace abut
