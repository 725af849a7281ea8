#include "abut/sim/solver_choice.hpp"

#include "abut/base/error.hpp"
#include "abut/base/ranks.hpp"
#include "abut/sim/contact_model.hpp"
#include "abut/solver/linear_solvers.hpp"
#include "abut/solver/newton.hpp"
#include "abut/solver/vbd.hpp"

namespace abut {

bool descends_by_blocks(const Scene& scene)
{
    const std::string& method = scene.solver.method;
    const bool has_bounds = !scene.contact.is_enabled() ||
                            contact_models().at(scene.contact.model, "contact.model").guard == GuardKind::bounds;
    return method == "vbd" || (method == "auto" && has_bounds);
}

std::unique_ptr<Solver> make_solver(const Scene& scene)
{
    const SceneSolver& chosen = scene.solver;
    if (ranks().size() > 1 && descends_by_blocks(scene))
        reject(
            "solver.method: vertex block descent works on one machine, and this run has {} ranks{}; set solver.method "
            "to newton, or run it with 'abut run'",
            ranks().size(),
            chosen.method == "vbd" ? "" : fmt::format(" (auto is vbd for contact.model {})", scene.contact.model));
    if (chosen.method == "vbd")
        return std::make_unique<VertexBlockDescent>();
    std::unique_ptr<LinearSolver> linear = linear_solvers().at(chosen.linear, "solver.linear")();
    linear->set_preconditioner_by_name(chosen.preconditioner);
    if (descends_by_blocks(scene))
        return std::make_unique<VertexBlockDescent>(std::move(linear));
    return std::make_unique<Newton>(std::move(linear));
}

} // namespace abut
