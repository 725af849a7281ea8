// Construction of a CollisionMesh: on generated meshes of growing size, and on the meshes another toolkit was timed on
// where they are present.

#include "abut/io/obj.hpp"
#include "abut/mesh/collision_mesh.hpp"
#include "abut/mesh/generate/generators.hpp"

#include <benchmark/benchmark.h>

namespace abut {
namespace {

void construct(benchmark::State& state, const MeshData& data)
{
    const Edges given = edges(data.faces);
    for (auto _ : state)
        benchmark::DoNotOptimize(CollisionMesh(data.vertices, given, data.faces));
    state.counters["per_face"] = benchmark::Counter(
        static_cast<double>(data.faces.rows()),
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

const int registered = [] {
    for (const int cells : {64, 128, 256, 512})
        benchmark::RegisterBenchmark(
            ("collision_mesh/cloth_" + std::to_string(2 * cells * cells) + "_faces").c_str(),
            [=](benchmark::State& state) {
                construct(state, generate::cloth({.cells = {cells, cells}}));
            })
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
    for (const char* name : {"cloth_layers", "spheres27", "cloth_ball"}) {
        const auto path = std::filesystem::path(ABUT_REFERENCE_DIR) / "bench_meshes" / (std::string(name) + "_t0.obj");
        if (!std::filesystem::exists(path))
            continue;
        benchmark::RegisterBenchmark(
            (std::string("collision_mesh/") + name).c_str(),
            [=](benchmark::State& state) { construct(state, read_obj(path)); })
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
        benchmark::RegisterBenchmark(
            (std::string("read_obj/") + name).c_str(),
            [=](benchmark::State& state) {
                for (auto _ : state)
                    benchmark::DoNotOptimize(read_obj(path));
            })
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
    }
    return 0;
}();

} // namespace
} // namespace abut
