#include "abut/sim/balance.hpp"

#include <algorithm>

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

/// Of sections of rods that turn about themselves, at these velocities [J].
double kinetic_energy_of_twist(const System& system, const State& state)
{
    if (system.twist() == nullptr || !system.integrator().has_inertia())
        return 0;
    return 0.5 * system.model().rods->arc_masses.dot(system.twist()->velocities(state).cwiseAbs2());
}

/// What holds the frames of rods that scripts turn: the forces of all others there.
void keep_driven_arcs(const System& system, Eigen::VectorXd& gradient)
{
    const RodSet& rods = *system.model().rods;
    Eigen::VectorXd kept = Eigen::VectorXd::Zero(gradient.size());
    for (Eigen::Index k = 0; k < rods.num_arcs(); ++k)
        if (system.twist()->is_driven(k)) {
            const std::int64_t at = system.model().layout.offset(rods.arc_block(k));
            kept[at] = gradient[at];
        }
    gradient = std::move(kept);
}

/// Forces of the energies of one role, which do work over a step.
class Worker {
public:
    Worker(const char* name, Eigen::Index size) : name_(name), forces_(Eigen::VectorXd::Zero(size)) {}

    void add_gradient(const Eigen::VectorXd& gradient) { forces_ -= gradient; }

    /// Over a step by `moved`: of the forces at its end, or of both ends, half and half. Remembers them for the next.
    double work(const Eigen::VectorXd& way, bool is_trapezoidal, const State& start, State& end) const
    {
        const double of_end = forces_.dot(way);
        if (!is_trapezoidal)
            return of_end;
        end.history.set(name_, std::vector<double>(forces_.begin(), forces_.end()));
        const std::vector<double>* before = start.history.find(name_);
        if (before == nullptr || std::ssize(*before) != forces_.size())
            return of_end;
        return (of_end + Eigen::Map<const Eigen::VectorXd>(before->data(), forces_.size()).dot(way)) / 2;
    }

private:
    const char* name_;
    Eigen::VectorXd forces_;
};

/// What elastic energies store at x, and what flow has taken.
FlowSums elastic_sums(System& system, const Eigen::VectorXd& x)
{
    FlowSums all;
    for (const Energy* energy : system.problem().energies()) {
        if (energy->role() != EnergyRole::elastic)
            continue;
        if (const std::optional<FlowSums> own = energy->flow_sums(system.view(x)))
            all += *own;
        else {
            const double value = system.problem().value_of(*energy, x);
            all += {value, value, 0};
        }
    }
    return all;
}

/// Of forces over a time, on free vertices [N s].
Vec3 impulse_of(
    const Eigen::VectorXd& gradient, const Problem& problem, Eigen::Index num_vertices, int dim, double time)
{
    Vec3 impulse = Vec3::Zero();
    for (Eigen::Index v = 0; v < num_vertices; ++v)
        if (problem.is_fixed()[v] == 0)
            for (int a = 0; a < dim; ++a)
                impulse[a] -= time * gradient[v * dim + a];
    return impulse;
}

/// The sum of their sizes [N s].
double size_of_impulses(
    const Eigen::VectorXd& gradient, const Problem& problem, Eigen::Index num_vertices, int dim, double time)
{
    double sum = 0;
    for (Eigen::Index v = 0; v < num_vertices; ++v)
        if (problem.is_fixed()[v] == 0)
            sum += time * gradient.segment(v * dim, dim).norm();
    return sum;
}

} // namespace

Books::Books(System& system, const Eigen::VectorXd& x)
    : elastic_(elastic_sums(system, x).unflowed), contact_(system.value_of(EnergyRole::contact, x)),
      loads_(system.value_of(EnergyRole::load, x))
{
    if (const ContactEnergy* contact = system.contact()) {
        stiffness_ = contact->stiffness();
        barrier_per_stiffness_ = system.problem().value_of(*contact, x) / stiffness_;
    }
}

Balance Books::close(System& system, const State& start, State& end, const Eigen::VectorXd& x) const
{
    const Model& model = system.model();
    const Problem& problem = system.problem();
    const Integrator& integrator = system.integrator();
    const bool has_inertia = integrator.has_inertia();
    Motion before = motion_of(model, start, has_inertia), after = motion_of(model, end, has_inertia);
    before.kinetic += kinetic_energy_of_twist(system, start);
    after.kinetic += kinetic_energy_of_twist(system, end);
    const FlowSums elastic = elastic_sums(system, x);
    Balance balance{
        .kinetic = after.kinetic,
        .elastic = elastic.stored,
        .contact = system.value_of(EnergyRole::contact, x),
        .gravity = after.gravity + system.value_of(EnergyRole::load, x),
        .plastic_loss = elastic.heat,
        .momentum = after.momentum};

    // Momentum of free vertices: what changed, less what gravity and the other forces gave.
    const double time = integrator.velocity_time();
    const Positions velocities = integrator.velocities(end.x);
    const Positions& carried = integrator.carried().size() > 0 ? integrator.carried() : start.v;
    Vec3 defect = Vec3::Zero();
    double scale = 0;
    for (int v = 0; v < model.num_vertices(); ++v) {
        if (problem.is_fixed()[v] != 0)
            continue;
        const double m = model.masses[v];
        for (int a = 0; a < model.dim(); ++a)
            defect[a] += (has_inertia ? m * (velocities(v, a) - carried(v, a)) : 0) - time * m * model.scene.gravity[a];
        scale += m * (velocities.row(v).norm() + time * model.scene.gravity.norm());
    }
    const Eigen::VectorXd moved = x - system.unknowns_of(start);
    Worker friction("balance.friction", moved.size()), damping("balance.damping", moved.size()),
        scripts("balance.scripts", moved.size());
    Eigen::VectorXd on_driven_arcs = Eigen::VectorXd::Zero(x.size());
    for (const Energy* energy : problem.energies()) {
        if (energy->role() == EnergyRole::inertia && system.twist() == nullptr)
            continue;
        const Eigen::VectorXd gradient = problem.gradient_of(*energy, x);
        if (system.twist() != nullptr)
            on_driven_arcs += gradient;
        if (energy->role() == EnergyRole::inertia)
            continue;
        defect -= impulse_of(gradient, problem, model.num_vertices(), model.dim(), time);
        if (energy->role() == EnergyRole::load)
            scale += size_of_impulses(gradient, problem, model.num_vertices(), model.dim(), time);
        if (energy->role() == EnergyRole::friction)
            friction.add_gradient(gradient);
        if (energy->role() == EnergyRole::damping)
            damping.add_gradient(gradient);
        if (energy->role() == EnergyRole::script)
            scripts.add_gradient(gradient);
    }
    if (system.twist() != nullptr) {
        keep_driven_arcs(system, on_driven_arcs);
        scripts.add_gradient(-on_driven_arcs);
    }
    balance.friction_loss = -friction.work(moved, integrator.is_trapezoidal(), start, end);
    balance.damping_loss = -damping.work(moved, integrator.is_trapezoidal(), start, end);
    balance.script_work = scripts.work(moved, integrator.is_trapezoidal(), start, end);
    balance.momentum_defect = scale > 0 ? defect.norm() / scale : 0;

    const double stiffness = system.contact() != nullptr ? system.contact()->stiffness() : 0;
    const double contact_before = contact_ + barrier_per_stiffness_ * (stiffness - stiffness_);
    balance.gain = balance.elastic - elastic_ + balance.contact - contact_before + after.kinetic - before.kinetic +
                   balance.gravity - (before.gravity + loads_) + balance.friction_loss + balance.damping_loss +
                   balance.plastic_loss - balance.script_work;
    return balance;
}

void Balance::add(const Balance& next)
{
    const Balance before = *this;
    *this = next;
    script_work += before.script_work;
    friction_loss += before.friction_loss;
    damping_loss += before.damping_loss;
    plastic_loss += before.plastic_loss;
    gain += before.gain;
    momentum_defect = std::max(momentum_defect, before.momentum_defect);
}

} // namespace abut
