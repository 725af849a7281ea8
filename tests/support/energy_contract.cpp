#include "support/energy_contract.hpp"

#include "abut/base/parallel.hpp"
#include "abut/base/random.hpp"
#include "abut/linear/terms_of_blocks.hpp"
#include "support/eigenvalues.hpp"

#include <gtest/gtest.h>

namespace abut::test {

EvaluatedTerms evaluate_all(const Terms& terms, const BlockLayout& layout, const Eigen::VectorXd& x, HessianForm form)
{
    EvaluatedTerms all;
    all.values.resize(terms.stencils().size());
    all.gradients.resize(num_gradient_numbers(terms.stencils(), layout));
    all.blocks.resize(num_hessian_numbers(terms.stencils(), layout));
    terms.evaluate(
        {layout, x},
        {.values = all.values.data(), .gradients = all.gradients.data(), .blocks = all.blocks.data(), .hessian = form});
    return all;
}

namespace {

/// A term's gradient and Hessian, dense, and a vector of unknowns at its stencil.
struct LocalTerms {
    const Stencils& stencils;
    const BlockLayout& layout;

    /// Calls visit(term, numbers of its gradient, where its gradient and its blocks begin).
    template <typename Visit>
    void for_each(Visit&& visit) const
    {
        std::int64_t gradient = 0, block = 0;
        for (std::size_t term = 0; term < stencils.size(); ++term) {
            std::int64_t size = 0, blocks = 0;
            for (const int each : stencils[term]) {
                size += layout.size(each);
                blocks += size * layout.size(each);
            }
            visit(term, static_cast<int>(size), gradient, block);
            gradient += size;
            block += blocks;
        }
    }
    [[nodiscard]] Eigen::VectorXd restricted(std::size_t term, int size, const Eigen::VectorXd& all) const
    {
        Eigen::VectorXd local(size);
        int at = 0;
        for (const int block : stencils[term]) {
            local.segment(at, layout.size(block)) = all.segment(layout.offset(block), layout.size(block));
            at += layout.size(block);
        }
        return local;
    }
    [[nodiscard]] Eigen::MatrixXd hessian(std::size_t term, int size, const double* blocks) const
    {
        Eigen::MatrixXd H(size, size);
        int row = 0;
        for (const int i : stencils[term]) {
            int column = 0;
            for (const int j : stencils[term]) {
                if (column > row)
                    break;
                const Eigen::Map<const Eigen::MatrixXd> block(blocks, layout.size(i), layout.size(j));
                H.block(row, column, block.rows(), block.cols()) = block;
                H.block(column, row, block.cols(), block.rows()) = block.transpose();
                blocks += block.size();
                column += layout.size(j);
            }
            row += layout.size(i);
        }
        return H;
    }
};

void expect_derivatives(
    const Energy& energy, const BlockLayout& layout, const Eigen::VectorXd& x, const EnergyContract& contract)
{
    const EvaluatedTerms here = evaluate_all(energy, layout, x, HessianForm::exact);
    const LocalTerms local{energy.stencils(), layout};
    RandomStream random(17);
    for (int repeat = 0; repeat < 4; ++repeat) {
        Eigen::VectorXd d(x.size());
        for (double& entry : d)
            entry = random.uniform(-1, 1);
        const Eigen::VectorXd ahead = x + contract.step * d, behind = x - contract.step * d;
        const EvaluatedTerms plus = evaluate_all(energy, layout, ahead, HessianForm::exact),
                             minus = evaluate_all(energy, layout, behind, HessianForm::exact);
        int bad = 0;
        local.for_each([&](std::size_t term, int size, std::int64_t at, std::int64_t block) {
            const Eigen::VectorXd along = local.restricted(term, size, d);
            const auto gradient_of = [&](const EvaluatedTerms& terms) {
                return Eigen::Map<const Eigen::VectorXd>(terms.gradients.data() + at, size);
            };
            const double slope = (plus.values[term] - minus.values[term]) / (2 * contract.step);
            const Eigen::MatrixXd H = local.hessian(term, size, here.blocks.data() + block);
            // A difference of values knows a slope to the curvature times the step, and to the values' rounding.
            const double scale = gradient_of(here).norm() + H.norm() * contract.step,
                         rounding = 1e-15 * std::abs(here.values[term]) / contract.step;
            const bool is_slope =
                std::abs(gradient_of(here).dot(along) - slope) <= contract.tolerance * scale + rounding;
            const Eigen::VectorXd bend = (gradient_of(plus) - gradient_of(minus)) / (2 * contract.step);
            const bool is_bend = (H * along - bend).norm() <=
                                 contract.tolerance * H.norm() + 1e-14 * gradient_of(here).norm() / contract.step;
            if ((!is_slope || !is_bend) && ++bad <= 3)
                ADD_FAILURE() << energy.name() << ", term " << term << ": slope " << gradient_of(here).dot(along)
                              << " against " << slope << ", bend off by " << (H * along - bend).norm() << " of "
                              << H.norm();
        });
        EXPECT_EQ(bad, 0) << energy.name() << ": terms whose derivatives are not those of differences";
    }
}

void expect_positive(const Energy& energy, const BlockLayout& layout, const Eigen::VectorXd& x)
{
    const LocalTerms local{energy.stencils(), layout};
    for (const HessianForm form : {HessianForm::clamp, HessianForm::absolute, HessianForm::analytic}) {
        const EvaluatedTerms here = evaluate_all(energy, layout, x, form);
        local.for_each([&](std::size_t term, int size, std::int64_t, std::int64_t block) {
            const Eigen::MatrixXd H = local.hessian(term, size, here.blocks.data() + block);
            const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(H, Eigen::EigenvaluesOnly);
            EXPECT_GE(solver.eigenvalues().minCoeff(), -1e-10 * H.norm()) << energy.name() << ", term " << term;
        });
    }
}

/// Kernels for single blocks have the gradient of the energy, and Hessians that are positive semidefinite, whatever the
/// groups, and also where they are asked group by group.
void expect_kernels(const Energy& energy, const BlockLayout& layout, const Eigen::VectorXd& x)
{
    constexpr int width = BlockGroups::width;
    BlockGroups groups;
    for (int first : {1, 0}) { // two colours, neither of which fills its groups
        for (int block = first; block < layout.num_blocks(); block += 2)
            groups.blocks.push_back(block);
        groups.blocks.resize((groups.blocks.size() + width - 1) / width * width, -1);
        groups.colour_starts.push_back(groups.num_groups());
    }
    const std::unique_ptr<BlockTerms> kernels = energy.by_blocks(groups, {layout, x});
    if (kernels == nullptr)
        return;
    std::vector<double> points(4 * std::size_t(layout.num_vertices()), 0), sums, apart;
    for (int v = 0; v < layout.num_vertices(); ++v)
        for (int a = 0; a < layout.dim(); ++a)
            points[4 * v + a] = x[layout.offset(v) + a];
    const std::size_t per_group = num_block_sums * width;
    sums.assign(groups.num_groups() * per_group, 0);
    apart = sums;
    kernels->add(points.data(), 0, groups.num_groups(), sums.data());
    for (std::size_t group = 0; group < groups.num_groups(); ++group)
        kernels->add(points.data(), group, group + 1, apart.data() + group * per_group);
    EXPECT_EQ(sums, apart) << energy.name();
    const Eigen::VectorXd gradient = gradient_of_terms(energy.stencils(), layout, [&](const TermOutput& out) {
        energy.evaluate({layout, x}, out);
    });
    double largest = 0;
    for (int block = 0; block < layout.num_vertices(); ++block)
        largest = std::max(largest, gradient.segment(layout.offset(block), layout.size(block)).norm());
    int bad = 0;
    for (std::size_t k = 0; k < groups.blocks.size(); ++k) {
        const int block = groups.blocks[k];
        if (block < 0)
            continue;
        const auto at = [&](int entry) { return sums[k / width * per_group + entry * width + k % width]; };
        const Vec3 g(at(0), at(1), at(2));
        Mat<3, 3> H;
        H << at(3), at(4), at(5), at(4), at(6), at(7), at(5), at(7), at(8);
        if (block >= layout.num_vertices()) { // kernels know vertices alone
            EXPECT_TRUE(g.isZero(0) && H.isZero(0)) << energy.name();
            continue;
        }
        Vec3 wanted = Vec3::Zero();
        wanted.head(layout.size(block)) = gradient.segment(layout.offset(block), layout.size(block));
        if ((g - wanted).norm() > 1e-9 * largest && ++bad <= 3)
            ADD_FAILURE() << energy.name() << ", block " << block << ": kernels say " << g.transpose()
                          << ", the energy " << wanted.transpose();
        const Eigen::SelfAdjointEigenSolver<Mat<3, 3>> eigen(H, Eigen::EigenvaluesOnly);
        EXPECT_GE(eigen.eigenvalues().minCoeff(), -1e-10 * H.norm()) << energy.name() << ", block " << block;
    }
    EXPECT_EQ(bad, 0) << energy.name();
}

void expect_subsets(const Energy& energy, const BlockLayout& layout, const Eigen::VectorXd& x)
{
    const auto count = static_cast<int>(energy.stencils().size());
    std::vector<std::vector<int>> subsets{{}, {}};
    for (int term = 0; term < count; ++term) {
        subsets[0].push_back(term);
        if (term % 3 == 1)
            subsets[1].push_back(term);
    }
    subsets.push_back({});
    if (count > 0)
        subsets.push_back({count - 1});
    const EvaluatedTerms whole = evaluate_all(energy, layout, x, HessianForm::clamp);
    for (const std::vector<int>& terms : subsets) {
        const std::unique_ptr<Terms> subset = energy.subset(terms);
        ASSERT_EQ(subset->stencils(), energy.stencils().subset(terms));
        const EvaluatedTerms part = evaluate_all(*subset, layout, x, HessianForm::clamp);
        const LocalTerms of_part{subset->stencils(), layout}, of_whole{energy.stencils(), layout};
        std::vector<std::array<std::int64_t, 2>> starts;
        of_whole.for_each([&](std::size_t, int, std::int64_t at, std::int64_t block) {
            starts.push_back({at, block});
        });
        of_part.for_each([&](std::size_t k, int size, std::int64_t at, std::int64_t block) {
            const auto [gradient, blocks] = starts[terms[k]];
            const Eigen::Map<const Eigen::VectorXd> mine(part.gradients.data() + at, size),
                wanted(whole.gradients.data() + gradient, size);
            // Terms that are evaluated in other groups may be rounded differently.
            EXPECT_NEAR(part.values[k], whole.values[terms[k]], 1e-12 * std::abs(whole.values[terms[k]]));
            EXPECT_LE((mine - wanted).norm(), 1e-12 * wanted.norm());
            const Eigen::MatrixXd H = of_part.hessian(k, size, part.blocks.data() + block),
                                  H_whole = of_whole.hessian(terms[k], size, whole.blocks.data() + blocks);
            EXPECT_LE((H - H_whole).norm(), 1e-12 * H_whole.norm());
        });
    }
    if (count > 0) {
        EXPECT_THROW((void)energy.subset(std::array{count}), InvalidInput);
        EXPECT_THROW((void)energy.subset(std::array{-1}), InvalidInput);
    }
}

/// The terms that touch a block have all of its gradient.
void expect_terms_of_blocks(const Energy& energy, const BlockLayout& layout, const Eigen::VectorXd& x)
{
    const TermsOfBlocks terms_of(energy.stencils(), layout.num_blocks());
    const Problem problem(layout, {});
    const Eigen::VectorXd whole = problem.gradient_of(energy, x);
    for (const int block : {0, layout.num_blocks() / 2, layout.num_blocks() - 1}) {
        const std::unique_ptr<Terms> touching = energy.subset(terms_of[block]);
        const Eigen::VectorXd part = gradient_of_terms(touching->stencils(), layout, [&](const TermOutput& out) {
            touching->evaluate({layout, x}, out);
        });
        const auto own = [&](const Eigen::VectorXd& all) {
            return Eigen::VectorXd(all.segment(layout.offset(block), layout.size(block)));
        };
        EXPECT_LE((own(part) - own(whole)).norm(), 1e-12 * own(part).norm()) << energy.name() << ", block " << block;
    }
}

void expect_purity(const Energy& energy, const BlockLayout& layout, const Eigen::VectorXd& x)
{
    const EvaluatedTerms first = evaluate_all(energy, layout, x, HessianForm::clamp);
    EXPECT_EQ(evaluate_all(energy, layout, x, HessianForm::clamp), first) << energy.name();
    set_num_threads(3);
    EXPECT_EQ(evaluate_all(energy, layout, x, HessianForm::clamp), first) << energy.name() << " with three threads";
    set_num_threads(0);
    // Each output alone
    EvaluatedTerms alone = first;
    std::fill(alone.values.begin(), alone.values.end(), -7);
    energy.evaluate({layout, x}, {.values = alone.values.data()});
    for (std::size_t k = 0; k < alone.values.size(); ++k)
        EXPECT_NEAR(alone.values[k], first.values[k], 1e-12 * std::abs(first.values[k])) << energy.name();
    std::fill(alone.gradients.begin(), alone.gradients.end(), -7);
    energy.evaluate({layout, x}, {.gradients = alone.gradients.data()});
    // GCP computes gradients that come without Hessians another way: equal to rounding, term by term.
    if (energy.role() != EnergyRole::contact) {
        EXPECT_EQ(alone.gradients, first.gradients) << energy.name();
    }
    for (std::size_t k = 0, at = 0; k < energy.stencils().size(); ++k) {
        double difference = 0, size = 0;
        for (const int block : energy.stencils()[k])
            for (int a = 0; a < layout.size(block); ++a, ++at) {
                difference = std::max(difference, std::abs(alone.gradients[at] - first.gradients[at]));
                size = std::max(size, std::abs(first.gradients[at]));
            }
        EXPECT_LE(difference, 1e-12 * size) << energy.name() << ", term " << k;
    }
}

void expect_momentum(const Energy& energy, const BlockLayout& layout, const Eigen::VectorXd& x)
{
    const EvaluatedTerms here = evaluate_all(energy, layout, x, HessianForm::exact);
    const LocalTerms local{energy.stencils(), layout};
    local.for_each([&](std::size_t term, int size, std::int64_t at, std::int64_t) {
        Eigen::VectorXd sum = Eigen::VectorXd::Zero(layout.dim());
        double largest = 0;
        for (const int block : energy.stencils()[term]) {
            const Eigen::Map<const Eigen::VectorXd> force(here.gradients.data() + at, layout.size(block));
            at += layout.size(block);
            if (block < layout.num_vertices())
                sum += force;
            largest = std::max(largest, force.norm());
        }
        EXPECT_LE(sum.norm(), 1e-11 * largest) << energy.name() << ", term " << term << " of " << size << " numbers";
    });
}

} // namespace

void expect_energy_contract(
    const Energy& energy, const BlockLayout& layout, const Eigen::VectorXd& x, const EnergyContract& contract)
{
    SCOPED_TRACE(energy.name());
    expect_derivatives(energy, layout, x, contract);
    expect_positive(energy, layout, x);
    expect_kernels(energy, layout, x);
    expect_subsets(energy, layout, x);
    expect_terms_of_blocks(energy, layout, x);
    expect_purity(energy, layout, x);
    if (contract.has_momentum)
        expect_momentum(energy, layout, x);
}

} // namespace abut::test
