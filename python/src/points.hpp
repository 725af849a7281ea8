#pragma once
// Functions of a few points: one short definition each, for the plane and for space.

#include "abut/base/error.hpp"
#include "abut/math/local_term.hpp"
#include "arrays.hpp"

#include <functional>
#include <initializer_list>

namespace abut::python {

enum class Space { plane, space, either };

/// The points that a function was called with, all of one dimension.
class Points {
public:
    struct Argument {
        const char* name;
        py::handle value;
    };

    Points(std::initializer_list<Argument> arguments, Space space) : Points(std::span(arguments), space) {}
    Points(std::span<const Argument> arguments, Space space);

    [[nodiscard]] int dim() const { return dim_; }

    template <int Dim>
    [[nodiscard]] Vec<Dim> at(int i) const
    {
        return coordinates_[static_cast<std::size_t>(i)].template head<Dim>();
    }

private:
    int dim_ = 0;
    std::array<Vec3, 8> coordinates_; // two edges at two times
};

// --- What functions return ---

/// A float, or a tuple of it and its derivatives.
struct TermResult : py::object {
    PYBIND11_OBJECT_DEFAULT(TermResult, py::object, is_any_object)
};

/// An array, or a tuple of it and its Jacobian.
struct VectorResult : py::object {
    PYBIND11_OBJECT_DEFAULT(VectorResult, py::object, is_any_object)
};

/// "value", "gradient" or "hessian".
[[nodiscard]] Order order_argument(const std::string& order);

/// Is a Jacobian asked for: "value" or "jacobian"?
[[nodiscard]] bool jacobian_argument(const std::string& order);

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

// --- Definitions ---

namespace detail {

template <std::size_t>
using AsArrayLike = ArrayLike;

template <typename Result, std::size_t... I>
void def_function(
    py::module_& module, const char* name, std::array<const char*, sizeof...(I)> names, Space space,
    std::function<Result(const Points&)> function, const char* doc, std::index_sequence<I...>)
{
    module.def(
        name,
        [names, space, function = std::move(function)](const AsArrayLike<I>&... points) {
            return function(Points({{names[I], points}...}, space));
        },
        py::arg(names[I])..., doc);
}

template <typename Result, std::size_t... I>
void def_with_order(
    py::module_& module, const char* name, std::array<const char*, sizeof...(I)> names, Space space,
    std::function<Result(const Points&, const std::string&)> function, const char* doc, std::index_sequence<I...>)
{
    module.def(
        name,
        [names, space, function = std::move(function)](const AsArrayLike<I>&... points, const std::string& order) {
            return function(Points({{names[I], points}...}, space), order);
        },
        py::arg(names[I])..., py::kw_only(), py::arg("order") = "value", doc);
}

} // namespace detail

/// Defines a function of N points.
template <typename Result, std::size_t N>
void def_function(
    py::module_& module, const char* name, const char* const (&names)[N], Space space,
    std::function<Result(const Points&)> function, const char* doc)
{
    detail::def_function<Result>(
        module, name, std::to_array(names), space, std::move(function), doc, std::make_index_sequence<N>());
}

/// Defines a scalar function of N points with its derivatives.
template <std::size_t N>
void def_term(
    py::module_& module, const char* name, const char* const (&names)[N], Space space,
    std::function<TermResult(const Points&, Order)> function, const char* doc)
{
    detail::def_with_order<TermResult>(
        module, name, std::to_array(names), space,
        [function = std::move(function)](const Points& x, const std::string& order) {
            return function(x, order_argument(order));
        },
        doc, std::make_index_sequence<N>());
}

/// Defines an array-valued function of N points with its Jacobian; `function` gets whether that is asked for.
template <std::size_t N>
void def_vector(
    py::module_& module, const char* name, const char* const (&names)[N], Space space,
    std::function<VectorResult(const Points&, bool)> function, const char* doc)
{
    detail::def_with_order<VectorResult>(
        module, name, std::to_array(names), space,
        [function = std::move(function)](const Points& x, const std::string& order) {
            return function(x, jacobian_argument(order));
        },
        doc, std::make_index_sequence<N>());
}

/// Calls function(std::integral_constant<int, dim>) with the dimension of the points.
template <typename Function>
auto by_dimension(int dim, Function&& function)
{
    return dim == 2 ? function(std::integral_constant<int, 2>()) : function(std::integral_constant<int, 3>());
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
