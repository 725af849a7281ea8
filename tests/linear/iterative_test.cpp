// Conjugate gradients with every preconditioner: the contract of linear solvers, and what is theirs alone.

#include "abut/linear/iterative/chosen_solver.hpp"

#include "abut/base/parallel.hpp"
#include "abut/base/random.hpp"
#include "abut/linear/assembly.hpp"
#include "support/linear_solver_contract.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace abut::test {

namespace {

using enum PreconditionerKind;

BlockLayout mixed_layout(int vertices, int others)
{
    BlockLayout layout(vertices, 3);
    layout.append(others, 1);
    layout.append(others / 5, 2);
    return layout;
}

/// A grid of springs of this stiffness between masses of 1, and stiff springs between pairs far from each other, which
/// the lasting pattern does not have.
struct Grid {
    SymmetricBlockMatrix blocks;
    std::vector<std::uint8_t> is_fixed;
    std::shared_ptr<const BlockPattern> lasting;

    Grid(int side, double stiffness, int num_contacts = 0, double contact_stiffness = 0)
    {
        Stencils stencils;
        std::vector<double> numbers;
        const auto store = [&](const Mat<3, 3>& block) {
            numbers.insert(numbers.end(), block.data(), block.data() + 9);
        };
        const auto add_spring = [&](int a, int b, const Mat<3, 3>& K) {
            stencils.add(std::array{a, b});
            store(K);
            store(-K);
            store(K);
        };
        const int n = side * side * side;
        const auto node = [&](int i, int j, int k) { return (i * side + j) * side + k; };
        for (int i = 0; i < side; ++i)
            for (int j = 0; j < side; ++j)
                for (int k = 0; k < side; ++k) {
                    stencils.add(std::array{node(i, j, k)});
                    store(Mat<3, 3>::Identity());
                    for (const auto& [a, b, c] : {std::array{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})
                        if (i + a < side && j + b < side && k + c < side) {
                            Mat<3, 3> K = 0.3 * stiffness * Mat<3, 3>::Identity();
                            K(a == 1 ? 0 : b == 1 ? 1 : 2, a == 1 ? 0 : b == 1 ? 1 : 2) = stiffness;
                            add_spring(node(i, j, k), node(i + a, j + b, k + c), K);
                        }
                }
        lasting = std::make_shared<BlockPattern>(BlockLayout(n, 3), stencils);
        RandomStream random(7);
        for (int c = 0; c < num_contacts; ++c) {
            const int a = static_cast<int>(random.uniform(0, n - 1e-9));
            const int b = (a + n / 2 + c) % n;
            const Vec3 normal = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
            add_spring(a, b, contact_stiffness * normal * normal.transpose());
        }
        HessianAssembly(BlockLayout(n, 3), stencils).assemble(numbers, blocks);
        is_fixed.assign(n, 0);
    }
    [[nodiscard]] LinearSystem system() const { return {.blocks = blocks, .is_fixed = is_fixed, .lasting = lasting}; }
    [[nodiscard]] Eigen::VectorXd right() const
    {
        RandomStream random(3);
        Eigen::VectorXd b(blocks.num_unknowns());
        for (double& number : b)
            number = random.uniform(-1, 1);
        return b;
    }
};

class Conjugate : public testing::TestWithParam<PreconditionerKind> {};

TEST_P(Conjugate, GradientsKeepToTheContract)
{
    expect_linear_solver_contract([] { return std::make_unique<PcgSolver>(GetParam()); });
}

TEST_P(Conjugate, GradientsHaveTheSameBitsForAnyNumberOfThreads)
{
    for (const BlockLayout& layout : {BlockLayout(2500, 3), mixed_layout(1200, 900)}) {
        SpringSystem springs = spring_system(layout, 4);
        springs.is_fixed[5] = springs.is_fixed[1234] = 1;
        springs.rank_one = {{2.0, Eigen::VectorXd::LinSpaced(layout.num_unknowns(), 0, 1)}};
        const auto solved = [&](int threads) {
            set_num_threads(threads);
            PcgSolver solver(GetParam());
            Eigen::VectorXd x;
            EXPECT_TRUE(solver.prepare(springs.system()));
            EXPECT_TRUE(solver.solve(Eigen::VectorXd::Ones(layout.num_unknowns()), 1e-7, x).is_solved);
            set_num_threads(0);
            return x;
        };
        const Eigen::VectorXd one = solved(1);
        EXPECT_EQ(solved(2), one);
        EXPECT_EQ(solved(5), one);
    }
}

TEST_P(Conjugate, GradientsSolveSystemsOfNoneAndOfOneUnknown)
{
    for (const int blocks : {0, 1})
        for (const int dim : {1, 2, 3}) {
            const SpringSystem springs = spring_system(BlockLayout(blocks, dim), 1, 2.0);
            PcgSolver solver(GetParam());
            Eigen::VectorXd x;
            ASSERT_TRUE(solver.prepare(springs.system()));
            EXPECT_TRUE(solver.solve(Eigen::VectorXd::Ones(blocks * dim), 1e-9, x).is_solved);
            EXPECT_LE((x - Eigen::VectorXd::Constant(blocks * dim, 0.5)).norm(), 1e-8);
        }
}

TEST_P(Conjugate, GradientsSolveForNothingInNoIterations)
{
    const SpringSystem springs = spring_system(BlockLayout(30, 3), 1);
    PcgSolver solver(GetParam());
    Eigen::VectorXd x = Eigen::VectorXd::Ones(3);
    ASSERT_TRUE(solver.prepare(springs.system()));
    const LinearReport report = solver.solve(Eigen::VectorXd::Zero(90), 1e-9, x);
    EXPECT_TRUE(report.is_solved);
    EXPECT_EQ(report.iterations, 0);
    EXPECT_EQ(x, Eigen::VectorXd::Zero(90));
}

TEST_P(Conjugate, GradientsEndWhereNumbersAreNotFinite)
{
    SpringSystem springs = spring_system(BlockLayout(30, 3), 1);
    PcgSolver solver(GetParam());
    Eigen::VectorXd x, b = Eigen::VectorXd::Ones(90);
    ASSERT_TRUE(solver.prepare(springs.system()));
    b[7] = NAN;
    EXPECT_FALSE(solver.solve(b, 1e-9, x).is_solved);
    b[7] = INFINITY;
    EXPECT_FALSE(solver.solve(b, 1e-9, x).is_solved);
    springs.blocks.block(0)[0] = NAN;
    b[7] = 1;
    EXPECT_FALSE(solver.prepare(springs.system()) && solver.solve(b, 1e-9, x).is_solved);
}

TEST_P(Conjugate, GradientsGoOnWhereTheyEnded)
{
    const Grid grid(9, 100);
    const Eigen::VectorXd b = grid.right();
    PcgSolver solver(GetParam());
    Eigen::VectorXd x, at_once;
    ASSERT_TRUE(solver.prepare(grid.system()));
    const LinearReport whole = solver.solve(b, 1e-5, at_once);
    solver.begin_step();
    ASSERT_TRUE(solver.prepare(grid.system()));
    const LinearReport loose = solver.solve(b, 1e-2, x), tight = solver.refine(b, 1e-5, x);
    EXPECT_TRUE(whole.is_solved && loose.is_solved && tight.is_solved);
    EXPECT_LT(loose.iterations, whole.iterations);
    EXPECT_EQ(loose.iterations + tight.iterations, whole.iterations);
    EXPECT_EQ(x, at_once);
    EXPECT_LE(relative_residual(grid.system(), b, x), 1.0001e-5);
}

TEST_P(Conjugate, GradientsStartFromTheLastSolutionOfATimeStepAndForgetItWithTheStep)
{
    const Grid grid(9, 100);
    const Eigen::VectorXd b = grid.right();
    // A right side that shrinks and turns a little, as that of Newton's method.
    const Eigen::VectorXd next = 0.01 * b + 1e-5 * Eigen::VectorXd::LinSpaced(b.size(), -1, 1);
    const auto solve = [&](PcgSolver& solver, const Eigen::VectorXd& right, Eigen::VectorXd& x) {
        EXPECT_TRUE(solver.prepare(grid.system()));
        const LinearReport report = solver.solve(right, 1e-6, x);
        EXPECT_TRUE(report.is_solved);
        EXPECT_LE(relative_residual(grid.system(), right, x), 1.01e-6);
        return report.iterations;
    };
    PcgSolver cold(GetParam()), warm(GetParam());
    Eigen::VectorXd from_zero, x;
    const int iterations = solve(cold, next, from_zero);
    solve(warm, b, x);
    EXPECT_LT(solve(warm, next, x), iterations);
    EXPECT_EQ(solve(warm, next, x), 0);
    warm.begin_step();
    EXPECT_EQ(solve(warm, next, x), iterations);
    EXPECT_EQ(x, from_zero);
    // A solution that points the other way, or is not finite, is no start.
    EXPECT_EQ(solve(warm, -next, x), iterations);
    EXPECT_EQ(x, -from_zero);
    Eigen::VectorXd broken = next;
    broken[4] = NAN;
    EXPECT_FALSE(warm.solve(broken, 1e-6, x).is_solved);
    EXPECT_EQ(solve(warm, next, x), iterations);
    EXPECT_EQ(x, from_zero);
}

TEST_P(Conjugate, GradientsSeeDirectionsWithoutStiffness)
{
    // Positive definite on and beside the diagonal, not as a whole: what the preconditioner may miss, a solve meets.
    SpringSystem springs = spring_system(BlockLayout(40, 3), 9, 1);
    const BlockPattern& pattern = *springs.blocks.pattern();
    for (int row = 0; row < pattern.num_rows(); ++row) {
        std::int64_t slot = pattern.row_start(row);
        for (const int column : pattern.columns(row)) {
            Eigen::Map<Mat<3, 3>> block(springs.blocks.block(slot++));
            block = (column == row ? 1.0 : -0.6) * Mat<3, 3>::Identity();
        }
    }
    ASSERT_LT(springs.dense().sum(), 0); // along (1, 1, ...)
    PcgSolver solver(GetParam());
    Eigen::VectorXd x;
    if (!solver.prepare(springs.system()))
        return; // seen at once
    const LinearReport report = solver.solve(Eigen::VectorXd::Ones(120), 1e-9, x);
    EXPECT_FALSE(report.is_solved);
    EXPECT_TRUE(report.is_indefinite) << report.message;
}

INSTANTIATE_TEST_SUITE_P(
    All, Conjugate, testing::Values(block_jacobi, incomplete_cholesky, schwarz, contact),
    [](const auto& test) { return std::string(to_string(test.param)); });

TEST(IncompleteCholesky, GoesOnWhereAPivotIsLost)
{
    // Kershaw's matrix is positive definite, and without fill-in its last pivot is 3 − 8 = −5.
    BlockLayout layout(4, 1);
    Stencils stencils;
    std::vector<double> numbers;
    for (int k = 0; k < 4; ++k) {
        stencils.add(std::array{k});
        numbers.push_back(3);
    }
    for (const auto& [a, b, value] : {std::tuple{0, 1, -2.0}, {1, 2, -2.0}, {2, 3, -2.0}, {0, 3, 2.0}}) {
        stencils.add(std::array{a, b});
        numbers.insert(numbers.end(), {0, value, 0});
    }
    SpringSystem springs{layout, {}, std::vector<std::uint8_t>(4, 0), {}};
    HessianAssembly(layout, stencils).assemble(numbers, springs.blocks);
    PcgSolver solver(incomplete_cholesky);
    Eigen::VectorXd x;
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(4, 1, 2);
    ASSERT_TRUE(solver.prepare(springs.system()));
    EXPECT_TRUE(solver.solve(b, 1e-10, x).is_solved);
    EXPECT_LE((springs.dense() * x - b).norm(), 1e-9);
}

int iterations_of(PreconditionerKind kind, const Grid& grid, double tolerance = 1e-6)
{
    PcgSolver solver(kind);
    Eigen::VectorXd x;
    EXPECT_TRUE(solver.prepare(grid.system()));
    const LinearReport report = solver.solve(grid.right(), tolerance, x);
    EXPECT_TRUE(report.is_solved) << report.message;
    return report.iterations;
}

TEST(Preconditioners, SaveIterations)
{
    const Grid stiff(14, 1e4);
    const int jacobi = iterations_of(block_jacobi, stiff);
    EXPECT_LT(iterations_of(incomplete_cholesky, stiff), 0.6 * jacobi);
    EXPECT_LT(iterations_of(schwarz, stiff), 0.6 * jacobi);
}

TEST(Preconditioners, OfContactDoNotMindItsStiffness)
{
    const Grid touching(12, 100, 150, 1e7);
    const int of_bodies = iterations_of(schwarz, Grid(12, 100)), of_contact = iterations_of(contact, touching);
    EXPECT_LE(of_contact, 2 * of_bodies);
    EXPECT_LT(of_contact, iterations_of(schwarz, touching) / 2);
}

TEST(Schwarz, KnowsPlacesOnALineInOnePointAndOfAngles)
{
    // What cannot turn, or has no place, leaves numbers of the coarse level that move nothing.
    for (const BlockLayout& layout : {BlockLayout(900, 3), BlockLayout(900, 2), mixed_layout(700, 600)}) {
        const SpringSystem springs = spring_system(layout, 4);
        LinearSystem system = springs.system();
        const Eigen::VectorXd b = Eigen::VectorXd::Ones(layout.num_unknowns());
        Eigen::VectorXd line = Eigen::VectorXd::Zero(layout.num_unknowns()), expected, x;
        for (int v = 0; v < layout.num_vertices(); ++v)
            line.segment(layout.offset(v), layout.dim()).setConstant(1e4 + v);
        Eigen::VectorXd point = Eigen::VectorXd::Ones(layout.num_unknowns());
        PcgSolver jacobi(PreconditionerKind::block_jacobi);
        ASSERT_TRUE(jacobi.prepare(system));
        ASSERT_TRUE(jacobi.solve(b, 1e-12, expected).is_solved);
        for (const Eigen::VectorXd* positions : {&line, &point}) {
            system.positions = positions;
            PcgSolver schwarz(PreconditionerKind::schwarz);
            ASSERT_TRUE(schwarz.prepare(system));
            EXPECT_TRUE(schwarz.solve(b, 1e-12, x).is_solved);
            EXPECT_LE((x - expected).norm(), 1e-8 * expected.norm());
        }
    }
}

TEST(HalfRows, MultiplyAsTheMatrixDoes)
{
    // More rows than a piece has, and blocks between pieces
    for (const BlockLayout& layout : {BlockLayout(5000, 3), mixed_layout(2500, 2000)}) {
        SpringSystem springs = spring_system(layout, 4);
        springs.is_fixed[7] = springs.is_fixed[2100] = 1;
        const LinearSystem system = springs.system(0.5);
        std::vector<int> order;
        for (int block = layout.num_blocks() - 1; block >= 0; --block)
            if (springs.is_fixed[block] == 0)
                order.push_back(block);
        FreeBlocks free;
        free.assign(system, order);
        HalfRows half;
        half.link(free.matrix());
        half.assign(free.matrix());
        RandomStream random(5);
        Eigen::VectorXd x(layout.num_unknowns()), y;
        for (double& number : x)
            number = random.uniform(-1, 1);
        for (const int fixed : {7, 2100})
            x.segment(layout.offset(fixed), layout.size(fixed)).setZero();
        std::vector<double> from(padded_size(free.matrix().size()), 0), to(from.size(), 0);
        free.gather(x, from.data());
        const double dot = half.multiply(from.data(), to.data());
        free.scatter(to.data(), y);
        Eigen::VectorXd expected = springs.blocks * x + 0.5 * x;
        for (const int fixed : {7, 2100})
            expected.segment(layout.offset(fixed), layout.size(fixed)).setZero();
        EXPECT_LE((y - expected).cwiseAbs().maxCoeff(), 1e-13 * expected.cwiseAbs().maxCoeff());
        EXPECT_NEAR(dot, x.dot(expected), 1e-12 * x.norm() * expected.norm());
    }
}

TEST(RowOrder, HasEveryFreeBlockOnceInSmallAggregates)
{
    const Grid grid(11, 1);
    std::vector<std::uint8_t> is_fixed(grid.is_fixed.size(), 0);
    for (std::size_t k = 0; k < is_fixed.size(); k += 10)
        is_fixed[k] = 1;
    for (const Bisection method : {Bisection::metis, Bisection::greedy}) {
        const RowOrder order = order_rows(*grid.lasting, is_fixed, method);
        std::vector<int> found = order.blocks, expected;
        std::sort(found.begin(), found.end());
        for (int block = 0; block < static_cast<int>(is_fixed.size()); ++block)
            if (is_fixed[block] == 0)
                expected.push_back(block);
        EXPECT_EQ(found, expected);
        EXPECT_EQ(order.aggregate_starts.front(), 0);
        EXPECT_EQ(order.aggregate_starts.back(), static_cast<int>(expected.size()));
        for (std::size_t k = 0; k + 1 < order.aggregate_starts.size(); ++k) {
            EXPECT_LT(order.aggregate_starts[k], order.aggregate_starts[k + 1]);
            EXPECT_LE(order.aggregate_starts[k + 1] - order.aggregate_starts[k], largest_aggregate);
        }
        EXPECT_LT(order.aggregate_starts.size(), expected.size() / 5) << "aggregates are worth their name";
    }
}

TEST(ChosenSolver, IsDirectForFewUnknownsAndSaysWhy)
{
    const SpringSystem springs = spring_system(BlockLayout(40, 3), 1);
    ChosenSolver solver;
    const auto direct = DirectSolver::create();
    Eigen::VectorXd x, expected;
    ASSERT_TRUE(solver.prepare(springs.system()) && direct->prepare(springs.system()));
    const LinearReport report = solver.solve(Eigen::VectorXd::Ones(120), 1e-9, x);
    EXPECT_TRUE(direct->solve(Eigen::VectorXd::Ones(120), 1e-9, expected).is_solved);
    EXPECT_EQ(x, expected);
    EXPECT_EQ(report.iterations, 0);
    EXPECT_NE(report.message.find("120 unknowns are few"), std::string::npos) << report.message;
    EXPECT_TRUE(solver.memory().empty());
}

TEST(ChosenSolver, TakesConjugateGradientsForManyUnknownsOfASolid)
{
    const Grid grid(20, 100);
    ChosenSolver solver;
    Eigen::VectorXd x;
    ASSERT_TRUE(solver.prepare(grid.system()));
    const LinearReport report = solver.solve(grid.right(), 1e-6, x);
    EXPECT_TRUE(report.is_solved);
    EXPECT_GT(report.iterations, 0);
    EXPECT_NE(report.message.find("block_jacobi"), std::string::npos) << report.message;
    EXPECT_NE(report.message.find("a factorisation is worth"), std::string::npos) << report.message;
    const std::vector<double> memory = solver.memory();
    ASSERT_EQ(memory.size(), 16U);
    EXPECT_EQ(memory[1], report.iterations);
    // The next step is decided by what is remembered, and by nothing else.
    const auto next = [&](ChosenSolver& by) {
        by.begin_step();
        by.recall(memory);
        EXPECT_TRUE(by.prepare(grid.system()));
        EXPECT_TRUE(by.solve(grid.right(), 1e-6, x).is_solved);
        return std::pair(x, by.memory());
    };
    ChosenSolver fresh;
    EXPECT_EQ(next(solver), next(fresh));
}

TEST(ChosenSolver, LeavesConjugateGradientsWhereTheyTakeTooLong)
{
    const Grid grid(20, 100);
    ChosenSolver solver;
    Eigen::VectorXd x;
    const auto iterations = [&](const std::vector<double>& memory) {
        solver.begin_step();
        solver.recall(memory);
        EXPECT_TRUE(solver.prepare(grid.system()));
        const LinearReport report = solver.solve(grid.right(), 1e-6, x);
        EXPECT_TRUE(report.is_solved);
        return report.iterations;
    };
    // Kind, iterations of a solve, steps that are left to the direct method, and how many those were: a memory of
    // version 0.9, which knows of one preconditioner.
    EXPECT_EQ(iterations({2, 2000, 3, 4}), 0);
    std::vector<double> memory = solver.memory();
    ASSERT_EQ(memory.size(), 16U);
    EXPECT_EQ(memory[2], 2);
    memory[2] = 1;
    EXPECT_EQ(iterations(memory), 0);
    EXPECT_GT(iterations(solver.memory()), 0);
    for (const std::vector<double>& wrong :
         {std::vector<double>{1, 2, 3}, {9, 1, 1, 1}, {-1, 1, 1, 1}, {1, NAN, 1, 1}, {1, -1, 1, 1}})
        EXPECT_THROW(solver.recall(wrong), InvalidInput);
}

TEST(PreconditionerChoice, GoesBackToWhatCostLess)
{
    using enum PreconditionerKind;
    PreconditionerChoice choice;
    EXPECT_EQ(choice.next(true), block_jacobi);
    choice.learn(block_jacobi, 40);
    EXPECT_EQ(choice.next(true), block_jacobi) << "nothing can be much cheaper";
    choice.learn(block_jacobi, 600); // 330 by now
    EXPECT_EQ(choice.next(false), incomplete_cholesky) << "there are no contacts to solve for";
    EXPECT_EQ(choice.next(true), contact);
    choice.learn(contact, 120);
    EXPECT_EQ(choice.next(true), incomplete_cholesky);
    choice.learn(incomplete_cholesky, 290);
    EXPECT_EQ(choice.next(true), schwarz);
    choice.learn(schwarz, 170);
    EXPECT_EQ(choice.next(true), block_jacobi);
    choice.learn(block_jacobi, 600);
    EXPECT_EQ(choice.next(true), contact) << "435, the cheapest of them";
    choice.learn(contact, 30);
    EXPECT_EQ(choice.next(true), contact);
    // What lost is taken where it costs less by now.
    PreconditionerChoice later = choice;
    later.learn(contact, 400); // 720 in the mean
    EXPECT_EQ(later.next(true), schwarz);
    // It is tried again after a while.
    int systems = 0;
    while (choice.next(true) == contact && systems < 1000) {
        choice.learn(contact, 30);
        ++systems;
    }
    EXPECT_EQ(choice.next(true), incomplete_cholesky);
    EXPECT_EQ(systems, 197);
    EXPECT_EQ(PreconditionerChoice::from(choice.numbers()), choice);
}

TEST(PreconditionerChoice, TriesAgainWhereCostsDouble)
{
    using enum PreconditionerKind;
    PreconditionerChoice choice;
    choice.learn(block_jacobi, 120);
    EXPECT_EQ(choice.next(false), incomplete_cholesky);
    choice.learn(incomplete_cholesky, 80);
    EXPECT_EQ(choice.next(false), block_jacobi) << "there is little to hope for from Schwarz";
    choice.learn(block_jacobi, 130);
    EXPECT_EQ(choice.next(false), block_jacobi);
    choice.learn(block_jacobi, 700); // 425 in the mean
    EXPECT_EQ(choice.next(false), schwarz) << "never tried, and even 180 is more than it may cost";
    choice.learn(schwarz, 300);
    EXPECT_EQ(choice.next(false), incomplete_cholesky) << "180 when it was tried";
    choice.learn(incomplete_cholesky, 600);
    EXPECT_EQ(choice.next(false), schwarz)
        << "block Jacobi's 425 are the least by now, twice what it was when Schwarz lost";
}

TEST(ChosenSolver, FallsBackOnTheDirectMethodAndRecordsIt)
{
    const Grid grid(6, 10);
    ChosenSolver solver(LinearMethod::pcg);
    solver.set_preconditioner_by_name("block_jacobi");
    Eigen::VectorXd x;
    ASSERT_TRUE(solver.prepare(grid.system()));
    EXPECT_FALSE(solver.solve(grid.right(), 1e-9, x).fell_back);
    const LinearReport report = solver.solve(grid.right(), 1e-30, x); // below rounding
    EXPECT_TRUE(report.is_solved);
    EXPECT_TRUE(report.fell_back);
    EXPECT_GT(report.iterations, 0);
    EXPECT_NE(report.message.find("rounding leaves a residual"), std::string::npos) << report.message;
    EXPECT_LE(relative_residual(grid.system(), grid.right(), x), 1e-12);
}

TEST(ChosenSolver, TellsIndefiniteSystemsFromThoseThatRoundingSpoils)
{
    SpringSystem springs = spring_system(BlockLayout(2, 3), 9, 1);
    for (int slot = 0; slot < 3; ++slot)
        Eigen::Map<Mat<3, 3>>(springs.blocks.block(slot)) = (slot == 1 ? -2.0 : 1.0) * Mat<3, 3>::Identity();
    Eigen::VectorXd x;
    for (const bool may_be : {true, false}) {
        ChosenSolver solver(LinearMethod::pcg);
        solver.set_preconditioner_by_name("block_jacobi");
        LinearSystem system = springs.system();
        system.may_be_indefinite = may_be;
        ASSERT_TRUE(solver.prepare(system));
        const LinearReport report = solver.solve(Eigen::VectorXd::Ones(6), 1e-9, x);
        EXPECT_FALSE(report.is_solved);
        EXPECT_TRUE(report.is_indefinite);
        EXPECT_EQ(report.message.find("direct") != std::string::npos, !may_be) << report.message;
    }
}

TEST(ChosenSolver, RejectsPreconditionersThatItDoesNotKnow)
{
    ChosenSolver solver;
    EXPECT_THROW(solver.set_preconditioner_by_name("jacobi"), InvalidInput);
    for (const char* name : {"auto", "block_jacobi", "incomplete_cholesky", "schwarz", "contact"})
        EXPECT_NO_THROW(solver.set_preconditioner_by_name(name));
}

} // namespace

} // namespace abut::test
