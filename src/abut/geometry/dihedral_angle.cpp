#include "abut/geometry/dihedral_angle.hpp"

#include "abut/geometry/hinge_frame.hpp"

namespace abut {

LocalTerm<4, 3> dihedral_angle(const Vec3& e0, const Vec3& e1, const Vec3& a, const Vec3& b, Order order)
{
    LocalTerm<4, 3> theta;
    theta.set_zero(order);
    const HingeFrame frame(e0, e1, a, b);
    theta.value = frame.angle;
    if (frame.is_degenerate)
        return theta;
    if (order >= Order::gradient)
        theta.gradient = frame.gradient();
    if (order >= Order::hessian)
        for (const HingeFrame::Pair& pair : frame.second_derivative()) {
            theta.hessian += pair.diagonal * pair.first * pair.first.transpose();
            const Mat<12, 12> half = pair.coupling * pair.first * pair.second.transpose();
            theta.hessian += half + half.transpose();
        }
    return theta;
}

} // namespace abut
