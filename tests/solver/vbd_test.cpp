#include "abut/solver/vbd.hpp"

#include "abut/base/parallel.hpp"
#include "abut/base/random.hpp"
#include "abut/solver/block_solve.hpp"
#include "abut/solver/colouring.hpp"
#include "abut/solver/newton.hpp"
#include "support/chain_energies.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace abut::test {

namespace {

Stencils random_stencils(int num_blocks, int num_terms, RandomStream& random)
{
    Stencils stencils;
    for (int k = 0; k < num_terms; ++k) {
        std::vector<int> blocks;
        while (blocks.size() < 4)
            if (const int block = static_cast<int>(random.uniform(0, num_blocks));
                std::find(blocks.begin(), blocks.end(), block) == blocks.end())
                blocks.push_back(block);
        stencils.add(blocks);
    }
    return stencils;
}

TEST(Colouring, GivesBlocksOfATermDifferentColours)
{
    RandomStream random(3);
    for (const int terms : {0, 1, 40, 400}) {
        const Stencils stencils = random_stencils(120, terms, random);
        const std::vector<int> colours = colour_blocks(BlockPattern(120, 3, stencils));
        ASSERT_EQ(colours.size(), 120u);
        for (std::size_t k = 0; k < stencils.size(); ++k)
            for (const int a : stencils[k])
                for (const int b : stencils[k])
                    EXPECT_TRUE(a == b || colours[a] != colours[b]);
        EXPECT_GE(*std::min_element(colours.begin(), colours.end()), 0);
    }
}

TEST(Colouring, SharesBlocksOutEvenly)
{
    // A path needs two colours, and has as many of one as of the other.
    Stencils path;
    for (int v = 0; v + 1 < 101; ++v)
        path.add(std::array{v, v + 1});
    const std::vector<int> colours = colour_blocks(BlockPattern(101, 3, path));
    EXPECT_EQ(*std::max_element(colours.begin(), colours.end()), 1);
    EXPECT_NEAR(static_cast<double>(std::count(colours.begin(), colours.end(), 0)), 50.5, 0.6);
    // Stars of one middle and ten ends: greedy choice gives the ends one colour, of two.
    Stencils stars;
    for (int s = 0; s < 20; ++s)
        for (int k = 1; k <= 10; ++k)
            stars.add(std::array{11 * s, 11 * s + k});
    const std::vector<int> of_stars = colour_blocks(BlockPattern(220, 3, stars));
    const auto zeros = std::count(of_stars.begin(), of_stars.end(), 0);
    EXPECT_TRUE(zeros == 20 || zeros == 200); // no end can change: its middle has the other colour
}

/// One group of blocks with these Hessians and gradients.
std::array<Vec3, 4> solved(const std::array<Mat<3, 3>, 4>& H, const std::array<Vec3, 4>& g, const BlockLayout& layout)
{
    constexpr int width = BlockGroups::width;
    const int blocks[width]{0, 1, 2, -1};
    double sums[num_block_sums * width] = {};
    for (int lane = 0; lane < 3; ++lane) {
        int k = 3;
        for (int a = 0; a < layout.size(lane); ++a)
            sums[a * width + lane] = g[lane][a];
        for (int a = 0; a < 3; ++a)
            for (int b = a; b < 3; ++b, ++k)
                if (b < layout.size(lane))
                    sums[k * width + lane] = H[lane](a, b);
    }
    double step[3][width];
    solve_blocks(blocks, layout, sums, step);
    std::array<Vec3, 4> steps;
    for (int lane = 0; lane < width; ++lane)
        steps[lane] = Vec3(step[0][lane], step[1][lane], step[2][lane]);
    return steps;
}

TEST(BlockSolve, SolvesWhatIsDefiniteAndLeavesOutWhatIsNot)
{
    RandomStream random(11);
    const BlockLayout layout(4, 3);
    const auto random_matrix = [&] {
        Mat<3, 3> A;
        for (double& entry : A.reshaped())
            entry = random.uniform(-1, 1);
        return A;
    };
    for (int repeat = 0; repeat < 50; ++repeat) {
        const Mat<3, 3> A = random_matrix(), B = random_matrix();
        const Mat<3, 3> definite = A * A.transpose() + 0.01 * Mat<3, 3>::Identity();
        const Vec3 n = B.col(0).normalized(), g = B.col(1);
        // Semidefinite: only along n; and one that bends down along n
        const Mat<3, 3> semidefinite = 7 * n * n.transpose();
        const Mat<3, 3> indefinite = Mat<3, 3>::Identity() - 3 * n * n.transpose();
        const auto steps = solved({definite, semidefinite, indefinite, Mat<3, 3>::Zero()}, {g, g, g, g}, layout);
        EXPECT_LE((definite * steps[0] + g).norm(), 1e-10 * g.norm() * (1 + steps[0].norm()));
        EXPECT_LE((steps[1] + n.dot(g) / 7 * n).norm(), 1e-9);
        EXPECT_LT(g.dot(steps[2]), 0);
        EXPECT_NEAR(n.dot(steps[2]), -n.dot(g) / 2, 1e-9); // the bend is -2 along n
        EXPECT_EQ(steps[3], Vec3::Zero());                 // no block
    }
}

TEST(BlockSolve, KnowsBlocksOfOneAndTwoNumbers)
{
    BlockLayout layout(1, 3);
    layout.append(1, 1);
    layout.append(1, 2);
    Mat<3, 3> H = Mat<3, 3>::Identity() * 4;
    H(0, 1) = H(1, 0) = 1;
    const auto steps = solved({H, H, H, H}, {Vec3(4, 1, 8), Vec3(2, 9, 9), Vec3(5, 5, 9), Vec3::Zero()}, layout);
    EXPECT_LE((H * steps[0] + Vec3(4, 1, 8)).norm(), 1e-12);
    EXPECT_LE((steps[1] - Vec3(-0.5, 0, 0)).norm(), 1e-15);
    EXPECT_LE((steps[2] - Vec3(-1, -1, 0)).norm(), 1e-15);
}

struct HangingChain {
    HangingChain() : springs(30), weights(30, 0.01), problem(BlockLayout(30, 3), {&springs, &weights}), x(90)
    {
        for (int v = 0; v < 30; ++v)
            x.segment(3 * v, 3) = Vec3(0.2 * (v % 2), -1.2 * v, 0.1 * (v % 3)); // taut
        std::vector<std::uint8_t> is_fixed(30, 0);
        is_fixed[0] = 1;
        problem.set_fixed(is_fixed);
    }
    Springs springs;
    Weights weights;
    Problem problem;
    Eigen::VectorXd x;
};

TEST(VertexBlockDescent, LowersTheEnergyInEverySweep)
{
    HangingChain chain;
    VertexBlockDescent solver;
    double before = chain.problem.value(chain.x);
    int sweeps = 0;
    const auto observe = [&](const IterationRecord&) {
        const double now = chain.problem.value(chain.x);
        EXPECT_LE(now, before);
        before = now;
        return ++sweeps < 200;
    };
    EXPECT_EQ(
        solver.minimize(chain.problem, chain.x, {.tolerance = 1e-12, .max_iterations = 1000}, observe).outcome,
        Outcome::interrupted);
    EXPECT_EQ(sweeps, 200);
}

TEST(VertexBlockDescent, MakesExactlyTheIterationsThatWereAskedForAndSaysHowFarItCame)
{
    double last = 2;
    for (const int count : {1, 7, 40}) {
        HangingChain chain;
        const SolveReport report =
            VertexBlockDescent().minimize(chain.problem, chain.x, {.tolerance = 1e-9, .iterations = count});
        EXPECT_EQ(report.outcome, Outcome::not_converged) << report.message;
        EXPECT_EQ(static_cast<int>(report.iterations.size()), count);
        EXPECT_LT(report.relative_residual, last);
        last = report.relative_residual;
    }
}

TEST(VertexBlockDescent, NeedsFewerSweepsWithOverRelaxationAndEndsAtTheSamePlace)
{
    const auto sweeps = [](double relaxation, Eigen::VectorXd& end) {
        HangingChain chain;
        const SolveReport report = VertexBlockDescent().minimize(
            chain.problem, chain.x,
            {.tolerance = 1e-9, .max_iterations = 100000, .residual = 1e-8, .relaxation = relaxation});
        EXPECT_EQ(report.outcome, Outcome::converged) << report.message;
        end = chain.x;
        return static_cast<double>(report.iterations.size());
    };
    Eigen::VectorXd plain, relaxed;
    const double without = sweeps(1, plain), with = sweeps(1.5, relaxed);
    EXPECT_LT(with, 0.5 * without); // a third, for what is linear: (2 - w) / w
    EXPECT_LE((plain - relaxed).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(VertexBlockDescent, EndsAtAResidualAndNotBefore)
{
    for (const double residual : {0.1, 1e-3, 1e-6}) {
        HangingChain chain;
        VertexBlockDescent solver;
        Eigen::VectorXd gradient;
        const auto mean_force = [&] {
            chain.problem.gradient(chain.x, gradient);
            double sum = 0;
            for (int v = 1; v < 30; ++v)
                sum += gradient.segment<3>(3 * v).norm();
            return sum / 29;
        };
        const double first = mean_force();
        const SolveReport report = solver.minimize(
            chain.problem, chain.x, {.tolerance = 1e-9, .max_iterations = 100000, .residual = residual});
        EXPECT_EQ(report.outcome, Outcome::converged) << report.message;
        EXPECT_LE(mean_force(), residual * first);
        EXPECT_NEAR(report.relative_residual, mean_force() / first, 1e-12);
        // A scale makes it end where forces are small against that.
        HangingChain other;
        const SolveReport early = solver.minimize(
            other.problem, other.x,
            {.tolerance = 1e-9, .max_iterations = 100000, .residual = residual, .force_scale = 100 * first});
        EXPECT_EQ(early.outcome, Outcome::converged);
        EXPECT_LT(early.iterations.size(), report.iterations.size());
    }
}

} // namespace

} // namespace abut::test
