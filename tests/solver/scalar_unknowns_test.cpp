// Unknowns that are no vertices, coupled to vertices: a chain of springs in series, the second of each pair a number.

#include "abut/solver/newton.hpp"
#include "support/energy_contract.hpp"

#include <gtest/gtest.h>

namespace abut::test {

namespace {

/// Each link between two vertices has a rest length s of its own, an unknown that is held at 1 by a second spring:
///
///   E = k/2 (|x_1 − x_0| − s)² + c/2 (s − 1)²
///
/// Under a force f the link is 1 + f/k + f/c long, and s is 1 + f/c.
class GivingLinks final : public Energy {
public:
    GivingLinks(int num_links, int first_scalar, double k, double c) : k_(k), c_(c)
    {
        for (int link = 0; link < num_links; ++link)
            stencils_.add(std::array{link, link + 1, first_scalar + link});
    }
    [[nodiscard]] std::string_view name() const override { return "links"; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const Unknowns& x, const TermOutput& out) const override
    {
        for (std::size_t term = 0; term < stencils_.size(); ++term) {
            const auto blocks = stencils_[term];
            const Vec3 d = x.block(blocks[1]) - x.block(blocks[0]);
            const double s = x.block(blocks[2])[0], length = d.norm(), stretch = length - s;
            const Vec3 n = d / length;
            if (out.values != nullptr)
                out.values[term] = k_ / 2 * stretch * stretch + c_ / 2 * (s - 1) * (s - 1);
            if (out.gradients != nullptr) {
                Eigen::Map<Vec<7>> gradient(out.gradients + 7 * term);
                gradient << -k_ * stretch * n, k_ * stretch * n, -k_ * stretch + c_ * (s - 1);
            }
            if (out.blocks != nullptr) {
                // Across a link that is pressed the exact Hessian is negative.
                double across = stretch / length;
                if (out.hessian != HessianForm::exact && across < 0)
                    across = out.hessian == HessianForm::absolute ? -across : 0;
                const Mat<3, 3> K = k_ * (n * n.transpose() + across * (Mat<3, 3>::Identity() - n * n.transpose()));
                // (0,0) (1,0) (1,1) of 3 x 3, then (2,0) (2,1) of 1 x 3 and (2,2)
                double* to = out.blocks + 34 * term;
                for (const double sign : {1.0, -1.0, 1.0}) {
                    Eigen::Map<Mat<3, 3>>{to} = sign * K;
                    to += 9;
                }
                for (const double sign : {1.0, -1.0}) {
                    Eigen::Map<Vec3>{to} = sign * k_ * n;
                    to += 3;
                }
                *to = k_ + c_;
            }
        }
    }

private:
    Stencils stencils_;
    double k_, c_;
};

class Weight final : public Energy {
public:
    Weight(int vertex, double force) : vertex_(vertex), force_(force) { stencils_.add(std::array{vertex}); }
    [[nodiscard]] std::string_view name() const override { return "weight"; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const Unknowns& x, const TermOutput& out) const override
    {
        if (out.values != nullptr)
            out.values[0] = force_ * x.vertices()(vertex_, 1);
        if (out.gradients != nullptr)
            Eigen::Map<Vec3>{out.gradients} = force_ * Vec3::UnitY();
        if (out.blocks != nullptr)
            Eigen::Map<Mat<3, 3>>{out.blocks}.setZero();
    }

private:
    Stencils stencils_;
    int vertex_;
    double force_;
};

/// A chain of links that hangs from vertex 0, slack and crooked.
Eigen::VectorXd crooked_chain(const BlockLayout& layout)
{
    Eigen::VectorXd x = Eigen::VectorXd::Ones(layout.num_unknowns());
    auto vertices = vertices_of(layout, x);
    for (int v = 0; v < vertices.rows(); ++v)
        vertices.row(v) << 0.1 * (v % 2), -1.1 * v, 0.05 * v;
    return x;
}

TEST(ScalarUnknowns, AreSolvedForTogetherWithVertices)
{
    constexpr int links = 4;
    constexpr double k = 20, c = 5, force = 0.6;
    BlockLayout layout(links + 1, 3);
    const int first = layout.append(links, 1);
    GivingLinks springs(links, first, k, c);
    Weight weight(links, force);
    Problem problem(layout, {&springs, &weight});
    std::vector<std::uint8_t> is_fixed(layout.num_blocks(), 0);
    is_fixed[0] = 1;
    problem.set_fixed(is_fixed);
    Eigen::VectorXd x = crooked_chain(layout);
    x.head(3).setZero();
    Newton newton;
    const SolveReport report = newton.minimize(problem, x, {.tolerance = 1e-12});
    EXPECT_EQ(report.outcome, Outcome::converged) << report.message;
    for (int link = 0; link < links; ++link) {
        EXPECT_NEAR(problem.view(x).block(first + link)[0], 1 + force / c, 1e-10);
        EXPECT_NEAR(problem.view(x).vertices()(link + 1, 1), -(link + 1) * (1 + force / k + force / c), 1e-10);
    }
    // A number that is fixed stays, and the others follow.
    is_fixed[first + 1] = 1;
    problem.set_fixed(is_fixed);
    x = crooked_chain(layout);
    x.head(3).setZero();
    EXPECT_EQ(newton.minimize(problem, x, {.tolerance = 1e-12}).outcome, Outcome::converged);
    EXPECT_EQ(problem.view(x).block(first + 1)[0], 1);
    EXPECT_NEAR(problem.view(x).vertices()(links, 1), -links * (1 + force / k) - (links - 1) * force / c, 1e-10);
}

TEST(ScalarUnknowns, KeepTheContractOfEnergies)
{
    BlockLayout layout(6, 3);
    const int first = layout.append(5, 1);
    const GivingLinks springs(5, first, 20, 5);
    Eigen::VectorXd x = crooked_chain(layout);
    x.tail(5) << 0.7, 1.4, 1, 2, 1.2; // pressed and stretched
    expect_energy_contract(springs, layout, x, {.has_momentum = true});
}

} // namespace

} // namespace abut::test
