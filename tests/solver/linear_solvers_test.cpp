#include "abut/solver/linear_solvers.hpp"

#include "support/linear_solver_contract.hpp"

#include <gtest/gtest.h>

namespace abut::test {

namespace {

TEST(LinearSolvers, KeepToTheirContract)
{
    ASSERT_EQ(linear_solvers().names(), (std::vector<std::string>{"auto", "direct", "pcg", "eigen"}));
    for (const auto& [name, make] : linear_solvers()) {
        SCOPED_TRACE(name);
        expect_linear_solver_contract(make);
    }
}

TEST(LinearSolvers, AreNamedWhereOneIsNotThere)
{
    try {
        (void)linear_solvers().at("dirct", "solver.linear");
        FAIL();
    } catch (const InvalidInput& error) {
        EXPECT_EQ(
            std::string(error.what()),
            "solver.linear: 'dirct' is not one of auto, direct, pcg, eigen; did you mean 'direct'?");
    }
    EXPECT_THROW(linear_solvers().add("direct", {}), InvalidInput);
    EXPECT_FALSE(linear_solvers().remove("nothing"));
}

} // namespace

} // namespace abut::test
