#pragma once
// The border between numpy and Abut. Every array argument passes through one of these functions: anything that numpy
// can read, of any layout, is copied into Abut's own arrays, or rejected by a message that names the argument, what was
// expected and what came. The copy is what makes it safe to release the interpreter lock while Abut works.
//
// Arrays that leave are copies, or read-only views that keep the object they belong to alive.

#include "abut/base/error.hpp"
#include "abut/math/types.hpp"

#include <Eigen/SparseCore>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace abut::python {

namespace py = pybind11;
using namespace pybind11::literals;

inline bool is_any_object(PyObject*) { return true; }

/// An argument that numpy may turn into an array; its own type only so that signatures can say so.
struct ArrayLike : py::object {
    PYBIND11_OBJECT_DEFAULT(ArrayLike, py::object, is_any_object)
};

/// An argument that is a scipy.sparse matrix or array.
struct SparseLike : py::object {
    PYBIND11_OBJECT_DEFAULT(SparseLike, py::object, is_any_object)
};

// --- In ---

/// The name of a value's type, and its repr(), for messages.
[[nodiscard]] std::string type_name(py::handle value);
[[nodiscard]] std::string repr_of(py::handle value);

/// Throws a TypeError with a formatted message.
template <typename... Args>
[[noreturn]] void reject_type(fmt::format_string<Args...> format, Args&&... args)
{
    throw py::type_error(fmt::format(format, std::forward<Args>(args)...));
}

/// No argument can be an index of a mesh beyond this: a mesh numbers its vertices, and one more, by int32.
inline constexpr std::int64_t max_vertices = std::numeric_limits<std::int32_t>::max() - 1;

/// A vector of finite numbers.
[[nodiscard]] Eigen::VectorXd vector_argument(py::handle value, const char* name);

/// Real numbers of any shape, row-major; not-finite ones among them.
struct Reals {
    std::vector<py::ssize_t> shape;
    std::vector<double> values;
};
[[nodiscard]] Reals reals_argument(py::handle value, const char* name);

/// A matrix of real numbers.
[[nodiscard]] Positions matrix_argument(py::handle value, const char* name);

/// Positions or displacements, #V x 2 or 3, finite.
[[nodiscard]] Positions positions_argument(py::handle value, const char* name);

/// A point of 2 or 3 finite coordinates, as one row.
[[nodiscard]] Eigen::RowVectorXd point_argument(py::handle value, const char* name);

/// Points as rows, or one point that stands for every row. `rows` x 2 or 3, finite; may have no rows.
struct PointRows {
    Positions rows;
    bool is_single;
};
[[nodiscard]] PointRows point_rows_argument(py::handle value, const char* name);

/// Indices of vertices in [0, num_vertices), one element a row, none twice in a row. None and empty arrays are no rows.
[[nodiscard]] Elements
elements_argument(py::handle value, const char* name, int corners, std::int64_t num_vertices = max_vertices);

/// A vector of int32 values, from integers of any width. None is empty.
[[nodiscard]] std::vector<int> integers_argument(py::handle value, const char* name);

/// A vector of booleans.
[[nodiscard]] std::vector<bool> flags_argument(py::handle value, const char* name);

/// Pairs of int32 values, #pairs x 2.
[[nodiscard]] std::vector<std::pair<int, int>> pairs_argument(py::handle value, const char* name);

/// The entries of a scipy.sparse matrix, finite and in range; duplicates add up. No matrix yet, as its shape, which
/// costs nothing to claim, has to be checked before memory is asked for.
struct SparseEntries {
    std::int64_t rows, cols; // up to 2^31 - 1
    std::vector<Eigen::Triplet<double>> entries;

    template <typename Matrix>
    [[nodiscard]] Matrix to() const
    {
        Matrix matrix(rows, cols);
        matrix.setFromTriplets(entries.begin(), entries.end());
        return matrix;
    }
};
[[nodiscard]] SparseEntries sparse_argument(py::handle value, const char* name);
[[nodiscard]] bool is_sparse(py::handle value);

/// An index in [0, count) of what `name` numbers.
[[nodiscard]] int index_argument(std::int64_t value, std::int64_t count, const char* name);

// --- Out ---

/// The entries of an Eigen vector.
template <typename Vector>
std::span<const typename Vector::Scalar> as_span(const Vector& vector)
{
    static_assert(Vector::IsVectorAtCompileTime);
    return {vector.data(), static_cast<std::size_t>(vector.size())};
}

/// Copies.
[[nodiscard]] py::array_t<double> to_numpy(std::span<const double> values);
[[nodiscard]] py::array_t<int> to_numpy(std::span<const int> values);
template <typename Derived>
py::array_t<typename Derived::Scalar> matrix_to_numpy(const Eigen::MatrixBase<Derived>& matrix)
{
    py::array_t<typename Derived::Scalar> array({matrix.rows(), matrix.cols()});
    Eigen::Map<Eigen::Matrix<typename Derived::Scalar, -1, -1, Eigen::RowMajor>>(
        array.mutable_data(), matrix.rows(), matrix.cols()) = matrix;
    return array;
}

/// A scipy.sparse.csc_matrix, which takes the matrix's memory over.
[[nodiscard]] SparseLike to_scipy(Eigen::SparseMatrix<double> matrix);

template <typename T>
py::array_t<T> read_only(py::array_t<T> array)
{
    array.attr("flags").attr("writeable") = false;
    return array;
}

/// A read-only view of memory that belongs to `owner`, which must not change it.
template <typename T>
py::array_t<T> view(const T* values, const std::vector<std::size_t>& shape, py::handle owner)
{
    return read_only(py::array_t<T>(shape, values, owner));
}

/// The same of a matrix, a vector, or rows of the same length.
template <typename Array>
auto view(const Array& array, py::handle owner)
{
    const auto size = static_cast<std::size_t>(array.size());
    if constexpr (requires { Array::IsRowMajor; }) {
        std::vector shape{size};
        if constexpr (!Array::IsVectorAtCompileTime) {
            static_assert(Array::IsRowMajor);
            shape = {static_cast<std::size_t>(array.rows()), static_cast<std::size_t>(array.cols())};
        }
        return view(array.data(), shape, owner);
    } else if constexpr (requires { array.front().front(); })
        return view(
            size == 0 ? nullptr : array.front().data(), {size, std::tuple_size_v<typename Array::value_type>}, owner);
    else
        return view(array.data(), {size}, owner);
}

/// Runs `work`, which must not touch Python objects, while other Python threads may run.
template <typename Work>
auto without_gil(Work&& work)
{
    const py::gil_scoped_release release;
    return work();
}

} // namespace abut::python

namespace pybind11::detail {
template <>
struct handle_type_name<abut::python::ArrayLike> {
    static constexpr auto name = const_name("ArrayLike");
};
template <>
struct handle_type_name<abut::python::SparseLike> {
    static constexpr auto name = const_name("scipy.sparse.spmatrix");
};
} // namespace pybind11::detail
