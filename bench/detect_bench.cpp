// Detection on sheets stacked at half of dhat, of growing size, each driven into the next; and the slowest single CCD
// query of a published set where it is present.

#include "layers.hpp"

#include "abut/detect/detection.hpp"
#include "abut/detect/intersections.hpp"
#include "abut/detect/step_size.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace abut {
namespace {

using bench::Layers;

template <typename Operation>
void add(const std::string& name, int num_faces, Operation operation)
{
    benchmark::RegisterBenchmark(
        (name + "/layers_" + std::to_string(num_faces)).c_str(),
        [=](benchmark::State& state) {
            const Layers layers = bench::make_layers(num_faces);
            for (auto _ : state)
                operation(layers);
            state.counters["per_face"] = benchmark::Counter(
                layers.mesh.num_faces(), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
        })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
}

/// Reports the slowest query, and the mean, over the published CCD queries.
void time_single_queries(benchmark::State& state, const std::filesystem::path& folder)
{
    struct Query {
        bool is_vertex_face;
        std::array<Vec3, 8> x;
    };
    std::vector<Query> queries;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        if (file.path().extension() != ".csv")
            continue;
        std::ifstream in(file.path());
        std::string line, word;
        std::getline(in, line);
        while (std::getline(in, line)) {
            std::stringstream words(line);
            for (int skipped = 0; skipped < 6; ++skipped)
                std::getline(words, word, ',');
            Query query{file.path().string().find(".vf.") != std::string::npos, {}};
            for (Vec3& p : query.x)
                for (int axis = 0; axis < 3; ++axis) {
                    std::getline(words, word, ',');
                    p[axis] = std::strtod(word.c_str(), nullptr);
                }
            queries.push_back(query);
        }
    }
    double slowest = 0;
    int most_intervals = 0;
    for (auto _ : state)
        for (const auto& [is_vertex_face, x] : queries) {
            const auto start = std::chrono::steady_clock::now();
            CcdResult result;
            if (is_vertex_face) {
                MovingPoints<3> t;
                t.start << x[1], x[2], x[3];
                t.end << x[5], x[6], x[7];
                result = point_triangle_ccd({x[0], x[4]}, t);
            } else {
                MovingPoints<2> a, b;
                a.start << x[0], x[1];
                a.end << x[4], x[5];
                b.start << x[2], x[3];
                b.end << x[6], x[7];
                result = edge_edge_ccd(a, b);
            }
            slowest =
                std::max(slowest, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
            most_intervals = std::max(most_intervals, result.intervals);
        }
    state.counters["queries"] = static_cast<double>(queries.size());
    state.counters["slowest_ms"] = slowest * 1e3;
    state.counters["most_intervals"] = most_intervals;
    state.counters["per_query"] = benchmark::Counter(
        static_cast<double>(queries.size()),
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

const int registered = [] {
    for (const int num_faces : {10'000, 100'000, 1'000'000}) {
        add("candidates_still", num_faces, [](const Layers& layers) {
            Candidates candidates;
            candidates.build(layers.mesh, layers.start, layers.dhat / 2);
            benchmark::DoNotOptimize(candidates);
        });
        add("candidates_moving", num_faces, [](const Layers& layers) {
            Candidates candidates;
            candidates.build(layers.mesh, layers.start, layers.end, 0);
            benchmark::DoNotOptimize(candidates);
        });
        add("step_size", num_faces, [](const Layers& layers) {
            benchmark::DoNotOptimize(compute_collision_free_stepsize(layers.mesh, layers.start, layers.end));
        });
        add("has_intersections", num_faces,
            [](const Layers& layers) { benchmark::DoNotOptimize(has_intersections(layers.mesh, layers.start)); });
    }
    const auto folder = std::filesystem::path(ABUT_REFERENCE_DIR) / "ccd";
    if (std::filesystem::exists(folder))
        benchmark::RegisterBenchmark("single_ccd_queries", [=](benchmark::State& state) {
            time_single_queries(state, folder);
        })->Unit(benchmark::kMillisecond);
    return 0;
}();

} // namespace
} // namespace abut
