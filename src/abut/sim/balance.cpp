#include "abut/sim/balance.hpp"

namespace abut {

namespace {

/// Sums over vertices.
struct Motion {
    double kinetic = 0, gravity = 0; ///< [J]
    Vec3 momentum = Vec3::Zero();    ///< [kg m/s]
};

Motion motion_of(const Model& model, const State& state, bool has_inertia)
{
    Motion motion;
    for (int v = 0; v < model.num_vertices(); ++v) {
        const double m = model.masses[v];
        if (has_inertia)
            motion.kinetic += 0.5 * m * state.v.row(v).squaredNorm();
        for (int a = 0; a < model.dim(); ++a) {
            motion.momentum[a] += m * state.v(v, a);
            motion.gravity -= m * model.scene.gravity[a] * state.x(v, a);
        }
    }
    return motion;
}

/// Work of an energy's forces over a step, and their impulse on free vertices.
struct Exchange {
    double work = 0;             ///< [J]
    Vec3 impulse = Vec3::Zero(); ///< [N s]
};

Exchange
exchange_of(const Energy& energy, const Problem& problem, const Eigen::VectorXd& x, const Positions& moved, double dt)
{
    const Eigen::VectorXd gradient = problem.gradient_of(energy, x);
    Exchange exchange;
    for (Eigen::Index v = 0; v < moved.rows(); ++v)
        for (Eigen::Index a = 0; a < moved.cols(); ++a) {
            const double force = -gradient[v * moved.cols() + a];
            exchange.work += force * moved(v, a);
            if (problem.is_fixed()[v] == 0)
                exchange.impulse[a] += dt * force;
        }
    return exchange;
}

} // namespace

Books::Books(System& system, const Eigen::VectorXd& x)
    : elastic_(system.value_of(EnergyRole::elastic, x)), contact_(system.value_of(EnergyRole::contact, x))
{
    if (const ContactEnergy* contact = system.contact()) {
        stiffness_ = contact->stiffness();
        barrier_per_stiffness_ = system.problem().value_of(*contact, x) / stiffness_;
    }
}

Balance Books::close(System& system, const State& start, const State& end, const Eigen::VectorXd& x) const
{
    const Model& model = system.model();
    const Problem& problem = system.problem();
    const double dt = model.scene.time.dt;
    const bool has_inertia = system.integrator().has_inertia();
    const Motion before = motion_of(model, start, has_inertia), after = motion_of(model, end, has_inertia);
    Balance balance{
        .kinetic = after.kinetic,
        .elastic = system.value_of(EnergyRole::elastic, x),
        .contact = system.value_of(EnergyRole::contact, x),
        .gravity = after.gravity,
        .momentum = after.momentum};

    // Momentum of free vertices: what changed, less what gravity and the other forces gave.
    Vec3 defect = Vec3::Zero();
    double scale = 0;
    for (int v = 0; v < model.num_vertices(); ++v) {
        if (problem.is_fixed()[v] != 0)
            continue;
        const double m = model.masses[v];
        for (int a = 0; a < model.dim(); ++a)
            defect[a] += (has_inertia ? m * (end.v(v, a) - start.v(v, a)) : 0) - dt * m * model.scene.gravity[a];
        scale += m * (end.v.row(v).norm() + dt * model.scene.gravity.norm());
    }
    const Positions moved = end.x - start.x;
    for (const Energy* energy : problem.energies()) {
        if (energy->role() == EnergyRole::inertia)
            continue;
        const Exchange exchange = exchange_of(*energy, problem, x, moved, dt);
        defect -= exchange.impulse;
        if (energy->role() == EnergyRole::friction)
            balance.friction_loss -= exchange.work;
        if (energy->role() == EnergyRole::damping)
            balance.damping_loss -= exchange.work;
        if (energy->role() == EnergyRole::script)
            balance.script_work += exchange.work;
    }
    balance.momentum_defect = scale > 0 ? defect.norm() / scale : 0;

    const double stiffness = system.contact() != nullptr ? system.contact()->stiffness() : 0;
    const double contact_before = contact_ + barrier_per_stiffness_ * (stiffness - stiffness_);
    balance.gain = balance.elastic - elastic_ + balance.contact - contact_before + after.kinetic - before.kinetic +
                   after.gravity - before.gravity + balance.friction_loss + balance.damping_loss - balance.script_work;
    return balance;
}

} // namespace abut
