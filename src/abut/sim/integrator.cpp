#include "abut/sim/integrator.hpp"

namespace abut {

InertialPart
inertial_part(Integrator integrator, const Positions& x, const Positions& v, const Vec3& gravity, double dt)
{
    if (integrator == Integrator::quasi_static)
        return {x, 0, gravity};
    Positions target = x + dt * v;
    for (Eigen::Index a = 0; a < x.cols(); ++a)
        target.col(a).array() += dt * dt * gravity[a];
    return {std::move(target), 1 / (dt * dt)};
}

Positions velocities_after(Integrator, const Positions& x, const Positions& x_end, double dt)
{
    return (x_end - x) / dt;
}

} // namespace abut
