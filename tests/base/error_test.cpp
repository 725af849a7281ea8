#include "abut/base/error.hpp"

#include <gtest/gtest.h>

namespace abut::test {
namespace {

TEST(Error, EveryKindKnowsItsExitCode)
{
    EXPECT_EQ(InvalidInput("").exit_code(), ExitCode::invalid_input);
    EXPECT_EQ(InvalidStart("").exit_code(), ExitCode::invalid_start);
    EXPECT_EQ(LimitReached("").exit_code(), ExitCode::limit_reached);
    EXPECT_EQ(InputOutput("").exit_code(), ExitCode::input_output);
    EXPECT_EQ(Error(ExitCode::not_converged, "").exit_code(), ExitCode::not_converged);
}

/// Shell scripts depend on the numbers.
TEST(Error, ExitCodesAreTheDocumentedNumbers)
{
    EXPECT_EQ(static_cast<int>(ExitCode::done), 0);
    EXPECT_EQ(static_cast<int>(ExitCode::findings), 1);
    EXPECT_EQ(static_cast<int>(ExitCode::bad_usage), 2);
    EXPECT_EQ(static_cast<int>(ExitCode::invalid_input), 3);
    EXPECT_EQ(static_cast<int>(ExitCode::invalid_start), 4);
    EXPECT_EQ(static_cast<int>(ExitCode::not_converged), 5);
    EXPECT_EQ(static_cast<int>(ExitCode::limit_reached), 6);
    EXPECT_EQ(static_cast<int>(ExitCode::input_output), 7);
    EXPECT_EQ(static_cast<int>(ExitCode::interrupted), 130);
}

TEST(Error, RejectThrowsInvalidInputWithAFormattedMessage)
{
    try {
        reject("dhat: {} is not above {}", -1.5, 0);
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "dhat: -1.5 is not above 0");
        EXPECT_EQ(error.exit_code(), ExitCode::invalid_input);
        EXPECT_NE(dynamic_cast<const InvalidInput*>(&error), nullptr);
    }
}

} // namespace
} // namespace abut::test
