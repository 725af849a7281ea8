// `abut bench T0.obj [T1.obj] --dhat D`: how long Abut's operations take on a user's own mesh.

#include "calibration.hpp"
#include "commands.hpp"

#include "abut/base/parallel.hpp"
#include "abut/base/version.hpp"
#include "abut/detect/detection.hpp"
#include "abut/detect/intersections.hpp"
#include "abut/detect/step_size.hpp"
#include "abut/io/obj.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <numeric>

namespace abut {

namespace {

struct BenchOptions {
    std::filesystem::path start, end;
    double dhat = 0;
    int repetitions = 7;
    bool json = false;
};

/// The times of one operation [ms] and what it found.
struct Timing {
    std::string name;
    double median, fastest;
    std::string result;
};

class Bench {
public:
    explicit Bench(const BenchOptions& options) : options_(options) {}

    /// Runs `operation` several times; it returns a line about its result.
    template <typename Operation>
    void time(const std::string& name, Operation&& operation)
    {
        std::vector<double> times;
        std::string result;
        for (int i = 0; i < options_.repetitions; ++i) {
            const auto start = std::chrono::steady_clock::now();
            result = operation();
            times.push_back(
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        }
        std::sort(times.begin(), times.end());
        timings_.push_back({name, times[times.size() / 2], times.front(), result});
        if (!options_.json)
            fmt::print(
                "{:<34} {:>10.2f} {:>10.2f}  {}\n", name, timings_.back().median, timings_.back().fastest, result);
    }

    [[nodiscard]] const std::vector<Timing>& timings() const { return timings_; }

private:
    const BenchOptions& options_;
    std::vector<Timing> timings_;
};

void time_detection(Bench& bench, const BenchOptions& options, const MeshData& start, const MeshData* end)
{
    const Edges given = edges(start.faces);
    const bool has_own_edges = start.edges.rows() > 0;
    const auto make_mesh = [&] {
        return has_own_edges ? CollisionMesh(start) : CollisionMesh(start.vertices, given, start.faces);
    };
    bench.time("CollisionMesh construction", [&] {
        const CollisionMesh mesh = make_mesh();
        return fmt::format("{} vertices, {} edges, {} faces", mesh.num_vertices(), mesh.num_edges(), mesh.num_faces());
    });
    const CollisionMesh mesh = make_mesh();
    Candidates candidates;
    const auto count = [&] {
        return fmt::format(
            "{} vv, {} ev, {} ee, {} fv", candidates.vv.size(), candidates.ev.size(), candidates.ee.size(),
            candidates.fv.size());
    };
    bench.time("candidates, still", [&] {
        candidates.build(mesh, start.vertices, options.dhat / 2);
        return count();
    });
    bench.time("detection, first", [&] {
        Detection detection(mesh, {.range = options.dhat});
        detection.update(start.vertices);
        return fmt::format("{} pairs, smallest distance {:.6g} m", detection.size(), detection.smallest_distance());
    });
    Detection detection(mesh, {.range = options.dhat});
    detection.update(start.vertices);
    bench.time("detection, again (distances only)", [&] {
        detection.update(start.vertices);
        return fmt::format("{} pairs", detection.size());
    });
    bench.time("has_intersections", [&] { return has_intersections(mesh, start.vertices) ? "yes" : "no"; });
    if (end == nullptr)
        return;
    bench.time("candidates, moving", [&] {
        candidates.build(mesh, start.vertices, end->vertices, 0);
        return count();
    });
    bench.time("collision-free step size", [&] {
        const StepLimit limit = find_collision_free_stepsize(mesh, start.vertices, end->vertices);
        return fmt::format("step {:.6g} after {} pairs", limit.step, limit.num_pairs);
    });
}

ExitCode run_bench(const BenchOptions& options)
{
    const MeshData start = read_obj(options.start);
    std::optional<MeshData> end;
    if (!options.end.empty()) {
        end = read_obj(options.end);
        if (end->vertices.rows() != start.vertices.rows())
            reject(
                "{}: {} vertices, but {} has {}; both must be the same mesh", options.end.string(),
                end->vertices.rows(), options.start.string(), start.vertices.rows());
    }
    const double bandwidth = bench::triad_bandwidth(), rate = bench::fma_rate();
    if (!options.json) {
        fmt::print(
            "abut {}, {} threads; triad {:.1f} GB/s, multiply-add {:.1f} Gflop/s a core; {} runs each\n\n", version,
            num_threads(), bandwidth, rate, options.repetitions);
        fmt::print("{:<34} {:>10} {:>10}  {}\n", "operation", "median ms", "fastest ms", "result");
    }
    Bench bench(options);
    time_detection(bench, options, start, end ? &*end : nullptr);
    if (options.json) {
        nlohmann::json report{
            {"abut", version},
            {"threads", num_threads()},
            {"triad_GB_per_s", bandwidth},
            {"fma_Gflop_per_s_per_core", rate},
            {"dhat", options.dhat},
            {"repetitions", options.repetitions},
            {"operations", nlohmann::json::array()}};
        for (const Timing& timing : bench.timings())
            report["operations"].push_back(
                {{"name", timing.name},
                 {"median_ms", timing.median},
                 {"fastest_ms", timing.fastest},
                 {"result", timing.result}});
        fmt::print("{}\n", report.dump(2));
    }
    return ExitCode::done;
}

} // namespace

void add_bench_command(CLI::App& app, ExitCode& exit_code)
{
    CLI::App* command = app.add_subcommand("bench", "Time Abut's operations on a mesh of yours");
    auto options = std::make_shared<BenchOptions>();
    command->add_option("T0", options->start, "OBJ file: the mesh at the start of a step")->required();
    command->add_option("T1", options->end, "OBJ file: the same mesh at the end of the step");
    command->add_option("--dhat", options->dhat, "Distance at which contact begins [m]")
        ->required()
        ->check(CLI::PositiveNumber);
    command->add_option("--repetitions", options->repetitions, "Runs of each operation, of which the median counts")
        ->capture_default_str()
        ->check(CLI::Range(1, 10000));
    command->add_flag("--json", options->json, "Print the times as JSON");
    add_threads_option(*command);
    command->callback([options, &exit_code] { exit_code = run_bench(*options); });
}

} // namespace abut
