#pragma once
// When do two moving elements first touch? Decided in integer arithmetic from the coordinates as given: slow, exact and
// independent of the library.
//
// Notation: d the least distance allowed, zero for plain contact; D(t) the distance of the closed elements at time t;
// T = min { t in [0, 1] : D(t) <= d }.
//
// Every element is its interior and its boundary, which is made of elements of lower dimension. So T is the least of
//   - the T of the pairs in which one element is replaced by a part of its boundary, and
//   - the first time at which the closest points of the affine hulls (lines, planes) lie strictly inside both elements
//     and the distance of the hulls is d, or at t = 0 at most d.
// Proof. Neither can be before T, as both say that D <= d. If T > 0, D(T) = d by continuity. A closest pair at T with a
// point on a boundary is of the first sort. Else all closest pairs are strictly inside, and then the hulls are not
// parallel and no element is degenerate, or one could slide along to a boundary or drop a vertex: the closest points of
// the hulls are unique, strictly inside, and at distance d. The case T = 0 is the same with D(0) <= d.
//
// "The distance of the hulls is d" is a polynomial equation f(t) = 0 of degree at most 3 for d = 0 and 6 for d > 0, and
// "strictly inside" a few polynomial inequalities g(t) > 0. If f is identically zero there is nothing to find after
// t = 0: strictly inside is an open condition, so it would have held, at the same distance d, shortly before T.
// Parallel, collinear, coplanar and degenerate elements thus need no case of their own.

#include "support/ccd_queries.hpp"

#include <gmpxx.h>

namespace abut::test {

/// The first contact, if any: lo <= T <= hi and hi - lo <= 2^-80, and both are zero if the elements touch at t = 0.
struct FirstContact {
    bool hit = false;
    mpq_class lo = 0, hi = 0; ///< equal where T is a rational that the algorithm meets
};

/// The first time in [0, 1] at which the closed elements have a point in common or, for min_distance > 0, are at most
/// that far apart. Any finite coordinates will do; min_distance is exact as well.
[[nodiscard]] FirstContact exact_first_contact(const CcdQuery& query, double min_distance = 0);

/// Squared distance of the elements at the time t.
[[nodiscard]] mpq_class exact_squared_distance(const CcdQuery& query, const mpq_class& t);

} // namespace abut::test
