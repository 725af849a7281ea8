#pragma once
// The energies of a model, the pairs they share, the guard that keeps their steps safe and the integrator, put together
// as one problem. What they remember comes from a state and goes back to it; what else they keep are caches.

#include "abut/sim/adaptive_start.hpp"
#include "abut/sim/body_forces.hpp"
#include "abut/sim/inertia_energy.hpp"
#include "abut/sim/script_energy.hpp"
#include "abut/sim/twist_motion.hpp"
#include "abut/solver/problem.hpp"

namespace abut {

class System {
public:
    /// `model` must outlive it.
    explicit System(const Model& model);

    [[nodiscard]] const Model& model() const { return model_; }
    [[nodiscard]] Problem& problem() { return *problem_; }
    [[nodiscard]] const Integrator& integrator() const { return *integrator_; }
    [[nodiscard]] ScriptEnergy& scripts() { return *scripts_; }
    /// Null where there are no rods.
    [[nodiscard]] const TwistMotion* twist() const { return twist_.get(); }
    /// Where vertices are thought to go; null where solves start where their step does.
    [[nodiscard]] AdaptiveStart* adaptive_start() { return adaptive_start_ ? &*adaptive_start_ : nullptr; }
    /// Null where bodies do not touch each other, or do not stick.
    [[nodiscard]] ContactEnergy* contact() { return contact_.get(); }
    [[nodiscard]] AdhesionEnergy* adhesion() { return adhesion_.get(); }
    [[nodiscard]] ContactPairs* pairs() { return pairs_ ? &*pairs_ : nullptr; }

    /// The unknowns of a state, one behind the other.
    [[nodiscard]] Eigen::VectorXd unknowns_of(const State& state) const;
    [[nodiscard]] Unknowns view(const Eigen::VectorXd& x) const { return {model_.layout, x}; }

    /// Remembers what the state does, and predicts the step that starts there; over the scene's dt where none is given.
    void begin_step(const State& start) { begin_step(start, model_.scene.time.dt); }
    void begin_step(const State& start, double dt);
    /// Of the step that began last [s].
    [[nodiscard]] double dt() const { return dt_; }
    /// Finds contacts where the step starts. Throws InvalidStart where a pair touches.
    void find_contacts(const Eigen::VectorXd& x);
    /// Puts unknowns that scripts give where they shall be at the end of the step.
    void prescribe(Eigen::VectorXd& x) const;
    /// Lags what is lagged, before a solve from x.
    void lag(const Eigen::VectorXd& x);
    /// How far off what was lagged last is at x, at which energies were updated last: the norm by which forces that
    /// resist sliding would change, were they lagged there, over that of the most they can be. NaN where there are
    /// none.
    [[nodiscard]] double lag_residual(const Eigen::VectorXd& x) const;
    /// The state at the end of a step from `start` to x.
    [[nodiscard]] State end_step(const State& start, const Eigen::VectorXd& x);

    void save(History& history) const;
    void load(const History& history);

    /// The sum of the energies of a role at x, at which they were updated last [J].
    [[nodiscard]] double value_of(EnergyRole role, const Eigen::VectorXd& x);
    /// Between bodies, at x, at which energies were updated last.
    [[nodiscard]] BodyForces forces_between_bodies(const Eigen::VectorXd& x) const;
    /// Forces of contact and adhesion on vertices at x, between steps: minus their gradient [N].
    [[nodiscard]] Positions contact_forces(const Eigen::VectorXd& x);
    /// The same over areas, and what resists sliding in the step that ended there.
    [[nodiscard]] SurfaceTractions tractions(const Eigen::VectorXd& x);

private:
    /// The state as the integrator sees it: with rows for the twist of rods, where there are any. Those are kept in
    /// `joined`.
    [[nodiscard]] const State& integrated(const State& state, State& joined) const;
    /// Of the rows of `from`, which is the start as the integrator sees it, by all forces but friction: where nothing
    /// is remembered of them [m/s²].
    [[nodiscard]] Positions accelerations(const State& start, const State& from);
    void build_contact();
    void build_friction();
    /// Null where friction remembers nothing.
    [[nodiscard]] std::shared_ptr<SlidingMemory> slip_memory() const;
    /// The body of each vertex of the surface.
    [[nodiscard]] std::vector<int> bodies_of_surface() const;
    void build_adhesion();
    void build_rcc_adhesion();

    const Model& model_;
    double dt_ = 0;
    std::unique_ptr<Integrator> integrator_;
    std::optional<ContactPairs> pairs_;
    std::unique_ptr<InertiaEnergy> inertia_;
    std::unique_ptr<TwistMotion> twist_;
    std::vector<std::unique_ptr<Energy>> registered_;
    std::unique_ptr<ContactEnergy> contact_;
    std::unique_ptr<AdhesionEnergy> adhesion_;
    std::unique_ptr<SlidingEnergy> friction_, bond_sliding_;
    std::unique_ptr<ScriptEnergy> scripts_;
    std::optional<AdaptiveStart> adaptive_start_;
    std::unique_ptr<StepGuard> guard_;
    std::optional<Problem> problem_;
};

} // namespace abut
