#include "abut/geometry/tangent_basis.hpp"

#include "abut/geometry/vector_term.hpp"

namespace abut {

namespace {

/// The vector itself, as a constant of the same type as `like`.
Vec3 constant(const Vec3& value, const Vec3& /*like*/) { return value; }

template <int Cols>
VectorTerm<3, Cols> constant(const Vec3& value, const VectorTerm<3, Cols>& /*like*/)
{
    return {value, Mat<3, Cols>::Zero()};
}

Vec2 turned_left(const Vec2& v) { return {-v.y(), v.x()}; }

template <int Cols>
VectorTerm<2, Cols> turned_left(const VectorTerm<2, Cols>& v)
{
    VectorTerm<2, Cols> turned{turned_left(v.value), {}};
    turned.jacobian << -v.jacobian.row(1), v.jacobian.row(0);
    return turned;
}

/// The basis whose columns are given as a function of `combine`, which makes a vector from constant weights of the
/// stencil's points: with derivatives or without, so that each formula below stands once.
template <int Dim, int N, typename Columns>
TangentBasis<N, Dim> basis_of(const Mat<Dim, N>& points, Order order, Columns&& columns)
{
    TangentBasis<N, Dim> tangents;
    if (order == Order::value) {
        const auto values = columns([&](const Vec<N>& w) -> Vec<Dim> { return points * w; });
        for (int k = 0; k < Dim - 1; ++k)
            tangents.basis.col(k) = values[k];
    } else {
        const auto terms = columns([&](const Vec<N>& w) { return combination<N, Dim>(points, w); });
        for (int k = 0; k < Dim - 1; ++k) {
            tangents.basis.col(k) = terms[k].value;
            tangents.jacobian.template middleRows<Dim>(Dim * k) = terms[k].jacobian;
        }
    }
    return tangents;
}

} // namespace

template <>
TangentBasis<2, 2> point_point_tangent_basis<2>(const Vec2& p, const Vec2& q, Order order)
{
    Mat<2, 2> points;
    points << p, q;
    return basis_of<2, 2>(
        points, order, [](const auto& combine) { return std::array{normalized(turned_left(combine(Vec2(-1, 1))))}; });
}

template <>
TangentBasis<2, 3> point_point_tangent_basis<3>(const Vec3& p, const Vec3& q, Order order)
{
    Mat<3, 2> points;
    points << p, q;
    return basis_of<3, 2>(points, order, [](const auto& combine) {
        const auto d = combine(Vec2(-1, 1));
        const auto around_x = cross(constant(Vec3::UnitX(), d), d), around_y = cross(constant(Vec3::UnitY(), d), d);
        const auto& first = value_of(around_x).squaredNorm() > value_of(around_y).squaredNorm() ? around_x : around_y;
        return std::array{normalized(first), normalized(cross(d, first))};
    });
}

template <>
TangentBasis<3, 2> point_edge_tangent_basis<2>(const Vec2& p, const Vec2& e0, const Vec2& e1, Order order)
{
    Mat<2, 3> points;
    points << p, e0, e1;
    return basis_of<2, 3>(
        points, order, [](const auto& combine) { return std::array{normalized(combine(Vec3(0, -1, 1)))}; });
}

template <>
TangentBasis<3, 3> point_edge_tangent_basis<3>(const Vec3& p, const Vec3& e0, const Vec3& e1, Order order)
{
    Mat<3, 3> points;
    points << p, e0, e1;
    return basis_of<3, 3>(points, order, [](const auto& combine) {
        const auto e = combine(Vec3(0, -1, 1)), d = combine(Vec3(1, -1, 0));
        return std::array{normalized(e), normalized(cross(e, d))};
    });
}

TangentBasis<4, 3> edge_edge_tangent_basis(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1, Order order)
{
    Mat<3, 4> points;
    points << a0, a1, b0, b1;
    return basis_of<3, 4>(points, order, [](const auto& combine) {
        const auto a = combine(Vec<4>(-1, 1, 0, 0)), b = combine(Vec<4>(0, 0, -1, 1));
        return std::array{normalized(a), normalized(cross(cross(a, b), a))};
    });
}

TangentBasis<4, 3>
point_triangle_tangent_basis(const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2, Order order)
{
    Mat<3, 4> points;
    points << p, t0, t1, t2;
    return basis_of<3, 4>(points, order, [](const auto& combine) {
        const auto e = combine(Vec<4>(0, -1, 1, 0)), f = combine(Vec<4>(0, -1, 0, 1));
        return std::array{normalized(e), normalized(cross(cross(e, f), e))};
    });
}

} // namespace abut
