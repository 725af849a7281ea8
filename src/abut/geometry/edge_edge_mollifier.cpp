#include "abut/geometry/edge_edge_mollifier.hpp"

namespace abut {

namespace {

/// A function of the edge vectors u = a1 - a0 and v = b1 - b0, as a function of the four points.
LocalTerm<4, 3> of_points(
    double value, const Vec3& f_u, const Vec3& f_v, const Mat<3, 3>& f_uu, const Mat<3, 3>& f_uv, const Mat<3, 3>& f_vv,
    Order order)
{
    LocalTerm<4, 3> term;
    term.value = value;
    if (order >= Order::gradient)
        term.gradient << -f_u, f_u, -f_v, f_v;
    if (order >= Order::hessian) {
        const Mat<3, 3> f_vu = f_uv.transpose();
        term.hessian << f_uu, -f_uu, f_uv, -f_uv, //
            -f_uu, f_uu, -f_uv, f_uv,             //
            f_vu, -f_vu, f_vv, -f_vv,             //
            -f_vu, f_vu, -f_vv, f_vv;
    }
    return term;
}

} // namespace

LocalTerm<4, 3>
edge_edge_cross_squared_norm(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1, Order order)
{
    // c = (u.u)(v.v) - (u.v)², whose value is taken from the cross product, which does not cancel.
    const Vec3 u = a1 - a0, v = b1 - b0;
    const Vec3 n = u.cross(v);
    const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v);
    const Mat<3, 3> I = Mat<3, 3>::Identity();
    return of_points(
        n.squaredNorm(), 2 * v.cross(n), 2 * n.cross(u), 2 * (vv * I - v * v.transpose()),
        2 * (2 * u * v.transpose() - v * u.transpose() - uv * I), 2 * (uu * I - u * u.transpose()), order);
}

LocalTerm<4, 3> edge_edge_mollifier_threshold(
    const Vec3& rest_a0, const Vec3& rest_a1, const Vec3& rest_b0, const Vec3& rest_b1, Order order)
{
    constexpr double scale = 1e-3; // IPC, section 5.4
    const Vec3 u = rest_a1 - rest_a0, v = rest_b1 - rest_b0;
    const double uu = u.squaredNorm(), vv = v.squaredNorm();
    const Mat<3, 3> I = Mat<3, 3>::Identity();
    return of_points(
        scale * uu * vv, 2 * scale * vv * u, 2 * scale * uu * v, 2 * scale * vv * I, 4 * scale * u * v.transpose(),
        2 * scale * uu * I, order);
}

LocalTerm<4, 3>
edge_edge_mollifier(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1, double eps_x, Order order)
{
    LocalTerm<4, 3> c = edge_edge_cross_squared_norm(a0, a1, b0, b1, order);
    if (c.value >= eps_x) {
        c.set_zero(order);
        c.value = 1;
        return c;
    }
    const double x = c.value / eps_x;
    const double m = (2 - x) * x, m_c = 2 * (1 - x) / eps_x, m_cc = -2 / (eps_x * eps_x);
    if (order >= Order::hessian)
        c.hessian = m_c * c.hessian + m_cc * c.gradient * c.gradient.transpose();
    if (order >= Order::gradient)
        c.gradient *= m_c;
    c.value = m;
    return c;
}

} // namespace abut
