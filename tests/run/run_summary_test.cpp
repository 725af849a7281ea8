#include "abut/run/run_summary.hpp"

#include <gtest/gtest.h>

namespace abut {

namespace {

/// A step that converged and was verified.
StepRecord good_record(int step)
{
    StepRecord record;
    record.step = step;
    record.iterations = 2;
    record.contacts = 10 * step;
    record.smallest_distance = 1e-3 / step;
    record.balance.gain = -0.5;
    record.verified = Verification{.is_checked = true};
    return record;
}

RunSummary summary_of(const std::vector<StepRecord>& records)
{
    RunSummary summary;
    for (const StepRecord& record : records)
        summary.add(record);
    return summary;
}

} // namespace

TEST(RunSummary, AddsCountsAndKeepsExtremes)
{
    std::vector<StepRecord> records{good_record(1), good_record(2), good_record(4)};
    records[1].balance.gain = 0.25;
    records[1].balance.kinetic = 3;
    records[1].balance.elastic = -1;
    records[2].balance.gain = NAN; // as of a line that lacks it
    records[2].smallest_distance = INFINITY;
    const RunSummary summary = summary_of(records);
    EXPECT_EQ(summary.steps, 3);
    EXPECT_EQ(summary.iterations, 6);
    EXPECT_EQ(summary.most_contacts, 40);
    EXPECT_EQ(summary.smallest_distance, 5e-4);
    EXPECT_EQ(summary.distance_text("-"), "5.000e-04 m");
    EXPECT_EQ(summary.largest_gain, 0.25);
    EXPECT_EQ(summary.largest_energy, 4);
    EXPECT_EQ(RunSummary().distance_text("none"), "none");
}

TEST(Verdict, IsGoodOnlyForAllStepsVerifiedAndConverged)
{
    const RunSummary two = summary_of({good_record(1), good_record(2)});
    EXPECT_EQ(verdict_of(two, {.steps = 2}), Verdict::good);
    EXPECT_EQ(verdict_of(two, {.steps = 3}), Verdict::unfinished);
    EXPECT_EQ(verdict_of({}, {.steps = 3}), Verdict::nothing_yet);
    StepRecord unverified = good_record(1);
    unverified.verified.reset();
    EXPECT_EQ(verdict_of(summary_of({unverified}), {.steps = 1}), Verdict::not_verified);
}

TEST(Verdict, TellsWhatIsWorstFirst)
{
    StepRecord crossing = good_record(1), failing = good_record(2);
    crossing.verified->num_intersections = 3;
    failing.outcome = "iteration_limit";
    failing.message = "too slow";
    const RunSummary found = summary_of({crossing, good_record(2)}), both = summary_of({crossing, failing});
    EXPECT_EQ(verdict_of(found, {.steps = 2}), Verdict::not_good);
    EXPECT_EQ(
        explain_verdict(found, {.steps = 2}).reason,
        "2 of 2 steps; the exact tests found 3 intersections and 0 inverted elements.");
    EXPECT_EQ(verdict_of(both, {.steps = 2}), Verdict::failed);
    EXPECT_NE(
        explain_verdict(both, {.steps = 2}).reason.find("Step 2 ended in iteration_limit: too slow"),
        std::string::npos);
}

TEST(Verdict, AsksForTheBalanceOfMomentumOnlyWhereThereIsInertia)
{
    StepRecord record = good_record(1);
    record.balance.momentum_defect = 0.25;
    const RunSummary summary = summary_of({record});
    EXPECT_EQ(verdict_of(summary, {.steps = 1}), Verdict::inaccurate);
    EXPECT_EQ(verdict_of(summary, {.steps = 1, .has_inertia = false}), Verdict::good);
    record.verified.reset();
    EXPECT_EQ(verdict_of(summary_of({record}), {.steps = 1}), Verdict::inaccurate) << "also where nothing was verified";
}

TEST(Verdict, CountsStepsWhoseIterationsRanOutAndSaysHowFarOffTheyAre)
{
    StepRecord far = good_record(2), near = good_record(3);
    far.outcome = near.outcome = "not_converged";
    far.relative_residual = 0.034;
    near.relative_residual = 0.002;
    EXPECT_FALSE(far.is_converged());
    EXPECT_FALSE(far.is_failed());
    const RunSummary summary = summary_of({good_record(1), far, near});
    EXPECT_EQ(summary.not_converged, 2);
    EXPECT_FALSE(summary.failed.has_value());
    EXPECT_EQ(verdict_of(summary, {.steps = 3}), Verdict::inaccurate);
    EXPECT_EQ(verdict_of(summary, {.steps = 3, .has_inertia = false}), Verdict::inaccurate);
    const VerdictText text = explain_verdict(summary, {.steps = 3});
    EXPECT_EQ(text.words, "Free of intersections, but inaccurate.");
    EXPECT_EQ(
        text.reason,
        "3 of 3 steps; 2 of them did not converge within their iterations; the farthest off is step 2, with forces at "
        "0.034 of what they were at first or of the weight: raise solver.iterations or solver.max_iterations, or ask "
        "for less.");
    // A line of the statistics brings all of it back.
    const std::optional<StepRecord> read = parse_record(to_json_line(far));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->outcome, "not_converged");
    EXPECT_EQ(read->relative_residual, 0.034);
}

TEST(RunSummary, SaysHowFarOffLaggedFrictionIsWhereThereIsSome)
{
    EXPECT_EQ(summary_of({good_record(1)}).lag_text(), "");
    StepRecord little = good_record(1), much = good_record(2);
    little.lag_residual = 0.01;
    much.lag_residual = 0.03;
    EXPECT_EQ(
        summary_of({little, much, good_record(3)}).lag_text(),
        "off by 0.02 of the most it can be on average, at most by 0.03, in step 2");
    much.lag_residual = 0.39;
    EXPECT_EQ(
        summary_of({little, much}).lag_text(), "off by 0.2 of the most it can be on average, at most by 0.39, in step "
                                               "2; raise solver.friction_iterations, with "
                                               "a solver.friction_tolerance, or lower time.dt");
}

TEST(Verdict, ForgivesAShortRunOneHardImpact)
{
    StepRecord impact = good_record(2);
    impact.balance.momentum_defect = 0.0102; // of a box that falls on a floor, ten steps
    EXPECT_EQ(verdict_of(summary_of({good_record(1), impact}), {.steps = 2}), Verdict::good);
    EXPECT_EQ(verdict_of(summary_of({impact, impact, good_record(3)}), {.steps = 3}), Verdict::inaccurate);
}

TEST(Verdict, IsWrongWhereNumbersMustNotBeUsed)
{
    for (const Verdict verdict : {Verdict::inaccurate, Verdict::not_good, Verdict::failed})
        EXPECT_TRUE(is_wrong(verdict));
    for (const Verdict verdict : {Verdict::good, Verdict::unfinished, Verdict::nothing_yet, Verdict::not_verified})
        EXPECT_FALSE(is_wrong(verdict));
}

TEST(Verdict, HasAName)
{
    EXPECT_EQ(to_string(Verdict::good), "good");
    EXPECT_EQ(to_string(Verdict::not_good), "not_good");
}

} // namespace abut
