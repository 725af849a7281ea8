// Collision sets and potentials on stacked sheets of growing size: time per collision.

#include "layers.hpp"

#include "abut/contact/barrier_potential.hpp"
#include "abut/contact/friction/tangential_potential.hpp"
#include "abut/linear/hessian_cache.hpp"

#include <benchmark/benchmark.h>

namespace abut {
namespace {

struct Contact {
    bench::Layers layers;
    BarrierPotential barrier{layers.dhat};
    Candidates candidates{};
    NormalCollisions collisions{};
    TangentialCollisions tangential{};
    Positions velocities{};
};

/// With stiffness 1, the set of IPC and one coefficient of friction.
Contact make_contact(int num_faces)
{
    Contact contact{.layers = bench::make_layers(num_faces)};
    const auto& [mesh, start, end, dhat] = contact.layers;
    contact.candidates.build(mesh, start, dhat / 2);
    contact.collisions.build(contact.candidates, mesh, start, {.dhat = dhat});
    contact.tangential.build(mesh, start, contact.collisions, contact.barrier, FrictionCoefficients::uniform(0.3));
    contact.velocities = end - start;
    return contact;
}

/// Times operation(contact, state), which loops over the state itself, and reports the time of one collision.
template <typename Operation>
void add(const std::string& name, int num_faces, Operation operation)
{
    benchmark::RegisterBenchmark(
        ("contact/" + name + "/layers_" + std::to_string(num_faces)).c_str(),
        [=](benchmark::State& state) {
            const Contact contact = make_contact(num_faces);
            operation(contact, state);
            const auto size = static_cast<double>(contact.collisions.size());
            state.counters["collisions"] = size;
            state.counters["per_collision"] =
                benchmark::Counter(size, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
        })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
}

/// A barrier Hessian: cold from nothing, warm with the pattern of the call before.
void time_hessian(const Contact& contact, benchmark::State& state, PSDProjectionMethod method, bool is_warm)
{
    HessianCache kept;
    const auto evaluate = [&](HessianCache& cache) {
        contact.barrier.hessian(contact.collisions, contact.layers.mesh, contact.layers.start, method, cache);
    };
    evaluate(kept);
    Eigen::SparseMatrix<double> H = kept.matrix().to_sparse();
    for (auto _ : state)
        if (is_warm) {
            evaluate(kept);
            kept.matrix().to_sparse(H);
        } else {
            HessianCache fresh;
            evaluate(fresh);
            H = fresh.matrix().to_sparse();
        }
    benchmark::DoNotOptimize(H);
}

const int registered = [] {
    // About 1e4, 1e5 and 1e6 collisions
    for (const int num_faces : {1'200, 12'500, 125'000}) {
        for (const CollisionSetType type : {CollisionSetType::ipc, CollisionSetType::convergent})
            add(type == CollisionSetType::ipc ? "set_ipc" : "set_convergent", num_faces,
                [=](const Contact& contact, benchmark::State& state) {
                    NormalCollisions collisions;
                    for (auto _ : state)
                        collisions.build(
                            contact.candidates, contact.layers.mesh, contact.layers.start,
                            {.dhat = contact.layers.dhat, .set_type = type});
                    benchmark::DoNotOptimize(collisions);
                });
        add("value", num_faces, [](const Contact& contact, benchmark::State& state) {
            for (auto _ : state)
                benchmark::DoNotOptimize(
                    contact.barrier(contact.collisions, contact.layers.mesh, contact.layers.start));
        });
        add("gradient", num_faces, [](const Contact& contact, benchmark::State& state) {
            for (auto _ : state)
                benchmark::DoNotOptimize(
                    contact.barrier.gradient(contact.collisions, contact.layers.mesh, contact.layers.start));
        });
        for (const auto& [name, method] :
             {std::pair("exact", PSDProjectionMethod::none), std::pair("clamped", PSDProjectionMethod::clamp)})
            for (const bool is_warm : {false, true})
                add(std::string("hessian_") + name + (is_warm ? "_warm" : "_cold"), num_faces,
                    [method = method, is_warm](const Contact& contact, benchmark::State& state) {
                        time_hessian(contact, state, method, is_warm);
                    });
        add("friction_build", num_faces, [](const Contact& contact, benchmark::State& state) {
            TangentialCollisions tangential;
            for (auto _ : state)
                tangential.build(
                    contact.layers.mesh, contact.layers.start, contact.collisions, contact.barrier,
                    FrictionCoefficients::uniform(0.3));
            benchmark::DoNotOptimize(tangential);
        });
        add("friction_gradient", num_faces, [](const Contact& contact, benchmark::State& state) {
            const FrictionPotential friction(1e-3);
            for (auto _ : state)
                benchmark::DoNotOptimize(
                    friction.gradient(contact.tangential, contact.layers.mesh, contact.velocities));
        });
        add("friction_hessian_clamped_warm", num_faces, [](const Contact& contact, benchmark::State& state) {
            const FrictionPotential friction(1e-3);
            HessianCache cache;
            for (auto _ : state)
                friction.hessian(
                    contact.tangential, contact.layers.mesh, contact.velocities, PSDProjectionMethod::clamp, cache);
            benchmark::DoNotOptimize(cache);
        });
    }
    return 0;
}();

} // namespace
} // namespace abut
