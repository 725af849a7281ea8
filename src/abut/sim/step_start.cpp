#include "abut/sim/step_start.hpp"

#include <algorithm>

namespace abut {

void move_to_start(System& system, Eigen::VectorXd& x)
{
    if (system.adaptive_start() == nullptr)
        return;
    Problem& problem = system.problem();
    (void)problem.begin_iteration(x); // what flies freely has been moved: pairs are those of its new place from here on
    const BlockLayout& layout = problem.layout();
    Eigen::VectorXd dx = Eigen::VectorXd::Zero(x.size());
    vertices_of(layout, dx) = system.adaptive_start()->displacements();
    problem.clear_fixed(dx);
    if (StepGuard* guard = problem.guard()) {
        guard->update_regions(problem.is_fixed());
        std::vector<int> blocks(layout.num_vertices());
        for (int v = 0; v < layout.num_vertices(); ++v)
            blocks[v] = v;
        (void)guard->cut_to_regions(problem.view(x), blocks, dx, -dx);
    }
    double share = 1;
    for (const Energy* energy : problem.energies())
        share = std::min(share, energy->limit_step(problem.view(x), problem.view(dx)));
    x += share * dx;
    problem.update(x);
}

} // namespace abut
