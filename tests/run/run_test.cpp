#include "abut/run/run.hpp"

#include "abut/run/progress.hpp"
#include "abut/run/report.hpp"
#include "abut/run/verify_results.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>

namespace abut {

namespace fs = std::filesystem;

namespace {

/// A cube above a plane, ten steps, a frame every four.
constexpr const char* falling_cube = R"({
    "format": 1, "name": "cube", "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}],
    "objects": [{"name": "cube", "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [1, 1, 1]},
                 "transform": {"translate": [0, 0.101, 0]}, "material": {"youngs_modulus": 1e6}}],
    "time": {"dt": 0.01, "steps": 10}, "output": {"every": 4}})";

/// Counts what it is told, and may stop.
class Witness : public RunObserver {
public:
    explicit Witness(int last_step = 1000) : last_step_(last_step) {}

    bool after_step(const StepReport& report) override
    {
        steps.push_back(report.step);
        return report.step < last_step_;
    }
    void after_record(const StepRecord& record) override
    {
        records.push_back(record.step);
        detections.push_back(record.detections);
    }
    void after_frame(const Frame& frame) override { frames.push_back(frame.step); }

    std::vector<int> steps, records, frames;
    std::vector<std::int64_t> detections;

private:
    int last_step_;
};

} // namespace

class Run : public testing::Test {
protected:
    Run() { fs::remove_all(folder); }
    ~Run() override { fs::remove_all(folder); }

    /// Runs the cube into the folder.
    RunReport run_cube(RunObserver& observer, const std::vector<std::string>& settings = {}, RunOptions options = {})
    {
        const SceneSource source = parse_scene_source(falling_cube, "cube", ".", settings);
        Simulation simulation(source.scene);
        ResultFolder results = start_results(folder, {.force = true}, *source.json, simulation);
        return run(simulation, results, options, observer);
    }

    RunReport resume_cube(RunObserver& observer)
    {
        ResultFolder results = ResultFolder::open(folder, true);
        Simulation simulation = resume_results(results, [&](const std::string& text) { warnings.push_back(text); });
        return run(simulation, results, {}, observer);
    }

    [[nodiscard]] Frame last_frame() const
    {
        const ResultFolder results = ResultFolder::open(folder, false);
        return read_vtu(results.frame_path(results.frame_steps().back()));
    }

    const fs::path folder =
        fs::temp_directory_path() /
        fmt::format("abut_run_{}_{}", testing::UnitTest::GetInstance()->current_test_info()->name(), ::getpid());
    std::vector<std::string> warnings;
};

TEST_F(Run, RecordsEveryStepAndSavesFramesByTheirRhythmAndTheLast)
{
    Witness witness;
    const RunReport report = run_cube(witness);
    EXPECT_EQ(report.end, RunEnd::finished);
    EXPECT_EQ(report.verdict(), Verdict::good);
    EXPECT_EQ(report.exit_code(), ExitCode::done);
    EXPECT_EQ(witness.steps, (std::vector{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
    EXPECT_EQ(witness.records, witness.steps);
    EXPECT_EQ(witness.frames, (std::vector{4, 8, 10}));
    const ResultFolder results = ResultFolder::open(folder, false);
    EXPECT_EQ(results.frame_steps(), (std::vector{0, 4, 8, 10}));
    EXPECT_EQ(results.indexed_steps(), results.frame_steps());
    // The summary of a run is that of the lines it wrote.
    RunSummary read;
    EXPECT_TRUE(results.for_each_record([&](StepRecord&& record) { read.add(record); }).empty());
    EXPECT_EQ(read.steps, report.summary.steps);
    EXPECT_EQ(read.iterations, report.summary.iterations);
    EXPECT_EQ(read.verified, report.summary.verified);
    EXPECT_EQ(read.smallest_distance, report.summary.smallest_distance);
    EXPECT_EQ(read.largest_energy, report.summary.largest_energy);
    EXPECT_EQ(read.momentum.largest(), report.summary.momentum.largest());
    EXPECT_EQ(read.times.total(), report.summary.times.total());
}

TEST_F(Run, ThatTheObserverEndsResumesWithTheSameBits)
{
    Witness all;
    ASSERT_EQ(run_cube(all).end, RunEnd::finished);
    const Frame whole = last_frame();
    const std::vector<std::int64_t> detections = all.detections;
    EXPECT_GE(detections.back(), 2) << "it rests on the plane, where each iteration finds pairs";
    Witness some(5);
    const RunReport report = run_cube(some);
    EXPECT_EQ(report.end, RunEnd::interrupted);
    EXPECT_EQ(report.exit_code(), ExitCode::interrupted);
    EXPECT_EQ(report.summary.steps, 5);
    EXPECT_EQ(report.summary.verified, 2) << "the frame of step 4, and that of the step it ended with";
    EXPECT_EQ(some.frames, (std::vector{4, 5}));
    Witness rest;
    const RunReport resumed = resume_cube(rest);
    EXPECT_EQ(resumed.summary.steps, 5);
    EXPECT_EQ(resumed.whole.steps, 10);
    EXPECT_EQ(resumed.verdict(), Verdict::good) << "all of its steps are judged";
    EXPECT_TRUE(last_frame() == whole);
    EXPECT_TRUE(std::equal(rest.detections.begin(), rest.detections.end(), detections.begin() + 5));
    EXPECT_TRUE(warnings.empty());
}

TEST_F(Run, RefusesAMeshThatChangedBetweenBeingReadAndBeingKept)
{
    const fs::path files = folder / "files", out = folder / "out";
    fs::create_directories(files);
    const auto write_sheet = [&](const char* height) {
        std::ofstream(files / "sheet.obj") << "v 0 0 0\nv 1 0 0\nv 0 " << height << " 1\nf 1 3 2\n";
    };
    write_sheet("0");
    const SceneSource source = parse_scene_source(
        R"({"format": 1, "objects": [{"name": "box", "geometry": {"generate": "tet_box"}},
                                     {"name": "sheet", "geometry": {"file": "sheet.obj"},
                                      "transform": {"translate": [0, 1, 0]}}]})",
        "sheet", files);
    Simulation simulation(source.scene);
    for (const char* changed : {"0.1", "1e-15", "0 1\nv 1 0"}) {
        write_sheet(changed);
        try {
            const ResultFolder results = start_results(out, {.force = true}, *source.json, simulation);
            ADD_FAILURE() << changed << " was kept";
        } catch (const InvalidInput& error) {
            EXPECT_NE(
                std::string(error.what()).find("the mesh of 'sheet' has changed since the scene was read"),
                std::string::npos)
                << error.what();
        }
    }
    write_sheet("0.00");
    EXPECT_NO_THROW(static_cast<void>(start_results(out, {.force = true}, *source.json, simulation)));
    EXPECT_NO_THROW(static_cast<void>(verify_results(ResultFolder::open(out, false), [](const FrameFinding&) {})));
}

TEST_F(Run, MakesNoStepWhereTheObserverDoesNotLetItBegin)
{
    class Refusal final : public Witness {
        bool begin() override { return false; }
    } refusal;
    EXPECT_EQ(run_cube(refusal).end, RunEnd::interrupted);
    EXPECT_TRUE(refusal.steps.empty());
}

TEST_F(Run, WhoseObserverThrowsLeavesResultsThatResume)
{
    class Thrower final : public RunObserver {
        bool after_step(const StepReport& report) override
        {
            return report.step == 3 ? throw std::runtime_error("enough") : true;
        }
    } thrower;
    EXPECT_THROW(run_cube(thrower), std::runtime_error);
    EXPECT_EQ(last_frame().step, 3);
    Witness rest;
    EXPECT_EQ(resume_cube(rest).end, RunEnd::finished);
    EXPECT_EQ(rest.steps.front(), 4);
}

TEST_F(Run, EndsAtTheStepThatOptionsName)
{
    Witness witness;
    const RunReport report = run_cube(witness, {}, {.last_step = 2});
    EXPECT_EQ(report.end, RunEnd::finished);
    EXPECT_EQ(report.verdict(), Verdict::unfinished) << "of the scene's ten";
    EXPECT_EQ(last_frame().step, 2);
}

TEST_F(Run, WithAFailingStepLeavesAReproOfIt)
{
    Witness witness;
    const RunReport report = run_cube(witness, {"solver.max_iterations=1", "solver.tolerance=1e-12"});
    ASSERT_EQ(report.end, RunEnd::failed);
    EXPECT_EQ(report.exit_code(), ExitCode::not_converged);
    EXPECT_EQ(report.verdict(), Verdict::failed);
    ASSERT_TRUE(report.failure);
    EXPECT_EQ(report.failure->report.outcome, Outcome::iteration_limit);
    EXPECT_EQ(report.failure->soundness(), "The states before and after it are free of intersections");
    EXPECT_EQ(last_frame().step, report.failure->report.step);
    const ResultFolder repro = ResultFolder::open(report.failure->repro, false);
    EXPECT_EQ(repro.frame_steps(), (std::vector{report.failure->report.step - 1}));
}

TEST_F(Run, TellsOfDamagedFramesAndOddLinesWhenItResumes)
{
    Witness witness;
    ASSERT_EQ(run_cube(witness, {}, {.last_step = 8}).end, RunEnd::finished);
    fs::path last;
    {
        const ResultFolder results = ResultFolder::open(folder, false);
        last = results.frame_path(8);
    }
    fs::resize_file(last, 100);
    std::ofstream(folder / "stats.jsonl", std::ios::app) << "nonsense\n";
    Witness rest;
    EXPECT_EQ(resume_cube(rest).end, RunEnd::finished);
    ASSERT_EQ(warnings.size(), 3u);
    EXPECT_NE(warnings[0].find("line 9: not the statistics of a step; passed over"), std::string::npos);
    EXPECT_NE(warnings[1].find("The frame was removed."), std::string::npos);
    EXPECT_EQ(warnings[2], "continuing from frame 4");
    EXPECT_EQ(rest.steps.front(), 5);
}

TEST_F(Run, IsVerifiedFrameByFrameAndMissesFramesThatAreGone)
{
    Witness witness;
    ASSERT_EQ(run_cube(witness).end, RunEnd::finished);
    const auto tell = [](const FrameFinding& frame) { ADD_FAILURE() << "frame " << frame.step; };
    const ResultFolder results = ResultFolder::open(folder, false);
    EXPECT_TRUE(verify_results(results, tell).is_good());
    fs::remove(results.frame_path(4));
    const ResultsVerification verification = verify_results(results, tell);
    EXPECT_EQ(verification.num_frames, 3u);
    EXPECT_EQ(verification.missing, std::vector{4});
    EXPECT_FALSE(verification.is_good());
}

TEST_F(Run, IsSummedUpInAPage)
{
    Witness witness;
    ASSERT_EQ(run_cube(witness).end, RunEnd::finished);
    const WrittenReport written = write_report(ResultFolder::open(folder, false));
    EXPECT_TRUE(fs::exists(written.path));
    EXPECT_TRUE(written.passed_over.empty());
}

TEST_F(Run, NamesTheOptionsOfItsCallerWhereItRefusesAFolder)
{
    fs::create_directories(folder);
    std::ofstream(folder / "mine.txt") << "mine";
    const NewResults options{.force = true, .inputs = {}, .names = {.output = "out", .force = "force=True"}};
    try {
        static_cast<void>(ResultFolder::create(folder, options));
        FAIL();
    } catch (const InvalidInput& error) {
        EXPECT_NE(std::string(error.what()).find("which force=True does not remove"), std::string::npos);
    }
    EXPECT_TRUE(fs::exists(folder / "mine.txt"));
}

TEST(Progress, FillsItsBarAndNamesTheLastStep)
{
    const Progress progress(10, 20);
    EXPECT_EQ(progress.filled(10, 24), 0);
    EXPECT_EQ(progress.filled(15, 24), 12);
    EXPECT_EQ(progress.filled(20, 24), 24);
    StepRecord record;
    record.step = 20;
    record.time = 0.2;
    EXPECT_TRUE(progress.is_last(record));
    EXPECT_EQ(progress.text(record), "step 20/20  t = 0.2 s  0 iterations  0 contacts  gap -  ETA 0 s");
}

TEST(Progress, WritesDurationsWithTheUnitThatFits)
{
    EXPECT_EQ(duration_text(90), "90 s");
    EXPECT_EQ(duration_text(600), "10 min");
    EXPECT_EQ(duration_text(9000), "2.5 h");
}

} // namespace abut
