// Continuous collision detection of single pairs.

#include "abut/detect/ccd.hpp"

#include "enums.hpp"
#include "module.hpp"
#include "points.hpp"

namespace abut::python {

template <>
struct EnumNames<CcdOutcome> {
    static constexpr auto type = "CcdOutcome";
    static constexpr auto members = "clear hit exhausted hit_at_zero";
    static constexpr auto doc =
        "How a continuous query ended. clear: proven, the distance stays above dmin. hit: the elements come within "
        "dmin, or closer to it than rounding lets us tell. exhausted: max_intervals were not enough; clear up to toi. "
        "hit_at_zero: within dmin at the start, in exact arithmetic.";
};

namespace {

/// The last paragraph of every docstring.
constexpr auto options_doc = R"(

Every point moves along a straight line, from its place at t = 0 to its place at t = 1. Returns a CcdResult, whose toi
is never late: the distance is above dmin during [0, toi).

dmin: contact begins when the distance falls to this [m], >= 0.
tmax: time is searched in [0, tmax], 0 < tmax <= 1.
tolerance: the time of impact is at most about this share of itself too early, in (0, 1).
max_intervals: more intervals of time than this end the search with what is cleared so far, >= 64.)";

CcdOptions options_argument(double dmin, double tmax, double tolerance, std::int64_t max_intervals)
{
    if (!std::in_range<int>(max_intervals))
        reject("max_intervals: {} is out of range; expected 64 to {}", max_intervals, std::numeric_limits<int>::max());
    return {.dmin = dmin, .tmax = tmax, .tolerance = tolerance, .max_intervals = static_cast<int>(max_intervals)};
}

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

using Query = CcdResult (*)(const Points&, const CcdOptions&);

template <std::size_t... I>
void def_query(
    py::module_& module, const char* name, std::array<const char*, sizeof...(I)> names, Space space, Query query,
    const char* doc, std::index_sequence<I...>)
{
    constexpr CcdOptions defaults;
    module.def(
        name,
        [names, space, query](
            const detail::AsArrayLike<I>&... points, double dmin, double tmax, double tolerance,
            std::int64_t max_intervals) {
            const Points x({{names[I], points}...}, space);
            const CcdOptions options = options_argument(dmin, tmax, tolerance, max_intervals);
            return without_gil([&] { return query(x, options); });
        },
        py::arg(names[I])..., py::kw_only(), "dmin"_a = defaults.dmin, "tmax"_a = defaults.tmax,
        "tolerance"_a = defaults.tolerance, "max_intervals"_a = defaults.max_intervals,
        (std::string(doc) + options_doc).c_str());
}

/// Defines a continuous query of N arguments.
template <std::size_t N>
void def_query(
    py::module_& module, const char* name, const char* const (&names)[N], Space space, Query query, const char* doc)
{
    def_query(module, name, std::to_array(names), space, query, doc, std::make_index_sequence<N>());
}

void def_result(py::module_& m)
{
    py::class_<CcdResult>(m, "CcdResult", "When two moving elements come within dmin of each other.")
        .def_property_readonly(
            "outcome", [](const CcdResult& result) { return to_python(result.outcome); },
            "The CcdOutcome: how the query ended.")
        .def_readonly(
            "toi", &CcdResult::toi,
            "The distance is above dmin during [0, toi). tmax when clear; 0 only when hit_at_zero, or when the contact "
            "comes before the least positive float.")
        .def_readonly("intervals", &CcdResult::intervals, "Intervals of time that were tried.")
        .def_property_readonly(
            "is_clear", &CcdResult::is_clear, "Is it proven that the distance stays above dmin during [0, tmax]?")
        .def("__repr__", [](const CcdResult& result) {
            return fmt::format(
                "<abut.CcdResult: {}, toi = {}, {} intervals>",
                std::string(py::str(to_python(result.outcome).attr("name"))), result.toi, result.intervals);
        });
}

} // namespace

void def_ccd(py::module_& m)
{
    def_enum<CcdOutcome>(m);
    def_result(m);
    def_query(
        m, "point_point_ccd", {"p_t0", "q_t0", "p_t1", "q_t1"}, Space::either,
        [](const Points& x, const CcdOptions& options) {
            return point_point_ccd(moving<1>(x, 0, 2), moving<1>(x, 1, 2), options);
        },
        "When do two moving points first come within dmin of each other, in 2D or 3D [m]?");
    def_query(
        m, "point_edge_ccd", {"p_t0", "e0_t0", "e1_t0", "p_t1", "e0_t1", "e1_t1"}, Space::either,
        [](const Points& x, const CcdOptions& options) {
            return point_edge_ccd(moving<1>(x, 0, 3), moving<2>(x, 1, 3), options);
        },
        "When does a moving point p first come within dmin of a moving edge e0 e1, in 2D or 3D [m]?");
    def_query(
        m, "point_triangle_ccd", {"p_t0", "t0_t0", "t1_t0", "t2_t0", "p_t1", "t0_t1", "t1_t1", "t2_t1"}, Space::space,
        [](const Points& x, const CcdOptions& options) {
            return point_triangle_ccd(moving<1>(x, 0, 4), moving<3>(x, 1, 4), options);
        },
        "When does a moving point p first come within dmin of a moving triangle t0 t1 t2, in 3D [m]?");
    def_query(
        m, "edge_edge_ccd", {"a0_t0", "a1_t0", "b0_t0", "b1_t0", "a0_t1", "a1_t1", "b0_t1", "b1_t1"}, Space::space,
        [](const Points& x, const CcdOptions& options) {
            return edge_edge_ccd(moving<2>(x, 0, 4), moving<2>(x, 2, 4), options);
        },
        "When do two moving edges a0 a1 and b0 b1 first come within dmin of each other, in 3D [m]?");
    def_query(
        m, "point_plane_ccd", {"p_t0", "p_t1", "origin", "unit_normal"}, Space::space,
        [](const Points& x, const CcdOptions& options) {
            return point_plane_ccd(moving<1>(x, 0, 1), x.at<3>(2), x.at<3>(3), options);
        },
        "When does a moving point p first come within dmin of the fixed plane through `origin` with `unit_normal`, in "
        "3D [m]? The point may start on either side.");
}

} // namespace abut::python
