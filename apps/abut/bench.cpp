// `abut bench T0.obj [T1.obj] --dhat D`: how long Abut's operations take on a user's own mesh; with --compare, beside
// another build of Abut in turns.

#include "calibration.hpp"
#include "commands.hpp"

#include "abut/base/parallel.hpp"
#include "abut/base/version.hpp"
#include "abut/contact/barrier_potential.hpp"
#include "abut/contact/friction/tangential_potential.hpp"
#include "abut/contact/gcp/smooth_contact_potential.hpp"
#include "abut/contact/ogc/trust_region.hpp"
#include "abut/detect/detection.hpp"
#include "abut/detect/intersections.hpp"
#include "abut/detect/step_size.hpp"
#include "abut/io/obj.hpp"
#include "abut/linear/hessian_cache.hpp"
#include "abut/run/bench_comparison.hpp"
#include "abut/run/judged_run.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <ctime>
#include <limits>
#include <numeric>

namespace abut {

namespace {

struct BenchOptions {
    std::filesystem::path start, end;
    double dhat = 0;
    int repetitions = 7;
    std::string only;            ///< times operations only that have this in their names
    std::filesystem::path other; ///< to compare with; empty: none
    int rounds = 5;
    bool json = false;

    [[nodiscard]] bool wants(const std::string& name) const { return name.find(only) != std::string::npos; }
};

/// The times of one operation [ms] and what it found.
struct Timing {
    std::string name;
    double median, fastest;
    double cpu; ///< of all threads together, the least of all runs; other programs on the machine disturb it less
    std::string result;
};

class Bench {
public:
    explicit Bench(const BenchOptions& options) : options_(options) {}

    /// Runs `operation` several times; it returns a line about its result. One that is not asked for runs once, for
    /// what it makes is used by others.
    template <typename Operation>
    void time(const std::string& name, Operation&& operation)
    {
        if (!options_.wants(name)) {
            operation();
            return;
        }
        std::vector<double> times;
        double cpu = std::numeric_limits<double>::infinity();
        std::string result;
        for (int i = 0; i < options_.repetitions; ++i) {
            const auto start = std::chrono::steady_clock::now();
            const std::clock_t cpu_start = std::clock();
            result = operation();
            cpu = std::min(cpu, 1e3 * static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC);
            times.push_back(
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        }
        std::sort(times.begin(), times.end());
        timings_.push_back({name, times[times.size() / 2], times.front(), cpu, result});
        if (!options_.json)
            fmt::print(
                "{:<34} {:>10.2f} {:>10.2f} {:>10.2f}  {}\n", name, timings_.back().median, timings_.back().fastest,
                cpu, result);
    }

    [[nodiscard]] bool wants(const std::string& name) const { return options_.wants(name); }
    [[nodiscard]] const std::vector<Timing>& timings() const { return timings_; }

private:
    const BenchOptions& options_;
    std::vector<Timing> timings_;
};

/// The contact mesh of a file, made as often as asked for.
auto mesh_maker(const MeshData& data)
{
    return [&data, given = edges(data.faces)] {
        return data.edges.rows() > 0 ? CollisionMesh(data) : CollisionMesh(data.vertices, given, data.faces);
    };
}

void time_detection(Bench& bench, const BenchOptions& options, const MeshData& start, const MeshData* end)
{
    const auto make_mesh = mesh_maker(start);
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

/// The Hessian of a potential: cold from nothing, warm with the pattern of the call before.
template <typename Hessian>
void time_hessian(Bench& bench, const std::string& name, Hessian&& compute)
{
    if (!bench.wants(name + ", cold") && !bench.wants(name + ", warm"))
        return;
    bench.time(name + ", cold", [&] {
        HessianCache cache;
        compute(cache);
        return fmt::format("{} entries", cache.matrix().to_sparse().nonZeros());
    });
    HessianCache cache;
    compute(cache);
    Eigen::SparseMatrix<double> H = cache.matrix().to_sparse();
    bench.time(name + ", warm", [&] {
        compute(cache);
        cache.matrix().to_sparse(H);
        return std::string("pattern kept");
    });
}

void time_friction(
    Bench& bench, const CollisionMesh& mesh, const Positions& X, const Positions& V, const NormalCollisions& collisions,
    const BarrierPotential& barrier)
{
    TangentialCollisions tangential;
    bench.time("friction build", [&] {
        tangential.build(mesh, X, collisions, barrier, FrictionCoefficients::uniform(0.3));
        return fmt::format("{} collisions", tangential.size());
    });
    const FrictionPotential friction(1e-3);
    bench.time("friction gradient", [&] {
        return fmt::format("norm {:.12g}", friction.gradient(tangential, mesh, V).norm());
    });
    time_hessian(bench, "friction Hessian, clamped", [&](HessianCache& cache) {
        friction.hessian(tangential, mesh, V, PSDProjectionMethod::clamp, cache);
    });
}

/// OGC's contacts, bounds and cut steps. A step is what the vertices move in a second.
void time_ogc(
    Bench& bench, const BenchOptions& options, const CollisionMesh& mesh, const Positions& X, const Positions& step,
    const Candidates& candidates)
{
    const NormalCollisionsOptions set_options{.dhat = options.dhat, .set_type = CollisionSetType::ogc};
    NormalCollisions collisions;
    const auto count = [](const NormalCollisions& set) {
        return fmt::format(
            "{} collisions: {} vv, {} ev, {} ee, {} fv", set.size(), set.vv().size(), set.ev().size(), set.ee().size(),
            set.fv().size());
    };
    bench.time("OGC set", [&] {
        collisions.build(mesh, X, set_options);
        return count(collisions);
    });
    bench.time("OGC set from candidates", [&] {
        collisions.build(candidates, mesh, X, set_options);
        return count(collisions);
    });
    const TrustRegionOptions region_options{.dhat = options.dhat};
    bench.time("trust region update, first", [&] {
        TrustRegion region(mesh, region_options);
        region.update(X);
        return fmt::format("bounds from {:.3g} to {:.3g} m", region.bounds().minCoeff(), region.bounds().maxCoeff());
    });
    TrustRegion region(mesh, region_options);
    region.update(X);
    bench.time("trust region update, again", [&] {
        region.update(X);
        return fmt::format("{} collisions", region.collisions().size());
    });
    bench.time("trust region truncates a step", [&] {
        Positions dx = step;
        return fmt::format("{} of {} vertices cut", region.truncate(X, dx).num_truncated, mesh.num_vertices());
    });
}

/// The Geometric Contact Potential with the parameters that the toolkit recommends.
void time_gcp(
    Bench& bench, const std::string& name, const SmoothContactParameters& params, const CollisionMesh& mesh,
    const Positions& X, const Candidates& candidates)
{
    SmoothCollisions collisions;
    const auto count = [&] {
        const auto of = [&](PairKind kind) { return collisions.count(kind); };
        return fmt::format(
            "{} collisions: {} vv, {} ev, {} ee, {} fv", collisions.size(), of(PairKind::vertex_vertex),
            of(PairKind::edge_vertex), of(PairKind::edge_edge), of(PairKind::face_vertex));
    };
    bench.time(name + " adaptive extent", [&] {
        return fmt::format("smallest {:.6g} m", adaptive_extents(mesh, X, params).vertices.minCoeff());
    });
    bench.time(name + " set", [&] {
        collisions.build(mesh, X, params);
        return count();
    });
    bench.time(name + " set from candidates", [&] {
        collisions.build(candidates, mesh, X, params);
        return count();
    });
    const SmoothContactPotential potential(params);
    bench.time(name + " value", [&] { return fmt::format("{:.12g}", potential(collisions, mesh, X)); });
    bench.time(name + " gradient", [&] {
        return fmt::format("norm {:.12g}", potential.gradient(collisions, mesh, X).norm());
    });
    for (const auto& [kind, method] :
         {std::pair(" Hessian, exact", PSDProjectionMethod::none),
          std::pair(" Hessian, clamped", PSDProjectionMethod::clamp)})
        time_hessian(bench, name + kind, [&, method = method](HessianCache& cache) {
            potential.hessian(collisions, mesh, X, method, cache);
        });
}

void time_gcp(
    Bench& bench, const BenchOptions& options, const CollisionMesh& mesh, const Positions& X,
    const Candidates& candidates)
{
    time_gcp(bench, "GCP", SmoothContactParameters{.dhat = options.dhat}, mesh, X, candidates);
    // In the toolkit the exterior test is on or off for a whole mesh: here on if every part of it has an outside.
    SmoothContactParameters toolkit = SmoothContactParameters::toolkit(options.dhat);
    toolkit.alpha_t = 0.5;
    const auto& parts = mesh.components().components;
    toolkit.use_exterior_test =
        std::all_of(parts.begin(), parts.end(), [](const auto& part) { return part.is_closed_and_oriented(); });
    time_gcp(bench, "GCP toolkit", toolkit, mesh, X, candidates);
}

/// `V`: velocities, for friction.
void time_contact(
    Bench& bench, const BenchOptions& options, const CollisionMesh& mesh, const Positions& X, const Positions& V)
{
    Candidates candidates;
    candidates.build(mesh, X, options.dhat / 2);
    const NormalCollisionsOptions set_options{.dhat = options.dhat};
    NormalCollisions collisions;
    const auto count = [&] {
        return fmt::format(
            "{} collisions: {} vv, {} ev, {} ee, {} fv", collisions.size(), collisions.vv().size(),
            collisions.ev().size(), collisions.ee().size(), collisions.fv().size());
    };
    bench.time("convergent set from candidates", [&] {
        NormalCollisionsOptions convergent = set_options;
        convergent.set_type = CollisionSetType::convergent;
        collisions.build(candidates, mesh, X, convergent);
        return count();
    });
    bench.time("IPC set", [&] {
        collisions.build(mesh, X, set_options);
        return count();
    });
    bench.time("IPC set from candidates", [&] {
        collisions.build(candidates, mesh, X, set_options);
        return count();
    });
    time_ogc(bench, options, mesh, X, V, candidates);
    const BarrierPotential barrier(options.dhat);
    bench.time("barrier value", [&] { return fmt::format("{:.12g}", barrier(collisions, mesh, X)); });
    bench.time(
        "barrier gradient", [&] { return fmt::format("norm {:.12g}", barrier.gradient(collisions, mesh, X).norm()); });
    for (const auto& [name, method] :
         {std::pair("barrier Hessian, exact", PSDProjectionMethod::none),
          std::pair("barrier Hessian, clamped", PSDProjectionMethod::clamp)})
        time_hessian(bench, name, [&, method = method](HessianCache& cache) {
            barrier.hessian(collisions, mesh, X, method, cache);
        });
    const BarrierPotential analytic({.dhat = options.dhat, .hessian_mode = HessianMode::analytic});
    time_hessian(bench, "barrier Hessian, analytic", [&](HessianCache& cache) {
        analytic.hessian(collisions, mesh, X, PSDProjectionMethod::none, cache);
    });
    time_friction(bench, mesh, X, V, collisions, barrier);
    time_gcp(bench, options, mesh, X, candidates);
}

/// One run of a program, with the same options.
nlohmann::json run_program(const std::string& program, const BenchOptions& options)
{
    std::vector<std::string> command{program, "bench", options.start.string()};
    if (!options.end.empty())
        command.push_back(options.end.string());
    for (const std::string& word :
         {std::string("--dhat"), fmt::format("{}", options.dhat), std::string("--repetitions"),
          fmt::format("{}", options.repetitions), std::string("--threads"), fmt::format("{}", num_threads()),
          std::string("--json")})
        command.push_back(word);
    if (!options.only.empty()) {
        command.emplace_back("--only");
        command.push_back(options.only);
    }
    const ChildReport report = run_child(
        command, [] { return true; }, {}, ChildOutput::kept);
    if (report.exit_code != 0 || report.signal != 0)
        reject("--compare: {} bench: {}", program, message_of(report));
    const nlohmann::json printed = nlohmann::json::parse(report.output, nullptr, false);
    if (printed.is_discarded())
        reject("--compare: {} bench --json printed no JSON; is it a program of Abut?", program);
    return printed;
}

/// Runs this program and another in turns; each is the first of a round as often as the other.
ExitCode run_comparison(const BenchOptions& options)
{
    // A name without a folder is one of this folder: the programs of PATH are not looked through.
    const std::string other = std::filesystem::absolute(options.other).string(), own = "/proc/self/exe";
    std::vector<BenchRound> rounds;
    for (int i = 0; i < options.rounds; ++i) {
        BenchRound round;
        for (const bool is_other : {i % 2 == 0, i % 2 != 0})
            (is_other ? round.other : round.own) = run_program(is_other ? other : own, options);
        rounds.push_back(std::move(round));
        if (!options.json)
            fmt::print(stderr, "round {} of {}\n", i + 1, options.rounds);
    }
    const BenchComparison comparison = compare_rounds(rounds);
    if (options.json) {
        nlohmann::json report = comparison_to_json(comparison);
        report["other"] = other;
        report["rounds"] = options.rounds;
        report["repetitions"] = options.repetitions;
        report["threads"] = num_threads();
        report["dhat"] = options.dhat;
        fmt::print("{}\n", report.dump(2));
    } else
        fmt::print(
            "own: abut {}; other: {}; {} threads; {} rounds of {} runs each; ratios are own / other\n\n{}", version,
            other, num_threads(), options.rounds, options.repetitions, comparison_to_text(comparison));
    return ExitCode::done;
}

ExitCode run_bench(const BenchOptions& options)
{
    if (!options.other.empty())
        return run_comparison(options);
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
            "abut {}, {} threads; triad {:.1f} GB/s, multiply-add {:.1f} Gflop/s per core; {} runs each\n\n", version,
            num_threads(), bandwidth, rate, options.repetitions);
        fmt::print("{:<34} {:>10} {:>10} {:>10}  {}\n", "operation", "median ms", "fastest ms", "CPU ms", "result");
    }
    Bench bench(options);
    time_detection(bench, options, start, end ? &*end : nullptr);
    // Without a second mesh, a slow twist about the origin.
    Positions V = end ? Positions(end->vertices - start.vertices) : Positions(start.vertices.rowwise().reverse());
    time_contact(bench, options, mesh_maker(start)(), start.vertices, V);
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
                 {"cpu_ms", timing.cpu},
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
        ->check(CLI::Validator(
            [](const std::string& text) {
                return std::strtod(text.c_str(), nullptr) > 0 ? std::string() : text + " is not above 0";
            },
            ""));
    command->add_option("--repetitions", options->repetitions, "Runs of each operation, of which the median counts")
        ->capture_default_str()
        ->check(CLI::Range(1, 10000));
    command->add_option("--only", options->only, "Time operations only that have this in their names");
    CLI::Option* compare = command->add_option(
        "--compare", options->other,
        "Another build of the program: both run in turns, and ratios of their times are printed");
    command->add_option("--rounds", options->rounds, "Of --compare: how often each program runs")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000))
        ->needs(compare);
    command->add_flag("--json", options->json, "Print the times as JSON");
    add_threads_option(*command);
    command->callback([options, &exit_code] { exit_code = run_bench(*options); });
}

} // namespace abut
