// Continuous collision detection of single pairs.

#include "abut/detect/ccd.hpp"

#include "module.hpp"
#include "points.hpp"

namespace abut::python {

template <>
inline constexpr EnumNames enum_names<CcdOutcome>{
    "CcdOutcome", "clear hit exhausted hit_at_zero",
    "How a continuous query ended. clear: proven, the distance stays above dmin. hit: the elements come within dmin, "
    "or closer to it than rounding lets us tell. exhausted: max_intervals were not enough; clear up to toi. "
    "hit_at_zero: "
    "within dmin at the start, in exact arithmetic."};

/// A number of intervals of time, whose range is checked with the other options.
struct NumIntervals {
    int count;
    operator int() const { return count; }
};

inline NumIntervals num_intervals_argument(std::int64_t value, const char* name)
{
    if (!std::in_range<int>(value))
        reject("{}: {} is out of range; expected 64 to {}", name, value, std::numeric_limits<int>::max());
    return {static_cast<int>(value)};
}

template <>
struct Argument<NumIntervals> : ReadBy<std::int64_t, num_intervals_argument> {};
template <>
struct FieldParameter<CcdOptions, int> {
    using type = NumIntervals;
};

namespace {

constexpr auto options_doc = R"(

Every point moves along a straight line, from its place at t = 0 to its place at t = 1. Returns a CcdResult, whose toi
is never late: the distance is above dmin during [0, toi).

dmin: contact begins when the distance falls to this [m], >= 0.
tmax: time is searched in [0, tmax], 0 < tmax <= 1.
tolerance: the time of impact is at most about this share of itself too early, in (0, 1).
max_intervals: more intervals of time than this end the search with what is cleared so far, >= 64.)";

/// Points `first` to `first` + N - 1 at t = 0; at t = 1 they are `at_end` arguments later.
template <int N>
MovingPoints<N> moving(const Points& x, int first, int at_end)
{
    MovingPoints<N> points;
    for (int k = 0; k < N; ++k) {
        points.start.col(k) = x.at<3>(first + k);
        points.end.col(k) = x.at<3>(at_end + first + k);
    }
    return points;
}

/// Defines a continuous query of N points.
template <Space space, std::size_t N, typename Query>
void def_query(py::module_& m, const char* name, Names<N> names, const char* doc, Query query)
{
    using O = CcdOptions;
    def_of_points<space>(
        m, name, names, std::string(doc) + options_doc,
        [query](const Points& x, const CcdOptions& options) { return without_gil([&] { return query(x, options); }); },
        py::kw_only(), options<&O::dmin, &O::tmax, &O::tolerance, &O::max_intervals>);
}

/// The same for an element of A vertices and one of B.
template <int A, int B, Space space, std::size_t N>
void def_query(
    py::module_& m, const char* name, Names<N> names,
    CcdResult (*query)(const MovingPoints<A>&, const MovingPoints<B>&, const CcdOptions&), const char* doc)
{
    def_query<space>(m, name, names, doc, [query](const Points& x, const CcdOptions& options) {
        return query(moving<A>(x, 0, A + B), moving<B>(x, A, A + B), options);
    });
}

} // namespace

void def_ccd(py::module_& m)
{
    using R = CcdResult;
    def_enum<CcdOutcome>(m);
    Class<R> result(m, "CcdResult", "When two moving elements come within dmin of each other.");
    result.get("outcome", "The CcdOutcome: how the query ended.", &R::outcome);
    result.get(
        "toi",
        "The distance is above dmin during [0, toi). tmax when clear; 0 only when hit_at_zero, or when the contact "
        "comes before the least positive float.",
        &R::toi);
    result.get("intervals", "Intervals of time that were tried.", &R::intervals);
    result.get("is_clear", "Is it proven that the distance stays above dmin during [0, tmax]?", &R::is_clear);
    result.repr(
        [](const R& r) { return fmt::format("{}, toi = {}, {} intervals", name_of(r.outcome), r.toi, r.intervals); });

    def_query<1, 1, Space::either>(
        m, "point_point_ccd", {"p_t0", "q_t0", "p_t1", "q_t1"}, point_point_ccd,
        "When do two moving points first come within dmin of each other, in 2D or 3D [m]?");
    def_query<1, 2, Space::either>(
        m, "point_edge_ccd", {"p_t0", "e0_t0", "e1_t0", "p_t1", "e0_t1", "e1_t1"}, point_edge_ccd,
        "When does a moving point p first come within dmin of a moving edge e0 e1, in 2D or 3D [m]?");
    def_query<1, 3, Space::space>(
        m, "point_triangle_ccd", {"p_t0", "t0_t0", "t1_t0", "t2_t0", "p_t1", "t0_t1", "t1_t1", "t2_t1"},
        point_triangle_ccd,
        "When does a moving point p first come within dmin of a moving triangle t0 t1 t2, in 3D [m]?");
    def_query<2, 2, Space::space>(
        m, "edge_edge_ccd", {"a0_t0", "a1_t0", "b0_t0", "b1_t0", "a0_t1", "a1_t1", "b0_t1", "b1_t1"}, edge_edge_ccd,
        "When do two moving edges a0 a1 and b0 b1 first come within dmin of each other, in 3D [m]?");
    def_query<Space::space>(
        m, "point_plane_ccd", {"p_t0", "p_t1", "origin", "unit_normal"},
        "When does a moving point p first come within dmin of the fixed plane through `origin` with `unit_normal`, in "
        "3D [m]? The point may start on either side.",
        [](const Points& x, const CcdOptions& options) {
            return point_plane_ccd(moving<1>(x, 0, 1), x.at<3>(2), x.at<3>(3), options);
        });
}

} // namespace abut::python
