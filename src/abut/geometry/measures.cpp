#include "abut/geometry/measures.hpp"

namespace abut {

LocalTerm<3, 3> triangle_area(const Vec3& t0, const Vec3& t1, const Vec3& t2, Order order)
{
    // A = |n| / 2 with n = (t1 - t0) x (t2 - t0). With the opposite edges e_i, dn/dt_i = -[e_i] and so, for the unit
    // normal m, grad_i A = m x e_i / 2. The second derivative adds the curvature of the norm, (I - m mᵀ) / |n|, and of
    // n itself, m . d²n.
    LocalTerm<3, 3> area;
    area.set_zero(order);
    const Vec3 n = (t1 - t0).cross(t2 - t0);
    const double length = n.norm();
    area.value = length / 2;
    if (length == 0 || order == Order::value)
        return area;
    const Vec3 m = n / length;
    const std::array<Vec3, 3> opposite{t2 - t1, t0 - t2, t1 - t0};
    for (int i = 0; i < 3; ++i)
        area.gradient.segment<3>(3 * i) = m.cross(opposite[i]) / 2;
    if (order >= Order::hessian) {
        const Mat<3, 3> curvature = (Mat<3, 3>::Identity() - m * m.transpose()) / length;
        const Mat<3, 3> M = cross_matrix(m);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                // e_i depends on t_{i+2} with sign +1 and on t_{i+1} with sign -1.
                const double sign = j == (i + 2) % 3 ? 1 : j == (i + 1) % 3 ? -1 : 0;
                area.hessian.block<3, 3>(3 * i, 3 * j) =
                    (cross_matrix(opposite[i]).transpose() * curvature * cross_matrix(opposite[j]) + sign * M) / 2;
            }
    }
    return area;
}

LocalTerm<3, 2> signed_triangle_area(const Vec2& t0, const Vec2& t1, const Vec2& t2, Order order)
{
    LocalTerm<3, 2> area;
    area.value = cross(t1 - t0, t2 - t0) / 2;
    if (order >= Order::gradient) {
        const auto left_of = [](const Vec2& e) { return Vec2(-e.y(), e.x()); };
        area.gradient << left_of(t2 - t1) / 2, left_of(t0 - t2) / 2, left_of(t1 - t0) / 2;
    }
    if (order >= Order::hessian) {
        Mat<2, 2> J;
        J << 0, 0.5, -0.5, 0;
        area.hessian.setZero();
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3;
            area.hessian.block<2, 2>(2 * i, 2 * j) = J;
            area.hessian.block<2, 2>(2 * j, 2 * i) = J.transpose();
        }
    }
    return area;
}

LocalTerm<4, 3> signed_tet_volume(const Vec3& t0, const Vec3& t1, const Vec3& t2, const Vec3& t3, Order order)
{
    LocalTerm<4, 3> volume;
    const Vec3 a = t1 - t0, b = t2 - t0, c = t3 - t0;
    volume.value = a.cross(b).dot(c) / 6;
    if (order >= Order::gradient) {
        const Vec3 ga = b.cross(c) / 6, gb = c.cross(a) / 6, gc = a.cross(b) / 6;
        volume.gradient << -(ga + gb + gc), ga, gb, gc;
    }
    if (order >= Order::hessian) {
        // d²V / da db = -[c] / 6 and cyclic; the first point enters through all three.
        volume.hessian.setZero();
        const std::array<Mat<3, 3>, 3> K{cross_matrix(c) / -6, cross_matrix(a) / -6, cross_matrix(b) / -6};
        for (int i = 0; i < 3; ++i) {
            const int row = 3 * (1 + i), column = 3 * (1 + (i + 1) % 3);
            volume.hessian.block<3, 3>(row, column) = K[i];
            volume.hessian.block<3, 3>(column, row) = K[i].transpose();
        }
        const auto inner = volume.hessian.block<9, 9>(3, 3);
        const Mat<3, 9> first_row = -(inner.middleRows<3>(0) + inner.middleRows<3>(3) + inner.middleRows<3>(6));
        volume.hessian.block<3, 9>(0, 3) = first_row;
        volume.hessian.block<9, 3>(3, 0) = first_row.transpose();
        volume.hessian.block<3, 3>(0, 0) =
            -(first_row.middleCols<3>(0) + first_row.middleCols<3>(3) + first_row.middleCols<3>(6));
    }
    return volume;
}

} // namespace abut
