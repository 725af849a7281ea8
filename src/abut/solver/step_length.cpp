#include "abut/solver/step_length.hpp"

#include "abut/base/ranks.hpp"

#include <algorithm>

namespace abut {

namespace {

/// Calls visit(block) for every block that may move.
template <typename Visit>
void for_each_free(const Problem& problem, Visit&& visit)
{
    for (int block = 0; block < problem.layout().num_blocks(); ++block)
        if (problem.is_fixed()[block] == 0)
            visit(block);
}

} // namespace

double length_of(const Eigen::VectorXd& step, const Problem& problem, StepNorm norm)
{
    const BlockLayout& layout = problem.layout();
    double largest = 0, sum = 0;
    int free = 0;
    for_each_free(problem, [&](int block) {
        const double squared = step.segment(layout.offset(block), layout.size(block)).squaredNorm();
        largest = std::max(largest, squared);
        sum += squared;
        ++free;
    });
    return std::sqrt(norm == StepNorm::largest ? largest : sum / std::max(free, 1));
}

double bound_of_step(const Eigen::VectorXd& gradient, const Problem& problem)
{
    const BlockLayout& layout = problem.layout();
    const Eigen::VectorXd& stiffness = problem.least_stiffness();
    if (stiffness.size() != layout.num_blocks())
        return INFINITY;
    double sum = 0, least = INFINITY;
    for_each_free(problem, [&](int block) {
        least = std::min(least, stiffness[block]);
        sum += gradient.segment(layout.offset(block), layout.size(block)).squaredNorm() / stiffness[block];
    });
    return least > 0 ? std::sqrt(sum / least) : INFINITY;
}

double stiffness_against_rounding(
    const SymmetricBlockMatrix& hessian, const Eigen::VectorXd& x, const Problem& problem, double length)
{
    // Positions are known to u |x|, with u the unit roundoff, so the gradient is known to r = u |H| |x|, entry by
    // entry. Along a direction of unit length that has about the root mean square of r. The motion of a body of n
    // vertices has 1 / sqrt(n) at each of them, so that a stiffness k lets it move by r / (k sqrt(n)).
    const BlockLayout& layout = problem.layout();
    const BlockPattern& pattern = *hessian.pattern();
    Eigen::VectorXd rounding = Eigen::VectorXd::Zero(layout.num_unknowns());
    for (int row = 0; row < pattern.num_rows(); ++row) {
        const std::int64_t first = layout.offset(row);
        const int height = layout.size(row);
        std::int64_t slot = pattern.row_start(row);
        for (const int column : pattern.columns(row)) {
            const std::int64_t second = layout.offset(column);
            const double* block = hessian.block(slot++);
            for (int b = 0; b < layout.size(column); ++b)
                for (int a = 0; a < height; ++a) {
                    const double entry = std::abs(block[b * height + a]);
                    rounding[first + a] += entry * std::abs(x[second + b]);
                    if (column != row)
                        rounding[second + b] += entry * std::abs(x[first + a]);
                }
        }
    }
    ranks().sum({rounding.data(), static_cast<std::size_t>(rounding.size())});
    problem.clear_fixed(rounding);
    const auto free = static_cast<double>(std::count(problem.is_fixed().begin(), problem.is_fixed().end(), 0));
    return free > 0 ? 0x1p-53 * rounding.norm() / (std::sqrt(layout.dim()) * free * length) : 0;
}

} // namespace abut
