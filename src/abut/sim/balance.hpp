#pragma once
// The books of a step: where its energy went, and whether momentum changed only as forces explain.

#include "abut/sim/system.hpp"

namespace abut {

/// Where the energy of a step went, and whether its books balance.
struct Balance {
    /// At the end of the step [J]. That of gravity counts from the origin, with that of constant loads, from the start.
    double kinetic = 0, elastic = 0, contact = 0, gravity = 0;
    double script_work = 0;   ///< done by scripts during the step [J]
    double friction_loss = 0; ///< turned to heat during the step [J]
    double damping_loss = 0;  ///< taken by damping and by the air during the step, less what wind gave [J]
    double plastic_loss = 0;  ///< turned to heat by flow during the step [J]; what hardening stores is elastic
    /// What the step added to the energy beyond script_work − friction_loss − damping_loss − plastic_loss [J]. Implicit
    /// Euler loses some; a clear gain means that the step went wrong. BDF2 and Newmark lose and gain at impacts, which
    /// last shorter than a step. The contact energy before the step counts with the stiffness after it.
    double gain = 0;
    Vec3 momentum = Vec3::Zero(); ///< linear, at the end [kg m/s]
    /// Change of the free vertices' momentum that the forces on them do not explain, by the rule of the integrator,
    /// over the momentum that moves about: the sum of m (|v| + |g| dt), and of constant loads times dt.
    double momentum_defect = 0;

    /// Makes it that of two steps, one behind the other.
    void add(const Balance& next);
};

/// The potentials where a step starts.
class Books {
public:
    /// At x, where the step starts and contacts were found.
    Books(System& system, const Eigen::VectorXd& x);

    /// After a step from one state to the other, at x, where energies were updated last. Remembers forces at its end
    /// where the next step's work depends on them.
    [[nodiscard]] Balance close(System& system, const State& start, State& end, const Eigen::VectorXd& x) const;

private:
    double elastic_, contact_, loads_;
    double barrier_per_stiffness_ = 0; // of the barrier, which is part of contact_ too
    double stiffness_ = 0;
};

} // namespace abut
