#pragma once
// Names for the arrays and small vectors of the whole project.
//
// Arrays hold one row per element and are row-major, as numpy's are: the coordinates of a vertex lie side by side.
// Functions at the border take `ConstRef`s, which accept any Eigen matrix and copy only when its layout differs.

#include "abut/base/assert.hpp"

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <cstdint>

namespace abut {

template <int N>
using Vec = Eigen::Matrix<double, N, 1>;
template <int Rows, int Cols>
using Mat = Eigen::Matrix<double, Rows, Cols>;
using Vec2 = Vec<2>;
using Vec3 = Vec<3>;

using Positions = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>; ///< #V x dim
using Elements = Eigen::Matrix<int, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;     ///< #elements x corners
using Edges = Eigen::Matrix<int, Eigen::Dynamic, 2, Eigen::RowMajor>;
using Faces = Eigen::Matrix<int, Eigen::Dynamic, 3, Eigen::RowMajor>;
using Tets = Eigen::Matrix<int, Eigen::Dynamic, 4, Eigen::RowMajor>;

using ConstPositions = Eigen::Ref<const Positions>;
using ConstElements = Eigen::Ref<const Elements>;

/// Row `i` of a row-major `#V x Dim` array as a column vector; the caller knows the dimension.
template <int Dim, typename Array>
Eigen::Map<const Vec<Dim>> point(const Array& positions, Eigen::Index i)
{
    static_assert(Array::IsRowMajor);
    ABUT_ASSERT(i >= 0 && i < positions.rows() && positions.cols() == Dim);
    return Eigen::Map<const Vec<Dim>>(positions.data() + i * positions.outerStride());
}

/// A point of the plane or of space as one of space.
inline Vec3 lifted(const Vec2& x) { return {x[0], x[1], 0}; }
inline const Vec3& lifted(const Vec3& x) { return x; }

/// Row `i` of #V x 2 or 3 positions as a point in space.
template <typename Array>
Vec3 lifted(const Array& positions, Eigen::Index i)
{
    ABUT_ASSERT(i >= 0 && i < positions.rows() && (positions.cols() == 2 || positions.cols() == 3));
    return {positions(i, 0), positions(i, 1), positions.cols() == 3 ? positions(i, 2) : 0};
}

/// How much of a function is asked for; each level includes the ones before it.
enum class Order : std::uint8_t { value, gradient, hessian };

} // namespace abut
