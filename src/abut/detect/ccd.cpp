#include "abut/detect/ccd.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/detect/ccd_kernel.hpp"

namespace abut {

void CcdOptions::validate() const
{
    if (!(dmin >= 0 && dmin <= 1e50))
        reject("dmin: {} is not a distance between 0 and 1e50 m", dmin);
    if (!(tmax > 0 && tmax <= 1))
        reject("tmax: {} is not in (0, 1]", tmax);
    if (!(tolerance > 0 && tolerance < 1))
        reject("tolerance: {} is not in (0, 1)", tolerance);
    if (max_intervals < 64)
        reject("max_intervals: {} is below 64, which a first interval may need", max_intervals);
}

namespace {

template <int N>
void validate_points(const MovingPoints<N>& points)
{
    if (!points.start.allFinite() || !points.end.allFinite())
        reject("points: a coordinate is not finite; every coordinate must be a number of metres");
}

template <int NA, int NB>
CcdResult run(const MovingPoints<NA>& a, const MovingPoints<NB>& b, const CcdOptions& options)
{
    options.validate();
    validate_points(a);
    validate_points(b);
    return ccd::walk<NA, NB>(a, b, ccd::Query<NA, NB>(a, b), options, ccd::NearMisses::exact);
}

} // namespace

CcdResult point_point_ccd(const MovingPoints<1>& p, const MovingPoints<1>& q, const CcdOptions& options)
{
    return run<1, 1>(p, q, options);
}

CcdResult point_edge_ccd(const MovingPoints<1>& p, const MovingPoints<2>& e, const CcdOptions& options)
{
    return run<1, 2>(p, e, options);
}

CcdResult point_triangle_ccd(const MovingPoints<1>& p, const MovingPoints<3>& t, const CcdOptions& options)
{
    return run<1, 3>(p, t, options);
}

CcdResult edge_edge_ccd(const MovingPoints<2>& a, const MovingPoints<2>& b, const CcdOptions& options)
{
    return run<2, 2>(a, b, options);
}

CcdResult
point_plane_ccd(const MovingPoints<1>& p, const Vec3& origin, const Vec3& unit_normal, const CcdOptions& options)
{
    options.validate();
    validate_points(p);
    if (!origin.allFinite())
        reject("origin: a coordinate is not finite");
    if (!(std::abs(unit_normal.norm() - 1) < 1e-12))
        reject("unit_normal: its length is {}, not 1", unit_normal.norm());
    return ccd::plane_ccd(p, origin, unit_normal, options);
}

CcdResult
ccd::plane_ccd(const MovingPoints<1>& p, const Vec3& origin, const Vec3& unit_normal, const CcdOptions& options)
{
    // The signed distance is linear in time: d0 + t (d1 - d0).
    const Vec3 from_start = p.start - origin, motion = p.end - p.start;
    const double d0 = unit_normal.dot(from_start), speed = unit_normal.dot(motion);
    const double error = 32 * 0x1p-53 * (from_start.cwiseAbs() + motion.cwiseAbs()).maxCoeff() + 1e-300;
    const double gap = std::abs(d0) - options.dmin - error, approach = (d0 > 0 ? -speed : speed) + error;
    const double time = gap / approach * (1 - 0x1p-50);
    if (gap > 0 && approach < std::numeric_limits<double>::max()) {
        if (approach <= 0 || time > options.tmax)
            return {CcdOutcome::clear, options.tmax, 1};
        if (time > 0)
            return {CcdOutcome::hit, time, 1};
    }
    const std::optional<double> exact_time = ccd::exact_plane_time(p, origin, unit_normal, options.dmin);
    if (!exact_time)
        return {CcdOutcome::hit_at_zero, 0, 1};
    ABUT_ASSERT(*exact_time >= 0);
    if (*exact_time > options.tmax)
        return {CcdOutcome::clear, options.tmax, 1};
    return {CcdOutcome::hit, *exact_time, 1};
}

} // namespace abut
