#pragma once
// Which pairs of elements are in each other's interaction sets: close, near a local minimum of their distance, and
// outside of each other's bodies. Huang et al., "Geometric Contact Potential", 2025, section 5.
//
// Pairs are face-vertex, edge-edge, edge-vertex and vertex-vertex, in the plane edge-vertex and vertex-vertex, each
// with its closest points inside of both elements; planes pair with vertices. Elements that share a vertex, and
// vertices that share an edge, are never paired. A pair is listed if its energy is not exactly zero, so the list
// belongs to the positions it was built at: build it again whenever they change.
//
// A pair's stencil begins with its own vertices, in the order of NormalCollisions: vertex, then edge or face. Then come
// those neighbours that its direction is tested against where the test is neither passed nor failed. Others do not
// change the energy nearby.

#include "abut/base/assert.hpp"
#include "abut/contact/gcp/direction_test.hpp"
#include "abut/contact/gcp/extents.hpp"
#include "abut/contact/normal_collisions.hpp"

#include <optional>

namespace abut {

/// One pair of a set.
struct SmoothCollision {
    PairKind kind;
    IndexPair elements;            ///< in the order of the kind's name
    std::span<const int> vertices; ///< of the two elements, as NormalCollisions has them
    std::span<const int> stencil;  ///< those, then the neighbours that matter
    double dhat;                   ///< extent of the pair [m]
    double weight;                 ///< product of the rest measures of its elements [m⁴; in the plane m²]
};

/// What is said of two elements at distance 0.
[[nodiscard]] std::string touching_message(PairKind kind, const IndexPair& elements);

class SmoothCollisions {
public:
    SmoothCollisions() = default;

    /// Finds the pairs at X, with extents of one's own or those of adaptive_extents(); without, dhat everywhere. Throws
    /// InvalidStart, naming the pair, where two elements touch.
    void build(
        const CollisionMesh& mesh, const ConstPositions& X, const SmoothContactParameters& params,
        const SmoothExtents& extents = {}, BroadPhase broad_phase = BroadPhase::bvh);

    /// The same from candidates that include all pairs closer than dhat.
    void build(
        const Candidates& candidates, const CollisionMesh& mesh, const ConstPositions& X,
        const SmoothContactParameters& params, const SmoothExtents& extents = {});

    /// The same from a detection that was updated at X; its range must be at least dhat.
    void build(
        const Detection& detection, const CollisionMesh& mesh, const ConstPositions& X,
        const SmoothContactParameters& params, const SmoothExtents& extents = {});

    [[nodiscard]] std::size_t size() const { return stencils_.size(); }
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] SmoothCollision operator[](std::size_t pair) const;

    /// How many pairs of a kind there are. Pairs are in the order vv, ev, ee, fv, pv.
    [[nodiscard]] std::size_t count(PairKind kind) const;

    [[nodiscard]] const Stencils& stencils() const { return stencils_; }

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

    /// Only these pairs, which must rise, each with its extent and tests. Throws InvalidInput if the pairs do not rise,
    /// and for pairs out of range.
    [[nodiscard]] SmoothCollisions subset(std::span<const int> terms) const;

    bool operator==(const SmoothCollisions& other) const;

private:
    void build_from_near(
        const NearPairs& near, const CollisionMesh& mesh, const ConstPositions& X,
        const SmoothContactParameters& params, const SmoothExtents& extents);

    struct Pair {
        PairKind kind;
        IndexPair elements;
        double dhat, weight;
        bool operator==(const Pair&) const = default;
    };

    std::vector<Pair> pairs_;
    Stencils stencils_;
    std::vector<gcp::Test> tests_;
    std::vector<std::int64_t> test_starts_{0};
    std::optional<SmoothContactParameters> params_; // of the last build
    MeshSizes mesh_sizes_;
};

} // namespace abut
