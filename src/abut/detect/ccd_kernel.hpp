#pragma once
// The inside of ccd.hpp, shared with the step size: one query over [0, tmax].

#include "abut/base/assert.hpp"
#include "abut/detect/ccd.hpp"
#include "abut/geometry/edge_edge.hpp"
#include "abut/geometry/point_triangle.hpp"

#include <optional>

namespace abut::ccd {

/// Two elements of NA and NB vertices, relative to the first vertex's start.
template <int NA, int NB>
struct Query {
    Mat<3, NA + NB> start, motion; ///< columns: first element, then second
    double error;                  ///< bound on the error of the gap of two projections by a direction of length <= 1

    Query(const MovingPoints<NA>& a, const MovingPoints<NB>& b)
    {
        // Differences of coordinates are exact up to an ulp of themselves, so the errors are those of the pair's own
        // size and motion wherever it lies. With M bounding |start| + |motion| in every coordinate, and u = 2^-53: a
        // position at time t has an error of 3 u M, a projection adds 3 u of itself; two projections and their
        // difference stay below 25 u M (times the sqrt(3) between norms, included). 32 u M leaves room; the constant
        // covers underflow.
        const Vec3 origin = a.start.col(0);
        start << a.start.colwise() - origin, b.start.colwise() - origin;
        motion << a.end - a.start, b.end - b.start;
        error = 32 * 0x1p-53 * (start.cwiseAbs() + motion.cwiseAbs()).maxCoeff() + 1e-300;
    }

    [[nodiscard]] Mat<3, NA + NB> at(double t) const { return start + t * motion; }

    /// Gap between the projections onto n at positions X: least of the first element minus greatest of the second.
    [[nodiscard]] static double gap(const Mat<3, NA + NB>& X, const Vec3& n)
    {
        const Eigen::Matrix<double, 1, NA + NB> projected = n.transpose() * X;
        return projected.template head<NA>().minCoeff() - projected.template tail<NB>().maxCoeff();
    }
};

/// v / |v|, not longer than 1; zero for vectors too short to have a direction.
inline Vec3 direction(const Vec3& v)
{
    const double length = v.norm();
    return length > 1e-150 ? Vec3(v * ((1 - 0x1p-50) / length)) : Vec3::Zero();
}

/// From the second element's closest point to the first's at given positions, and a second direction to try where the
/// first is short enough to be mostly rounding: the normal of a face, the common normal of two edges. Zero where there
/// is none.
struct Between {
    Vec3 closest;
    Vec3 normal;
};

/// From the line through e0 and e1 to p. The difference of p and its closest point has an error of an ulp of the edge's
/// length L; along the edge that tilts a vector of length d by u L / d, and the ends of the edge rise to u L² / d above
/// its line: more than d where d is below 1e-8 L. Across the edge it only turns about it. So what is left along the
/// edge is taken away once more, from a vector that is as short as its error is then small.
inline Vec3 from_line(const Vec3& p, const Vec3& e0, const Vec3& e1)
{
    const Vec3 e = e1 - e0, r = point_line_closest<3>(p, e0, e1).r;
    const double along = r.dot(e) / e.squaredNorm();
    return std::isfinite(along) ? Vec3(r - along * e) : r;
}

inline Between between(const Mat<3, 2>& X) { return {X.col(0) - X.col(1), Vec3::Zero()}; }

inline Between between(const Mat<3, 3>& X)
{
    const Vec3 p = X.col(0), e0 = X.col(1), e1 = X.col(2);
    switch (point_edge_feature<3>(p, e0, e1)) {
    case PointEdgeFeature::e0:
        return {p - e0, Vec3::Zero()};
    case PointEdgeFeature::e1:
        return {p - e1, Vec3::Zero()};
    case PointEdgeFeature::edge:
        break;
    }
    return {from_line(p, e0, e1), Vec3::Zero()};
}

/// Point and triangle.
inline Between point_triangle_between(const Mat<3, 4>& X)
{
    const Vec3 p = X.col(0), t0 = X.col(1), t1 = X.col(2), t2 = X.col(3);
    switch (point_triangle_feature(p, t0, t1, t2)) {
    case PointTriangleFeature::t0:
        return {p - t0, Vec3::Zero()};
    case PointTriangleFeature::t1:
        return {p - t1, Vec3::Zero()};
    case PointTriangleFeature::t2:
        return {p - t2, Vec3::Zero()};
    case PointTriangleFeature::e0:
        return {from_line(p, t0, t1), Vec3::Zero()};
    case PointTriangleFeature::e1:
        return {from_line(p, t1, t2), Vec3::Zero()};
    case PointTriangleFeature::e2:
        return {from_line(p, t2, t0), Vec3::Zero()};
    case PointTriangleFeature::face:
        break;
    }
    // The closest vector is the part of p - t0 along the normal.
    const Vec3 n = (t1 - t0).cross(t2 - t0);
    return {n.dot(p - t0) / n.squaredNorm() * n, n};
}

/// Two edges.
inline Between edge_edge_between(const Mat<3, 4>& X)
{
    const Vec3 a0 = X.col(0), a1 = X.col(1), b0 = X.col(2), b1 = X.col(3);
    switch (edge_edge_feature(a0, a1, b0, b1)) {
    case EdgeEdgeFeature::a0_b0:
        return {a0 - b0, Vec3::Zero()};
    case EdgeEdgeFeature::a0_b1:
        return {a0 - b1, Vec3::Zero()};
    case EdgeEdgeFeature::a1_b0:
        return {a1 - b0, Vec3::Zero()};
    case EdgeEdgeFeature::a1_b1:
        return {a1 - b1, Vec3::Zero()};
    case EdgeEdgeFeature::a_b0:
        return {-from_line(b0, a0, a1), Vec3::Zero()};
    case EdgeEdgeFeature::a_b1:
        return {-from_line(b1, a0, a1), Vec3::Zero()};
    case EdgeEdgeFeature::a0_b:
        return {from_line(a0, b0, b1), Vec3::Zero()};
    case EdgeEdgeFeature::a1_b:
        return {from_line(a1, b0, b1), Vec3::Zero()};
    case EdgeEdgeFeature::a_b:
        break;
    }
    const Vec3 n = (a1 - a0).cross(b1 - b0);
    return {n.dot(a0 - b0) / n.squaredNorm() * n, n};
}

template <int NA, int NB>
Between between_of(const Mat<3, NA + NB>& X)
{
    if constexpr (NA == 2)
        return edge_edge_between(X);
    else if constexpr (NB == 3)
        return point_triangle_between(X);
    else
        return between(X);
}

// For pairs so close, or so far from the range of squares, that floating point cannot tell (ccd_exact_start.cpp):

/// A time up to which the pair surely stays apart from time `from` on, infinite if it does to the end; nothing if the
/// distance at `from`, in [0, 1), is not above dmin. From 0 on it is 0 only if the contact may come before the least
/// positive double.
std::optional<double> exact_safe_time(
    const Mat<3, Eigen::Dynamic>& start, const Mat<3, Eigen::Dynamic>& end, int num_first, double dmin,
    double from = 0);

/// When the point comes within dmin of the plane, rounded down; infinite if never, nothing if it starts within dmin.
std::optional<double>
exact_plane_time(const MovingPoints<1>& p, const Vec3& origin, const Vec3& unit_normal, double dmin);

/// point_plane_ccd() for input that is known to be good.
CcdResult plane_ccd(const MovingPoints<1>& p, const Vec3& origin, const Vec3& unit_normal, const CcdOptions& options);

/// Whether near misses are told from hits in rational arithmetic. It costs each hit some 0.1 ms, which single queries
/// can afford, and steps, for which a near miss only is a shorter step, cannot.
enum class NearMisses : std::uint8_t { hit, exact };

/// Looks for a direction that parts a pair all through an interval of time. Tried are the one that cleared the last
/// interval, the one between the closest points in the middle, and the normal. The first costs least; it also keeps its
/// sense where the closest points are too near to tell.
template <int NA, int NB>
class IntervalTest {
public:
    IntervalTest(const Query<NA, NB>& query, double dmin) : query_(query), needed_(dmin + query.error) {}

    bool clears(double t0, double t1)
    {
        ++count;
        const Mat<3, NA + NB> X0 = query_.at(t0), X1 = query_.at(t1);
        const auto parts = [&](const Vec3& n) {
            if (!(Query<NA, NB>::gap(X0, n) > needed_ && Query<NA, NB>::gap(X1, n) > needed_))
                return false;
            last_ = n;
            return true;
        };
        if (parts(last_))
            return true;
        const auto [closest, normal] = between_of<NA, NB>(query_.at(t0 + (t1 - t0) / 2));
        if (parts(direction(closest)))
            return true;
        if (normal.isZero(0))
            return false;
        const Vec3 m = direction(normal);
        return parts(m) || parts(-m);
    }

    int count = 0; ///< of the intervals

private:
    const Query<NA, NB>& query_;
    double needed_;
    Vec3 last_ = Vec3::Zero();
};

template <int NA, int NB>
std::optional<double> exact_safe_time(const MovingPoints<NA>& a, const MovingPoints<NB>& b, double dmin, double from)
{
    Mat<3, Eigen::Dynamic> start(3, NA + NB), end(3, NA + NB);
    start << a.start, b.start;
    end << a.end, b.end;
    return exact_safe_time(start, end, NA, dmin, from);
}

/// Walks through [0, tmax].
template <int NA, int NB>
CcdResult walk(
    const MovingPoints<NA>& a, const MovingPoints<NB>& b, const Query<NA, NB>& query, const CcdOptions& options,
    NearMisses near_misses = NearMisses::hit)
{
    ABUT_ASSERT(options.dmin >= 0 && options.tmax >= 0 && options.tmax <= 1);
    CcdResult result;
    IntervalTest<NA, NB> test(query, options.dmin);
    const auto ended = [&](CcdOutcome outcome, double toi) {
        ABUT_ASSERT(toi >= 0 && toi <= options.tmax);
        result.outcome = outcome;
        result.toi = toi;
        result.intervals = test.count;
        return result;
    };
    // Elements that pass each other within the error of projections have no interval in floating point that reaches
    // past their closest approach. In exact arithmetic the direction of a moment before does: of the way to the contact
    // that it assumes, the approach is a part. So few tries are enough, and where one gains nothing, contact is real,
    // or as good as.
    const int max_exact_tries = near_misses == NearMisses::exact ? 16 : 0;
    int exact_tries = 0;
    std::optional<double> hit_time; // where floating point ended, which stands unless the pair turns out to be clear
    // Below this the interval at the start is left to exact arithmetic.
    constexpr double smallest_first_interval = 0x1p-60;
    double cleared = 0, length = options.tmax;
    bool grew = false;
    while (true) {
        const double next = std::min(cleared + length, options.tmax);
        if (test.clears(cleared, next)) {
            if (next == options.tmax)
                return ended(CcdOutcome::clear, options.tmax);
            cleared = next;
            // Twice the length, unless that has just failed.
            length *= grew ? 2 : 1;
            grew = true;
        } else {
            length /= 2;
            grew = false;
            if (cleared > 0 && length <= options.tolerance * cleared) {
                if (!hit_time)
                    hit_time = cleared;
                const std::optional<double> safe = cleared < 1 && exact_tries++ < max_exact_tries
                                                       ? exact_safe_time(a, b, options.dmin, cleared)
                                                       : std::nullopt;
                if (safe && *safe > options.tmax)
                    return ended(CcdOutcome::clear, options.tmax);
                // At that time the elements may touch, an ulp before they do not.
                const double before = safe ? std::nextafter(*safe, 0.0) : 0;
                if (!(before > cleared) || before >= options.tmax)
                    return ended(CcdOutcome::hit, *hit_time);
                length = before - cleared;
                cleared = before;
            }
            if (cleared == 0 && length <= smallest_first_interval * options.tmax) {
                const std::optional<double> safe = exact_safe_time(a, b, options.dmin, 0);
                return ended(
                    !safe                  ? CcdOutcome::hit_at_zero
                    : *safe > options.tmax ? CcdOutcome::clear
                                           : CcdOutcome::hit,
                    std::min(safe.value_or(0), options.tmax));
            }
        }
        if (test.count >= options.max_intervals)
            return hit_time ? ended(CcdOutcome::hit, *hit_time) : ended(CcdOutcome::exhausted, cleared);
    }
}

} // namespace abut::ccd
