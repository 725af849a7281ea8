#include "abut/linear/hessian_form.hpp"

#include <gtest/gtest.h>

namespace abut::test::hessian_form_test {

TEST(HessianForm, WithoutAClosedFormIsAProjectionOfTheExactHessian)
{
    EXPECT_EQ(projection_of(HessianForm::exact), PSDProjectionMethod::none);
    EXPECT_EQ(projection_of(HessianForm::clamp), PSDProjectionMethod::clamp);
    EXPECT_EQ(projection_of(HessianForm::absolute), PSDProjectionMethod::abs);
    EXPECT_EQ(projection_of(HessianForm::analytic), PSDProjectionMethod::clamp);
}

TEST(HessianForm, OfAProjectionHasThatProjection)
{
    for (const auto method : {PSDProjectionMethod::none, PSDProjectionMethod::clamp, PSDProjectionMethod::abs}) {
        EXPECT_EQ(projection_of(hessian_form_of(method)), method);
        EXPECT_NE(hessian_form_of(method), HessianForm::analytic);
    }
}

} // namespace abut::test::hessian_form_test
