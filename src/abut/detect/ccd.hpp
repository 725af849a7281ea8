#pragma once
// Continuous collision detection: when do two elements whose vertices move along straight lines first come within a
// distance dmin of each other?
//
// The answer is never late. It is found by separating directions: a direction n parts two elements during [t0, t1] if
// their projections onto n are more than dmin apart at t0 and at t1, because the gap of the projections is a concave
// function of time (the least of linear functions minus the greatest). One direction thus clears a whole interval,
// without bounds on speeds or roots of polynomials. The query walks through time: it takes the direction between the
// closest points in the middle of an interval, clears the interval or halves it, and grows it again where it can. The
// projections carry a bound on their rounding error, so that what is cleared is clear in exact arithmetic.
// docs/decisions/0004 compares this with additive CCD and with tight inclusion.

#include "abut/math/types.hpp"

#include <cstdint>

namespace abut {

struct CcdOptions {
    double dmin = 0;             ///< contact begins when the distance falls to this [m], >= 0
    double tmax = 1;             ///< time is searched in [0, tmax], 0 < tmax <= 1
    double tolerance = 1e-10;    ///< the time may be too early by this share of itself, plus rounding, in (0, 1)
    int max_intervals = 1 << 14; ///< more intervals than this end the search with what is cleared so far, >= 64

    void validate() const;
};

enum class CcdOutcome : std::uint8_t {
    clear,       ///< proven: the distance stays above dmin during [0, tmax]
    hit,         ///< the elements come within dmin, or closer to it than rounding lets us tell
    exhausted,   ///< max_intervals were not enough; clear up to toi
    hit_at_zero, ///< within dmin at the start, in exact arithmetic
};

struct CcdResult {
    CcdOutcome outcome = CcdOutcome::clear;
    /// The distance is above dmin during [0, toi); tmax when clear, 0 only when hit_at_zero or when the contact may
    /// come before the least positive double.
    double toi = 1;
    int intervals = 0; ///< intervals that were tried

    [[nodiscard]] bool is_clear() const { return outcome == CcdOutcome::clear; }
};

/// Vertices of an element at time 0 and at time 1, as columns. In two dimensions z is 0.
template <int N>
struct MovingPoints {
    Mat<3, N> start, end;
};

/// When do two moving elements first come within dmin of each other? Coordinates must be finite.
[[nodiscard]] CcdResult
point_point_ccd(const MovingPoints<1>& p, const MovingPoints<1>& q, const CcdOptions& options = {});
[[nodiscard]] CcdResult
point_edge_ccd(const MovingPoints<1>& p, const MovingPoints<2>& e, const CcdOptions& options = {});
[[nodiscard]] CcdResult
point_triangle_ccd(const MovingPoints<1>& p, const MovingPoints<3>& t, const CcdOptions& options = {});
[[nodiscard]] CcdResult
edge_edge_ccd(const MovingPoints<2>& a, const MovingPoints<2>& b, const CcdOptions& options = {});

/// A point against a fixed plane. The distance is unsigned: a point may start on either side.
[[nodiscard]] CcdResult
point_plane_ccd(const MovingPoints<1>& p, const Vec3& origin, const Vec3& unit_normal, const CcdOptions& options = {});

} // namespace abut
