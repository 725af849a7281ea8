// The Hessian of a barrier over a pair of edges made positive semidefinite: at the size of the stencil with Eigen's
// solver, and at the size of its rank, side by side in SIMD lanes. One core, nanoseconds per pair.

#include "abut/base/random.hpp"
#include "abut/contact/laws/clamped_log.hpp"
#include "abut/contact/laws/distance_law.hpp"
#include "abut/contact/pair_hessian.hpp"
#include "abut/geometry/edge_edge.hpp"

#include <benchmark/benchmark.h>

#include <Eigen/Eigenvalues>

#include <vector>

namespace abut {
namespace {

constexpr int num_pairs = 512; // their 12 x 12 matrices fit the second-level cache

/// Edges that cross at a distance below dhat = 1, with the law's derivatives there.
struct Pairs {
    std::vector<ClosestPair<4, 2, 3>> closest;
    std::vector<LawTerm> laws;

    Pairs()
    {
        RandomStream random(1);
        const OnSquaredDistance<ClampedLog> law;
        while (closest.size() < num_pairs) {
            Mat<3, 4> x;
            for (Eigen::Index k = 0; k < x.size(); ++k)
                x.data()[k] = random.uniform(-1, 1);
            if (edge_edge_feature(x.col(0), x.col(1), x.col(2), x.col(3)) != EdgeEdgeFeature::a_b)
                continue;
            const auto pair = line_line_closest(x.col(0), x.col(1), x.col(2), x.col(3));
            closest.push_back(pair);
            laws.push_back(law(pair.squared_distance(), {.dhat = 1}));
        }
    }

    [[nodiscard]] Mat<12, 12> dense(int k) const
    {
        const auto D = closest[k].squared_distance(Order::hessian);
        return laws[k].second * D.gradient * D.gradient.transpose() + laws[k].first * D.hessian;
    }
    [[nodiscard]] PairHessian<4, 2> reduced(int k) const
    {
        return PairHessian<4, 2>::of(closest[k], laws[k].first, laws[k].second);
    }
};

template <int N>
void clamp_with_eigen(Mat<N, N>& matrix)
{
    const Eigen::SelfAdjointEigenSolver<Mat<N, N>> solver(matrix);
    if (solver.eigenvalues()[0] < 0)
        matrix =
            solver.eigenvectors() * solver.eigenvalues().cwiseMax(0).asDiagonal() * solver.eigenvectors().transpose();
}

/// Times project(matrices), which projects a list in place; the lists are copied anew each time.
template <int N, typename Make, typename Project>
void add(const std::string& name, Make make, Project project)
{
    benchmark::RegisterBenchmark(("psd_projection/" + name).c_str(), [=](benchmark::State& state) {
        const Pairs pairs;
        std::vector<Mat<N, N>> given(num_pairs), matrices;
        for (int k = 0; k < num_pairs; ++k)
            given[k] = make(pairs, k);
        for (auto _ : state) {
            matrices = given;
            project(std::span<Mat<N, N>>(matrices));
            benchmark::DoNotOptimize(matrices.data());
        }
        state.counters["per_pair"] =
            benchmark::Counter(num_pairs, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
    });
}

const int registered = [] {
    const auto eigen = [](auto matrices) {
        for (auto& matrix : matrices)
            clamp_with_eigen(matrix);
    };
    const auto lanes = [](auto matrices) { project_to_psd(matrices, PSDProjectionMethod::clamp); };
    const auto dense = [](const Pairs& pairs, int k) { return pairs.dense(k); };
    const auto reduced = [](const Pairs& pairs, int k) { return pairs.reduced(k).K; };
    add<12>("eigen_12x12", dense, eigen);
    add<12>("lanes_12x12", dense, lanes);
    add<5>("eigen_5x5", reduced, eigen);
    add<5>("lanes_5x5", reduced, lanes);
    benchmark::RegisterBenchmark("psd_projection/reduce_lanes_5x5_expand", [](benchmark::State& state) {
        const Pairs pairs;
        std::vector<Mat<5, 5>> K(num_pairs);
        std::vector<double> blocks(num_pairs * 90);
        for (auto _ : state) {
            for (int k = 0; k < num_pairs; ++k)
                K[k] = pairs.reduced(k).K;
            project_to_psd<5>(K, PSDProjectionMethod::clamp);
            double* to = blocks.data();
            for (int k = 0; k < num_pairs; ++k)
                PairHessian<4, 2>{K[k], 0}.expand(pairs.closest[k], [&](int, int, const Mat<3, 3>& block) {
                    std::copy(block.data(), block.data() + 9, to);
                    to += 9;
                });
            benchmark::DoNotOptimize(blocks.data());
        }
        state.counters["per_pair"] =
            benchmark::Counter(num_pairs, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
    });
    return 0;
}();

} // namespace
} // namespace abut
