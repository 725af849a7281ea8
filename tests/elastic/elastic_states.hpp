#pragma once
// Elastic energies as dense vectors and matrices, and the deformations that the tests of this folder share.

#include "abut/elastic/simplex_elasticity.hpp"
#include "abut/linear/assembly.hpp"
#include "support/dense_projection.hpp"
#include "support/random_points.hpp"

#include <array>
#include <vector>

namespace abut::test {

inline constexpr std::array all_models{
    ElasticModel::neo_hookean, ElasticModel::stable_neo_hookean, ElasticModel::fixed_corotated, ElasticModel::stvk,
    ElasticModel::hencky};
inline constexpr std::array sheet_models{
    ElasticModel::neo_hookean, ElasticModel::fixed_corotated, ElasticModel::stvk, ElasticModel::hencky};
inline constexpr std::array projections{PSDProjectionMethod::clamp, PSDProjectionMethod::abs};

/// Moduli near 1, so that tolerances relative to 1 are fair.
inline constexpr IsotropicModuli rubber{.young = 2.5, .poisson = 0.3};

struct Assembled {
    std::vector<double> values;
    Eigen::VectorXd gradient;
    Eigen::MatrixXd hessian;

    [[nodiscard]] double value() const
    {
        double sum = 0;
        for (const double v : values)
            sum += v;
        return sum;
    }
};

template <typename Energy>
Assembled assembled(
    const Energy& energy, const Positions& x, PSDProjectionMethod projection = PSDProjectionMethod::none,
    Order order = Order::hessian)
{
    const int dim = static_cast<int>(x.cols());
    const Stencils& stencils = energy.stencils();
    Assembled all;
    all.values.resize(stencils.size());
    std::vector<double> gradients(stencils.num_entries() * dim), blocks(stencils.num_blocks() * dim * dim);
    TermOutput out{.values = all.values.data(), .hessian = hessian_form_of(projection)};
    if (order >= Order::gradient)
        out.gradients = gradients.data();
    if (order >= Order::hessian)
        out.blocks = blocks.data();
    energy.evaluate(x, out);
    all.gradient = Eigen::VectorXd::Zero(x.size());
    if (order >= Order::gradient)
        add_local_gradients(stencils, dim, gradients, all.gradient);
    if (order >= Order::hessian) {
        SymmetricBlockMatrix matrix;
        HessianAssembly(static_cast<int>(x.rows()), dim, stencils).assemble(blocks, matrix);
        all.hessian = Eigen::MatrixXd(matrix.to_sparse());
    }
    return all;
}

/// x with every point p moved to F p + shift.
template <int Rows, int Cols>
Positions mapped(const Positions& x, const Mat<Rows, Cols>& F, const Vec<Rows>& shift = Vec<Rows>::Zero())
{
    Positions y(x.rows(), Rows);
    for (Eigen::Index i = 0; i < x.rows(); ++i)
        y.row(i) = (F * x.row(i).transpose() + shift).transpose();
    return y;
}

inline Positions shaken(Positions x, double size, std::uint64_t seed = 1)
{
    RandomStream random(seed);
    for (double& coordinate : x.reshaped())
        coordinate += random.uniform(-size, size);
    return x;
}

/// Stretches that meet every branch: `is_inverted` for those that neo-Hookean elements cannot have.
template <int D>
struct StretchCase {
    const char* name;
    Vec<D> sigma;
    bool is_inverted = false;
};

template <int D>
std::vector<StretchCase<D>> stretch_cases()
{
    if constexpr (D == 2)
        return {
            {"rest", {1, 1}},
            {"distinct", {1.4, 0.7}},
            {"equal", {1.3, 1.3}},
            {"equal and compressed", {0.6, 0.6}},
            {"nearly equal", {1.2 + 1e-9, 1.2}},
            {"flattened", {1.1, 0.05}},
            {"inverted", {1.2, -0.6}, true},
            {"nearly inverted", {0.9, -1e-3}, true},
        };
    else
        return {
            {"rest", {1, 1, 1}},
            {"distinct", {1.5, 1.1, 0.6}},
            {"two equal", {1.3, 1.3, 0.8}},
            {"two smaller ones equal", {1.3, 0.7, 0.7}},
            {"all equal and compressed", {0.6, 0.6, 0.6}},
            {"all equal and stretched", {1.7, 1.7, 1.7}},
            {"nearly equal", {1.2 + 1e-9, 1.2, 1.2 - 1e-9}},
            {"flattened", {1.1, 0.9, 0.05}},
            {"pulled to a thread", {2.5, 0.1, 0.1}},
            {"inverted", {1.2, 0.9, -0.6}, true},
            {"nearly inverted", {1.2, 0.9, -1e-3}, true},
            {"inverted far", {1.5, 1.2, -0.9}, true},
        };
}

inline bool admits(ElasticModel model, bool is_inverted) { return !keeps_volume(model) || !is_inverted; }

} // namespace abut::test
