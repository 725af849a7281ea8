#include "abut/solver/global_step.hpp"

#include "abut/solver/step_length.hpp"

#include <algorithm>
#include <numeric>

namespace abut {

bool GlobalStep::take(Problem& problem, const SolveOptions& options, Eigen::VectorXd& x, IterationRecord& record)
{
    problem.gradient(x, gradient_);
    record.energy = problem.value(x);
    record.gradient_norm = gradient_.norm();
    if (!std::isfinite(record.energy) || !linear_->prepare(problem.hessian(x, options.hessian)))
        return false;
    const double tolerance = options.linear_tolerance > 0 ? options.linear_tolerance : usual_tolerance;
    record.linear = linear_->solve(gradient_, tolerance, dx_);
    if (!record.linear.is_solved || !dx_.allFinite())
        return false;
    dx_ = -dx_;
    record.step_length = length_of(dx_, problem, options.norm);
    if (const double longest = length_of(dx_, problem, StepNorm::largest); longest > options.max_step)
        dx_ *= options.max_step / longest;

    // Make it safe: for each block by itself where there are regions, else as a whole.
    StepGuard* guard = problem.guard();
    if (guard != nullptr && guard->has_regions()) {
        blocks_.resize(problem.layout().num_blocks());
        std::iota(blocks_.begin(), blocks_.end(), 0);
        record.num_cut = guard->cut_to_regions(problem.view(x), blocks_, dx_, gradient_);
    }
    double scale = problem.limit_step(x, dx_);
    if (guard != nullptr && !guard->has_regions()) {
        const Eigen::VectorXd limited = scale * dx_;
        scale *= guard->limit(problem.view(x), problem.view(limited)).scale;
    }
    record.guard_scale = scale;

    // Of a step whose energy only rounding can tell, the slope decides, as in Newton's method.
    constexpr int max_halvings = 8;
    constexpr double rounding = 1e-14, doubtful = 1e-11;
    for (int halvings = 0; halvings <= max_halvings; ++halvings, scale /= 2) {
        trial_ = x + scale * dx_;
        problem.update(trial_);
        const double rise = problem.value(trial_) - record.energy, size = std::abs(record.energy);
        bool is_good = rise <= rounding * size;
        if (!is_good && rise <= doubtful * size) {
            const double slope = gradient_.dot(dx_);
            Eigen::VectorXd gradient;
            problem.gradient(trial_, gradient);
            is_good = gradient.dot(dx_) <= -0.5 * slope;
        }
        if (is_good) {
            record.line_search_scale = scale;
            x = trial_;
            return true;
        }
    }
    problem.update(x);
    return false;
}

} // namespace abut
