#include "support/linear_solver_contract.hpp"

#include "abut/base/random.hpp"
#include "abut/linear/assembly.hpp"

#include <gtest/gtest.h>

namespace abut::test {

SpringSystem spring_system(const BlockLayout& layout, std::uint64_t seed, double mass)
{
    RandomStream random(seed);
    Stencils stencils;
    std::vector<double> numbers;
    const auto random_matrix = [&](int rows, int columns) {
        Eigen::MatrixXd matrix(rows, columns);
        for (double& entry : matrix.reshaped())
            entry = random.uniform(-1, 1);
        return matrix;
    };
    const auto store = [&](const Eigen::MatrixXd& block) {
        numbers.insert(numbers.end(), block.data(), block.data() + block.size());
    };
    const int n = layout.num_blocks();
    for (int block = 0; block < n; ++block) {
        stencils.add(std::array{block});
        store(mass * Eigen::MatrixXd::Identity(layout.size(block), layout.size(block)));
        for (const int other : {block + 1, block + 7}) {
            if (other >= n)
                continue;
            // G Gᵀ over both blocks
            const Eigen::MatrixXd G = random_matrix(layout.size(other), 2), H = random_matrix(layout.size(block), 2);
            stencils.add(std::array{other, block});
            store(G * G.transpose());
            store(H * G.transpose());
            store(H * H.transpose());
        }
    }
    SpringSystem result{layout, {}, std::vector<std::uint8_t>(n, 0), {}};
    HessianAssembly(layout, stencils).assemble(numbers, result.blocks);
    return result;
}

Eigen::MatrixXd SpringSystem::dense(double shift) const
{
    Eigen::MatrixXd A = blocks.to_sparse();
    A.diagonal().array() += shift;
    for (const RankOne& term : rank_one)
        A += term.weight * term.direction * term.direction.transpose();
    for (int block = 0; block < layout.num_blocks(); ++block)
        if (is_fixed[block] != 0)
            for (std::int64_t k = layout.offset(block); k < layout.offset(block) + layout.size(block); ++k) {
                A.row(k).setZero();
                A.col(k).setZero();
                A(k, k) = 1;
            }
    return A;
}

namespace {

void expect_solution(LinearSolver& solver, const SpringSystem& springs, double shift)
{
    constexpr double tolerance = 1e-9;
    const LinearSystem system = springs.system(shift);
    ASSERT_TRUE(solver.prepare(system));
    Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(springs.layout.num_unknowns(), -1, 3), x;
    for (int repeat = 0; repeat < 2; ++repeat) { // one preparation, several right sides
        const LinearReport report = solver.solve(b, tolerance, x);
        EXPECT_TRUE(report.is_solved) << report.message;
        EXPECT_FALSE(report.message.empty());
        EXPECT_LE(report.relative_residual, tolerance);
        EXPECT_NEAR(report.relative_residual, relative_residual(system, b, x), 1e-12);
        Eigen::VectorXd right = b;
        for (int block = 0; block < springs.layout.num_blocks(); ++block)
            if (springs.is_fixed[block] != 0) {
                EXPECT_EQ(x.segment(springs.layout.offset(block), springs.layout.size(block)).norm(), 0);
                right.segment(springs.layout.offset(block), springs.layout.size(block)).setZero();
            }
        EXPECT_LE((springs.dense(shift) * x - right).norm(), 1e-8 * right.norm());
        b = b.reverse().eval();
    }
}

void expect_solutions(const MakeLinearSolver& make, const BlockLayout& layout)
{
    SpringSystem springs = spring_system(layout, 3);
    const auto solver = make();
    EXPECT_FALSE(solver->name().empty());
    expect_solution(*solver, springs, 0);
    springs.is_fixed[0] = springs.is_fixed[17] = springs.is_fixed.back() = 1;
    expect_solution(*solver, springs, 0);
    expect_solution(*solver, springs, 0.5);
    const Eigen::VectorXd direction = Eigen::VectorXd::LinSpaced(layout.num_unknowns(), 1, -2);
    springs.rank_one = {{3.0, direction}, {0.0, direction}, {0.2, direction.cwiseAbs2()}};
    expect_solution(*solver, springs, 0);
    expect_solution(*solver, springs, 0.5);
    springs.rank_one.clear();
    expect_solution(*solver, springs, 0);
    springs.is_fixed.assign(layout.num_blocks(), 1);
    expect_solution(*solver, springs, 0);
}

} // namespace

void expect_linear_solver_contract(const MakeLinearSolver& make)
{
    BlockLayout mixed(40, 3);
    mixed.append(25, 1);
    mixed.append(5, 2);
    for (const BlockLayout& layout : {BlockLayout(60, 2), BlockLayout(60, 3), BlockLayout(60, 1), mixed}) {
        SCOPED_TRACE(layout.uniform_size());
        expect_solutions(make, layout);
        const auto solver = make();
        EXPECT_FALSE(solver->prepare(spring_system(layout, 5, -4).system()));
        expect_solution(*solver, spring_system(layout, 5), 0); // a failure does not stay
        // What was solved before the step began leaves no trace.
        const SpringSystem one = spring_system(layout, 11), other = spring_system(layout, 12);
        const auto solved = [&](LinearSolver& by, const SpringSystem& springs) {
            Eigen::VectorXd x;
            EXPECT_TRUE(by.prepare(springs.system()));
            EXPECT_TRUE(by.solve(Eigen::VectorXd::Ones(layout.num_unknowns()), 1e-9, x).is_solved);
            return x;
        };
        const Eigen::VectorXd fresh = solved(*make(), one);
        solved(*solver, other);
        solver->begin_step();
        EXPECT_EQ(solved(*solver, one), fresh);
    }
}

} // namespace abut::test
