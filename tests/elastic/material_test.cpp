#include "abut/base/error.hpp"
#include "abut/elastic/material.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace abut::test::material_test {
namespace {

template <typename Function>
std::string message_of(Function&& function)
{
    try {
        function();
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Material, LameParametersOfSolidsGiveBackYoungAndPoisson)
{
    for (const double nu : {-0.9, -0.2, 0.0, 0.3, 0.499}) {
        const auto [mu, lambda] = lame_parameters({.young = 3e6, .poisson = nu});
        EXPECT_NEAR(mu * (3 * lambda + 2 * mu) / (lambda + mu), 3e6, 1e-6);
        EXPECT_NEAR(lambda / (2 * (lambda + mu)), nu, 1e-12);
    }
}

TEST(Material, LameParametersOfSheetsGiveBackYoungAndPoisson)
{
    for (const double nu : {-0.9, 0.0, 0.3, 0.5}) {
        const auto [mu, lambda] = plane_stress_lame_parameters({.young = 3e6, .poisson = nu});
        // Pulled along one axis and free along the other: strain_y = -lambda / (lambda + 2 mu) strain_x.
        EXPECT_NEAR(lambda / (lambda + 2 * mu), nu, 1e-12);
        EXPECT_NEAR(lambda + 2 * mu - lambda * nu, 3e6, 1e-6);
    }
}

TEST(Material, PlateStiffnessIsThatOfTheTextbooks)
{
    EXPECT_DOUBLE_EQ(plate_stiffness({.young = 12e6, .poisson = 0.5}, 0.01), 1 / 0.75);
}

TEST(Material, RejectsModuliThatNoMaterialHas)
{
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    for (const double young : {0.0, -1.0, nan, infinity}) {
        EXPECT_NE(message_of([&] { (void)lame_parameters({young, 0.3}); }).find("young: "), std::string::npos);
        EXPECT_NE(
            message_of([&] {
                (void)plane_stress_lame_parameters({young, 0.3});
            }).find("young: "),
            std::string::npos);
    }
    for (const double nu : {-1.0, 0.5, 0.7, nan})
        EXPECT_NE(message_of([&] { (void)lame_parameters({1, nu}); }).find("poisson: "), std::string::npos);
    for (const double nu : {-1.0, 0.51, nan})
        EXPECT_NE(
            message_of([&] {
                (void)plane_stress_lame_parameters({1, nu});
            }).find("poisson: "),
            std::string::npos);
    for (const double thickness : {0.0, -1.0, nan, infinity})
        EXPECT_NE(message_of([&] { (void)plate_stiffness({1, 0}, thickness); }).find("thickness: "), std::string::npos);
}

TEST(Material, ModelsAreFoundByTheirNames)
{
    for (const ElasticModel model :
         {ElasticModel::neo_hookean, ElasticModel::stable_neo_hookean, ElasticModel::fixed_corotated,
          ElasticModel::stvk, ElasticModel::baraff_witkin, ElasticModel::hencky})
        EXPECT_EQ(elastic_model(std::string(to_string(model))), model);
}

TEST(Material, AnUnknownModelIsRejectedWithASuggestion)
{
    EXPECT_EQ(
        message_of([] { (void)elastic_model("neo_hokean"); }),
        "model: 'neo_hokean' is not one of neo_hookean, stable_neo_hookean, fixed_corotated, stvk, "
        "baraff_witkin, hencky; did you mean 'neo_hookean'?");
    EXPECT_EQ(message_of([] { (void)elastic_model("mooney"); }).find("did you mean"), std::string::npos);
}

} // namespace
} // namespace abut::test::material_test
