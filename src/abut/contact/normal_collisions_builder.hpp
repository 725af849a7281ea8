#pragma once
// How near pairs become the weighted terms of a collision set. Internal: NormalCollisions::build() is the entrance;
// tests use this to build a set by other rules.

#include "abut/contact/normal_collisions.hpp"
#include "abut/geometry/point_triangle.hpp"

namespace abut {

/// The choices of the convergent set that differ between implementations.
struct ConvergentRules {
    /// Does a vertex lie on an open border, so that the faces around it share it once less often?
    std::function<bool(int vertex)> is_on_boundary;

    /// Abut's, for a mesh that outlives them.
    [[nodiscard]] static ConvergentRules of(const CollisionMesh& mesh);
};

class NormalCollisionsBuilder {
public:
    NormalCollisionsBuilder(const CollisionMesh& mesh, const ConstPositions& X, const NormalCollisionsOptions& options);

    /// The set for pairs that include all within dmin + dhat of each other.
    [[nodiscard]] NormalCollisions build(const NearPairs& pairs, const ConvergentRules& rules) const;

private:
    /// A term before terms of the same features are merged.
    struct RawTerm {
        int first, second;
        double weight;
        int area0, area1; // of NormalCollisions::WeightSource
        EdgeEdgeFeature feature;
        int sharers;   // how many terms share this contact: each has this part of its weight
        double offset; // of the pair of elements that it came from
    };
    /// Those that one task found.
    struct RawTerms : ByKind<std::vector<RawTerm>> {
        double offset = 0; // of those that are added next
        void add(PairKind kind, RawTerm term)
        {
            term.offset = offset;
            (*this)[kind].push_back(term);
        }
    };
    /// Those of all tasks, in order. They are never joined: what is made of them reads them where they are.
    using RawParts = std::vector<RawTerms>;
    struct Merging;
    /// Where a point's closest point on an edge lies, if it is near enough to be active.
    struct PointEdge {
        bool is_active;
        PointEdgeFeature feature;
    };

    [[nodiscard]] static RawTerm raw_term(
        int first, int second, double weight, int area0 = NormalCollisions::WeightSource::no_area,
        int area1 = NormalCollisions::WeightSource::no_area, EdgeEdgeFeature feature = EdgeEdgeFeature::a_b)
    {
        return {first, second, weight, area0, area1, feature, 1, 0};
    }
    [[nodiscard]] RawTerm vertex_weighted(int first, int second, int vertex, double share, double count = 1) const;
    [[nodiscard]] RawTerm edge_weighted(int first, int second, int edge, double share, double count) const;
    [[nodiscard]] RawTerm edges_weighted(int a, int b, EdgeEdgeFeature feature) const;
    [[nodiscard]] RawTerm vertices_weighted(int i, int j) const;
    void add_edge_vertex(RawTerms& raw, int e, int v, PointEdgeFeature feature, RawTerm weight) const;
    void add_edge_edge(RawTerms& raw, int a, int b, EdgeEdgeFeature feature, int sharers = 1) const;
    void add_face_vertex(RawTerms& raw, int f, int v, PointTriangleFeature feature) const;
    static void add_vertex_vertex(RawTerms& raw, int i, int j, RawTerm weight);
    /// Do pairs of these edges count?
    [[nodiscard]] bool counts_edges(int a, int b) const;
    /// A vertex's share of its area in its pairs with faces; edges have the other, if they count.
    [[nodiscard]] double face_share() const { return options_.use_face_edges ? 0.25 : 0.5; }

    template <typename Add>
    void collect(PairKind kind, const NearPairs& pairs, RawParts& raw, Add&& add) const;
    /// The smallest and the largest offset of the pairs of these elements with j.
    template <typename Counts>
    [[nodiscard]] std::pair<double, double>
    offsets_around(PairKind kind, std::span<const int> elements, int j, Counts&& counts) const;
    void add_candidates(const NearPairs& pairs, RawParts& raw) const;
    template <int Dim>
    void add_offset_contacts(const NearPairs& pairs, RawParts& raw) const;
    void correct_edge_vertex(const NearPairs& pairs, RawParts& raw) const;
    void correct_edge_edge(const NearPairs& pairs, RawParts& raw) const;
    void correct_face_vertex(const NearPairs& pairs, const ConvergentRules& rules, RawParts& raw) const;
    void correct_face_vertices(const NearPairs& pairs, const ConvergentRules& rules, RawParts& raw) const;

    /// Is a pair of this squared distance and offset closer than dmin + dhat?
    [[nodiscard]] bool is_in_range(double squared_distance, double offset) const
    {
        return squared_gap(squared_distance, offset) < squared_range_;
    }
    [[nodiscard]] PointEdge point_edge(int e, int v, double offset) const;
    [[nodiscard]] bool is_active(int i, int j, double offset) const;
    [[nodiscard]] bool is_nearly_parallel(int a, int b) const;
    [[nodiscard]] double eps_x(int a, int b) const;
    [[nodiscard]] bool is_neighbour(int i, int j) const;
    void reject_touching(const NearPairs& pairs) const;
    void finish(const RawParts& raw, NormalCollisions& set) const;
    /// What follows from a set's terms.
    void complete(NormalCollisions& set) const;

    const CollisionMesh& mesh_;
    const ConstPositions& X_;
    NormalCollisionsOptions options_;
    double squared_range_;
};

} // namespace abut
