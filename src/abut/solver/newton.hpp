#pragma once
// Projected Newton for a sum of energies: each term's Hessian is made positive semidefinite, the system solved
// directly, the step limited by the guard and then halved until the energy falls.

#include "abut/linear/hessian_cache.hpp"
#include "abut/solver/direct_solver.hpp"
#include "abut/solver/energy.hpp"
#include "abut/solver/step_guard.hpp"

#include <cmath>
#include <optional>

namespace abut {

enum class Outcome : std::uint8_t {
    converged,
    iteration_limit,
    time_limit,
    line_search_failed,
    linear_solve_failed,
    script_blocked,
    not_finite,
};
[[nodiscard]] std::string_view to_string(Outcome outcome);

/// How the length of a Newton step is measured.
enum class StepNorm : std::uint8_t {
    largest,          ///< of any vertex
    root_mean_square, ///< over free vertices
};

struct NewtonOptions {
    double tolerance; ///< the solve ends where a full Newton step is shorter than this [m], > 0
    /// After that it goes on for up to ten iterations while forces are out of balance by more than this share of the
    /// largest: where contact is steep, a short step is still a large force.
    double force_tolerance = INFINITY;
    StepNorm norm = StepNorm::largest;
    int max_iterations = 200;      ///< > 0
    double max_seconds = INFINITY; ///< of one solve
    double max_step = INFINITY;    ///< no vertex goes farther in one iteration [m], > 0
    /// Of each term's Hessian; with clamp, energies that have a positive semidefinite form of their own give that.
    PSDProjectionMethod projection = PSDProjectionMethod::clamp;
    /// Nothing need hold the bodies, as without inertia: steps are damped just enough that the rounding of forces does
    /// not push bodies by more than the tolerance along what nothing resists. Where they end does not change.
    bool damp_neutral_motion = false;
    /// For each vertex, a stiffness [N/m] that the Hessian is known to have at least, as inertia's m / dt²; empty where
    /// none is known. It bounds the step by the forces alone: those of rounding end the solve without an iteration.
    Eigen::VectorXd least_stiffness = {};
};

struct IterationRecord {
    double energy;            ///< before the step [J]
    double gradient_norm;     ///< over free vertices [N]
    double step_length;       ///< of the full Newton step, in the norm of the options [m]
    double guard_scale;       ///< what the guards left of it
    double line_search_scale; ///< what the line search took of it, <= guard_scale
    double regularization;    ///< added to the diagonal to make it positive definite, or to damp; 0 as a rule
};

/// Seconds by phase. Sets of contacts are found in `update`, also those of the line search's trials.
struct SolveTimes {
    double update = 0, evaluate = 0, assemble = 0, factorize = 0, guard = 0, line_search = 0;
    void add(const SolveTimes& other);
    [[nodiscard]] double total() const { return update + evaluate + assemble + factorize + guard + line_search; }
};

struct SolveReport {
    Outcome outcome = Outcome::converged;
    std::string message;  ///< what ended the solve; for failures what blocked it, with numbers
    std::string limiting; ///< what cut the last step that the guard cut, and to which share of it; empty if none
    std::vector<IterationRecord> iterations;
    SolveTimes times;
};

class Newton {
public:
    /// The energies and the guard are used, not owned. One flag a vertex says which do not move.
    Newton(std::vector<Energy*> energies, StepGuard* guard, int num_vertices, int dim);

    /// Minimises the sum from x on; x is always a state the guard allows, whatever the outcome.
    [[nodiscard]] SolveReport
    minimize(Positions& x, const std::vector<std::uint8_t>& is_fixed, const NewtonOptions& options);

    /// Forgets everything that earlier solves left, so that the next one depends on its arguments alone.
    void forget() { linear_solver_->forget_ordering(); }

    /// The sum of the energies at x, which are updated.
    [[nodiscard]] double value(const ConstPositions& x);

    /// The value of one energy at x, as it was updated last.
    [[nodiscard]] double value_of(const Energy& energy, const ConstPositions& x);
    /// The gradient of one energy at x, as it was updated last.
    [[nodiscard]] Eigen::VectorXd gradient_of(const Energy& energy, const ConstPositions& x) const;

    [[nodiscard]] const DirectSolver& linear_solver() const { return *linear_solver_; }

private:
    void update(const ConstPositions& x);
    [[nodiscard]] double sum_of_values(const ConstPositions& x);
    void compute_gradient(const ConstPositions& x, Eigen::VectorXd& gradient);
    /// How much the forces on free vertices are out of balance at x, where energies were updated last: the norm of
    /// their sum over that of the largest of them, which is taken as `least` [N] at least.
    [[nodiscard]] double imbalance(const ConstPositions& x, const std::vector<std::uint8_t>& is_fixed, double least);
    void compute_hessian(const ConstPositions& x, HessianForm form);
    /// What was added to the diagonal to factorise the Hessian, at least `damping`; nothing where that did not help.
    [[nodiscard]] std::optional<double> factorize(const std::vector<std::uint8_t>& is_fixed, double damping);
    /// The stiffness [N/m] against which the rounding of the gradient at x moves vertices by about `length`.
    [[nodiscard]] double
    stiffness_against_rounding(const ConstPositions& x, const std::vector<std::uint8_t>& is_fixed, double length) const;
    [[nodiscard]] std::string describe_residual(const ConstPositions& x, const std::vector<std::uint8_t>& is_fixed);

    std::vector<Energy*> energies_;
    StepGuard* guard_;
    int num_vertices_, dim_;
    std::unique_ptr<DirectSolver> linear_solver_ = DirectSolver::create();
    HessianCache hessian_;
    Buffer<double> local_;
};

} // namespace abut
