// Distances of many pairs at once, in parallel and without the interpreter lock.

#include "abut/base/parallel.hpp"
#include "abut/geometry/edge_edge.hpp"
#include "abut/geometry/point_triangle.hpp"
#include "module.hpp"
#include "points.hpp"

namespace abut::python {

namespace {

/// Arguments of n rows each, or of one that stands for all of them.
template <std::size_t N>
class Batch {
public:
    Batch(const std::array<const char*, N>& names, const std::array<py::handle, N>& values, Space space)
    {
        const char* counted = nullptr;
        for (std::size_t i = 0; i < N; ++i) {
            PointRows points = point_rows_argument(values[i], names[i]);
            const Eigen::Index dim = points.rows.cols();
            if (space == Space::space && dim != 3)
                reject("{}: expected points in space, of shape (n, 3), got {} columns", names[i], dim);
            if (i > 0 && dim != rows_[0].cols())
                reject("{}: expected {} columns as {} has, got {}", names[i], rows_[0].cols(), names[0], dim);
            stride_[i] = points.is_single ? 0 : dim;
            rows_[i] = std::move(points.rows);
            if (stride_[i] == 0)
                continue;
            if (counted && rows_[i].rows() != size())
                reject("{}: expected {} rows as {} has, got {}", names[i], size(), counted, rows_[i].rows());
            counted = names[i];
            size_ = static_cast<std::size_t>(rows_[i].rows());
        }
    }

    /// One row if every argument is a single point.
    [[nodiscard]] Eigen::Index size() const { return static_cast<Eigen::Index>(size_); }

    /// Calls body(row, points...) for every row, in parallel.
    template <Space space, typename Body>
    void for_each_row(Body&& body) const
    {
        by_dimension<space>(static_cast<int>(rows_[0].cols()), [&](auto dim) {
            const auto run = [&]<std::size_t... I>(std::size_t row, std::index_sequence<I...>)
            {
                const auto at = [&](std::size_t i) { return rows_[i].data() + Eigen::Index(row) * stride_[i]; };
                body(row, Vec<dim>(Eigen::Map<const Vec<dim>>(at(I)))...);
            };
            parallel_for(size_, 1024, [&](std::size_t row) { run(row, std::make_index_sequence<N>()); });
        });
    }

private:
    std::array<Positions, N> rows_;
    std::array<Eigen::Index, N> stride_{};
    std::size_t size_ = 1;
};

template <std::size_t>
using AsArrayLike = const ArrayLike&;

/// Defines distances(batch) for arrays of N points each.
template <Space space, std::size_t N, typename Distances>
void def_batch(py::module_& m, const char* name, Names<N> names, const char* doc, Distances distances)
{
    const std::string shape = space == Space::either ? "(n, dim), or (dim,)" : "(n, 3), or (3,)";
    const std::string all = fmt::format(
        "{}\n\nEach argument has shape {} for one point that stands for every row. Runs in parallel, without the\n"
        "interpreter lock.",
        doc, shape);
    [&]<std::size_t... I>(std::index_sequence<I...>)
    {
        def(m, name, py::arg(names[I])..., all, [distances, names = std::array{names[I]...}](AsArrayLike<I>... x) {
            return distances(Batch<N>(names, {x...}, space));
        });
    }
    (std::make_index_sequence<N>());
}

/// The same for squared distances and the closest features that they belong to.
template <Space space, std::size_t N, typename Closest, typename Distance>
void def_batch(
    py::module_& m, const char* name, Names<N> names, const char* doc, Closest closest, Distance squared_distance)
{
    def_batch<space>(m, name, names, doc, [closest, squared_distance](const Batch<N>& batch) {
        py::array_t<double> distances(batch.size());
        py::array_t<std::uint8_t> features(batch.size());
        double* const distance = distances.mutable_data();
        std::uint8_t* const feature = features.mutable_data();
        without_gil([&] {
            batch.template for_each_row<space>([&](std::size_t row, const auto&... x) {
                const auto found = closest(x...);
                distance[row] = squared_distance(x..., found, Order::value).value;
                feature[row] = static_cast<std::uint8_t>(found);
            });
        });
        return std::pair(distances, features);
    });
}

} // namespace

void def_batches(py::module_& m)
{
    def_batch<Space::either>(
        m, "point_point_squared_distances", {"p", "q"}, "Squared distances (n,) [m²] of n pairs of points in 2D or 3D.",
        [](const Batch<2>& batch) {
            py::array_t<double> distances(batch.size());
            double* const distance = distances.mutable_data();
            without_gil([&] {
                batch.for_each_row<Space::either>([&](std::size_t row, const auto& p, const auto& q) {
                    distance[row] = point_point_closest(p, q).squared_distance();
                });
            });
            return distances;
        });
    def_batch<Space::either>(
        m, "point_edge_squared_distances", {"p", "e0", "e1"},
        "Squared distances (n,) [m²] from n points to n edges in 2D or 3D, and their PointEdgeFeatures (n,) as uint8.",
        [](const auto&... x) { return point_edge_feature(x...); },
        [](const auto&... x) { return point_edge_squared_distance(x...); });
    def_batch<Space::space>(
        m, "point_triangle_squared_distances", {"p", "t0", "t1", "t2"},
        "Squared distances (n,) [m²] from n points to n triangles, and their PointTriangleFeatures (n,) as uint8.",
        point_triangle_feature, [](const auto&... x) { return point_triangle_squared_distance(x...); });
    def_batch<Space::space>(
        m, "edge_edge_squared_distances", {"a0", "a1", "b0", "b1"},
        "Squared distances (n,) [m²] of n pairs of edges, and their EdgeEdgeFeatures (n,) as uint8.", edge_edge_feature,
        [](const auto&... x) { return edge_edge_squared_distance(x...); });
}

} // namespace abut::python
