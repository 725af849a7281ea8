#pragma once
// Pairs of elements that may be in contact, from a broad phase. In space these are edge-edge and face-vertex pairs, in
// the plane edge-vertex pairs; loose vertices and loose edges add vertex-vertex and edge-vertex pairs where nothing
// else would see them. Elements that share a vertex, and pairs that the mesh's filter excludes, are left out. The
// mesh's planes are paired with all vertices near them. Every list is sorted and holds each pair once.

#include "abut/detect/pair_kinds.hpp"
#include "abut/mesh/collision_mesh.hpp"

namespace abut {

enum class BroadPhase : std::uint8_t {
    bvh,         ///< linear bounding volume hierarchy
    brute_force, ///< all pairs of boxes: the oracle for tests
};

struct CandidatesOptions {
    BroadPhase method = BroadPhase::bvh;
    /// More pairs than this of one kind end in LimitReached before they are stored.
    std::int64_t max_pairs = std::int64_t(1) << 30;
};

struct Candidates : ByKind<std::vector<IndexPair>> { // vertices of vv are loose; the filter has no say in pv
    [[nodiscard]] bool empty() const { return size() == 0; }

    /// Pairs whose boxes, each grown by `inflation` [m] on every side, overlap at positions X: all pairs within
    /// 2 inflation of each other, and some others. A plane has no box to grow: its pairs are the vertices whose signed
    /// distance, negative behind it, is at most 2 inflation, and a few that are farther by rounding. Where the mesh has
    /// offsets, gaps take the place of distances.
    void
    build(const CollisionMesh& mesh, const ConstPositions& X, double inflation, const CandidatesOptions& options = {});

    /// The same for the boxes around the straight paths from X0 to X1, and for the smaller of the signed distances at
    /// their ends.
    void build(
        const CollisionMesh& mesh, const ConstPositions& X0, const ConstPositions& X1, double inflation,
        const CandidatesOptions& options = {});

    /// Throws InvalidInput naming the first pair whose elements the mesh does not have.
    void validate(const CollisionMesh& mesh) const;

    bool operator==(const Candidates&) const = default;
};

} // namespace abut
