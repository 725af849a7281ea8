#pragma once
// What the exact oracle says about an answer of the library's continuous collision detection.

#include "abut/detect/ccd.hpp"
#include "support/exact_ccd.hpp"

#include <limits>

namespace abut::test {

template <int N>
MovingPoints<N> moving_points(const CcdQuery& query, int begin)
{
    MovingPoints<N> points;
    for (int k = 0; k < N; ++k) {
        points.start.col(k) = query.start[begin + k];
        points.end.col(k) = query.end[begin + k];
    }
    return points;
}

/// The library's answer.
inline CcdResult library_ccd(const CcdQuery& query, const CcdOptions& options = {})
{
    switch (query.kind) {
    case CcdKind::point_point:
        return point_point_ccd(moving_points<1>(query, 0), moving_points<1>(query, 1), options);
    case CcdKind::point_edge:
        return point_edge_ccd(moving_points<1>(query, 0), moving_points<2>(query, 1), options);
    case CcdKind::point_triangle:
        return point_triangle_ccd(moving_points<1>(query, 0), moving_points<3>(query, 1), options);
    case CcdKind::edge_edge:
        break;
    }
    return edge_edge_ccd(moving_points<2>(query, 0), moving_points<2>(query, 2), options);
}

enum class CcdVerdict : std::uint8_t {
    right,       ///< clear without a contact, or a hit not later than the contact
    false_alarm, ///< allowed: a hit, or an end of the search, without a contact
    no_time,     ///< a time of 0 without contact at the start, excused by needs_no_time(); counted, never overlooked
    miss,        ///< clear in spite of a contact
    late,        ///< the time is after the contact
    zero,        ///< the time is 0 but the contact is not, or the other way round
    malformed,   ///< the fields contradict each other
};

constexpr bool is_violation(CcdVerdict verdict) { return verdict >= CcdVerdict::miss; }

inline const char* name(CcdVerdict verdict)
{
    constexpr std::array names{"right", "false alarm", "no time", "miss", "late", "zero", "malformed"};
    return names[static_cast<int>(verdict)];
}

/// Could the two fastest vertices close the gap at the start in less time than the least positive double? The library
/// then answers 0, though the exact contact may come later: a known limit, for gaps and speeds some 320 orders of
/// magnitude apart.
inline bool needs_no_time(const CcdQuery& query, double dmin)
{
    const int m = num_first_points(query.kind), n = num_points(query.kind);
    mpq_class fastest = 0;
    for (int i = 0; i < m; ++i)
        for (int j = m; j < n; ++j) {
            mpq_class squared = 0;
            for (int axis = 0; axis < 3; ++axis) {
                const mpq_class motion = (mpq_class(query.end[i][axis]) - mpq_class(query.start[i][axis])) -
                                         (mpq_class(query.end[j][axis]) - mpq_class(query.start[j][axis]));
                squared += motion * motion;
            }
            fastest = std::max(fastest, squared);
        }
    const mpf_class gap = sqrt(mpf_class(exact_squared_distance(query, 0), 4096)) - dmin;
    return gap <= sqrt(mpf_class(fastest, 4096)) * 2 * std::numeric_limits<double>::denorm_min();
}

/// Judges an answer, given the first contact in [0, 1].
inline CcdVerdict
judge(const CcdQuery& query, const CcdOptions& options, const CcdResult& result, const FirstContact& contact)
{
    if (!(result.toi >= 0 && result.toi <= options.tmax) || result.intervals < 1 ||
        result.intervals > options.max_intervals || (result.is_clear() && result.toi != options.tmax))
        return CcdVerdict::malformed;
    const bool touches_at_start = contact.hit && contact.hi == 0;
    if (touches_at_start != (result.outcome == CcdOutcome::hit_at_zero) || (touches_at_start && result.toi != 0))
        return CcdVerdict::zero;
    if (!touches_at_start && result.toi == 0)
        return needs_no_time(query, options.dmin) ? CcdVerdict::no_time : CcdVerdict::zero;
    const mpq_class toi = result.toi, d = options.dmin;
    // Between the bounds of the contact the distance decides.
    const bool is_late =
        contact.hit && (toi > contact.hi || (toi > contact.lo && exact_squared_distance(query, toi) < d * d));
    if (result.is_clear())
        return contact.hit && (contact.hi <= toi || is_late) ? CcdVerdict::miss : CcdVerdict::right;
    if (is_late)
        return CcdVerdict::late;
    return contact.hit && contact.lo <= mpq_class(options.tmax) ? CcdVerdict::right : CcdVerdict::false_alarm;
}

} // namespace abut::test
