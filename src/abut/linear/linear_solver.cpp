#include "abut/linear/linear_solver.hpp"

namespace abut {

double relative_residual(const LinearSystem& system, const Eigen::VectorXd& b, const Eigen::VectorXd& x)
{
    Eigen::VectorXd residual = b - system.blocks * x - system.shift * x;
    for (const RankOne& term : system.rank_one)
        residual -= term.weight * term.direction.dot(x) * term.direction;
    const BlockLayout& layout = system.blocks.pattern()->layout();
    double of_residual = 0, of_b = 0;
    for (int block = 0; block < layout.num_blocks(); ++block) {
        if (system.is_fixed[block] != 0)
            continue;
        of_residual += residual.segment(layout.offset(block), layout.size(block)).squaredNorm();
        of_b += b.segment(layout.offset(block), layout.size(block)).squaredNorm();
    }
    return of_b > 0 ? std::sqrt(of_residual / of_b) : std::sqrt(of_residual);
}

} // namespace abut
