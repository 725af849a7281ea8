#include "abut/run/step_record.hpp"

#include <gtest/gtest.h>

namespace abut {

namespace {

StepRecord full_record()
{
    StepRecord record;
    record.step = 7;
    record.time = 0.07;
    record.outcome = "iteration_limit";
    record.message = "ended after 3 iterations";
    record.iterations = 3;
    record.cut_by_guard = 2;
    record.cut_by_line_search = 1;
    record.linear_iterations = 40;
    record.detections = 5;
    record.lags = 4;
    record.lag_residual = 0.1 + 0.7;
    record.residual = 2e-3;
    record.contacts = 12;
    record.smallest_distance = 1.25e-4;
    record.stiffness = 1e5;
    record.script_lag = 0.1 + 0.2; // takes 17 digits
    record.balance = {
        .kinetic = 1,
        .elastic = 2,
        .contact = 3,
        .gravity = -4,
        .script_work = 5,
        .friction_loss = 6,
        .damping_loss = 11,
        .plastic_loss = 12,
        .gain = -7,
        .momentum = Vec3(8, 9, 10),
        .momentum_defect = 1e-3};
    record.forces = {{"cube", "plane 0", Vec3(0, 80, 0), Vec3(1, 0, -2)}};
    record.verified = {.is_checked = true, .num_intersections = 2, .smallest_distance = INFINITY, .num_inverted = 1};
    record.times = {
        .update = 0.1,
        .evaluate = 0.2,
        .assemble = 0.3,
        .symbolic = 0.7,
        .factorize = 0.4,
        .guard = 0.5,
        .line_search = 0.6};
    return record;
}

} // namespace

TEST(StepRecord, IsReadAsItWasWritten)
{
    const std::string line = to_json_line(full_record());
    const std::optional<StepRecord> read = parse_record(line);
    ASSERT_TRUE(read);
    EXPECT_EQ(to_json_line(*read), line);
    EXPECT_EQ(read->script_lag, 0.1 + 0.2);
    EXPECT_EQ(read->balance.momentum, Vec3(8, 9, 10));
    EXPECT_EQ(read->forces.at(0).friction, Vec3(1, 0, -2));
    EXPECT_EQ(read->verified.value().num_inverted, 1);
    EXPECT_EQ(read->verified.value().smallest_distance, INFINITY);
    EXPECT_EQ(read->times.line_search, 0.6);
    EXPECT_EQ(read->times.symbolic, 0.7);
    EXPECT_EQ(read->cut_by_guard, 2);
    EXPECT_EQ(read->cut_by_line_search, 1);
    EXPECT_EQ(read->linear_iterations, 40);
    EXPECT_EQ(read->detections, 5);
    EXPECT_EQ(read->lags, 4);
    EXPECT_EQ(read->lag_residual, 0.1 + 0.7);
    EXPECT_EQ(read->residual, 2e-3);
}

TEST(StepRecord, OfAConvergedStepHasNoMessageAndOfAnUnverifiedOneNoVerification)
{
    StepRecord record = full_record();
    record.outcome = "converged";
    record.verified.reset();
    const std::string line = to_json_line(record);
    EXPECT_EQ(line.find("message"), std::string::npos);
    EXPECT_EQ(line.find("verification"), std::string::npos);
    EXPECT_FALSE(parse_record(line)->verified);
}

TEST(StepRecord, WithoutContactHasNoDistance)
{
    StepRecord record = full_record();
    record.smallest_distance = INFINITY;
    const std::string line = to_json_line(record);
    EXPECT_NE(line.find("\"smallest_distance\":null"), std::string::npos);
    EXPECT_EQ(parse_record(line)->smallest_distance, INFINITY);
}

TEST(StepRecord, OfAnotherVersionMayLackAllButTheStep)
{
    const std::optional<StepRecord> record = parse_record(R"({"step": 2, "energy": 3, "forces": {}})");
    ASSERT_TRUE(record);
    EXPECT_TRUE(record->is_converged());
    EXPECT_EQ(record->iterations, 0);
    EXPECT_TRUE(std::isnan(record->balance.kinetic));
    EXPECT_TRUE(std::isnan(record->balance.momentum_defect));
    EXPECT_EQ(record->times.total(), 0);
}

TEST(StepRecord, IsNoLineOfAnythingElse)
{
    for (const char* line :
         {"", "nonsense", "[]", "1", R"({"time":1})", R"({"step":"x"})", R"({"step":-1})", R"({"step":1e300})",
          R"({"step":1,"time":null})", R"({"step":1,"outcome":1})", R"({"step":1,"seconds":[1]})",
          R"({"step":1,"seconds":{"guard":""}})", R"({"step":1,"forces":[1]})", R"({"step":1,"forces":[{"on":"a"}]})"})
        EXPECT_FALSE(parse_record(line)) << line;
}

} // namespace abut
