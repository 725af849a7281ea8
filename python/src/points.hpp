#pragma once
// Functions of a few points: one short definition each, for the plane and for space.

#include "abut/math/local_term.hpp"
#include "bind.hpp"

namespace abut::python {

enum class Space { plane, space, either };

/// Calls function(std::integral_constant<int, dim>) with the dimension of points.
template <Space space = Space::either, typename Function>
auto by_dimension(int dim, Function&& function)
{
    if constexpr (space != Space::either)
        return function(std::integral_constant < int, space == Space::plane ? 2 : 3 > ());
    else
        return dim == 2 ? function(std::integral_constant<int, 2>()) : function(std::integral_constant<int, 3>());
}

/// The points that a function was called with, all of one dimension.
class Points {
public:
    struct Argument {
        const char* name;
        py::handle value;
    };

    Points(std::span<const Argument> arguments, Space space);

    template <int Dim>
    [[nodiscard]] Vec<Dim> at(std::size_t i) const
    {
        return coordinates_[i].template head<Dim>();
    }

    /// Calls function(points...) with the first N as vectors of their dimension.
    template <Space space, std::size_t N, typename Function>
    auto apply(Function&& function) const
    {
        return by_dimension<space>(dim_, [&](auto dim) {
            return [&]<std::size_t... I>(std::index_sequence<I...>) { return function(at<dim>(I)...); }
            (std::make_index_sequence<N>());
        });
    }

private:
    int dim_ = 0;
    std::array<Vec3, 8> coordinates_; // two edges at two times
};

template <std::size_t N>
using Names = const char* const (&)[N];

// --- What functions return ---

/// A float, or a tuple of it and its derivatives.
struct TermResult : py::object {
    PYBIND11_OBJECT_DEFAULT(TermResult, py::object, is_any_object)
};

/// An array, or a tuple of it and its Jacobian.
struct VectorResult : py::object {
    PYBIND11_OBJECT_DEFAULT(VectorResult, py::object, is_any_object)
};

[[nodiscard]] TermResult
term_result(double value, std::span<const double> gradient, const double* hessian, Order order);

template <int N, int Dim>
TermResult result(const LocalTerm<N, Dim>& term, Order order)
{
    return term_result(term.value, {term.gradient.data(), N * Dim}, term.hessian.data(), order);
}

/// An array and its Jacobian, if that was asked for.
[[nodiscard]] VectorResult
vector_result(const py::array_t<double>& value, const Positions& jacobian, bool with_jacobian);

/// "value", "gradient" or "hessian".
[[nodiscard]] Order order_argument(const std::string& value, const char* name);
template <>
struct Argument<Order> : ReadBy<std::string, order_argument> {};

/// Is a Jacobian asked for: "value" or "jacobian"?
enum class WithJacobian : bool {};
[[nodiscard]] WithJacobian jacobian_argument(const std::string& value, const char* name);
template <>
struct Argument<WithJacobian> : ReadBy<std::string, jacobian_argument> {};

// --- Definitions ---

namespace detail {

template <std::size_t>
using AsArrayLike = const ArrayLike&;

template <Space space, typename F, typename... More, std::size_t... I>
auto of_points(F function, List<const Points&, More...>, const char* const* names, std::index_sequence<I...>)
{
    return [function, names = std::array{names[I]...}](AsArrayLike<I>... values, More... more) {
        return function(Points(std::array{Points::Argument{names[I], values}...}, space), std::forward<More>(more)...);
    };
}

} // namespace detail

/// Defines function(points, more...) as a function of N points and more arguments, which `extras` describe.
template <Space space, std::size_t N, typename Function, typename... Extra>
void def_of_points(
    py::module_& m, const char* name, Names<N> names, const std::string& doc, Function function, const Extra&... extras)
{
    [&]<std::size_t... I>(std::index_sequence<I...> all)
    {
        def(m, name, py::arg(names[I])..., extras..., doc,
            detail::of_points<space>(function, typename detail::Parameters<Function>::type(), names, all));
    }
    (std::make_index_sequence<N>());
}

/// The last paragraph of the docstring of a function with derivatives by its points.
template <std::size_t N>
std::string derivatives_doc(Names<N> names)
{
    return fmt::format(
        "\n\nDerivatives by `order` (\"value\", \"gradient\", \"hessian\") are flat by point: {}.",
        fmt::join(names, names + N, ", "));
}

/// Defines a scalar function of N points with its derivatives.
template <Space space, std::size_t N, typename Function>
void def_term(py::module_& m, const char* name, Names<N> names, const char* doc, Function function)
{
    def_of_points<space>(
        m, name, names, doc + derivatives_doc(names),
        [function](const Points& x, Order order) {
            return x.apply<space, N>([&](const auto&... p) { return result(function(p..., order), order); });
        },
        py::kw_only(), "order"_a = "value");
}

/// Defines an array-valued function of N points with its Jacobian: function(points...) has both, as a pair.
template <Space space, std::size_t N, typename Function>
void def_vector(py::module_& m, const char* name, Names<N> names, const char* doc, Function function)
{
    def_of_points<space>(
        m, name, names, doc,
        [function](const Points& x, WithJacobian jacobian) {
            return x.apply<space, N>([&](const auto&... p) {
                const auto [value, derivative] = function(p...);
                return vector_result(to_python(value), derivative, static_cast<bool>(jacobian));
            });
        },
        py::kw_only(), "order"_a = "value");
}

/// Defines another function of N points.
template <Space space, std::size_t N, typename Function>
void def_function(py::module_& m, const char* name, Names<N> names, const char* doc, Function function)
{
    def_of_points<space>(m, name, names, doc, [function](const Points& x) {
        return x.apply<space, N>([&](const auto&... p) { return to_python(function(p...)); });
    });
}

} // namespace abut::python

namespace pybind11::detail {
template <>
struct handle_type_name<abut::python::TermResult> {
    static constexpr auto name = const_name("float | tuple[float, numpy.ndarray, ...]");
};
template <>
struct handle_type_name<abut::python::VectorResult> {
    static constexpr auto name = const_name("numpy.ndarray | tuple[numpy.ndarray, numpy.ndarray]");
};
} // namespace pybind11::detail
