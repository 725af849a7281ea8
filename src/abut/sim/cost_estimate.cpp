#include "abut/sim/cost_estimate.hpp"

#include <fmt/format.h>

#include <cmath>

namespace abut {

CostEstimate estimate_cost(const Scene& scene)
{
    // Of an unknown, with two cores at 2.6 GHz: docs/performance.md, "Many bodies"
    constexpr double bytes = 1400, set_up_seconds = 4e-6, seconds_per_iteration = 1.8e-6;
    // Of a solid with n unknowns the factor has about n^(4/3) entries, and takes n^2 operations (nested dissection in
    // three dimensions). Balls of 45,000 and 114,000 unknowns: 308 and 1151 MB.
    constexpr double bytes_of_solid = 200, seconds_of_solid = 1.6e-9;
    CostEstimate estimate;
    for (const SceneObject& object : scene.objects) {
        const auto n = static_cast<double>(object.mesh.vertices.size());
        estimate.num_unknowns += object.mesh.vertices.size();
        estimate.bytes += bytes * n;
        estimate.set_up_seconds += set_up_seconds * n;
        estimate.seconds_per_iteration += seconds_per_iteration * n;
        if (object.kind == ObjectKind::solid) {
            estimate.bytes += bytes_of_solid * std::pow(n, 4.0 / 3);
            estimate.seconds_per_iteration += seconds_of_solid * n * n;
        }
    }
    return estimate;
}

std::string CostEstimate::text() const
{
    return fmt::format(
        "a large scene of {} unknowns: expect at least {:.1f} GB of memory, {:.1g} s of set-up and {:.1g} s per Newton "
        "iteration",
        num_unknowns, 1e-9 * bytes, set_up_seconds, seconds_per_iteration);
}

} // namespace abut
