#include "abut/linear/assembly.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/base/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace abut::test {

namespace {

/// Random terms of one to `max_size` vertices, with symmetric local Hessians in the layout of HessianAssembly.
struct RandomTerms {
    int num_vertices, dim;
    Stencils stencils;
    std::vector<double> gradients, blocks;
    Eigen::VectorXd gradient; ///< the sum, densely
    Eigen::MatrixXd hessian;

    RandomTerms(int num_vertices_, int dim_, int num_terms, int max_size, std::uint64_t seed)
        : num_vertices(num_vertices_), dim(dim_)
    {
        RandomStream random(seed);
        gradient.setZero(num_vertices * dim);
        hessian.setZero(num_vertices * dim, num_vertices * dim);
        for (int t = 0; t < num_terms; ++t) {
            std::vector<int> vertices;
            const int size = 1 + static_cast<int>(random.uniform(0, max_size - 1e-9));
            while (static_cast<int>(vertices.size()) < size) {
                const int v = static_cast<int>(random.uniform(0, num_vertices - 1e-9));
                if (std::find(vertices.begin(), vertices.end(), v) == vertices.end())
                    vertices.push_back(v);
            }
            stencils.add(vertices);
            const int n = size * dim;
            Eigen::VectorXd g(n);
            Eigen::MatrixXd H(n, n);
            for (int i = 0; i < n; ++i) {
                g[i] = random.uniform(-1, 1);
                for (int j = 0; j <= i; ++j)
                    H(i, j) = H(j, i) = random.uniform(-1, 1);
            }
            gradients.insert(gradients.end(), g.data(), g.data() + n);
            for (int i = 0; i < size; ++i) {
                gradient.segment(vertices[i] * dim, dim) += g.segment(i * dim, dim);
                for (int j = 0; j < size; ++j)
                    hessian.block(vertices[i] * dim, vertices[j] * dim, dim, dim) +=
                        H.block(i * dim, j * dim, dim, dim);
                for (int j = 0; j <= i; ++j) {
                    const Eigen::MatrixXd block = H.block(i * dim, j * dim, dim, dim);
                    blocks.insert(blocks.end(), block.data(), block.data() + dim * dim);
                }
            }
        }
    }
};

/// `call` must throw InvalidInput, with a message that begins with `beginning`.
template <typename Call>
void expect_rejected(Call&& call, const std::string& beginning)
{
    try {
        call();
        ADD_FAILURE() << "no exception; expected: " << beginning;
    } catch (const InvalidInput& error) {
        EXPECT_EQ(std::string(error.what()).substr(0, beginning.size()), beginning);
    }
}

Stencils stencils_of(const std::vector<std::vector<int>>& terms)
{
    Stencils stencils;
    for (const auto& vertices : terms)
        stencils.add(vertices);
    return stencils;
}

class Assembly : public testing::TestWithParam<int> {};

TEST_P(Assembly, SumsLocalGradients)
{
    const RandomTerms terms(40, GetParam(), 300, 6, 1);
    Eigen::VectorXd gradient = Eigen::VectorXd::Ones(terms.gradient.size());
    add_local_gradients(terms.stencils, terms.dim, terms.gradients, gradient);
    EXPECT_LE((gradient - Eigen::VectorXd::Ones(gradient.size()) - terms.gradient).norm(), 1e-13);
}

TEST_P(Assembly, SumsLocalHessiansOfAnySize)
{
    const RandomTerms terms(40, GetParam(), 120, 9, 2);
    const HessianAssembly assembly(terms.num_vertices, terms.dim, terms.stencils);
    SymmetricBlockMatrix matrix;
    assembly.assemble(terms.blocks, matrix);
    const Eigen::SparseMatrix<double> sparse = matrix.to_sparse();
    EXPECT_LE((Eigen::MatrixXd(sparse) - terms.hessian).norm(), 1e-13);
    const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(terms.gradient.size(), -1, 2);
    EXPECT_LE((matrix * x - terms.hessian * x).norm(), 1e-12);
}

TEST_P(Assembly, ConvertsToAWellFormedSparseMatrix)
{
    const RandomTerms terms(200, GetParam(), 60, 4, 3); // many vertices in no term
    SymmetricBlockMatrix matrix;
    HessianAssembly(terms.num_vertices, terms.dim, terms.stencils).assemble(terms.blocks, matrix);
    Eigen::SparseMatrix<double> sparse = matrix.to_sparse();
    EXPECT_TRUE(sparse.isCompressed());
    EXPECT_EQ(sparse.nonZeros(), matrix.pattern()->num_scalars());
    for (int column = 0; column < sparse.cols(); ++column)
        for (int k = sparse.outerIndexPtr()[column] + 1; k < sparse.outerIndexPtr()[column + 1]; ++k)
            EXPECT_LT(sparse.innerIndexPtr()[k - 1], sparse.innerIndexPtr()[k]);
    const Eigen::MatrixXd before = sparse;
    sparse *= 0;
    matrix.to_sparse(sparse);
    EXPECT_EQ(Eigen::MatrixXd(sparse), before);
    Eigen::SparseMatrix<double> other(sparse.rows(), sparse.cols());
    EXPECT_THROW(matrix.to_sparse(other), InvalidInput);
}

TEST_P(Assembly, FillsAWiderPattern)
{
    const RandomTerms all(50, GetParam(), 200, 5, 4);
    const auto wide = std::make_shared<BlockPattern>(all.num_vertices, all.dim, all.stencils);
    // The first terms of the same sequence.
    const RandomTerms some(50, GetParam(), 70, 5, 4);
    const HessianAssembly assembly(wide, some.stencils);
    EXPECT_EQ(assembly.pattern(), wide);
    SymmetricBlockMatrix matrix;
    assembly.assemble(some.blocks, matrix);
    EXPECT_LE((Eigen::MatrixXd(matrix.to_sparse()) - some.hessian).norm(), 1e-13);
    EXPECT_EQ(matrix.to_sparse().nonZeros(), wide->num_scalars());
}

TEST_P(Assembly, RejectsAPatternThatLacksABlock)
{
    const RandomTerms some(50, GetParam(), 20, 3, 5), others(50, GetParam(), 20, 3, 6);
    const auto pattern = std::make_shared<BlockPattern>(some.num_vertices, some.dim, some.stencils);
    try {
        const HessianAssembly assembly(pattern, others.stencils);
        FAIL() << "no exception";
    } catch (const InvalidInput& error) {
        EXPECT_NE(std::string(error.what()).find("pattern: it has no block ("), std::string::npos) << error.what();
    }
}

TEST_P(Assembly, HasTheSameBitsForAnyNumberOfThreads)
{
    const RandomTerms terms(300, GetParam(), 9000, 4, 7); // enough for several tasks
    const auto run = [&](int threads) {
        set_num_threads(threads);
        Eigen::VectorXd gradient = Eigen::VectorXd::Zero(terms.gradient.size());
        add_local_gradients(terms.stencils, terms.dim, terms.gradients, gradient);
        SymmetricBlockMatrix matrix;
        HessianAssembly(terms.num_vertices, terms.dim, terms.stencils).assemble(terms.blocks, matrix);
        set_num_threads(0);
        return std::pair(gradient, Eigen::MatrixXd(matrix.to_sparse()));
    };
    const auto one = run(1);
    EXPECT_LE((one.second - terms.hessian).norm(), 1e-11);
    for (const int threads : {2, 3, 4}) {
        const auto several = run(threads);
        EXPECT_EQ(several.first, one.first);
        EXPECT_EQ(several.second, one.second);
    }
}

TEST_P(Assembly, OfNothingIsZero)
{
    const HessianAssembly assembly(5, GetParam(), Stencils());
    SymmetricBlockMatrix matrix;
    assembly.assemble({}, matrix);
    EXPECT_EQ(matrix.to_sparse().nonZeros(), 0);
    EXPECT_EQ(matrix.to_sparse().rows(), 5 * GetParam());
}

TEST_P(Assembly, RejectsLocalArraysOfAnotherSize)
{
    const int dim = GetParam();
    const Stencils stencils = stencils_of({{0, 1}, {2}});
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(3 * dim);
    const std::vector<double> short_gradients(3 * dim - 1), gradients(3 * dim), short_blocks(4 * dim * dim - 1);
    expect_rejected([&] { add_local_gradients(stencils, dim, short_gradients, gradient); }, "local: ");
    Eigen::VectorXd broken = Eigen::VectorXd::Zero(3 * dim + 1);
    expect_rejected([&] { add_local_gradients(stencils, dim, gradients, broken); }, "gradient: ");
    SymmetricBlockMatrix matrix;
    const HessianAssembly assembly(3, dim, stencils);
    expect_rejected([&] { assembly.assemble(short_blocks, matrix); }, "local: ");
    EXPECT_EQ(matrix.pattern(), nullptr);
}

TEST_P(Assembly, RejectsVerticesThatAreNotThere)
{
    const int dim = GetParam();
    for (const int bad : {-2147483647 - 1, -7, -1, 3, 4, 2147483647}) {
        const Stencils stencils = stencils_of({{0, 1, 2}, {2, bad}});
        Stencils appended = stencils_of({{0, 1, 2}});
        appended.append(stencils_of({{2, bad}}));
        EXPECT_EQ(stencils, appended);
        const std::string message =
            "stencils: term 1 acts on vertex " + std::to_string(bad) + ", but there are 3 vertices";
        expect_rejected([&] { HessianAssembly(3, dim, stencils); }, message);
        expect_rejected([&] { HessianAssembly(3, dim, appended); }, message);
        expect_rejected([&] { BlockPattern(3, dim, stencils); }, message);
        const auto pattern = std::make_shared<BlockPattern>(3, dim, stencils_of({{0, 1, 2}}));
        expect_rejected([&] { HessianAssembly(pattern, stencils); }, message);
        Eigen::VectorXd gradient = Eigen::VectorXd::Zero(3 * dim);
        const std::vector<double> local(5 * dim, 1.0);
        expect_rejected([&] { add_local_gradients(stencils, dim, local, gradient); }, message);
        EXPECT_TRUE(gradient.isZero(0));
    }
    expect_rejected([&] { HessianAssembly(-1, dim, Stencils()); }, "num_vertices: ");
    Stencils cleared = stencils_of({{8}});
    cleared.clear();
    EXPECT_NO_THROW(HessianAssembly(0, dim, cleared));
}

TEST(AssemblyBorder, RejectsDimensionsOtherThanOneTwoAndThree)
{
    for (const int dim : {-1, 0, 4}) {
        Eigen::VectorXd gradient = Eigen::VectorXd::Zero(12);
        expect_rejected([&] { add_local_gradients({}, dim, {}, gradient); }, "dim: ");
        expect_rejected([&] { HessianAssembly(3, dim, {}); }, "dim: ");
        expect_rejected([&] { BlockPattern(3, dim, {}); }, "dim: ");
        expect_rejected([&] { BlockLayout(3, dim); }, "dim: ");
    }
}

TEST(BlockPattern, RejectsRowsThatDoNotFit)
{
    using Starts = std::vector<std::int64_t>;
    const BlockLayout layout(3, 3);
    const BlockPattern good(layout, Starts{0, 2, 2, 3}, {0, 2, 2});
    EXPECT_EQ(good.num_scalars(), 4 * 9);
    for (const Starts& starts : {Starts{}, Starts{0, 3}, Starts{0, 1, 2}, Starts{0, 1, 2, 3, 3}})
        expect_rejected([&] { BlockPattern(layout, starts, {0, 1, 2}); }, "row_starts: ");
    for (const Starts& starts : {Starts{1, 2, 2, 3}, Starts{0, 1, 1, 2}, Starts{0, 1, 2, 4}})
        expect_rejected([&] { BlockPattern(layout, starts, {0, 1, 2}); }, "row_starts: they must begin");
    expect_rejected([&] { BlockPattern(layout, Starts{0, 2, 1, 3}, {0, 2, 2}); }, "row_starts: row 1 begins at 2");
    expect_rejected([&] { BlockPattern(layout, Starts{0, 5, -1, 3}, {0, 2, 2}); }, "row_starts: row 1 begins at 5");
    for (const std::vector<int>& columns : {std::vector{2, 0, 2}, {2, 2, 2}, {-1, 2, 2}, {0, 3, 2}, {0, 2, 1}})
        expect_rejected([&] { BlockPattern(layout, Starts{0, 2, 2, 3}, columns); }, "columns: row ");
}

TEST(SymmetricBlockMatrix, WithoutAPatternConvertsToNothing)
{
    const SymmetricBlockMatrix matrix;
    EXPECT_EQ(matrix.num_unknowns(), 0);
    Eigen::SparseMatrix<double> sparse;
    expect_rejected([&] { (void)matrix.to_sparse(); }, "matrix: it has no pattern");
    expect_rejected([&] { matrix.to_sparse(sparse); }, "matrix: it has no pattern");
    expect_rejected([&] { (void)(matrix * Eigen::VectorXd()); }, "matrix: it has no pattern");
    expect_rejected([] { SymmetricBlockMatrix{nullptr}; }, "matrix: it has no pattern");
    expect_rejected([] { HessianAssembly(nullptr, {}); }, "pattern: none given");
}

INSTANTIATE_TEST_SUITE_P(Dimensions, Assembly, testing::Values(2, 3));

} // namespace

} // namespace abut::test
