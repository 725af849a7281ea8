#include "abut/linear/direct_solver.hpp"

#include "abut/base/random.hpp"
#include "abut/linear/assembly.hpp"

#include <cstdlib>
#include <thread>

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace abut::test {

namespace {

/// A chain of springs in `dim` dimensions, with bridges from its first vertices to later ones, with random symmetric
/// positive definite blocks, and a little mass.
SymmetricBlockMatrix chain(int num_vertices, int dim, double mass, std::uint64_t seed, int num_bridges = 0)
{
    Stencils stencils;
    std::vector<double> blocks;
    RandomStream random(seed);
    const auto store = [&](const Eigen::MatrixXd& block) {
        blocks.insert(blocks.end(), block.data(), block.data() + block.size());
    };
    for (int v = 0; v < num_vertices; ++v) {
        stencils.add(std::array{v});
        store(mass * Eigen::MatrixXd::Identity(dim, dim));
        for (const int other : {v + 1, v + 7, v < num_bridges ? v + 50 : num_vertices}) {
            if (other >= num_vertices)
                continue;
            stencils.add(std::array{other, v});
            Eigen::MatrixXd K(dim, dim);
            for (double& entry : K.reshaped())
                entry = random.uniform(-1, 1);
            K = K * K.transpose();
            store(K);
            store(-K);
            store(K);
        }
    }
    SymmetricBlockMatrix matrix;
    HessianAssembly(num_vertices, dim, stencils).assemble(blocks, matrix);
    return matrix;
}

Eigen::VectorXd solved(LinearSolver& solver, const Eigen::VectorXd& b)
{
    Eigen::VectorXd x;
    EXPECT_TRUE(solver.solve(b, 0, x).is_solved);
    return x;
}

using Create = std::unique_ptr<DirectSolver> (*)();
class Solver : public testing::TestWithParam<Create> {};

TEST_P(Solver, SolvesWithAndWithoutFixedVertices)
{
    for (const int dim : {2, 3}) {
        const SymmetricBlockMatrix A = chain(60, dim, 0.1, 1);
        const Eigen::MatrixXd dense = A.to_sparse();
        const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(60 * dim, -1, 3);
        const auto solver = GetParam()();
        std::vector<std::uint8_t> is_fixed(60, 0);
        ASSERT_TRUE(solver->prepare({.blocks = A, .is_fixed = is_fixed}));
        EXPECT_LE((dense * solved(*solver, b) - b).norm(), 1e-10 * b.norm());
        is_fixed[0] = is_fixed[17] = is_fixed[59] = 1;
        ASSERT_TRUE(solver->prepare({.blocks = A, .is_fixed = is_fixed}));
        const Eigen::VectorXd x = solved(*solver, b), residual = dense * x - b;
        for (int v = 0; v < 60; ++v)
            if (is_fixed[v] != 0)
                EXPECT_EQ(x.segment(v * dim, dim).norm(), 0);
            else
                EXPECT_LE(residual.segment(v * dim, dim).norm(), 1e-10 * b.norm());
    }
}

TEST_P(Solver, KeepsItsSymbolicAnalysisWhileThePatternHolds)
{
    const auto solver = GetParam()();
    SymmetricBlockMatrix A = chain(40, 3, 0.1, 2);
    std::vector<std::uint8_t> is_fixed(40, 0);
    ASSERT_TRUE(solver->prepare({.blocks = A, .is_fixed = is_fixed}));
    for (int slot = 0; slot < A.pattern()->num_blocks(); ++slot)
        for (int k = 0; k < 9; ++k)
            A.block(slot)[k] *= 2;
    ASSERT_TRUE(solver->prepare({.blocks = A, .is_fixed = is_fixed}));
    EXPECT_EQ(solver->num_analyses(), 1);
    const Eigen::VectorXd b = Eigen::VectorXd::Ones(120);
    EXPECT_LE((A * solved(*solver, b) - b).norm(), 1e-10);
    is_fixed[3] = 1;
    ASSERT_TRUE(solver->prepare({.blocks = A, .is_fixed = is_fixed}));
    EXPECT_EQ(solver->num_analyses(), 2);
}

TEST_P(Solver, ForgetsWhatItFactorisedBefore)
{
    // Of the same size, with patterns alike enough for the ordering of one to serve the other
    const SymmetricBlockMatrix A = chain(300, 3, 0.1, 6), B = chain(300, 3, 0.1, 6, 3);
    const std::vector<std::uint8_t> is_fixed(300, 0);
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(900, -1, 1);
    const auto solution = [&](DirectSolver& solver, const SymmetricBlockMatrix& matrix) {
        EXPECT_TRUE(solver.prepare({.blocks = matrix, .is_fixed = is_fixed}));
        return solved(solver, b);
    };
    const auto fresh = GetParam()(), used = GetParam()();
    const Eigen::VectorXd of_A = solution(*GetParam()(), A), of_B = solution(*fresh, B);
    solution(*used, A);
    solution(*used, B); // perhaps with the ordering of A
    used->begin_step();
    EXPECT_EQ(solution(*used, B), of_B);
    used->begin_step();
    EXPECT_EQ(solution(*used, A), of_A);
    // An ordering that would be found again is kept.
    const int before = used->num_analyses();
    used->begin_step();
    EXPECT_EQ(solution(*used, A), of_A);
    EXPECT_EQ(used->num_analyses(), before);
}

TEST_P(Solver, FindsOneOrderingForWhatLastsAndMendsItForContacts)
{
    const std::vector<std::uint8_t> is_fixed(300, 0);
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(900, -1, 1);
    const std::shared_ptr<const BlockPattern> lasting = chain(300, 3, 0.1, 6).pattern();
    const auto solution = [&](DirectSolver& solver, const SymmetricBlockMatrix& matrix) {
        EXPECT_TRUE(solver.prepare({.blocks = matrix, .is_fixed = is_fixed, .lasting = lasting}));
        const Eigen::VectorXd x = solved(solver, b);
        EXPECT_LE((matrix * x - b).norm(), 1e-10 * b.norm());
        return x;
    };
    const auto used = GetParam()();
    for (const int num_bridges : {0, 2, 5, 3, 0}) { // steps, with contacts that come and go
        const SymmetricBlockMatrix matrix = chain(300, 3, 0.1, 6, num_bridges);
        used->begin_step();
        const Eigen::VectorXd x = solution(*used, matrix);
        EXPECT_EQ(x, solution(*GetParam()(), matrix)) << "what was kept leaves no trace";
    }
    EXPECT_EQ(used->num_orderings(), 1);
    // Too many contacts for an ordering to be mended
    const SymmetricBlockMatrix crowded = chain(300, 3, 0.1, 6, 250);
    used->begin_step();
    EXPECT_EQ(solution(*used, crowded), solution(*GetParam()(), crowded));
    EXPECT_EQ(used->num_orderings(), 2);
    EXPECT_GT(
        used->estimated_counts(crowded.pattern(), is_fixed).multiplications,
        used->estimated_counts(lasting, is_fixed).multiplications);
    const auto counted = [&](int num_bridges) {
        const SymmetricBlockMatrix matrix = chain(300, 3, 0.1, 6, num_bridges);
        return used->estimated_counts({.blocks = matrix, .is_fixed = is_fixed, .lasting = lasting});
    };
    EXPECT_EQ(counted(0).entries, used->estimated_counts(lasting, is_fixed).entries);
    EXPECT_GT(counted(5).entries, counted(0).entries) << "contacts fill the factor in";
}

TEST_P(Solver, SaysWhereAMatrixIsNotPositiveDefinite)
{
    const auto solver = GetParam()();
    const std::vector<std::uint8_t> is_fixed(30, 0);
    EXPECT_FALSE(solver->prepare({.blocks = chain(30, 3, -0.5, 3), .is_fixed = is_fixed}));
    EXPECT_TRUE(solver->prepare({.blocks = chain(30, 3, 0.5, 3), .is_fixed = is_fixed})) << "a failure must not stay";
}

TEST_P(Solver, WithEverythingFixedHasNothingToDo)
{
    const auto solver = GetParam()();
    const SymmetricBlockMatrix A = chain(9, 2, 1, 4);
    const std::vector<std::uint8_t> is_fixed(9, 1);
    ASSERT_TRUE(solver->prepare({.blocks = A, .is_fixed = is_fixed}));
    EXPECT_EQ(solved(*solver, Eigen::VectorXd::Ones(18)).norm(), 0);
}

INSTANTIATE_TEST_SUITE_P(All, Solver, testing::Values(&DirectSolver::create, &DirectSolver::create_eigen));

TEST(DirectSolver, HasTheSameBitsEachTime)
{
    const SymmetricBlockMatrix A = chain(500, 3, 0.1, 5);
    const std::vector<std::uint8_t> is_fixed(500, 0);
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(1500, -1, 1);
    const auto run = [&] {
        const auto solver = DirectSolver::create();
        EXPECT_TRUE(solver->prepare({.blocks = A, .is_fixed = is_fixed}));
        return solved(*solver, b);
    };
    const Eigen::VectorXd first = run();
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(run(), first);
    // The ordering takes random numbers from the C library, which all threads share.
    std::vector<Eigen::VectorXd> found(12);
    std::vector<std::thread> threads;
    for (Eigen::VectorXd& mine : found)
        threads.emplace_back([&] { mine = run(); });
    for (std::thread& thread : threads)
        thread.join();
    for (const Eigen::VectorXd& each : found)
        EXPECT_EQ(each, first);
}

TEST(DirectSolver, LeavesTheRandomNumbersOfTheProgramAlone)
{
    const SymmetricBlockMatrix A = chain(500, 3, 0.1, 5);
    const auto draw = [&](bool orders_between) {
        std::srand(7);
        const int first = std::rand();
        if (orders_between) {
            const std::vector<std::uint8_t> is_fixed(500, 0);
            EXPECT_TRUE(DirectSolver::create()->prepare({.blocks = A, .is_fixed = is_fixed}));
        }
        return std::array{first, std::rand(), std::rand()};
    };
    EXPECT_EQ(draw(true), draw(false));
}

TEST(DirectSolver, ComputesWithTheInstructionsThatTheCpuHas)
{
#ifdef __x86_64__
    // Debian 12's OpenBLAS takes CPUs that are newer than itself for Intel's Prescott of 2004.
    const auto solver = DirectSolver::create();
    const auto core = reinterpret_cast<const char* (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
    const bool is_chosen_by_hand = std::getenv("OPENBLAS_CORETYPE") != nullptr;
    if (core != nullptr && !is_chosen_by_hand && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        EXPECT_STRNE(core(), "Prescott");
        EXPECT_EQ(std::getenv("OPENBLAS_CORETYPE"), nullptr) << "the environment is as it was";
    }
#endif
}

} // namespace

} // namespace abut::test
