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
    [[nodiscard]] int dim() const { return static_cast<int>(rows_[0].cols()); }

    template <int Dim>
    [[nodiscard]] Vec<Dim> at(std::size_t argument, std::size_t row) const
    {
        return Eigen::Map<const Vec<Dim>>(rows_[argument].data() + static_cast<Eigen::Index>(row) * stride_[argument]);
    }

    /// Calls body(row) for every row.
    template <typename Body>
    void for_each_row(Body&& body) const
    {
        without_gil([&] { parallel_for(size_, 1024, body); });
    }

private:
    std::array<Positions, N> rows_;
    std::array<Eigen::Index, N> stride_{};
    std::size_t size_ = 1;
};

using Distances = py::array_t<double>;
using Features = py::array_t<std::uint8_t>;

} // namespace

void def_batches(py::module_& m)
{
    m.def(
        "point_point_squared_distances",
        [](const ArrayLike& p, const ArrayLike& q) {
            const Batch<2> x({"p", "q"}, {p, q}, Space::either);
            Distances distances(x.size());
            double* const distance = distances.mutable_data();
            by_dimension(x.dim(), [&](auto dim) {
                x.for_each_row([&](std::size_t i) {
                    distance[i] = point_point_closest<dim>(x.at<dim>(0, i), x.at<dim>(1, i)).squared_distance();
                });
            });
            return distances;
        },
        "p"_a, "q"_a,
        R"(Squared distances (n,) [m²] of n pairs of points in 2D or 3D.

Each argument has shape (n, dim), or (dim,) for one point that stands for every row. Runs in parallel, without the
interpreter lock.)");
    m.def(
        "point_edge_squared_distances",
        [](const ArrayLike& p, const ArrayLike& e0, const ArrayLike& e1) {
            const Batch<3> x({"p", "e0", "e1"}, {p, e0, e1}, Space::either);
            Distances distances(x.size());
            Features features(x.size());
            double* const distance = distances.mutable_data();
            std::uint8_t* const feature = features.mutable_data();
            by_dimension(x.dim(), [&](auto dim) {
                x.for_each_row([&](std::size_t i) {
                    const Vec<dim> x0 = x.at<dim>(0, i), x1 = x.at<dim>(1, i), x2 = x.at<dim>(2, i);
                    const PointEdgeFeature closest = point_edge_feature<dim>(x0, x1, x2);
                    distance[i] = point_edge_squared_distance<dim>(x0, x1, x2, closest, Order::value).value;
                    feature[i] = static_cast<std::uint8_t>(closest);
                });
            });
            return std::pair(distances, features);
        },
        "p"_a, "e0"_a, "e1"_a,
        R"(Squared distances (n,) [m²] from n points to n edges in 2D or 3D, and their PointEdgeFeatures (n,) as uint8.

Each argument has shape (n, dim), or (dim,) for one point that stands for every row. Runs in parallel, without the
interpreter lock.)");
    m.def(
        "point_triangle_squared_distances",
        [](const ArrayLike& p, const ArrayLike& t0, const ArrayLike& t1, const ArrayLike& t2) {
            const Batch<4> x({"p", "t0", "t1", "t2"}, {p, t0, t1, t2}, Space::space);
            Distances distances(x.size());
            Features features(x.size());
            double* const distance = distances.mutable_data();
            std::uint8_t* const feature = features.mutable_data();
            x.for_each_row([&](std::size_t i) {
                const Vec3 x0 = x.at<3>(0, i), x1 = x.at<3>(1, i), x2 = x.at<3>(2, i), x3 = x.at<3>(3, i);
                const PointTriangleFeature closest = point_triangle_feature(x0, x1, x2, x3);
                distance[i] = point_triangle_squared_distance(x0, x1, x2, x3, closest, Order::value).value;
                feature[i] = static_cast<std::uint8_t>(closest);
            });
            return std::pair(distances, features);
        },
        "p"_a, "t0"_a, "t1"_a, "t2"_a,
        R"(Squared distances (n,) [m²] from n points to n triangles, and their PointTriangleFeatures (n,) as uint8.

Each argument has shape (n, 3), or (3,) for one point that stands for every row. Runs in parallel, without the
interpreter lock.)");
    m.def(
        "edge_edge_squared_distances",
        [](const ArrayLike& a0, const ArrayLike& a1, const ArrayLike& b0, const ArrayLike& b1) {
            const Batch<4> x({"a0", "a1", "b0", "b1"}, {a0, a1, b0, b1}, Space::space);
            Distances distances(x.size());
            Features features(x.size());
            double* const distance = distances.mutable_data();
            std::uint8_t* const feature = features.mutable_data();
            x.for_each_row([&](std::size_t i) {
                const Vec3 x0 = x.at<3>(0, i), x1 = x.at<3>(1, i), x2 = x.at<3>(2, i), x3 = x.at<3>(3, i);
                const EdgeEdgeFeature closest = edge_edge_feature(x0, x1, x2, x3);
                distance[i] = edge_edge_squared_distance(x0, x1, x2, x3, closest, Order::value).value;
                feature[i] = static_cast<std::uint8_t>(closest);
            });
            return std::pair(distances, features);
        },
        "a0"_a, "a1"_a, "b0"_a, "b1"_a,
        R"(Squared distances (n,) [m²] of n pairs of edges, and their EdgeEdgeFeatures (n,) as uint8.

Each argument has shape (n, 3), or (3,) for one point that stands for every row. Runs in parallel, without the
interpreter lock.)");
}

} // namespace abut::python
