// The Geometric Contact Potential on stacked sheets of growing size: time per pair, by the paper's formulas.

#include "layers.hpp"

#include "abut/contact/gcp/smooth_contact_potential.hpp"

#include <benchmark/benchmark.h>

namespace abut {
namespace {

struct Contact {
    bench::Layers layers;
    SmoothContactPotential potential{SmoothContactParameters{.dhat = layers.dhat}};
    Candidates candidates{};
    SmoothCollisions collisions{};
};

/// Times operation(contact), and reports the time of one pair.
template <typename Operation>
void add(const std::string& name, int num_faces, Operation operation)
{
    benchmark::RegisterBenchmark(
        ("gcp/" + name + "/layers_" + std::to_string(num_faces)).c_str(),
        [=](benchmark::State& state) {
            Contact contact{.layers = bench::make_layers(num_faces)};
            const auto& [mesh, X, end, dhat] = contact.layers;
            contact.candidates.build(mesh, X, dhat / 2);
            contact.collisions.build(contact.candidates, mesh, X, contact.potential.parameters());
            for (auto _ : state)
                operation(contact, mesh, X);
            const auto size = static_cast<double>(contact.collisions.size());
            state.counters["pairs"] = size;
            state.counters["per_pair"] =
                benchmark::Counter(size, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
        })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
}

const int registered = [] {
    // About 6e3, 7e4 and 7e5 pairs
    for (const int num_faces : {1'200, 12'500, 125'000}) {
        add("set", num_faces, [](Contact& contact, const CollisionMesh& mesh, const Positions& X) {
            contact.collisions.build(contact.candidates, mesh, X, contact.potential.parameters());
        });
        add("adaptive_extent", num_faces, [](Contact& contact, const CollisionMesh& mesh, const Positions& X) {
            benchmark::DoNotOptimize(adaptive_extents(mesh, X, contact.potential.parameters()));
        });
        add("value", num_faces, [](Contact& contact, const CollisionMesh& mesh, const Positions& X) {
            benchmark::DoNotOptimize(contact.potential(contact.collisions, mesh, X));
        });
        add("gradient", num_faces, [](Contact& contact, const CollisionMesh& mesh, const Positions& X) {
            benchmark::DoNotOptimize(contact.potential.gradient(contact.collisions, mesh, X));
        });
        for (const auto& [name, method] :
             {std::pair("hessian_exact_cold", PSDProjectionMethod::none),
              std::pair("hessian_clamped_cold", PSDProjectionMethod::clamp)})
            add(name, num_faces, [method = method](Contact& contact, const CollisionMesh& mesh, const Positions& X) {
                benchmark::DoNotOptimize(contact.potential.hessian(contact.collisions, mesh, X, method));
            });
    }
    return 0;
}();

} // namespace
} // namespace abut
