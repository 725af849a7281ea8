// Unknowns in blocks of different sizes: gradients, Hessians, products and conversions against dense sums.

#include "abut/base/parallel.hpp"
#include "abut/base/random.hpp"
#include "abut/linear/assembly.hpp"
#include "abut/linear/terms_of_blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace abut::test {

namespace {

/// Seven vertices in `dim` dimensions, five blocks of one and three of two.
BlockLayout mixed_layout(int dim)
{
    BlockLayout layout(7, dim);
    layout.append(5, 1);
    layout.append(3, 2);
    return layout;
}

struct MixedTerms {
    BlockLayout layout;
    Stencils stencils;
    std::vector<double> gradients, blocks;
    Eigen::VectorXd gradient; ///< the sum, densely
    Eigen::MatrixXd hessian;

    MixedTerms(const BlockLayout& layout_, int num_terms, std::uint64_t seed) : layout(layout_)
    {
        RandomStream random(seed);
        gradient.setZero(layout.num_unknowns());
        hessian.setZero(layout.num_unknowns(), layout.num_unknowns());
        for (int t = 0; t < num_terms; ++t)
            add(random);
    }

private:
    void add(RandomStream& random)
    {
        std::vector<int> chosen;
        const int count = 1 + static_cast<int>(random.uniform(0, 4 - 1e-9));
        while (static_cast<int>(chosen.size()) < count) {
            const int block = static_cast<int>(random.uniform(0, layout.num_blocks() - 1e-9));
            if (std::find(chosen.begin(), chosen.end(), block) == chosen.end())
                chosen.push_back(block);
        }
        stencils.add(chosen);
        for (int i = 0; i < count; ++i) {
            const std::int64_t at = layout.offset(chosen[i]);
            const int height = layout.size(chosen[i]);
            for (int a = 0; a < height; ++a) {
                gradients.push_back(random.uniform(-1, 1));
                gradient[at + a] += gradients.back();
            }
            for (int j = 0; j <= i; ++j) {
                Eigen::MatrixXd block(height, layout.size(chosen[j]));
                for (double& entry : block.reshaped())
                    entry = random.uniform(-1, 1);
                if (i == j)
                    block = (block + block.transpose()).eval();
                blocks.insert(blocks.end(), block.data(), block.data() + block.size());
                const std::int64_t other = layout.offset(chosen[j]);
                hessian.block(at, other, block.rows(), block.cols()) += block;
                if (i != j)
                    hessian.block(other, at, block.cols(), block.rows()) += block.transpose();
            }
        }
    }
};

TEST(BlockLayout, CountsBlocksAndNumbers)
{
    BlockLayout layout(4, 3);
    EXPECT_EQ(layout.uniform_size(), 3);
    EXPECT_EQ(layout.append(2, 1), 4);
    EXPECT_EQ(layout.append(0, 2), 6);
    EXPECT_EQ(layout.append(1, 3), 6);
    EXPECT_EQ(layout.num_vertices(), 4);
    EXPECT_EQ(layout.num_blocks(), 7);
    EXPECT_EQ(layout.num_unknowns(), 4 * 3 + 2 + 3);
    EXPECT_EQ(layout.uniform_size(), 0);
    const std::vector<std::pair<int, std::int64_t>> expected{{3, 0}, {3, 3}, {3, 6}, {3, 9}, {1, 12}, {1, 13}, {3, 14}};
    for (int block = 0; block < 7; ++block)
        EXPECT_EQ(std::pair(layout.size(block), layout.offset(block)), expected[block]);
    BlockLayout alike(4, 1);
    alike.append(3, 1);
    EXPECT_EQ(alike.uniform_size(), 1);
    EXPECT_EQ(alike.num_vertices(), 4);
    EXPECT_NE(alike, BlockLayout(7, 1));
    EXPECT_THROW(layout.append(1, 4), InvalidInput);
    EXPECT_THROW(layout.append(-1, 1), InvalidInput);
    EXPECT_THROW(BlockLayout(-1, 3), InvalidInput);
}

TEST(TermsOfBlocks, TurnsStencilsRound)
{
    Stencils stencils;
    for (const std::vector<int>& blocks : std::vector<std::vector<int>>{{3, 0}, {1}, {0, 1, 3}, {}})
        stencils.add(blocks);
    const TermsOfBlocks terms_of(stencils, 5);
    const std::vector<std::vector<int>> expected{{0, 2}, {1, 2}, {}, {0, 2}, {}};
    for (int block = 0; block < 5; ++block)
        EXPECT_EQ(std::vector<int>(terms_of[block].begin(), terms_of[block].end()), expected[block]);
}

class MixedBlocks : public testing::TestWithParam<int> {};

TEST_P(MixedBlocks, AddUpAsDenseMatricesDo)
{
    for (const BlockLayout& layout : {mixed_layout(GetParam()), BlockLayout(9, GetParam())})
        for (const int num_terms : {0, 1, 40, 5000}) {
            const MixedTerms terms(layout, num_terms, 7 + num_terms);
            EXPECT_EQ(num_gradient_numbers(terms.stencils, layout), static_cast<std::int64_t>(terms.gradients.size()));
            EXPECT_EQ(num_hessian_numbers(terms.stencils, layout), static_cast<std::int64_t>(terms.blocks.size()));
            const double rounding = 1e-14 * (1 + num_terms);
            Eigen::VectorXd gradient = Eigen::VectorXd::Zero(layout.num_unknowns());
            add_local_gradients(terms.stencils, layout, terms.gradients, gradient);
            EXPECT_LE((gradient - terms.gradient).norm(), rounding);
            SymmetricBlockMatrix matrix;
            HessianAssembly(layout, terms.stencils).assemble(terms.blocks, matrix);
            Eigen::SparseMatrix<double> sparse = matrix.to_sparse();
            EXPECT_EQ(sparse.nonZeros(), matrix.pattern()->num_scalars());
            EXPECT_LE((Eigen::MatrixXd(sparse) - terms.hessian).norm(), rounding);
            const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(layout.num_unknowns(), -1, 2);
            EXPECT_LE((matrix * x - terms.hessian * x).norm(), 10 * rounding);
            sparse.coeffs().setZero();
            matrix.to_sparse(sparse);
            EXPECT_LE((Eigen::MatrixXd(sparse) - terms.hessian).norm(), rounding);
        }
}

TEST_P(MixedBlocks, HaveTheSameBitsForAnyNumberOfThreads)
{
    const MixedTerms terms(mixed_layout(GetParam()), 20000, 3);
    const auto sums = [&](int threads) {
        set_num_threads(threads);
        Eigen::VectorXd gradient = Eigen::VectorXd::Zero(terms.layout.num_unknowns());
        add_local_gradients(terms.stencils, terms.layout, terms.gradients, gradient);
        SymmetricBlockMatrix matrix;
        HessianAssembly(terms.layout, terms.stencils).assemble(terms.blocks, matrix);
        set_num_threads(0);
        return std::pair(gradient, Eigen::MatrixXd(matrix.to_sparse()));
    };
    const auto one = sums(1), four = sums(4);
    EXPECT_EQ(one.first, four.first);
    EXPECT_EQ(one.second, four.second);
}

TEST_P(MixedBlocks, RejectNumbersThatDoNotFit)
{
    const MixedTerms terms(mixed_layout(GetParam()), 10, 5);
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(terms.layout.num_unknowns() + 1);
    EXPECT_THROW(add_local_gradients(terms.stencils, terms.layout, terms.gradients, gradient), InvalidInput);
    gradient.setZero(terms.layout.num_unknowns());
    std::vector<double> few = terms.gradients;
    few.pop_back();
    EXPECT_THROW(add_local_gradients(terms.stencils, terms.layout, few, gradient), InvalidInput);
    few = terms.blocks;
    few.pop_back();
    SymmetricBlockMatrix matrix;
    EXPECT_THROW(HessianAssembly(terms.layout, terms.stencils).assemble(few, matrix), InvalidInput);
    EXPECT_THROW(HessianAssembly(BlockLayout(3, 3), terms.stencils), InvalidInput);
}

INSTANTIATE_TEST_SUITE_P(Dimensions, MixedBlocks, testing::Values(1, 2, 3));

} // namespace

} // namespace abut::test
