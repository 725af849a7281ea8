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
    bool is_far = false;
    if (StepGuard* guard = problem.guard()) {
        guard->update_regions(problem.is_fixed());
        std::vector<int> blocks(layout.num_vertices());
        for (int v = 0; v < layout.num_vertices(); ++v)
            blocks[v] = v;
        Eigen::VectorXd within = dx;
        const bool is_cut = guard->cut_to_regions(problem.view(x), blocks, within, -dx) > 0;
        is_far = is_cut && guard->clear_way(problem.view(x), dx, *problem.lasting());
        if (!is_far)
            dx = within;
    }
    x += problem.limit_step(x, dx) * dx;
    if (is_far)
        problem.look_around(x); // regions are around the new place
    else
        problem.update(x);
}

} // namespace abut
