#include "abut/geometry/tangent_basis.hpp"

#include "abut/geometry/vector_term.hpp"

namespace abut {

namespace {

template <int N>
TangentBasis<N, 3> from_columns(const VectorTerm<3, 3 * N>& first, const VectorTerm<3, 3 * N>& second)
{
    TangentBasis<N, 3> tangents;
    tangents.basis << first.value, second.value;
    tangents.jacobian << first.jacobian, second.jacobian;
    return tangents;
}

template <int N>
TangentBasis<N, 2> from_column(const VectorTerm<2, 2 * N>& first)
{
    return {first.value, first.jacobian};
}

template <int Cols>
VectorTerm<3, Cols> constant(const Vec3& value)
{
    return {value, Mat<3, Cols>::Zero()};
}

} // namespace

template <>
TangentBasis<2, 2> point_point_tangent_basis<2>(const Vec2& p, const Vec2& q)
{
    const Vec2 d = q - p;
    VectorTerm<2, 4> left;
    left.value << -d.y(), d.x();
    left.jacobian << 0, 1, 0, -1, -1, 0, 1, 0;
    return from_column<2>(normalized(left));
}

template <>
TangentBasis<2, 3> point_point_tangent_basis<3>(const Vec3& p, const Vec3& q)
{
    Mat<3, 2> points;
    points << p, q;
    const auto d = combination<2, 3>(points, Vec2(-1, 1));
    const auto around_x = cross(constant<6>(Vec3::UnitX()), d), around_y = cross(constant<6>(Vec3::UnitY()), d);
    const auto& first = around_x.value.squaredNorm() > around_y.value.squaredNorm() ? around_x : around_y;
    return from_columns<2>(normalized(first), normalized(cross(d, first)));
}

template <>
TangentBasis<3, 2> point_edge_tangent_basis<2>(const Vec2& p, const Vec2& e0, const Vec2& e1)
{
    Mat<2, 3> points;
    points << p, e0, e1;
    return from_column<3>(normalized(combination<3, 2>(points, Vec3(0, -1, 1))));
}

template <>
TangentBasis<3, 3> point_edge_tangent_basis<3>(const Vec3& p, const Vec3& e0, const Vec3& e1)
{
    Mat<3, 3> points;
    points << p, e0, e1;
    const auto e = combination<3, 3>(points, Vec3(0, -1, 1)), d = combination<3, 3>(points, Vec3(1, -1, 0));
    return from_columns<3>(normalized(e), normalized(cross(e, d)));
}

TangentBasis<4, 3> edge_edge_tangent_basis(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1)
{
    Mat<3, 4> points;
    points << a0, a1, b0, b1;
    const auto a = combination<4, 3>(points, Vec<4>(-1, 1, 0, 0)), b = combination<4, 3>(points, Vec<4>(0, 0, -1, 1));
    return from_columns<4>(normalized(a), normalized(cross(cross(a, b), a)));
}

TangentBasis<4, 3> point_triangle_tangent_basis(const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2)
{
    Mat<3, 4> points;
    points << p, t0, t1, t2;
    const auto e = combination<4, 3>(points, Vec<4>(0, -1, 1, 0)), f = combination<4, 3>(points, Vec<4>(0, -1, 0, 1));
    return from_columns<4>(normalized(e), normalized(cross(cross(e, f), e)));
}

} // namespace abut
