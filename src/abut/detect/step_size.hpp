#pragma once
// How far a step may go: the largest share of a step from X0 towards X1 during which no two elements touch, and no
// vertex touches a plane. Where the mesh has offsets, their offset surfaces touch.

#include "abut/detect/candidates.hpp"
#include "abut/detect/ccd.hpp"
#include "abut/detect/detection.hpp"

namespace abut {

struct StepSizeOptions {
    double dmin = 0;         ///< elements stay more than this apart [m], >= 0
    double rescaling = 0.8;  ///< share of a pair's distance above dmin that the step may use up, in (0, 1)
    double tolerance = 1e-2; ///< the step may be too short by about this share of itself, in (0, 1)
    /// Steps that bring more pairs of boxes together than this are cut to a quarter until they do not, so that a step
    /// across the scene ends in bounded time; pairs are visited, not stored.
    std::int64_t max_pairs = 100'000'000;
};

/// A safe step and what limits it.
struct StepLimit {
    double step = 1;                ///< X0 + t (X1 - X0) is free of contact for t in [0, step]
    PairKind kind = PairKind::none; ///< of the pair that limits the step, if one does
    IndexPair pair{-1, -1};         ///< its elements, in the order of the kind's name
    double initial_distance = 0;    ///< of that pair at X0, offsets aside [m], >= 0; signed for a plane
    bool is_cut_by_max_pairs = false;
    std::int64_t num_pairs = 0;     ///< pairs that were looked at
    std::int64_t num_intervals = 0; ///< intervals of time that they took
};

/// The safe step, with the pair that limits it. 0 only if a pair is within dmin at X0.
[[nodiscard]] StepLimit find_collision_free_stepsize(
    const CollisionMesh& mesh, const ConstPositions& X0, const ConstPositions& X1, const StepSizeOptions& options = {});

/// The same where the pairs at X0 are known. A step that is short against the detection's range can be limited by these
/// alone, so that nothing is searched; others, and all where the last update was not at X0, go the way above.
[[nodiscard]] StepLimit find_collision_free_stepsize(
    const CollisionMesh& mesh, const Detection& detection, const ConstPositions& X0, const ConstPositions& X1,
    const StepSizeOptions& options = {});

/// The safe step alone.
[[nodiscard]] double compute_collision_free_stepsize(
    const CollisionMesh& mesh, const ConstPositions& X0, const ConstPositions& X1, const StepSizeOptions& options = {});

/// Do all elements stay more than dmin apart on the straight way from X0 to X1? May say no where they come within
/// rounding of dmin, never yes where they do not stay apart. Of planes both answers are exact.
[[nodiscard]] bool
is_step_collision_free(const CollisionMesh& mesh, const ConstPositions& X0, const ConstPositions& X1, double dmin = 0);

} // namespace abut
