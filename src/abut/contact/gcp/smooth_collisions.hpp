#pragma once
// Which pairs of elements are in each other's interaction sets: close, near a local minimum of their distance, and
// outside of each other's bodies. Huang et al., "Geometric Contact Potential", 2025, section 5.
//
// Pairs are face-vertex, edge-edge, edge-vertex and vertex-vertex, in the plane edge-vertex and vertex-vertex, each
// with its closest points inside of both elements; planes pair with vertices. Elements that share a vertex, and
// vertices that share an edge, are never paired. A pair is listed if its energy is not exactly zero, so the list
// belongs to the positions it was built at: build it again whenever they change.
//
// A pair's stencil begins with its own vertices, in the order edge or face, then vertex; then come those neighbours
// that its direction is tested against where the test is neither passed nor failed by a margin. Others do not change
// the energy nearby.

#include "abut/base/assert.hpp"
#include "abut/contact/gcp/smooth_contact_parameters.hpp"
#include "abut/contact/normal_collisions.hpp"

#include <optional>

namespace abut {

namespace gcp {

/// A vector that a pair's direction is tested against, by vertices of the pair's stencil.
struct Test {
    enum class Kind : std::uint8_t {
        along,    ///< tangent of a vertex: from it to neighbour i
        bisector, ///< tangent of a vertex: between those to neighbours i and j
        across,   ///< tangent of an edge: from it, perpendicular, to the opposite vertex i of a face
        normal,   ///< of a vertex: outward normal of the face with the neighbours i and j, of which one must agree
        sector,   ///< of an edge, or a vertex in the plane: between the faces (edges) to i and j, outward
    };
    Kind kind;
    std::uint8_t side; ///< 0: the pair's first element, 1: its second
    int i, j = -1;     ///< in the stencil
    bool operator==(const Test&) const = default;
};

} // namespace gcp

/// One pair of a set.
struct SmoothCollision {
    PairKind kind;
    IndexPair elements;            ///< in the order of the kind's name
    std::span<const int> vertices; ///< of the two elements, in that order
    std::span<const int> stencil;  ///< those, then the neighbours that matter
    double dhat;                   ///< extent of the pair [m]
    double weight;                 ///< product of the rest measures of its elements [m⁴; in the plane m²]
};

class SmoothCollisions {
public:
    SmoothCollisions() = default;

    /// Finds the extent of each vertex, edge and face so that nothing acts at these positions, nor after a rigid
    /// motion of them: at most the ratio of the parameters times the distance to what it interacts with. For the rest
    /// shape to be free of forces, X has to be the rest shape.
    void compute_adaptive_dhat(
        const CollisionMesh& mesh, const ConstPositions& X, const SmoothContactParameters& params,
        BroadPhase broad_phase = BroadPhase::bvh);

    /// Finds the pairs at X, with the extents of compute_adaptive_dhat() if asked for, else with dhat everywhere.
    /// Throws InvalidStart, naming the pair, where two elements touch.
    void build(
        const CollisionMesh& mesh, const ConstPositions& X, const SmoothContactParameters& params,
        bool use_adaptive_dhat = false, BroadPhase broad_phase = BroadPhase::bvh);

    /// The same from candidates that include all pairs closer than dhat.
    void build(
        const Candidates& candidates, const CollisionMesh& mesh, const ConstPositions& X,
        const SmoothContactParameters& params, bool use_adaptive_dhat = false);

    /// The same from a detection that was updated at X; its range must be at least dhat.
    void build(
        const Detection& detection, const CollisionMesh& mesh, const ConstPositions& X,
        const SmoothContactParameters& params, bool use_adaptive_dhat = false);

    [[nodiscard]] std::size_t size() const { return stencils_.size(); }
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] SmoothCollision operator[](std::size_t pair) const;

    /// How many pairs of a kind there are. Pairs are in the order vv, ev, ee, fv, pv.
    [[nodiscard]] std::size_t count(PairKind kind) const;

    [[nodiscard]] const Stencils& stencils() const { return stencils_; }

    /// Extents of compute_adaptive_dhat() [m]; empty before it.
    [[nodiscard]] const Eigen::VectorXd& vertex_dhat() const { return vertex_dhat_; }
    [[nodiscard]] const Eigen::VectorXd& edge_dhat() const { return edge_dhat_; }
    [[nodiscard]] const Eigen::VectorXd& face_dhat() const { return face_dhat_; }

    /// The distance of each pair at X [m].
    [[nodiscard]] Eigen::VectorXd distances(const CollisionMesh& mesh, const ConstPositions& X) const;

    /// The smallest distance of a pair at X [m]; infinity if there are none.
    [[nodiscard]] double compute_minimum_distance(const CollisionMesh& mesh, const ConstPositions& X) const;

    /// Throws InvalidInput unless the set fits the mesh and X has its shape and is finite.
    void validate(const CollisionMesh& mesh, const ConstPositions& X) const;

    /// Throws InvalidInput, naming the first parameter that differs, unless the set was built with these; one that was
    /// never built is empty, and fits all.
    void require_parameters(const SmoothContactParameters& params, int dim) const;

    [[nodiscard]] SmoothContactVariant variant() const
    {
        return params_ ? params_->variant : SmoothContactVariant::paper;
    }
    [[nodiscard]] std::span<const gcp::Test> tests(std::size_t pair) const
    {
        ABUT_ASSERT(pair < pairs_.size());
        return {tests_.data() + test_starts_[pair], tests_.data() + test_starts_[pair + 1]};
    }

    /// Only these pairs, which must rise, each with its extent and tests. The extents of compute_adaptive_dhat(), which
    /// are for building, stay behind. Throws InvalidInput if the pairs do not rise, and for pairs out of range.
    [[nodiscard]] SmoothCollisions subset(std::span<const int> terms) const;

    bool operator==(const SmoothCollisions& other) const;

private:
    void build_from_near(
        const NearPairs& near, const CollisionMesh& mesh, const ConstPositions& X,
        const SmoothContactParameters& params, bool use_adaptive_dhat);

    struct Pair {
        PairKind kind;
        std::uint8_t num_vertices; // of the two elements
        IndexPair elements;
        double dhat, weight;
        bool operator==(const Pair&) const = default;
    };

    std::vector<Pair> pairs_;
    Stencils stencils_;
    std::vector<gcp::Test> tests_;
    std::vector<std::int64_t> test_starts_{0};
    Eigen::VectorXd vertex_dhat_, edge_dhat_, face_dhat_;
    std::optional<SmoothContactParameters> params_; // of the last build
    MeshSizes mesh_sizes_, adaptive_sizes_;
};

} // namespace abut
