#include "arrays.hpp"

#include "abut/mesh/validate.hpp"

#include <cmath>

namespace abut::python {

namespace {

std::string shape_of(const py::array& array) { return py::str(array.attr("shape")); }
std::string dtype_of(const py::array& array) { return py::str(array.dtype()); }

/// What `reader` makes of the value; what it cannot read is rejected by name.
py::object read_by(const py::object& reader, py::handle value, const char* name, const char* expected)
{
    try {
        return reader(value);
    } catch (const py::error_already_set& error) {
        if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError))
            throw;
        const std::string why = py::str(error.value());
        reject("{}: expected {}, got a {} that cannot be read ({})", name, expected, type_name(value), why);
    }
}

/// What numpy makes of the value. Kinds of data that are no numbers are a TypeError.
py::array read_array(py::handle value, const char* name, const char* expected)
{
    if (py::hasattr(value, "tocoo"))
        reject_type("{}: expected {}, got the sparse {}; pass its .toarray()", name, expected, type_name(value));
    const py::array array = read_by(py::module_::import("numpy").attr("asarray"), value, name, expected);
    // A mask would be lost without a word.
    if (py::hasattr(value, "mask") && py::hasattr(value, "filled"))
        reject_type("{}: expected {}, got a masked array; pass its .filled(...)", name, expected);
    const char kind = array.dtype().kind();
    if (value.is_none())
        reject_type("{}: expected {}, got None", name, expected);
    if (std::string_view("biufc").find(kind) == std::string_view::npos)
        reject_type("{}: expected {}, got a {} of dtype {}", name, expected, type_name(value), dtype_of(array));
    return array;
}

void require(bool is_right, const py::array& array, const char* name, const char* expected)
{
    if (!is_right)
        reject("{}: expected {}, got shape {}", name, expected, shape_of(array));
}

constexpr py::ssize_t any_ndim = -1;

py::array read_reals(py::handle value, const char* name, const char* expected, py::ssize_t ndim = any_ndim)
{
    py::array array = read_array(value, name, expected);
    if (array.dtype().kind() == 'b' || array.dtype().kind() == 'c')
        reject("{}: expected {} of real numbers, got dtype {}", name, expected, dtype_of(array));
    require(ndim == any_ndim || array.ndim() == ndim, array, name, expected);
    return array;
}

/// Integers of any width. An empty array has no dtype worth the name, as numpy makes a float64 of `[]`.
py::array read_integers(py::handle value, const char* name, const char* expected)
{
    py::array array = read_array(value, name, expected);
    const char kind = array.dtype().kind();
    if (kind != 'i' && kind != 'u' && array.size() != 0)
        reject("{}: expected {} of integers, got dtype {}", name, expected, dtype_of(array));
    return array;
}

/// The entries as T, in row-major order.
template <typename T>
auto entries_as(const py::array& array)
{
    auto entries = py::array_t<T, py::array::c_style | py::array::forcecast>::ensure(array);
    if (!entries)
        throw py::error_already_set();
    return entries;
}

Positions copy_reals(const py::array& array)
{
    const auto reals = entries_as<double>(array);
    const Eigen::Index rows = array.ndim() == 2 ? array.shape(0) : 1;
    return Eigen::Map<const Positions>(reals.data(), rows, rows == 0 ? array.shape(1) : reals.size() / rows);
}

/// Calls visit(i, value) for the entries in row-major order, with those beyond int64 as its largest value.
template <typename Visit>
void for_each_integer(const py::array& array, Visit&& visit)
{
    constexpr std::int64_t limit = std::numeric_limits<std::int64_t>::max();
    const auto visit_as = [&]<typename T>(T) {
        const auto integers = entries_as<T>(array);
        for (py::ssize_t i = 0; i < integers.size(); ++i) {
            const T value = integers.data()[i];
            if constexpr (std::is_unsigned_v<T>)
                visit(i, value > std::uint64_t(limit) ? limit : static_cast<std::int64_t>(value));
            else
                visit(i, value);
        }
    };
    if (array.dtype().kind() == 'u')
        visit_as(std::uint64_t());
    else
        visit_as(std::int64_t());
}

int to_int32(std::int64_t value, py::ssize_t row, const char* name)
{
    if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max())
        reject("{}: row {} has {}, which does not fit int32", name, row, value);
    return static_cast<int>(value);
}

} // namespace

std::string type_name(py::handle value) { return py::str(py::type::handle_of(value).attr("__name__")); }

std::string repr_of(py::handle value) { return py::repr(value); }

Eigen::VectorXd vector_argument(py::handle value, const char* name)
{
    const Eigen::VectorXd vector = copy_reals(read_reals(value, name, "a vector of shape (n,)", 1)).transpose();
    for (Eigen::Index i = 0; i < vector.size(); ++i)
        if (!std::isfinite(vector[i]))
            reject("{}: entry {} is {}, which is not finite", name, i, vector[i]);
    return vector;
}

Reals reals_argument(py::handle value, const char* name)
{
    const py::array array = read_reals(value, name, "a number or an array");
    const Positions values = copy_reals(array);
    return {{array.shape(), array.shape() + array.ndim()}, {values.data(), values.data() + values.size()}};
}

Positions matrix_argument(py::handle value, const char* name)
{
    return copy_reals(read_reals(value, name, "a matrix of shape (m, n)", 2));
}

Positions positions_argument(py::handle value, const char* name)
{
    Positions positions = copy_reals(read_reals(value, name, "an array of shape (n, 2) or (n, 3)", 2));
    validate_positions(positions, name);
    return positions;
}

Eigen::RowVectorXd point_argument(py::handle value, const char* name)
{
    const char* expected = "a point of shape (2,) or (3,)";
    const py::array array = read_reals(value, name, expected);
    require(array.ndim() == 1 && (array.size() == 2 || array.size() == 3), array, name, expected);
    const Eigen::RowVectorXd point = copy_reals(array);
    for (Eigen::Index axis = 0; axis < point.size(); ++axis)
        if (!(std::abs(point[axis]) <= max_coordinate))
            reject(
                "{}: {} = {} is not a finite number of magnitude up to {}", name, "xyz"[axis], point[axis],
                max_coordinate);
    return point;
}

PointRows point_rows_argument(py::handle value, const char* name)
{
    const char* expected = "points of shape (n, 2) or (n, 3), or one of shape (2,) or (3,)";
    const py::array array = read_reals(value, name, expected);
    const py::ssize_t dim = array.ndim() == 0 ? 0 : array.shape(array.ndim() - 1);
    require(array.ndim() <= 2 && (dim == 2 || dim == 3), array, name, expected);
    PointRows points{copy_reals(array), array.ndim() == 1};
    if (points.rows.rows() > 0)
        validate_positions(points.rows, name);
    return points;
}

Elements elements_argument(py::handle value, const char* name, int corners, std::int64_t num_vertices)
{
    if (value.is_none())
        return Elements(0, corners);
    const std::string expected = fmt::format("an array of shape (n, {})", corners);
    const py::array array = read_integers(value, name, expected.c_str());
    if (array.ndim() == 1 && array.size() == 0)
        return Elements(0, corners);
    require(array.ndim() == 2 && array.shape(1) == corners, array, name, expected.c_str());
    Elements elements(array.shape(0), corners);
    for_each_integer(array, [&](py::ssize_t i, std::int64_t index) {
        if (index < 0 || index >= num_vertices)
            reject(
                "{}: row {} has index {}, but the vertices are numbered 0 to {}", name, i / corners, index,
                num_vertices - 1);
        elements.data()[i] = static_cast<int>(index);
    });
    validate_elements(elements, corners, num_vertices, name);
    return elements;
}

std::vector<int> integers_argument(py::handle value, const char* name)
{
    if (value.is_none())
        return {};
    const char* expected = "a vector of shape (n,)";
    const py::array array = read_integers(value, name, expected);
    require(array.ndim() == 1, array, name, expected);
    std::vector<int> integers(static_cast<std::size_t>(array.size()));
    for_each_integer(array, [&](py::ssize_t i, std::int64_t entry) { integers[i] = to_int32(entry, i, name); });
    return integers;
}

std::vector<bool> flags_argument(py::handle value, const char* name)
{
    const char* expected = "a vector of booleans of shape (n,)";
    const py::array array = read_array(value, name, expected);
    if (array.dtype().kind() != 'b' && array.size() != 0)
        reject("{}: expected {}, got dtype {}", name, expected, dtype_of(array));
    require(array.ndim() == 1, array, name, expected);
    const auto flags = entries_as<bool>(array);
    return std::vector<bool>(flags.data(), flags.data() + flags.size());
}

std::vector<std::pair<int, int>> pairs_argument(py::handle value, const char* name)
{
    const char* expected = "pairs of shape (n, 2)";
    const py::array array = read_integers(value, name, expected);
    if (array.ndim() == 1 && array.size() == 0)
        return {};
    require(array.ndim() == 2 && array.shape(1) == 2, array, name, expected);
    std::vector<std::pair<int, int>> pairs(static_cast<std::size_t>(array.shape(0)));
    for_each_integer(array, [&](py::ssize_t i, std::int64_t entry) {
        (i % 2 == 0 ? pairs[i / 2].first : pairs[i / 2].second) = to_int32(entry, i / 2, name);
    });
    return pairs;
}

bool is_sparse(py::handle value) { return py::hasattr(value, "tocoo"); }

SparseEntries sparse_argument(py::handle value, const char* name)
{
    const char* expected = "a scipy.sparse matrix";
    if (value.is_none())
        reject_type("{}: expected {}, got None; wrap it in scipy.sparse.csc_matrix(...)", name, expected);
    if (!is_sparse(value))
        reject_type(
            "{}: expected {}, got {}; wrap it in scipy.sparse.csc_matrix(...)", name, expected, type_name(value));
    // By coordinates, so that every index can be checked here: scipy does not check all of them.
    const py::object coo = read_by(py::module_::import("scipy.sparse").attr("coo_matrix"), value, name, expected);
    const py::tuple shape = coo.attr("shape");
    const auto rows = py::cast<std::int64_t>(shape[0]), cols = py::cast<std::int64_t>(shape[1]);
    const py::array row_array = read_integers(coo.attr("row"), name, expected);
    const py::array col_array = read_integers(coo.attr("col"), name, expected);
    const py::array data_array = read_reals(coo.attr("data"), name, expected);
    constexpr std::int64_t limit = std::numeric_limits<int>::max();
    if (rows > limit || cols > limit || data_array.size() > limit)
        throw LimitReached(fmt::format(
            "{}: shape ({}, {}) with {} entries exceeds the limit of {} each", name, rows, cols, data_array.size(),
            limit));
    if (row_array.size() != data_array.size() || col_array.size() != data_array.size())
        reject("{}: expected {}, got one whose arrays differ in length", name, expected);

    const Positions data = copy_reals(data_array);
    std::vector<Eigen::Triplet<double>> triplets(static_cast<std::size_t>(data.size()));
    const auto read_indices = [&](const py::array& indices, std::int64_t count, auto&& store) {
        for_each_integer(indices, [&](py::ssize_t i, std::int64_t index) {
            if (index < 0 || index >= count)
                reject("{}: entry {} has index {}, out of range for shape ({}, {})", name, i, index, rows, cols);
            store(triplets[i], static_cast<int>(index), data.data()[i]);
        });
    };
    using Triplet = Eigen::Triplet<double>;
    read_indices(row_array, rows, [](Triplet& t, int row, double entry) { t = {row, 0, entry}; });
    read_indices(col_array, cols, [](Triplet& t, int col, double entry) { t = {t.row(), col, entry}; });
    for (const Triplet& t : triplets)
        if (!std::isfinite(t.value()))
            reject("{}: entry ({}, {}) is {}, which is not finite", name, t.row(), t.col(), t.value());
    return {rows, cols, std::move(triplets)};
}

int index_argument(std::int64_t value, std::int64_t count, const char* name)
{
    if (value < 0 || value >= count) {
        if (count == 0)
            reject("{}: {} is out of range; the mesh has none", name, value);
        reject("{}: {} is out of range; expected 0 to {}", name, value, count - 1);
    }
    return static_cast<int>(value);
}

py::array_t<double> to_numpy(std::span<const double> values)
{
    return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

py::array_t<int> to_numpy(std::span<const int> values)
{
    return py::array_t<int>(static_cast<py::ssize_t>(values.size()), values.data());
}

SparseLike to_scipy(Eigen::SparseMatrix<double> matrix)
{
    matrix.makeCompressed();
    auto* const kept = new Eigen::SparseMatrix<double>(std::move(matrix));
    const py::capsule owner(kept, [](void* held) { delete static_cast<Eigen::SparseMatrix<double>*>(held); });
    const auto array = [&]<typename T>(const T* values, Eigen::Index size) {
        return py::array_t<T>(static_cast<py::ssize_t>(size), values, owner);
    };
    return SparseLike(
        py::module_::import("scipy.sparse")
            .attr("csc_matrix")(
                py::make_tuple(
                    array(kept->valuePtr(), kept->nonZeros()), array(kept->innerIndexPtr(), kept->nonZeros()),
                    array(kept->outerIndexPtr(), kept->outerSize() + 1)),
                "shape"_a = py::make_tuple(kept->rows(), kept->cols())));
}

} // namespace abut::python
