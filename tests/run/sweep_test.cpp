#include "abut/run/sweep/sweep.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"
#include "abut/io/scene_json.hpp"
#include "abut/run/sweep/results.hpp"
#include "abut/run/sweep/snakefile.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <csignal>

namespace abut::test::sweep_test {
namespace {

constexpr const char* two_cubes = R"({
    "format": 1, "name": "cubes", "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}],
    "objects": [{"name": "a-b", "geometry": {"generate": "tet_box", "subdivisions": [1, 1, 1]},
                 "transform": {"translate": [0, 0.6, 0]}},
                {"name": "c", "geometry": {"generate": "tet_box", "subdivisions": [1, 1, 1]},
                 "transform": {"translate": [0, 1.7, 0]}}],
    "time": {"dt": 0.01, "steps": 12}})";

SweepPlan plan_of(const std::vector<VariedKey>& varied, const SweepOptions& options = {})
{
    return make_sweep_plan(
        parse_scene_source(two_cubes, "cubes", "."), all_combinations(varied), options, "cubes", ".");
}

/// Three steps, of which the second has contact.
ResultFolder three_steps_with_contact()
{
    const auto folder = std::filesystem::path(testing::TempDir()) / "abut_sweep_observe";
    std::filesystem::create_directories(folder);
    write_file(folder / "scene.json", "{}");
    std::string text;
    for (int k = 1; k <= 3; ++k) {
        StepRecord record;
        record.step = k;
        record.time = 0.1 * k;
        record.iterations = 2 * k;
        if (k == 2) {
            record.smallest_distance = 1e-3;
            record.forces = {{"a-b", "c", Vec3(0, 3, 0), Vec3(4, 0, 0)}, {"c", "plane 0", Vec3(2, 0, 0), Vec3::Zero()}};
        }
        text += to_json_line(record) + "\n";
    }
    write_file(folder / "stats.jsonl", text);
    return ResultFolder::open(folder, false);
}

TEST(Observables, AreNumbersOfTheSteps)
{
    const Scene scene = parse_scene(two_cubes, "cubes", ".");
    const std::vector<std::pair<const char*, double>> cases{
        {"max(iterations)", 6},
        {"min(iterations)", 2},
        {"mean(iterations)", 4},
        {"sum(iterations)", 12},
        {"first(iterations)", 2},
        {"last(iterations)", 6},
        {"max(contact_force)", 7}, // |(4, 3, 0)| + |(2, 0, 0)|
        {"last(contact_force)", 0},
        {"max(force:a-b-c)", 5},
        {"max(force:c-a-b)", 5},
        {"max(force:plane 0-c)", 2},
        {"max(force:a-b-plane 0)", 0}, // these never touch
        {"mean(smallest_distance)", 1e-3},
        {"last(smallest_distance)", 1e-3}, // steps without contact have none
        {"max(residual)", NAN}};
    std::vector<Observable> observables;
    for (const auto& [text, value] : cases)
        observables.push_back(parse_observable(text, scene));
    const std::vector<double> observed = observe(three_steps_with_contact(), observables);
    for (std::size_t k = 0; k < cases.size(); ++k)
        if (std::isnan(cases[k].second))
            EXPECT_TRUE(std::isnan(observed[k])) << cases[k].first;
        else
            EXPECT_DOUBLE_EQ(observed[k], cases[k].second) << cases[k].first;
}

TEST(SweepPlan, JobsHaveEveryPointOnce)
{
    for (const int group : {1, 2, 3, 5, 7, 8, 100}) {
        const SweepPlan plan = plan_of({{"time.steps", {"1", "2", "3", "4", "5", "6", "7"}}}, {.group = group});
        std::vector<int> count(plan.points.size(), 0);
        for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
            const std::vector<std::size_t> points = plan.points_of_job(job);
            EXPECT_TRUE(!points.empty() && points.size() <= static_cast<std::size_t>(group));
            for (const std::size_t k : points)
                ++count[k];
        }
        EXPECT_EQ(count, std::vector<int>(7, 1)) << group;
    }
}

TEST(SweepPlan, SurvivesItsFile)
{
    const SweepPlan plan = plan_of(
        {{"time.integrator", {"implicit_euler", "quasi_static"}}, {"time.steps", {"3", "4"}}},
        {.threads = 2, .group = 3, .time_limit = 5, .collect = {"max(contacts)"}});
    EXPECT_TRUE(plan.points[0].has_inertia && !plan.points[2].has_inertia);
    EXPECT_EQ(plan.points[1].steps, 4);
    const nlohmann::json json = sweep_to_json(plan);
    EXPECT_EQ(sweep_to_json(sweep_from_json(json, "sweep.json")), json);
    for (const char* key : {"name", "scene", "keys", "points", "options", "files"}) {
        nlohmann::json less = json;
        less.erase(key);
        EXPECT_THROW(static_cast<void>(sweep_from_json(less, "sweep.json")), InvalidInput) << key;
    }
    nlohmann::json outside = json;
    outside["points"][0]["folder"] = "../elsewhere";
    EXPECT_THROW(static_cast<void>(sweep_from_json(outside, "sweep.json")), InvalidInput);
}

TEST(Sweep, RunsAgainWhatMayEndOtherwise)
{
    const auto report = [](int exit_code, int signal, double time_limit = 0) {
        return PointReport{.child = {.exit_code = exit_code, .signal = signal}, .time_limit = time_limit};
    };
    EXPECT_FALSE(is_settled({}, {}));
    for (const int code : {0, 1, 3, 4, 5, 6, 70})
        EXPECT_TRUE(is_settled(report(code, 0), {})) << code;
    for (const int code : {7, 127, 130})
        EXPECT_FALSE(is_settled(report(code, 0), {})) << code;
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS})
        EXPECT_TRUE(is_settled(report(0, signal), {})) << signal;
    for (const int signal : {SIGKILL, SIGTERM, SIGINT})
        EXPECT_FALSE(is_settled(report(0, signal), {})) << signal;
    EXPECT_TRUE(is_settled(report(0, SIGKILL, 5), {.time_limit = 5}));
    EXPECT_TRUE(is_settled(report(0, SIGKILL, 5), {.time_limit = 4}));
    EXPECT_FALSE(is_settled(report(0, SIGKILL, 5), {.time_limit = 6}));
    EXPECT_FALSE(is_settled(report(0, SIGKILL, 5), {.time_limit = 0})) << "no limit is longer than any";
}

TEST(Sweep, GroupsGrowWithThePoints)
{
    EXPECT_EQ(usual_group(1, 2), 1);
    EXPECT_EQ(usual_group(16, 2), 1);
    EXPECT_EQ(usual_group(17, 2), 2);
    EXPECT_EQ(usual_group(200, 2), 13);
    EXPECT_EQ(usual_group(10'000, 2), 50);
    EXPECT_EQ(usual_group(10'000, 100), 13);
}

TEST(Snakefile, QuotesTheCommand)
{
    const std::string text = snakefile_of(plan_of({{"time.steps", {"3", "4"}}}), {"/a b/{x}/\"q\"/ü", "sweep-job"});
    EXPECT_NE(text.find(R"(COMMAND = ["/a b/{x}/\"q\"/ü","sweep-job"])"), std::string::npos) << text;
    EXPECT_NE(text.find(R"(JOBS = ["001","002"])"), std::string::npos);
}

} // namespace
} // namespace abut::test::sweep_test
