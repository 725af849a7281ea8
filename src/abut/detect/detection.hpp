#pragma once
// What is near what: all pairs of elements within a range, with their distances and closest features. One pass at the
// largest range that anyone needs is shared by guards, barriers, adhesion and bounds, whose laws vanish beyond their
// own. Where the mesh has offsets, every distance here is a gap: less the offset of the pair, 0 where they overlap.

#include "abut/detect/candidates.hpp"

#include <limits>
#include <memory>

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

    /// Another one of the same mesh and options, not updated yet. What either finds serves both: for those who look at
    /// several places that are near each other. The two must not be updated at the same time; results are the same.
    [[nodiscard]] Detection sharing() const;

    /// Finds the pairs closer than the range at X. Where no vertex has moved farther than the slack allows since the
    /// last search, its candidates serve again and only distances are computed: of those that may have come within
    /// range, by how their vertices have moved against each other. The result depends on X alone.
    void update(const ConstPositions& X);

    /// Was the last update at these positions?
    [[nodiscard]] bool is_at(const ConstPositions& X) const
    {
        return updated_at_.rows() == X.rows() && updated_at_.cols() == X.cols() && updated_at_ == X;
    }

    [[nodiscard]] double range() const { return options_.range; }
    [[nodiscard]] const NearPairs& pairs() const { return pairs_; }
    [[nodiscard]] std::size_t size() const { return pairs_.size(); }

    /// Pairs that may come within range before the next search, and a few more: what an update looks at.
    [[nodiscard]] const Candidates& candidates() const { return search_->candidates; }

    /// The smallest distance among the pairs [m]; infinity if there are none.
    [[nodiscard]] double smallest_distance() const;

    /// Searches so far, of those that share them too; the other updates computed distances only.
    [[nodiscard]] int num_searches() const { return search_->count; }

private:
    /// What those who share searches have in common.
    struct Search {
        Positions at; // empty before the first
        Candidates candidates;
        ByKind<std::vector<double>> distances; // of the candidates there
        int count = 0;
        Positions updated_at; // where one of several was updated last, and what it found
        NearPairs found;
    };
    void search(const Positions& X);

    const CollisionMesh& mesh_;
    DetectionOptions options_;
    std::shared_ptr<Search> search_;
    Positions updated_at_; // empty before the first update
    NearPairs pairs_;
};

/// The smallest distance of two elements that share no vertex, or of a vertex to a plane, at X [m]; infinity if there
/// are no such pairs, 0 with a vertex behind a plane. Searches ever farther until it finds a pair, so a filter that
/// excludes almost everything makes it look at almost all pairs.
[[nodiscard]] double compute_minimum_distance(const CollisionMesh& mesh, const ConstPositions& X);

} // namespace abut
