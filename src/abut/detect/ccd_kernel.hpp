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
    return {point_line_closest<3>(p, e0, e1).r, Vec3::Zero()};
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
        return {point_line_closest<3>(p, t0, t1).r, Vec3::Zero()};
    case PointTriangleFeature::e1:
        return {point_line_closest<3>(p, t1, t2).r, Vec3::Zero()};
    case PointTriangleFeature::e2:
        return {point_line_closest<3>(p, t2, t0).r, Vec3::Zero()};
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
        return {-point_line_closest<3>(b0, a0, a1).r, Vec3::Zero()};
    case EdgeEdgeFeature::a_b1:
        return {-point_line_closest<3>(b1, a0, a1).r, Vec3::Zero()};
    case EdgeEdgeFeature::a0_b:
        return {point_line_closest<3>(a0, b0, b1).r, Vec3::Zero()};
    case EdgeEdgeFeature::a1_b:
        return {point_line_closest<3>(a1, b0, b1).r, Vec3::Zero()};
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

/// A time before which the pair surely stays apart, infinite if it does to the end; nothing if the distance at the
/// start is not above dmin. 0 only if the contact may come before the least positive double.
std::optional<double>
exact_safe_time(const Mat<3, Eigen::Dynamic>& start, const Mat<3, Eigen::Dynamic>& end, int num_first, double dmin);

/// When the point comes within dmin of the plane, rounded down; infinite if it does not, nothing if it starts so.
std::optional<double>
exact_plane_time(const MovingPoints<1>& p, const Vec3& origin, const Vec3& unit_normal, double dmin);

/// point_plane_ccd() for input that is known to be good.
CcdResult plane_ccd(const MovingPoints<1>& p, const Vec3& origin, const Vec3& unit_normal, const CcdOptions& options);

/// Walks through [0, tmax].
template <int NA, int NB>
CcdResult
walk(const MovingPoints<NA>& a, const MovingPoints<NB>& b, const Query<NA, NB>& query, const CcdOptions& options)
{
    ABUT_ASSERT(options.dmin >= 0 && options.tmax >= 0 && options.tmax <= 1);
    CcdResult result;
    // Directions that are tried: the one that cleared the last interval, the one between the closest points in the
    // middle, and the normal. The first costs least; it also keeps its sense where the closest points are too near to
    // tell.
    Vec3 last = Vec3::Zero();
    const auto clears = [&](double t0, double t1) {
        ++result.intervals;
        const Mat<3, NA + NB> X0 = query.at(t0), X1 = query.at(t1);
        const double needed = options.dmin + query.error;
        const auto parts = [&](const Vec3& n) {
            if (!(Query<NA, NB>::gap(X0, n) > needed && Query<NA, NB>::gap(X1, n) > needed))
                return false;
            last = n;
            return true;
        };
        if (parts(last))
            return true;
        const auto [closest, normal] = between_of<NA, NB>(query.at(t0 + (t1 - t0) / 2));
        if (parts(direction(closest)))
            return true;
        if (normal.isZero(0))
            return false;
        const Vec3 m = direction(normal);
        return parts(m) || parts(-m);
    };

    // Below this the interval at the start is left to exact arithmetic.
    constexpr double smallest_first_interval = 0x1p-60;
    double cleared = 0, length = options.tmax;
    bool grew = false;
    while (true) {
        const double next = std::min(cleared + length, options.tmax);
        if (clears(cleared, next)) {
            if (next == options.tmax) {
                result.toi = options.tmax;
                return result;
            }
            cleared = next;
            // Twice the length, unless that has just failed.
            length *= grew ? 2 : 1;
            grew = true;
        } else {
            length /= 2;
            grew = false;
            if (cleared > 0 && length <= options.tolerance * cleared) {
                result.outcome = CcdOutcome::hit;
                break;
            }
            if (cleared == 0 && length <= smallest_first_interval * options.tmax) {
                Mat<3, Eigen::Dynamic> start(3, NA + NB), end(3, NA + NB);
                start << a.start, b.start;
                end << a.end, b.end;
                const std::optional<double> safe = exact_safe_time(start, end, NA, options.dmin);
                cleared = std::min(safe.value_or(0), options.tmax);
                result.outcome = !safe                  ? CcdOutcome::hit_at_zero
                                 : *safe > options.tmax ? CcdOutcome::clear
                                                        : CcdOutcome::hit;
                break;
            }
        }
        if (result.intervals >= options.max_intervals) {
            result.outcome = CcdOutcome::exhausted;
            break;
        }
    }
    ABUT_ASSERT(cleared >= 0 && cleared <= options.tmax);
    result.toi = cleared;
    return result;
}

} // namespace abut::ccd
