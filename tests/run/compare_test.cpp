#include "abut/run/compare/compare.hpp"

#include "abut/base/error.hpp"
#include "abut/run/compare/frame_distance.hpp"
#include "abut/run/compare/measure.hpp"
#include "abut/run/compare/times.hpp"
#include "abut/run/plan_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>

namespace abut {

namespace {

constexpr const char* cube = R"({
    "format": 1, "name": "cube", "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}],
    "objects": [{"name": "cube", "geometry": {"generate": "tet_box", "subdivisions": [1, 1, 1]},
                 "transform": {"translate": [0, 0.6, 0]}}],
    "time": {"dt": 0.01, "steps": 12}, "output": {"every": 2}, "solver": {"tolerance": 1e-3}})";

ComparePlan plan_of(const std::vector<VariedKey>& varied, const CompareOptions& options = {})
{
    return make_plan(parse_scene_source(cube, "cube", "."), all_combinations(varied), options);
}

std::string refusal_of(const std::vector<VariedKey>& varied, const CompareOptions& options = {})
{
    try {
        static_cast<void>(plan_of(varied, options));
        return "";
    } catch (const InvalidInput& error) {
        return error.what();
    }
}

/// Two objects: three vertices that move, then two of an obstacle.
Frame frame_of(const Positions& x)
{
    Frame frame;
    frame.mesh.vertices = x;
    frame.mesh.faces.resize(1, 3);
    frame.mesh.faces << 0, 1, 2;
    frame.objects = {0, 0, 0, 1, 1};
    return frame;
}

} // namespace

TEST(ComparePlan, ScalesStepsAndFramesToEqualTimes)
{
    const ComparePlan plan = plan_of({{"time.dt", {"0.01", "0.005", "0.02"}}});
    EXPECT_EQ(plan.end, 0.12);
    ASSERT_EQ(plan.variants.size(), 3U);
    const std::vector<std::array<int, 2>> wanted{{12, 2}, {24, 4}, {6, 1}};
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(plan.variants[k].steps, wanted[k][0]);
        EXPECT_EQ(plan.variants[k].every, wanted[k][1]);
    }
    EXPECT_EQ(
        plan.variants[1].settings, (std::vector<std::string>{"time.dt=0.005", "time.steps=24", "output.every=4"}));
    EXPECT_EQ(plan.frame_times.size(), 6U);
    EXPECT_EQ(plan.at, (std::vector<std::size_t>{0, 2, 5})) << "0.03 s lies between two frames";
}

TEST(ComparePlan, SavesFewerFramesWhereTimeStepsDoNotFitTheSceneRhythm)
{
    // 0.03 s steps meet frames of every 0.02 s at 0.06 s.
    const ComparePlan plan = plan_of({{"time.dt", {"0.01", "0.03"}}});
    EXPECT_EQ(plan.variants[0].every, 6);
    EXPECT_EQ(plan.variants[1].every, 2);
    ASSERT_EQ(plan.frame_times.size(), 2U);
    EXPECT_DOUBLE_EQ(plan.frame_times[0], 0.06);
}

TEST(ComparePlan, RefusesTimesThatCannotBeMadeEqual)
{
    const std::string text = refusal_of({{"time.dt", {"0.01", "0.007", "0.05"}}});
    EXPECT_NE(text.find("time.dt=0.007: 0.12 s are no whole number of steps of 0.007 s"), std::string::npos) << text;
    EXPECT_NE(text.find("time.dt=0.05: 0.12 s are no whole"), std::string::npos) << text;
    EXPECT_EQ(text.find("time.dt=0.01:"), std::string::npos) << text;
    EXPECT_NE(refusal_of({{"time.steps", {"12", "13"}}}).find("time.steps=13: ends at 0.13 s"), std::string::npos);
    EXPECT_NE(refusal_of({{"output.every", {"1", "2"}}}), "");
    EXPECT_NE(refusal_of({{"time.steps", {"0"}}}), "");
    EXPECT_NE(
        refusal_of({{"time.dt", {"0.01"}}}, {.at = {0.05}}).find("nearest are at 0.04 s and 0.06 s"),
        std::string::npos);
}

TEST(ComparePlan, NamesAllThatIsWrongAndWhatIsSharedOnce)
{
    const std::string text = refusal_of(
        {{"contact.modl", {"ipc"}}, {"time.dt", {"0.01", "-1"}}, {"solver.tolerance", {"x"}}},
        {.reference = {"foo=1"}});
    for (const char* const what :
         {"/contact/modl: unknown key", "/time/dt: -1 is out of range", "/solver/tolerance", "/foo"})
        EXPECT_NE(text.find(what), std::string::npos) << what << " in: " << text;
    EXPECT_EQ(text.find("/contact/modl"), text.rfind("/contact/modl")) << text;
}

TEST(ComparePlan, TakesAHundredthOfTheToleranceAsReference)
{
    const ComparePlan plan = plan_of({{"contact.model", {"ipc", "ogc"}}});
    ASSERT_TRUE(plan.reference);
    EXPECT_EQ(plan.reference->settings[0], "solver.tolerance=1e-05");
    EXPECT_EQ(plan_of({{"contact.model", {"ipc"}}}, {.reference = {"time.dt=0.005"}}).reference->steps, 24);
    EXPECT_FALSE(plan_of({{"contact.model", {"ipc"}}}, {.has_reference = false}).reference);
}

TEST(ComparePlan, TellsWhatDiffersFromAnother)
{
    const auto plan = plan_to_json(plan_of({{"contact.model", {"ipc", "ogc"}}}));
    EXPECT_TRUE(
        plan_differences(plan, plan_to_json(plan_of({{"contact.model", {"ipc", "ogc"}}}, {.at = {0.02}}))).empty());
    const auto other = plan_to_json(plan_of({{"contact.model", {"ipc", "ogc"}}}, {.repeat = 2}));
    EXPECT_EQ(plan_differences(plan, other), std::vector<std::string>{"/repeat: 1 there, 2 here"});
}

TEST(CompareFolder, IsFreeAgainAfterItWasRefused)
{
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "abut-compare-folder";
    std::filesystem::remove_all(folder);
    const ComparePlan plan = plan_of({{"time.dt", {"0.01"}}}), other = plan_of({{"time.dt", {"0.005"}}});
    static_cast<void>(CompareFolder(folder, plan, false));
    EXPECT_THROW(CompareFolder(folder, other, false), InvalidInput) << "it holds another comparison";
    EXPECT_FALSE(FolderLock::is_held(folder));
    {
        const CompareFolder replaced(folder, other, true);
        EXPECT_TRUE(FolderLock::is_held(folder));
        EXPECT_THROW(CompareFolder(folder, other, false), InvalidInput) << "it is being written";
    }
    EXPECT_FALSE(FolderLock::is_held(folder));
    std::filesystem::remove_all(folder);
}

TEST(FrameDistance, IsTakenVertexByVertexOverWhatCanMove)
{
    Positions x = Positions::Zero(5, 3), y = x;
    y.row(0) << 3, 4, 0; // 5 m
    y.row(4) << 0, 0, 2; // of the obstacle
    const auto distance = frame_distance(frame_of(y), frame_of(x), {true, false});
    ASSERT_TRUE(distance);
    EXPECT_DOUBLE_EQ(distance->all.root_mean_square, 5 / std::sqrt(3));
    EXPECT_DOUBLE_EQ(distance->all.largest, 5);
    EXPECT_DOUBLE_EQ(distance->bodies.at(0).largest, 5);
    EXPECT_DOUBLE_EQ(distance->bodies.at(1).root_mean_square, std::sqrt(2));
    EXPECT_DOUBLE_EQ(distance->bodies.at(1).largest, 2);
}

TEST(FrameDistance, IsNothingBetweenDifferentMeshes)
{
    const Frame frame = frame_of(Positions::Zero(5, 3));
    Frame other = frame;
    EXPECT_TRUE(frame_distance(frame, other, {true, true}));
    other.mesh.faces << 0, 2, 1;
    EXPECT_FALSE(frame_distance(frame, other, {true, true}));
    other = frame;
    other.objects = {0, 0, 1, 1, 1};
    EXPECT_FALSE(frame_distance(frame, other, {true, true}));
    other = frame;
    other.mesh.vertices.conservativeResize(4, 3);
    EXPECT_FALSE(frame_distance(frame, other, {true, true}));
    EXPECT_FALSE(frame_distance(frame, frame, {true})) << "an object that the plan does not know";
}

TEST(Repeated, HasAMedianAndASpread)
{
    EXPECT_EQ((Repeated{{3, 1, 2}}.median()), 2);
    EXPECT_EQ((Repeated{{4, 1, 2, 3}}.median()), 2.5);
    EXPECT_EQ((Repeated{{3, 1, 2}}.spread()), 2);
    EXPECT_TRUE(std::isnan(Repeated{{1}}.spread()));
    EXPECT_TRUE(std::isnan(Repeated{}.median()));
}

TEST(ChildProcess, TellsHowACommandEnded)
{
    const auto always = [] { return true; };
    const ChildReport failed = run_child({"/bin/sh", "-c", "echo lost; echo why >&2; exit 7"}, always);
    EXPECT_EQ(failed.exit_code, 7);
    EXPECT_EQ(failed.errors, "why\n");
    EXPECT_EQ(run_child({"/bin/sh", "-c", "kill -9 $$"}, always).signal, 9);
    const ChildReport missing = run_child({"/nowhere/abut"}, always);
    EXPECT_EQ(missing.exit_code, 127);
    EXPECT_EQ(missing.errors, "cannot be started: No such file or directory");
}

TEST(ChildProcess, MeasuresWhatItTook)
{
    const auto always = [] { return true; };
    const ChildReport slept = run_child({"/bin/sleep", "0.2"}, always);
    EXPECT_GE(slept.wall_seconds, 0.2);
    EXPECT_LT(slept.cpu_seconds, 0.1);
    const ChildReport worked =
        run_child({"/bin/sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"}, always);
    EXPECT_GT(worked.cpu_seconds, 0.02);
}

TEST(ChildProcess, IsKilledWhereItsCallerStops)
{
    const auto start = std::chrono::steady_clock::now();
    int asked = 0;
    const ChildReport report = run_child({"/bin/sleep", "60"}, [&] { return ++asked < 3; });
    EXPECT_TRUE(report.was_stopped);
    EXPECT_EQ(report.signal, SIGKILL);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

} // namespace abut
