#pragma once
// How far a pair of elements may go on its straight way. Internal: for searches that shorten the ways of groups or of
// vertices.

#include "abut/detect/ccd_kernel.hpp"
#include "abut/detect/mesh_motion.hpp"
#include "abut/detect/pair_offset.hpp"

#include <algorithm>

namespace abut {

/// What a pair has to keep of its gap beyond dmin: `clearance`, or, where it has less, a share of what it has.
struct KeptGap {
    double clearance, share;
    [[nodiscard]] double of(double gap) const { return std::min(clearance, share * gap); }
};

/// Safe shares of a way need not be exact: where they are below 1 it is looked at again.
inline constexpr double way_tolerance = 1e-2;

/// The share of its way that a pair may go, in [0, 1].
inline double pair_share(
    const MeshMotion& motion, const CollisionMesh& mesh, PairKind kind, int i, int j, double dmin, const KeptGap& kept)
{
    dmin += pair_offset(mesh, kind, i, j);
    return with_elements(motion, kind, i, j, [&]<int NA, int NB>(const MovingPoints<NA>& p, const MovingPoints<NB>& q) {
        const ccd::Query<NA, NB> query(p, q);
        const Vec3 n = ccd::direction(ccd::between_of<NA, NB>(query.start).closest);
        // Not above the exact gap
        const double gap = ccd::Query<NA, NB>::gap(query.start, n) - query.error - dmin;
        if (!(gap > 0))
            return 0.0;
        const CcdOptions options{.dmin = dmin + kept.of(gap), .tolerance = way_tolerance};
        const CcdResult result = ccd::walk<NA, NB>(p, q, query, options);
        return result.is_clear() ? 1.0 : result.toi;
    });
}

/// The same of a vertex and a plane.
inline double plane_share(
    const MeshMotion& motion, const CollisionMesh& mesh, const Plane& plane, int v, double dmin, const KeptGap& kept)
{
    const MovingPoints<1> p = motion.vertex(v);
    dmin += mesh.offsets().radius(v);
    const double start = signed_distance(plane, Vec3(p.start)) - dmin;
    if (!(start > 0))
        return 0;
    const double magnitude =
        std::max({p.start.cwiseAbs().maxCoeff(), p.end.cwiseAbs().maxCoeff(), plane.point.cwiseAbs().maxCoeff(), dmin});
    const double rounding = 256 * 0x1p-53 * magnitude; // of both signed distances, with a wide margin
    const double end = signed_distance(plane, Vec3(p.end)) - dmin, least = kept.of(start) + rounding;
    return end >= least || end >= start ? (end > rounding ? 1 : 0) : std::max(0.0, (start - least) / (start - end));
}

} // namespace abut
