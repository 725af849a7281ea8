#include "abut/run/momentum_cure.hpp"

#include "abut/sim/model.hpp"

#include <fmt/format.h>

namespace abut {

namespace {

/// Where a tolerance is left out, solves also go on until forces are in balance: even the same value, given, is worse.
std::string tolerance_cure(const Scene& scene, double usual)
{
    if (!scene.solver.tolerance)
        return fmt::format("give solver.tolerance a thousandth of what was chosen, {:.1g}", usual / 1000);
    if (*scene.solver.tolerance < usual)
        return fmt::format("lower solver.tolerance, which is {:.3g}, by a thousand times", *scene.solver.tolerance);
    return fmt::format("leave solver.tolerance out, which is {:.3g}", *scene.solver.tolerance);
}

} // namespace

std::string momentum_cure(const Scene& scene)
{
    // Solves end by how fast bodies still move. A much shorter reach than the chosen one is crossed meanwhile, and its
    // forces are not solved for.
    constexpr double too_short = 0.1;
    Scene open = scene;
    open.contact.dhat.reset();
    open.solver.tolerance.reset();
    const ModelParameters usual = make_model(std::move(open))->parameters;
    const double usual_tolerance =
        usual.tolerance / (scene.solver.norm == ConvergenceNorm::relative ? usual.extent : 1);
    const std::optional<double>&dhat = scene.contact.dhat, &tolerance = scene.solver.tolerance;
    std::string cure;
    if (scene.contact.is_enabled() && dhat && *dhat < too_short * usual.dhat)
        cure = fmt::format("raise contact.dhat, which is {:.3g} m; left out, it is {:.3g} m", *dhat, usual.dhat);
    if (cure.empty())
        cure = tolerance_cure(scene, usual_tolerance);
    else if (tolerance && *tolerance > usual_tolerance)
        cure += ", and " + tolerance_cure(scene, usual_tolerance);
    if (scene.contact.mu > 0)
        cure += ", or raise solver.friction_iterations";
    return cure;
}

} // namespace abut
