#pragma once
// How far each element reaches: its share of dhat, such that given positions, as a rule the rest shape, are free of
// forces. Huang et al. 2025, 5.3.5.

#include "abut/contact/gcp/smooth_contact_parameters.hpp"
#include "abut/detect/candidates.hpp"

namespace abut {

/// Extents of the elements of a mesh [m]; none stands for dhat everywhere.
struct SmoothExtents {
    Eigen::VectorXd vertices = {}, edges = {}, faces = {};

    [[nodiscard]] bool empty() const { return vertices.size() == 0; }

    /// That of a pair: the smaller of its elements', planes having none; at most dhat.
    [[nodiscard]] double of(PairKind kind, const IndexPair& elements, double dhat) const;

    /// Throws InvalidInput unless they are empty, or one for each element and positive.
    void validate(const CollisionMesh& mesh) const;
};

/// Extents with which nothing acts at X, nor after a rigid motion of X: each at most `ratio`, in (0, 1), times the
/// distance to what the element interacts with there. For the rest shape to be free of forces, X has to be it.
[[nodiscard]] SmoothExtents adaptive_extents(
    const CollisionMesh& mesh, const ConstPositions& X, const SmoothContactParameters& params, double ratio = 0.5,
    BroadPhase broad_phase = BroadPhase::bvh);

} // namespace abut
