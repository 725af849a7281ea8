#include "abut/geometry/dihedral_angle.hpp"

#include "abut/geometry/point_edge.hpp"
#include "abut/geometry/vector_term.hpp"

namespace abut {

namespace {

/// w ⊗ m / h of one triangle, with its derivative by the triangle's points (o, e0, e1).
void add_side(
    const Vec3& o, const Vec3& e0, const Vec3& e1, double normal_sign, const std::array<int, 3>& map, Order order,
    LocalTerm<4, 3>& theta)
{
    const auto foot = point_line_closest<3>(o, e0, e1); // weights of (o, e0, e1): (1, -(1 - u), -u)
    Mat<3, 3> points;
    points << o, e0, e1;
    const auto edge = combination<3, 3>(points, Vec3(0, -1, 1));
    auto n = cross(edge, combination<3, 3>(points, Vec3(1, -1, 0)));
    n.value *= normal_sign;
    n.jacobian *= normal_sign;
    const double length = edge.value.norm(), nn = n.value.squaredNorm();
    const Vec3 q = length / nn * n.value; // m / h

    LocalTerm<3, 3> side;
    side.gradient = flat<3, 3>(-foot.w, q);
    if (order >= Order::hessian) {
        const Mat<3, 9> dq = length / nn * (n.jacobian - 2 / nn * n.value * (n.value.transpose() * n.jacobian)) +
                             n.value / (nn * length) * (edge.value.transpose() * edge.jacobian);
        const Mat<1, 9> du = foot.coordinate_gradient();
        const Vec3 dw(0, 1, -1);
        for (int i = 0; i < 3; ++i)
            side.hessian.block<3, 9>(3 * i, 0) = -(dw[i] * q * du + foot.w[i] * dq);
    }
    const LocalTerm<4, 3> scattered = scatter<4, 3, 3>(side, map, order);
    theta.gradient += scattered.gradient;
    if (order >= Order::hessian)
        theta.hessian += scattered.hessian;
}

} // namespace

LocalTerm<4, 3> dihedral_angle(const Vec3& e0, const Vec3& e1, const Vec3& a, const Vec3& b, Order order)
{
    LocalTerm<4, 3> theta;
    theta.set_zero(order);
    const Vec3 edge = e1 - e0;
    const Vec3 n_a = edge.cross(a - e0), n_b = (b - e0).cross(edge);
    const double length = edge.norm();
    if (n_a.squaredNorm() == 0 || n_b.squaredNorm() == 0)
        return theta;
    theta.value = std::atan2(n_a.cross(n_b).dot(edge), n_a.dot(n_b) * length);
    if (order >= Order::gradient) {
        add_side(a, e0, e1, 1, {2, 0, 1}, order, theta);
        add_side(b, e0, e1, -1, {3, 0, 1}, order, theta);
    }
    return theta;
}

} // namespace abut
