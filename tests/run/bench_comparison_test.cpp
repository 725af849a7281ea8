#include "abut/run/bench_comparison.hpp"

#include "abut/base/error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace abut::bench_comparison_test {

using nlohmann::json;

json operation(const std::string& name, double ms, double cpu_ms, const std::string& result = "1 pair")
{
    return {{"name", name}, {"median_ms", ms}, {"fastest_ms", ms / 2}, {"cpu_ms", cpu_ms}, {"result", result}};
}

json report(const std::vector<json>& operations) { return {{"abut", "0.0.0"}, {"operations", operations}}; }

TEST(BenchComparison, TakesRatiosWithinRoundsSoThatASlowMinuteOfTheMachineCancels)
{
    // The machine is ten times slower in the second round; the third has a ratio that stands out.
    const std::vector<BenchRound> rounds{
        {report({operation("a", 1, 2)}), report({operation("a", 2, 4)})},
        {report({operation("a", 10, 20)}), report({operation("a", 20, 25)})},
        {report({operation("a", 3, 3)}), report({operation("a", 1, 4)})}};
    const BenchComparison comparison = compare_rounds(rounds);
    ASSERT_EQ(comparison.operations.size(), 1U);
    const OperationRatio& row = comparison.operations[0];
    EXPECT_EQ(row.name, "a");
    EXPECT_EQ(row.ratio, 0.5);
    EXPECT_EQ(row.lowest, 0.5);
    EXPECT_EQ(row.highest, 3);
    EXPECT_EQ(row.cpu_ratio, 0.75);
    EXPECT_EQ(row.own_ms, 3);
    EXPECT_EQ(row.other_ms, 2);
    EXPECT_TRUE(row.has_same_result);
}

TEST(BenchComparison, TellsResultsThatDifferInAnyRound)
{
    const std::vector<BenchRound> rounds{
        {report({operation("a", 1, 1, "5 pairs")}), report({operation("a", 1, 1, "5 pairs")})},
        {report({operation("a", 1, 1, "5 pairs")}), report({operation("a", 1, 1, "6 pairs")})}};
    const BenchComparison comparison = compare_rounds(rounds);
    EXPECT_FALSE(comparison.operations[0].has_same_result);
    EXPECT_NE(comparison_to_text(comparison).find("DIFFERS"), std::string::npos);
}

TEST(BenchComparison, NamesOperationsThatOneProgramOnlyHas)
{
    const std::vector<BenchRound> rounds{
        {report({operation("a", 1, 1), operation("new", 1, 1)}),
         report({operation("old", 1, 1), operation("a", 4, 1)})}};
    const BenchComparison comparison = compare_rounds(rounds);
    ASSERT_EQ(comparison.operations.size(), 1U);
    EXPECT_EQ(comparison.operations[0].ratio, 0.25);
    EXPECT_EQ(comparison.only_own, std::vector<std::string>{"new"});
    EXPECT_EQ(comparison.only_other, std::vector<std::string>{"old"});
    const std::string text = comparison_to_text(comparison);
    EXPECT_NE(text.find("only here: new\n"), std::string::npos) << text;
    EXPECT_NE(text.find("only there: old\n"), std::string::npos) << text;
    const json as_json = comparison_to_json(comparison);
    EXPECT_EQ(as_json.at("operations").at(0).at("ratio"), 0.25);
    EXPECT_EQ(as_json.at("only_own"), json({"new"}));
}

TEST(BenchComparison, LeavesOutRatiosOfTimesTooShortToTell)
{
    const std::vector<BenchRound> rounds{{report({operation("a", 1, 0)}), report({operation("a", 1, 0)})}};
    const BenchComparison comparison = compare_rounds(rounds);
    EXPECT_TRUE(std::isnan(comparison.operations[0].cpu_ratio));
    EXPECT_TRUE(comparison_to_json(comparison).at("operations").at(0).at("cpu_ratio").is_null());
    EXPECT_EQ(comparison_to_text(comparison).find("nan"), std::string::npos);
}

TEST(BenchComparison, RejectsWhatIsNoReport)
{
    const json good = report({operation("a", 1, 1)});
    for (const json& bad :
         {json(3), json{{"operations", 3}}, json{{"operations", {{{"name", "a"}}}}}, json::object()}) {
        const std::vector<BenchRound> rounds{{good, bad}};
        EXPECT_THROW(static_cast<void>(compare_rounds(rounds)), InvalidInput) << bad.dump();
    }
}

} // namespace abut::bench_comparison_test
