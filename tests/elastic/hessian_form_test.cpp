#include "abut/elastic/hinge_bending.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "elastic_states.hpp"

#include <gtest/gtest.h>

namespace abut::test::hessian_form_test {
namespace {

/// Elastic energies have no closed form of their own.
template <typename Energy>
void expect_analytic_is_clamp(const Energy& energy, const Positions& x)
{
    const auto blocks_of = [&](HessianForm form) {
        std::vector<double> blocks(energy.stencils().num_blocks() * x.cols() * x.cols());
        energy.evaluate(x, {.blocks = blocks.data(), .hessian = form});
        return blocks;
    };
    EXPECT_EQ(blocks_of(HessianForm::analytic), blocks_of(HessianForm::clamp));
    EXPECT_NE(blocks_of(HessianForm::analytic), blocks_of(HessianForm::exact));
    EXPECT_NE(blocks_of(HessianForm::analytic), blocks_of(HessianForm::absolute));
}

TEST(ElasticHessianForm, AnalyticIsClamp)
{
    const LameParameters lame = lame_parameters(rubber);
    const MeshData solid = generate::tet_box({.subdivisions = {2, 2, 2}});
    const MeshData shell = generate::icosphere({.subdivisions = 1});
    for (const ElasticModel model : all_models)
        expect_analytic_is_clamp(
            TetElasticity(solid.vertices, solid.tets, {.model = model, .lame = {lame}}),
            0.8 * shaken(solid.vertices, 0.1));
    for (const ElasticModel model : sheet_models)
        expect_analytic_is_clamp(
            MembraneElasticity(shell.vertices, shell.faces, {model, {lame}, {0.1}}), 0.8 * shaken(shell.vertices, 0.1));
    expect_analytic_is_clamp(
        HingeBending(shell.vertices, shell.faces, {.stiffness = {1}}), shaken(shell.vertices, 0.1));
}

} // namespace
} // namespace abut::test::hessian_form_test
