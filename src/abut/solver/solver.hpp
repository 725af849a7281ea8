#pragma once
// What minimises a Problem: one interface for Newton's method, block descent and others. Options go in, a report comes
// out: why it ended, in words, what each iteration did, and where the time went.

#include "abut/solver/problem.hpp"
#include "abut/solver/state.hpp"

#include <cmath>
#include <functional>

namespace abut {

enum class Outcome : std::uint8_t {
    unfinished, ///< what every report begins with
    converged,
    iteration_limit,
    time_limit,
    line_search_failed,
    linear_solve_failed,
    script_blocked,
    not_finite,
    interrupted,   ///< by the observer
    not_converged, ///< block descent made its iterations and is not there yet; the state is good to go on from
};
[[nodiscard]] std::string_view to_string(Outcome outcome);

/// How the length of a step is measured.
enum class StepNorm : std::uint8_t {
    largest,          ///< of any block
    root_mean_square, ///< over free blocks
};

struct SolveOptions {
    static constexpr double usual_relaxation = 1.5;

    double tolerance; ///< the solve ends where a full Newton step is shorter than this [m], > 0
    /// After that it goes on for up to ten iterations while forces are out of balance by more than this share of the
    /// largest: where contact is steep, a short step is still a large force.
    double force_tolerance = INFINITY;
    StepNorm norm = StepNorm::largest;
    int max_iterations = 200;      ///< > 0
    double max_seconds = INFINITY; ///< of one solve
    double max_step = INFINITY;    ///< no vertex goes farther in one iteration [m], > 0
    /// Which Hessian is asked for: `analytic` is an energy's closed form where it has one, else the clamped one.
    HessianForm hessian = HessianForm::analytic;
    /// Where full steps shrink slowly, use as much of the exact Hessian as leaves systems positive definite.
    bool mix_hessians = true;
    /// Of linear systems, as |b - A x| / |b|; direct methods go to rounding anyway. With 0, iterative methods take
    /// their own and direct ones measure nothing.
    double linear_tolerance = 0;
    /// Nothing need hold the bodies, as without inertia: steps are damped just enough that the rounding of forces does
    /// not push bodies by more than the tolerance along what nothing resists. Where they end does not change.
    bool damp_neutral_motion = false;

    // Of block descent alone
    /// Exactly so many sweeps, unless the residual is given too; 0: until the end is reached.
    int iterations = 0;
    /// The solve ends where the mean force that is left is below this share of the larger of what it was at the start
    /// and `force_scale`, or is rounding; 0: the tolerance decides.
    double residual = 0;
    double relaxation = usual_relaxation; ///< steps of blocks go so many times as far where nothing is near, >= 1, < 2
    double force_scale = 0;      ///< forces far below this are nothing, as the mean weight of a block [N], >= 0
    double max_cut_share = 0.01; ///< a larger share of blocks cut to their regions asks for new ones; doubled each time
};

struct IterationRecord {
    double energy = 0;            ///< before the step [J]
    double gradient_norm = 0;     ///< over free blocks [N]
    double step_length = 0;       ///< of the full Newton step, in the norm of the options [m]
    double guard_scale = 1;       ///< what the guards left of it
    double line_search_scale = 0; ///< what the line search took of it, <= guard_scale
    double projection = 1;        ///< share of the projection that its Hessian has; 0: exact
    double regularization = 0;    ///< added to the diagonal to make it positive definite, or to damp; 0 as a rule
    int num_cut = 0;              ///< vertices that the guard cut one by one
    LinearReport linear = {};
};

/// Called after each iteration. Where it returns false the solve ends, interrupted, at a state the guard allows.
using SolveObserver = std::function<bool(const IterationRecord&)>;

/// Seconds by phase. Sets of contacts are found in `update`, also those of the line search's trials. Linear systems are
/// solved in `factorize`, but for what only their patterns ask for, such as orderings: that is `symbolic`.
struct SolveTimes {
    double update = 0, evaluate = 0, assemble = 0, symbolic = 0, factorize = 0, guard = 0, line_search = 0;
    void add(const SolveTimes& other);
    [[nodiscard]] double linear() const { return symbolic + factorize; }
    [[nodiscard]] double total() const { return update + evaluate + assemble + linear() + guard + line_search; }
};

struct SolveReport {
    Outcome outcome = Outcome::unfinished;
    std::string message;  ///< what ended the solve; for failures what blocked it, with numbers
    std::string limiting; ///< what cut the last step that the guard cut, and to which share of it; empty if none
    std::vector<int> limiting_vertices; ///< where that was one pair
    std::vector<IterationRecord> iterations;
    SolveTimes times;
    /// Of block descent: the mean force that is left, as a share of what it was at the start, or of `force_scale` where
    /// that is larger. NaN of others.
    double relative_residual = NAN;
};

class Solver {
public:
    virtual ~Solver() = default;

    [[nodiscard]] virtual std::string_view name() const = 0;

    /// Called at the start of a time step: what follows must not depend on what was solved before, to the bit.
    virtual void begin_step() {}
    /// What it remembers of the steps before, beside begin_step() and at the end of a step: a part of the state.
    virtual void load(const History& /*history*/) {}
    virtual void save(History& /*history*/) const {}

    /// Minimises from x on; x is always a state that the guard allows, whatever the outcome.
    [[nodiscard]] virtual SolveReport
    minimize(Problem& problem, Eigen::VectorXd& x, const SolveOptions& options, const SolveObserver& observer = {}) = 0;
};

} // namespace abut
