#pragma once
// Hard queries for continuous collision detection, drawn from a RandomStream so that a failure repeats.
//
// Where a contact is to be exact, coordinates are small multiples of 2^-8 and times and barycentric weights are
// quarters, so that moving one element onto the other is free of rounding.

#include "support/ccd_queries.hpp"
#include "support/random_points.hpp"

#include <array>
#include <cmath>

namespace abut::test {

enum class CcdFamily : std::uint8_t {
    generic,          ///< all points at random
    grazing,          ///< the elements slide along a plane between them, on it or one ulp off it
    coplanar,         ///< in one moving plane for all t
    parallel,         ///< edges parallel, or the point moving along the edge
    zero_motion,      ///< nothing moves
    one_moving,       ///< only one vertex moves
    tiny,             ///< another family times 2^-30
    far,              ///< another family moved by about 2^20 along each axis: 20 bits fewer
    vertex_on_vertex, ///< a vertex meets a vertex
    vertex_on_edge,   ///< a vertex meets the inside of an edge
    rotating,         ///< one element turns by up to half a turn, each vertex along its chord
    touch_at_start,   ///< in contact at t = 0 exactly
    touch_at_end,     ///< in contact at t = 1 exactly
    degenerate,       ///< edges of length zero, triangles of area zero, at the start, at the end or always
    lattice,          ///< integers from -2 to 2: coincidences of every sort
};

inline constexpr std::array ccd_families{
    CcdFamily::generic,          CcdFamily::grazing,        CcdFamily::coplanar, CcdFamily::parallel,
    CcdFamily::zero_motion,      CcdFamily::one_moving,     CcdFamily::tiny,     CcdFamily::far,
    CcdFamily::vertex_on_vertex, CcdFamily::vertex_on_edge, CcdFamily::rotating, CcdFamily::touch_at_start,
    CcdFamily::touch_at_end,     CcdFamily::degenerate,     CcdFamily::lattice,
};

inline const char* name(CcdFamily family)
{
    constexpr std::array names{"generic",    "grazing",        "coplanar",     "parallel",         "zero_motion",
                               "one_moving", "tiny",           "far",          "vertex_on_vertex", "vertex_on_edge",
                               "rotating",   "touch_at_start", "touch_at_end", "degenerate",       "lattice"};
    static_assert(names.size() == ccd_families.size());
    return names[static_cast<int>(family)];
}

struct CcdPair {
    CcdKind kind;
    int dim;
};

inline constexpr std::array<CcdPair, 6> ccd_pairs{{
    {CcdKind::point_point, 2},
    {CcdKind::point_point, 3},
    {CcdKind::point_edge, 2},
    {CcdKind::point_edge, 3},
    {CcdKind::point_triangle, 3},
    {CcdKind::edge_edge, 3},
}};

namespace ccd_cases {

inline bool chance(RandomStream& random, std::uint32_t one_in) { return random.below(one_in) == 0; }

/// Multiple of 2^-8 in [low, high].
inline double coarse(RandomStream& random, int low, int high)
{
    return low + random.below(256 * (high - low) + 1) * 0x1p-8;
}

inline Vec3 coarse_vector(RandomStream& random, int dim)
{
    Vec3 x = Vec3::Zero();
    for (int i = 0; i < dim; ++i)
        x[i] = coarse(random, -1, 1);
    return x;
}

inline Vec3 fine_vector(RandomStream& random, int dim)
{
    Vec3 x = Vec3::Zero();
    for (int i = 0; i < dim; ++i)
        x[i] = random.uniform(-1, 1);
    return x;
}

/// A query whose points are `draw()` at the start and at the end.
template <typename Draw>
CcdQuery query_of(CcdPair pair, const Draw& draw)
{
    CcdQuery query{.kind = pair.kind, .dim = pair.dim};
    for (int i = 0; i < num_points(pair.kind); ++i) {
        query.start[i] = draw();
        query.end[i] = draw();
    }
    return query;
}

inline CcdQuery coarse_query(CcdPair pair, RandomStream& random)
{
    return query_of(pair, [&] { return coarse_vector(random, pair.dim); });
}

/// A time in quarters, in ]0, 1].
inline double quarter_time(RandomStream& random) { return 0.25 * (1 + random.below(4)); }

enum class Part : std::uint8_t { vertex, edge, inside };

/// Barycentric weights of the query's points, in quarters, that sum to one on each element: a random vertex, a random
/// point of a random edge, or a random point inside, or of lower dimension where the element has no such part.
inline std::array<double, 4> contact_weights(CcdKind kind, Part first, Part second, RandomStream& random)
{
    std::array<double, 4> w{};
    const auto fill = [&](int begin, int count, Part part) {
        const auto corner = static_cast<int>(random.below(count));
        if (part == Part::vertex || count == 1) {
            w[begin + corner] = 1;
        } else if (part == Part::edge || count == 2) {
            const double s = 0.25 * (1 + random.below(3));
            w[begin + corner] = s;
            w[begin + (corner + 1) % count] = 1 - s;
        } else {
            for (int i = 0; i < 3; ++i)
                w[begin + i] = i == corner ? 0.5 : 0.25;
        }
    };
    const int m = num_first_points(kind);
    fill(0, m, first);
    fill(m, num_points(kind) - m, second);
    return w;
}

inline std::array<double, 4> contact_weights(CcdKind kind, RandomStream& random)
{
    const auto part = [&] { return static_cast<Part>(random.below(3)); };
    const Part first = part(), second = part();
    return contact_weights(kind, first, second, random);
}

/// From the weighted point of the first element to that of the second at the time t.
inline Vec3 gap(const CcdQuery& query, const std::array<double, 4>& w, double t)
{
    Vec3 r = Vec3::Zero();
    for (int i = 0; i < num_points(query.kind); ++i)
        r += (i < num_first_points(query.kind) ? -w[i] : w[i]) * ((1 - t) * query.start[i] + t * query.end[i]);
    return r;
}

/// Moves the second element as a whole so that the weighted points meet at the time t.
inline void make_contact(CcdQuery& query, const std::array<double, 4>& w, double t)
{
    const Vec3 r = gap(query, w, t);
    for (int i = num_first_points(query.kind); i < num_points(query.kind); ++i) {
        query.start[i] -= r;
        query.end[i] -= r;
    }
}

/// Moves one coordinate of one point in use by one ulp, at the start, at the end or both.
inline void nudge(CcdQuery& query, RandomStream& random)
{
    const auto i = random.below(num_points(query.kind)), axis = random.below(query.dim), when = random.below(3);
    const double limit = chance(random, 2) ? 1e300 : -1e300;
    if (when != 0)
        query.start[i][axis] = std::nextafter(query.start[i][axis], limit);
    if (when != 1)
        query.end[i][axis] = std::nextafter(query.end[i][axis], limit);
}

inline CcdQuery grazing(CcdPair pair, RandomStream& random)
{
    // The last axis separates: the first element lies below a plane that moves along, the second above, and each has a
    // vertex on it. They meet, if at all, in points of the plane, and pass each other in no time.
    CcdQuery query = coarse_query(pair, random);
    const int axis = pair.dim - 1, m = num_first_points(pair.kind), n = num_points(pair.kind);
    const int touching_first = static_cast<int>(random.below(m)), touching_second = m + random.below(n - m);
    std::array<double, 4> w{};
    double weight_first = 0, weight_second = 0;
    const double plane_start = coarse(random, -1, 1), plane_end = coarse(random, -1, 1);
    for (int i = 0; i < n; ++i) {
        const bool touches = i == touching_first || i == touching_second || chance(random, 3);
        const double height = touches ? 0 : coarse(random, 0, 1) + 0x1p-8;
        query.start[i][axis] = plane_start + (i < m ? -height : height);
        query.end[i][axis] = plane_end + (i < m ? -height : height);
        // Halve the weight with every further vertex on the plane: weights stay dyadic.
        double& sum = i < m ? weight_first : weight_second;
        if (touches) {
            if (sum > 0)
                for (int j = i < m ? 0 : m; j < i; ++j)
                    w[j] /= 2;
            w[i] = sum > 0 ? 0.5 : 1;
            sum = 1;
        }
    }
    make_contact(query, w, quarter_time(random));
    if (!chance(random, 3))
        nudge(query, random);
    return query;
}

inline CcdQuery coplanar(CcdPair pair, RandomStream& random)
{
    // In the plane first, then lifted to z = i x + j y + h with h moving. Coarse coordinates stay exact for small
    // integers i and j, others only for zero.
    CcdQuery query;
    double i = 0, j = 0;
    if (chance(random, 3)) {
        query = query_of(pair, [&] { return fine_vector(random, 2); });
    } else {
        query = query_of(pair, [&] { return coarse_vector(random, 2); });
        if (chance(random, 2))
            make_contact(query, contact_weights(pair.kind, random), quarter_time(random));
        i = random.below(3) - 1.0;
        j = random.below(3) - 1.0;
    }
    if (pair.dim == 2)
        return query;
    const double h_start = coarse(random, -1, 1), h_end = coarse(random, -1, 1);
    for (int k = 0; k < num_points(pair.kind); ++k) {
        query.start[k].z() = i * query.start[k].x() + j * query.start[k].y() + h_start;
        query.end[k].z() = i * query.end[k].x() + j * query.end[k].y() + h_end;
    }
    return query;
}

inline CcdQuery parallel(CcdPair pair, RandomStream& random)
{
    CcdQuery query = coarse_query(pair, random);
    constexpr std::array factors{-2.0, -1.0, -0.5, 0.5, 1.0, 2.0};
    if (pair.kind == CcdKind::edge_edge) {
        // Directions are multiples of each other at the start and at the end: in between too if the factors are equal.
        const double f = factors[random.below(6)], g = chance(random, 2) ? f : factors[random.below(6)];
        query.start[3] = query.start[2] + f * (query.start[1] - query.start[0]);
        query.end[3] = query.end[2] + g * (query.end[1] - query.end[0]);
    } else {
        // The second element moves as one, the point relative to it along an edge, or not at all.
        const Vec3 drift = coarse_vector(random, pair.dim);
        const int n = num_points(pair.kind);
        for (int i = 1; i < n; ++i)
            query.end[i] = query.start[i] + drift;
        const Vec3 along = n == 2 ? Vec3(Vec3::Zero()) : Vec3(query.start[2] - query.start[1]);
        query.end[0] = query.start[0] + drift + factors[random.below(6)] * along;
    }
    if (!chance(random, 4))
        make_contact(query, contact_weights(pair.kind, random), quarter_time(random));
    return query;
}

inline CcdQuery one_moving(CcdPair pair, RandomStream& random)
{
    CcdQuery query = coarse_query(pair, random);
    query.end = query.start;
    const std::array<double, 4> w = contact_weights(pair.kind, random);
    const double t = quarter_time(random);
    const auto i = random.below(num_points(pair.kind));
    if (w[i] == 0) {
        query.end[i] = coarse_vector(random, pair.dim);
        if (chance(random, 2))
            make_contact(query, w, t);
    } else { // the move that closes the gap; exact unless t or the weight is 3/4
        const double sign = static_cast<int>(i) < num_first_points(pair.kind) ? 1 : -1;
        query.end[i] += sign * gap(query, w, t) / (t * w[i]);
    }
    return query;
}

inline CcdQuery rotating(CcdPair pair, RandomStream& random)
{
    CcdQuery query = query_of(pair, [&] { return fine_vector(random, pair.dim); });
    const Vec3 axis = pair.dim == 2 ? Vec3(Vec3::UnitZ()) : random_direction<3>(random);
    const Vec3 centre = fine_vector(random, pair.dim);
    const Vec3 drift = chance(random, 2) ? fine_vector(random, pair.dim) : Vec3(Vec3::Zero());
    const Eigen::AngleAxisd rotation(random.uniform(0, std::numbers::pi), axis);
    const bool first_turns = chance(random, 2);
    for (int i = 0; i < num_points(pair.kind); ++i) {
        const bool turns = (i < num_first_points(pair.kind)) == first_turns;
        query.end[i] = query.start[i];
        if (turns)
            query.end[i] = centre + drift + rotation * Vec3(query.start[i] - centre);
    }
    return query;
}

inline CcdQuery degenerate(CcdPair pair, RandomStream& random)
{
    CcdQuery query = coarse_query(pair, random);
    // Collapse each element of more than one vertex, at the start, at the end or both: a triangle to a segment by two
    // equal vertices or by three on a line, or to a point.
    const auto collapse = [&](std::array<Vec3, 4>& x, int begin, int count, std::uint32_t how) {
        if (count == 2) {
            x[begin + 1] = x[begin];
        } else if (count == 3) {
            if (how == 0)
                x[begin + 2] = x[begin];
            else if (how == 1)
                x[begin + 2] = 0.5 * (x[begin] + x[begin + 1]);
            else
                x[begin + 1] = x[begin + 2] = x[begin];
        }
    };
    const int m = num_first_points(pair.kind), n = num_points(pair.kind);
    const auto collapse_at_times = [&](int begin, int count) {
        const std::uint32_t when = random.below(3), how = random.below(3);
        if (when != 0)
            collapse(query.start, begin, count, how);
        if (when != 1)
            collapse(query.end, begin, count, how);
    };
    if (m > 1 && chance(random, 2))
        collapse_at_times(0, m);
    collapse_at_times(m, n - m);
    if (!chance(random, 4))
        make_contact(query, contact_weights(pair.kind, random), quarter_time(random));
    return query;
}

} // namespace ccd_cases

/// A random query of a family. In families about a contact a part of the queries misses it, by an ulp or by far.
inline CcdQuery ccd_case(CcdFamily family, CcdPair pair, RandomStream& random)
{
    using namespace ccd_cases;
    const auto other_family = [&] {
        CcdFamily other{};
        do
            other = ccd_families[random.below(ccd_families.size())];
        while (other == CcdFamily::tiny || other == CcdFamily::far);
        return ccd_case(other, pair, random);
    };
    /// A contact of the given parts at a time in quarters, exact or, for a third of the queries, off by rounding.
    const auto contact_of = [&](Part first, Part second) {
        CcdQuery query = coarse_query(pair, random);
        if (chance(random, 3))
            query = query_of(pair, [&] { return fine_vector(random, pair.dim); });
        make_contact(query, contact_weights(pair.kind, first, second, random), quarter_time(random));
        return query;
    };

    CcdQuery query;
    switch (family) {
    case CcdFamily::generic:
        query = query_of(pair, [&] { return fine_vector(random, pair.dim); });
        break;
    case CcdFamily::grazing:
        query = grazing(pair, random);
        break;
    case CcdFamily::coplanar:
        query = coplanar(pair, random);
        break;
    case CcdFamily::parallel:
        query = parallel(pair, random);
        break;
    case CcdFamily::zero_motion:
        query = coarse_query(pair, random);
        query.end = query.start;
        if (chance(random, 2))
            make_contact(query, contact_weights(pair.kind, random), 1);
        if (chance(random, 2))
            nudge(query, random);
        query.end = query.start;
        break;
    case CcdFamily::one_moving:
        query = one_moving(pair, random);
        break;
    case CcdFamily::tiny:
        query = scaled(other_family(), -30);
        break;
    case CcdFamily::far: {
        const Vec3 offset = 0x1p20 * Vec3(1, -1, pair.dim == 2 ? 0 : 1);
        query = transformed(other_family(), [&](const Vec3& x) { return Vec3(x + offset); });
        break;
    }
    case CcdFamily::vertex_on_vertex:
        query = contact_of(Part::vertex, Part::vertex);
        break;
    case CcdFamily::vertex_on_edge:
        query = chance(random, 2) ? contact_of(Part::vertex, Part::edge) : contact_of(Part::edge, Part::vertex);
        break;
    case CcdFamily::rotating:
        query = rotating(pair, random);
        break;
    case CcdFamily::touch_at_start:
    case CcdFamily::touch_at_end:
        query = coarse_query(pair, random);
        make_contact(query, contact_weights(pair.kind, random), family == CcdFamily::touch_at_start ? 0 : 1);
        break;
    case CcdFamily::degenerate:
        query = degenerate(pair, random);
        break;
    case CcdFamily::lattice:
        query = query_of(pair, [&] {
            Vec3 x = random_grid_points<3>(random, 2);
            if (pair.dim == 2)
                x.z() = 0;
            return x;
        });
        break;
    }
    return axis_symmetry(query, static_cast<int>(random.below(num_axis_symmetries(pair.dim))));
}

} // namespace abut::test
