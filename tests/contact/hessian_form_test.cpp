// The form of second derivatives that an evaluation asks for, against the mode of the potential that is asked.

#include "abut/contact/barrier_potential.hpp"
#include "abut/contact/friction/tangential_potential.hpp"
#include "support/collision_scenes.hpp"

namespace abut::test::hessian_form_test {

namespace {

using Mode = HessianMode;

BarrierPotential barrier_of(const Scene& scene, Mode mode)
{
    return BarrierPotential({.dhat = scene.collisions.options().dhat, .stiffness = 7, .hessian_mode = mode});
}

template <typename Potential, typename Set>
std::vector<double>
blocks_of(const Potential& potential, const Set& set, const CollisionMesh& mesh, const Positions& X, HessianForm form)
{
    std::vector<double> blocks(set.stencils().num_blocks() * mesh.dim() * mesh.dim());
    potential.evaluate(set, mesh, X, {.blocks = blocks.data(), .hessian = form});
    return blocks;
}

std::vector<double> blocks_of(const BarrierPotential& barrier, const Scene& scene, HessianForm form)
{
    return blocks_of(barrier, scene.collisions, scene.mesh, scene.X, form);
}

Matrix hessian_of(const BarrierPotential& barrier, const Scene& scene, PSDProjectionMethod method)
{
    return barrier.hessian(scene.collisions, scene.mesh, scene.X, method);
}

Matrix assembled(const std::vector<double>& blocks, const Scene& scene)
{
    SymmetricBlockMatrix matrix;
    HessianAssembly(scene.mesh.num_vertices(), scene.mesh.dim(), scene.collisions.stencils()).assemble(blocks, matrix);
    return matrix.to_sparse();
}

TEST(HessianForm, OtherThanAnalyticIsTheSameForEveryMode)
{
    for (const Scene& scene : mixed_scenes()) {
        SCOPED_TRACE(scene.name);
        const BarrierPotential exact = barrier_of(scene, Mode::exact);
        for (const Mode mode : {Mode::analytic, Mode::gauss_newton})
            for (const HessianForm form : {HessianForm::exact, HessianForm::clamp, HessianForm::absolute})
                EXPECT_EQ(blocks_of(barrier_of(scene, mode), scene, form), blocks_of(exact, scene, form));
    }
}

TEST(HessianForm, AnalyticIsTheClosedFormOfThePotentialsMode)
{
    for (const Scene& scene : mixed_scenes()) {
        SCOPED_TRACE(scene.name);
        const auto blocks = [&](Mode mode) { return blocks_of(barrier_of(scene, mode), scene, HessianForm::analytic); };
        EXPECT_EQ(blocks(Mode::exact), blocks_of(barrier_of(scene, Mode::exact), scene, HessianForm::clamp));
        EXPECT_NE(blocks(Mode::analytic), blocks(Mode::exact));
        EXPECT_NE(blocks(Mode::gauss_newton), blocks(Mode::exact));
        EXPECT_NE(blocks(Mode::gauss_newton), blocks(Mode::analytic));
        // hessian() gives the closed form for every projection.
        for (const Mode mode : {Mode::analytic, Mode::gauss_newton})
            for (const auto method : {PSDProjectionMethod::none, PSDProjectionMethod::clamp, PSDProjectionMethod::abs})
                EXPECT_EQ(hessian_of(barrier_of(scene, mode), scene, method), assembled(blocks(mode), scene));
    }
}

TEST(HessianForm, OfAnExactPotentialsHessianIsTheProjectionAskedFor)
{
    for (const Scene& scene : mixed_scenes()) {
        const BarrierPotential exact = barrier_of(scene, Mode::exact);
        for (const auto method : {PSDProjectionMethod::none, PSDProjectionMethod::clamp, PSDProjectionMethod::abs})
            EXPECT_EQ(
                hessian_of(exact, scene, method), assembled(blocks_of(exact, scene, hessian_form_of(method)), scene));
    }
}

TEST(HessianForm, AnalyticIsClampForFrictionAndGcp)
{
    for (const Scene& scene : mixed_scenes()) {
        TangentialCollisions sliding;
        sliding.build(
            scene.mesh, scene.X, scene.collisions, barrier_of(scene, Mode::analytic), {.mu_s = 0.3, .mu_k = 0.1});
        RandomStream random(2);
        Positions V = scene.X;
        for (double& component : V.reshaped())
            component = random.uniform(-0.03, 0.03);
        const FrictionPotential friction(0.02);
        const auto of_friction = [&](HessianForm form) { return blocks_of(friction, sliding, scene.mesh, V, form); };
        EXPECT_EQ(of_friction(HessianForm::analytic), of_friction(HessianForm::clamp));
        EXPECT_NE(of_friction(HessianForm::analytic), of_friction(HessianForm::exact));

        for (const SmoothContactParameters& params :
             {SmoothContactParameters{.dhat = 0.05}, SmoothContactParameters::toolkit(0.05)}) {
            SmoothCollisions pairs;
            pairs.build(scene.mesh, scene.X, params);
            ASSERT_GT(pairs.size(), 0u);
            const SmoothContactPotential potential(params, 3);
            const auto of_gcp = [&](HessianForm form) {
                return blocks_of(potential, pairs, scene.mesh, scene.X, form);
            };
            EXPECT_EQ(of_gcp(HessianForm::analytic), of_gcp(HessianForm::clamp));
            EXPECT_NE(of_gcp(HessianForm::analytic), of_gcp(HessianForm::exact));
        }
    }
}

} // namespace

} // namespace abut::test::hessian_form_test
