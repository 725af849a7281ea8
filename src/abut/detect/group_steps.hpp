#pragma once
// How far groups of vertices may go on a straight way, each for itself: pairs of elements of different groups, and of
// vertices and planes, are looked at, pairs within a group are not. For motions that are known to keep a group free of
// itself, such as those of rigid bodies.

#include "abut/detect/ccd.hpp"
#include "abut/mesh/collision_mesh.hpp"

#include <span>
#include <vector>

namespace abut {

struct GroupStepOptions {
    double dmin = 0;      ///< elements stay more than this apart [m], >= 0
    double clearance = 0; ///< beyond dmin: pairs that are farther apart stop here [m], >= 0
    /// Pairs that are nearer than that by this keep this share of their gap, in (0, 1).
    double kept_share = 0.5;
};

/// For each group, the smallest safe share of the way among its pairs, in [0, 1]. Groups, numbered from 0, are given by
/// vertex; the corners of an element are in one. Where all shares are 1 the way from X0 to X1 is free of contact
/// between groups and with planes. A shorter way has to be looked at again, for then groups meet elsewhere. A group
/// that stands still has share 1.
[[nodiscard]] std::vector<double> find_group_steps(
    const CollisionMesh& mesh, std::span<const int> group_of_vertex, int num_groups, const Positions& X0,
    const Positions& X1, const GroupStepOptions& options);

} // namespace abut
