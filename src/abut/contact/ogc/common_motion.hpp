#pragma once
// Free motion that costs nothing: groups of elements that hang together move as rigid bodies, before anything is
// bounded around where they arrive. The paper's bounds (Chen et al. 2025, section 3.7) come from the nearest element,
// which as a rule is of the same body and moves along, so that a body in empty space is throttled by itself (its
// section 6).
//
// Why nothing passes through anything: every vertex goes on a straight line from x to R(x - c) + c + s.
//  - Within a group, at time t all vertices are at A x + b with A = (1 - t) I + t R. A has a positive determinant for
//    turns below π, so that the map is one to one: what does not intersect at the start never does. At the end it is a
//    rigid motion, so that all distances are those of the start but for rounding. A group with a pair that is so close
//    that rounding matters stays where it is.
//  - Between groups, and with planes, continuous collision detection looks at these very lines (find_group_steps). What
//    meets is cut, and looked at again, until nothing meets.

#include "abut/contact/ogc/rigid_motion.hpp"
#include "abut/detect/detection.hpp"

namespace abut {

struct CommonMotionOptions {
    double dmin = 0; ///< distance that elements keep [m], >= 0
    /// Groups stop this far beyond dmin from each other, as dhat is, so that they arrive without contact [m], > 0.
    double clearance;
    /// Do groups move that are nearer than that to others at the start? If so they keep half of their gap. Lagged
    /// forces such as friction's belong to the start, so that they are best left where they press.
    bool moves_touching = false;
};

struct CommonMove {
    Positions X;                        ///< where the vertices are now
    std::vector<RigidMotion> motions;   ///< what each group did: the same for its vertices inside of bodies
    std::vector<double> shares;         ///< of the motion that was wanted, in [0, 1]
    int num_cut = 0;                    ///< groups that do less than was wanted
    [[nodiscard]] bool is_none() const; ///< nothing moved
};

class CommonMotion {
public:
    /// The mesh must outlive it. Groups, numbered from 0, are given by vertex; all corners of an element are in one.
    CommonMotion(const CollisionMesh& mesh, std::vector<int> group_of_vertex, const CommonMotionOptions& options);
    /// With the connected components of the mesh as groups.
    CommonMotion(const CollisionMesh& mesh, const CommonMotionOptions& options);

    /// Moves groups from X, where `detection` was updated, as wanted or as far as they come. Its range must reach dmin
    /// + clearance unless `moves_touching`.
    [[nodiscard]] CommonMove
    move(const Detection& detection, const Positions& X, std::span<const RigidMotion> wanted) const;

    /// Moves those groups from X that stay farther than `range` from all others and from planes on their way, as boxes
    /// around it tell, and leaves the rest: no detection is asked. Pairs within a group must be looked at afterwards,
    /// for rounding may close gaps that are as small as it.
    [[nodiscard]] CommonMove fly(const Positions& X, std::span<const RigidMotion> wanted, double range) const;
    /// What rounding may take from the gaps of groups that move from X as wanted [m].
    [[nodiscard]] static double rounding_of(const Positions& X, std::span<const RigidMotion> wanted);

    [[nodiscard]] int num_groups() const { return num_groups_; }
    [[nodiscard]] const std::vector<int>& group_of_vertex() const { return group_of_vertex_; }

private:
    void hold_groups(
        const Detection& detection, const Positions& X, std::span<const RigidMotion> wanted,
        std::vector<double>& shares) const;

    const CollisionMesh& mesh_;
    std::vector<int> group_of_vertex_;
    int num_groups_ = 0;
    CommonMotionOptions options_;
};

} // namespace abut
