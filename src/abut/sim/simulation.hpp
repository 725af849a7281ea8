#pragma once
// A scene in motion: steps in which nothing intersects.

#include "abut/sim/anchor_energy.hpp"
#include "abut/sim/body_forces.hpp"
#include "abut/sim/scene.hpp"
#include "abut/solver/newton.hpp"

namespace abut {

/// A value that the scene left open, and why it is what it is.
struct Choice {
    std::string name;
    double value;
    std::string reason;
};

/// What the exact tests say about a state.
struct Verification {
    bool is_checked = false;
    std::int64_t num_intersections = 0;
    double smallest_distance = INFINITY; ///< of pairs within dmin + dhat [m]
    int num_inverted = 0;                ///< solid or planar elements of volume <= 0
    [[nodiscard]] bool is_good() const { return num_intersections == 0 && num_inverted == 0; }
};

/// Where the energy of a step went, and whether its books balance.
struct Balance {
    double kinetic = 0, elastic = 0, contact = 0, gravity = 0; ///< at the end of the step [J]
    double script_work = 0;                                    ///< done by scripts during the step [J]
    double friction_loss = 0;                                  ///< turned to heat during the step [J]
    /// What the step added to the energy beyond script_work − friction_loss [J]. Implicit Euler loses some; a clear
    /// gain means that the step went wrong. The contact energy before the step counts with the stiffness after it.
    double gain = 0;
    Vec3 momentum = Vec3::Zero(); ///< linear, at the end [kg m/s]
    /// Change of the free vertices' momentum that the forces on them do not explain, over the momentum that moves
    /// about: the sum of m (|v| + |g| dt).
    double momentum_defect = 0;
};

struct StepReport {
    int step = 0;    ///< number of the step, from 1
    double time = 0; ///< at its end [s]
    Outcome outcome = Outcome::converged;
    std::string message;
    int iterations = 0; ///< of Newton, over all solves of the step
    std::size_t num_contacts = 0;
    double smallest_distance = INFINITY; ///< among active contacts [m]
    double stiffness = 0;                ///< of contact, at the end
    double script_lag = 0;               ///< how far scripted vertices are behind [m]
    Balance balance;
    std::vector<BodyForce> forces; ///< between bodies, at the end
    Verification verification;
    SolveTimes times;
};

/// The pairs in contact at a state, one row each.
struct ContactList {
    Elements vertices;         ///< #contacts x 4: vertices of the pair, of all objects together; -1 where it has fewer
    Elements bodies;           ///< #contacts x 2: objects of the two elements, plane k as -1 - k
    Eigen::VectorXd distances; ///< [m]
};

/// What changes from step to step, and all that a run needs to continue.
struct SimulationState {
    Positions x, v;
    int step = 0;
    double time = 0;
    double stiffness = 0;  ///< of contact
    int blocked_steps = 0; ///< so many steps in a row was a script held back

    bool operator==(const SimulationState&) const = default;
};

class Simulation {
public:
    /// Throws InvalidInput for values that can never be right and InvalidStart where the start intersects, touches or
    /// is inverted, naming the bodies.
    explicit Simulation(Scene scene);
    ~Simulation();
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    /// One time step. Whatever the outcome, the state is free of intersections, unless contact is off.
    StepReport step();

    [[nodiscard]] const SimulationState& state() const { return state_; }
    /// Continues from another state of the same scene.
    void set_state(SimulationState state);

    [[nodiscard]] const Scene& scene() const { return scene_; }
    [[nodiscard]] const std::vector<Choice>& choices() const { return choices_; }
    /// What is legal, and most likely not meant: sentences that name the place and a cure.
    [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }
    [[nodiscard]] int dim() const { return static_cast<int>(rest_.cols()); }
    [[nodiscard]] int num_vertices() const { return static_cast<int>(rest_.rows()); }
    /// First vertex of each object, and their number at the end.
    [[nodiscard]] const std::vector<int>& object_starts() const { return object_starts_; }
    [[nodiscard]] const Eigen::VectorXd& masses() const { return masses_; }

    /// The names of objects and of their elements.
    [[nodiscard]] const BodyNames& names() const { return *names_; }

    /// The surface that contact and the exact tests see.
    [[nodiscard]] const CollisionMesh& collision_mesh() const { return *mesh_; }
    /// Contact force on each vertex at the present positions, minus the gradient of barrier and adhesion [N].
    [[nodiscard]] Positions contact_forces() const;
    /// The pairs that the barrier acts on at the present positions.
    [[nodiscard]] ContactList contacts() const;

    /// The exact tests at the present positions; intersections also where contact is off.
    [[nodiscard]] Verification verify() const;

private:
    void build_bodies();
    void build_surface();
    void build_contact();
    void choose_parameters();
    [[nodiscard]] NormalAdhesionOptions adhesion_options(HessianMode hessian_mode);
    void check_start() const;
    void find_warnings();

    /// Who is held, who follows a script; scripts_ gets its targets.
    [[nodiscard]] std::vector<std::uint8_t> begin_scripts(double end_time);
    /// How strongly scripted vertices are drawn to their targets [N/m]: a hundred times as strongly as their body
    /// resists, so that it lags by a hundredth of its motion or less and one solve is enough. What resists is the
    /// inertia of the body, which its scripted vertices share, or its material.
    [[nodiscard]] Eigen::VectorXd script_stiffness(const std::vector<int>& scripted) const;
    /// Newton, as often as friction and scripts need it.
    void solve(Positions& x, const std::vector<std::uint8_t>& is_fixed, StepReport& report);
    [[nodiscard]] std::vector<BodyForce> forces_between_bodies(const ConstPositions& x) const;
    [[nodiscard]] double elastic_energy(const ConstPositions& x);
    void balance_books(const SimulationState& before, const std::vector<std::uint8_t>& is_fixed, StepReport& report);
    /// The scripts that are behind by more than the tolerance, how far, and what presses hardest against their bodies,
    /// at positions x at which contact and friction were updated last.
    [[nodiscard]] std::string describe_lagging_scripts(const ConstPositions& x) const;
    /// Where a file has it, or its number.
    [[nodiscard]] std::string name_of_script(int k) const;

    Scene scene_;
    SimulationState state_;
    std::vector<Choice> choices_;
    std::vector<std::string> warnings_;
    Positions rest_;
    std::vector<int> object_starts_;
    std::vector<std::uint8_t> is_static_; ///< never moves
    Eigen::VectorXd masses_;
    double diagonal_ = 1, dhat_ = 0, tolerance_ = 0, eps_v_ = 0;
    std::vector<double> elasticities_; ///< of each object: Young's modulus times edges' length or thickness [N/m]

    std::optional<BodyNames> names_;
    std::vector<std::unique_ptr<Energy>> elastic_;
    std::optional<CollisionMesh> mesh_;
    std::unique_ptr<AnchorEnergy> inertia_, scripts_;
    std::unique_ptr<ContactEnergy> contact_;
    std::unique_ptr<AdhesionEnergy> adhesion_;
    std::unique_ptr<SlidingEnergy> friction_, bond_sliding_;
    std::unique_ptr<StepGuard> guard_;
    std::unique_ptr<Newton> newton_;
    std::vector<int> script_of_; ///< of each vertex: index of its script, −1 if it has none
};

} // namespace abut
