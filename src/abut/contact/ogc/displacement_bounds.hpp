#pragma once
// How far each vertex may move, in any direction, so that nothing can meet: OGC's bounds instead of continuous
// collision detection. "Offset Geometric Contact" (Chen et al. 2025), section 3.7 and algorithms 1 and 2.
//
//   d_min,v   from a vertex to the nearest face that it is no corner of       (eq. 22)
//   d_min,e   from an edge to the nearest edge that shares no vertex with it  (eq. 24)
//   d_min,t   from a face to the nearest vertex that is no corner of it       (eq. 26)
//   b_v       gamma_p min(d_min,v, d_min,e of its edges, d_min,t of its faces) - margin   (eq. 21)
//
// All start from the query radius r_q, beyond which nothing was looked for. Two elements at distance d whose vertices
// move by at most b_v come no closer than (1 - 2 gamma_p) d. In the plane edges take the place of faces.
//
// Additions to the paper: a distance dmin that is kept (bounds share d - dmin instead of d), planes that stand still
// (their vertices have the whole of the distance), and a margin for the rounding of distances and of positions.

#include "abut/detect/detection.hpp"

namespace abut {

/// The distance of each element to the nearest of those that it shares no vertex with, at most the query radius [m].
struct ElementDistances {
    std::vector<double> vertices, edges, faces;
    std::vector<double> planes; ///< from each vertex to the nearest plane; empty where there are no planes
    double query_radius = 0;    ///< r_q

    bool operator==(const ElementDistances&) const = default;
};

/// From pairs that include all within the query radius of each other.
[[nodiscard]] ElementDistances
find_element_distances(const NearPairs& pairs, const CollisionMesh& mesh, double query_radius);

struct DisplacementBoundsOptions {
    double dmin = 0;          ///< distance that elements keep [m], >= 0
    double relaxation = 0.45; ///< gamma_p: share of its distance that each of two elements may use up, in (0, 0.5)
};

/// b_v of each vertex [m], at the positions X at which the distances were found; 0 where something is within dmin.
[[nodiscard]] Eigen::VectorXd displacement_bounds(
    const ElementDistances& distances, const CollisionMesh& mesh, const ConstPositions& X,
    const DisplacementBoundsOptions& options = {});

/// What rounding adds to distances at X and to moves of its vertices, at most [m].
[[nodiscard]] double rounding_margin(const ConstPositions& X);

} // namespace abut
