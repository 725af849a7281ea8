#pragma once
// How a step of time becomes a minimum: what inertia and gravity add to the potentials, and the velocity afterwards.
//
// A step minimises, over the end positions x,
//
//   Σ_v m_v ( s/2 |x_v − target_v|² − acceleration · x_v )  +  the potentials.

#include "abut/math/types.hpp"

#include <cstdint>

namespace abut {

enum class Integrator : std::uint8_t {
    implicit_euler, ///< s = 1 / dt², target = x + dt v + dt² g, v' = (x' − x) / dt
    quasi_static,   ///< without inertia: each step is an equilibrium under gravity
};

struct InertialPart {
    Positions target;
    double stiffness; ///< s [1/s²]
    Vec3 acceleration = Vec3::Zero();
};

/// Of a step from positions x and velocities v.
[[nodiscard]] InertialPart
inertial_part(Integrator integrator, const Positions& x, const Positions& v, const Vec3& gravity, double dt);

/// Velocities after a step from x to x_end. Those of a quasi-static step tell how fast things moved; the next step does
/// not use them.
[[nodiscard]] Positions velocities_after(Integrator integrator, const Positions& x, const Positions& x_end, double dt);

} // namespace abut
