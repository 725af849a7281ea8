// Barrier Hessians made and projected to positive semidefinite, pair by pair from their positions: the exact Hessian
// with Eigen's solver against GIPC's closed form, as in table 1 of GIPC. One core; the counters of a row are
// milliseconds of its time for all pairs, and their ratio.

#include "abut/base/random.hpp"
#include "abut/contact/gipc/analytic_hessian.hpp"
#include "abut/contact/laws/clamped_log_squared.hpp"
#include "abut/contact/term_geometry.hpp"
#include "abut/geometry/edge_edge_mollifier.hpp"

#include <benchmark/benchmark.h>

#include <Eigen/Eigenvalues>

#include <ctime>
#include <vector>

namespace abut {
namespace {

const OnSquaredDistance<ClampedLogSquared> law;
constexpr ContactRange range{.dhat = 1};

template <int N>
Mat<3, N> random_points(RandomStream& random)
{
    Mat<3, N> x;
    for (Eigen::Index k = 0; k < x.size(); ++k)
        x.data()[k] = random.uniform(-0.5, 0.5);
    return x;
}

// Kinds of pairs: points with the kind's closest features nearer than dhat, the exact Hessian, and GIPC's.

/// What all pairs without a mollifier share.
template <int N, typename Kind>
struct Plain {
    static constexpr int size = 3 * N, num_points = N;

    static Mat<size, size> exact(const Mat<3, N>& x)
    {
        const auto D = Kind::closest(x).squared_distance(Order::hessian);
        const LawTerm b = law(D.value, range);
        return b.second * D.gradient * D.gradient.transpose() + b.first * D.hessian;
    }
    template <typename Store>
    static void analytic(const PairCurvature& curvature, const Mat<3, N>& x, Store&& store)
    {
        const auto closest = Kind::closest(x);
        const double D = closest.squared_distance();
        expand_rank_one(closest, std::max(0.0, curvature(law(D, range), D)), store);
    }
};

struct PointPoint : Plain<2, PointPoint> {
    static auto closest(const Mat<3, 2>& x) { return vertex_vertex_closest<3>(x); }
    static Mat<3, 2> points(RandomStream& random)
    {
        Mat<3, 2> x;
        do
            x = random_points<2>(random);
        while ((x.col(1) - x.col(0)).squaredNorm() >= 1);
        return x;
    }
};

struct PointEdge : Plain<3, PointEdge> {
    static auto closest(const Mat<3, 3>& x) { return edge_vertex_closest<3>(x); }
    static Mat<3, 3> points(RandomStream& random)
    {
        Mat<3, 3> x;
        do
            x = random_points<3>(random);
        while (point_edge_feature<3>(x.col(0), x.col(1), x.col(2)) != PointEdgeFeature::edge);
        return x;
    }
};

struct PointTriangle : Plain<4, PointTriangle> {
    static auto closest(const Mat<3, 4>& x) { return face_vertex_closest(x); }
    static Mat<3, 4> points(RandomStream& random)
    {
        Mat<3, 4> x;
        do
            x = random_points<4>(random);
        while (point_triangle_feature(x.col(0), x.col(1), x.col(2), x.col(3)) != PointTriangleFeature::face);
        return x;
    }
};

struct EdgeEdge : Plain<4, EdgeEdge> {
    static auto closest(const Mat<3, 4>& x) { return edge_edge_closest(x, EdgeEdgeFeature::a_b); }
    static Mat<3, 4> points(RandomStream& random)
    {
        Mat<3, 4> x;
        do
            x = random_points<4>(random);
        while (edge_edge_feature(x.col(0), x.col(1), x.col(2), x.col(3)) != EdgeEdgeFeature::a_b);
        return x;
    }
};

/// Edges that cross under a small angle.
struct MollifiedEdges {
    static constexpr int size = 12, num_points = 4;

    static Mat<3, 4> points(RandomStream& random)
    {
        const Vec3 gap(0, random.uniform(0.05, 0.95), 0), turn = 0.02 * random_points<1>(random);
        Mat<3, 4> x;
        x << Vec3(-0.5, 0, 0), Vec3(0.5, 0, 0), Vec3(-0.5, 0, 0) + gap - turn, Vec3(0.5, 0, 0) + gap + turn;
        return x;
    }
    static double threshold(const Mat<3, 4>& x)
    {
        return edge_edge_mollifier_threshold(x.col(0), x.col(1), x.col(2), x.col(3), Order::value).value;
    }
    static ClosestPair<4, 2, 3> closest(const Mat<3, 4>& x)
    {
        return edge_edge_closest(x, edge_edge_feature(x.col(0), x.col(1), x.col(2), x.col(3)));
    }

    static Mat<12, 12> exact(const Mat<3, 4>& x)
    {
        const auto D = closest(x).squared_distance(Order::hessian);
        const auto m = edge_edge_mollifier(x.col(0), x.col(1), x.col(2), x.col(3), threshold(x), Order::hessian);
        const LawTerm b = law(D.value, range);
        Mat<12, 12> H =
            b.value * m.hessian + m.value * (b.second * D.gradient * D.gradient.transpose() + b.first * D.hessian);
        H += b.first * (m.gradient * D.gradient.transpose() + D.gradient * m.gradient.transpose());
        return H;
    }
    template <typename Store>
    static void analytic(const PairCurvature& /*curvature*/, const Mat<3, 4>& x, Store&& store)
    {
        const auto pair = closest(x);
        const LawTerm b = law(pair.squared_distance(), range);
        MollifiedHessian::of(HessianMode::analytic, DistanceKind::squared, x, pair, threshold(x), b, range.dhat)
            .expand(store);
    }
};

/// CPU time of this process, which has one thread here: other programs on the machine do not count.
double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

template <typename Kind>
void add(const char* name)
{
    for (const int num_pairs : {1'000, 10'000, 100'000, 1'000'000})
        benchmark::RegisterBenchmark(
            ("gipc/" + std::string(name) + "/" + std::to_string(num_pairs)).c_str(),
            [num_pairs](benchmark::State& state) {
                RandomStream random(1);
                std::vector<Mat<3, Kind::num_points>> x(num_pairs);
                for (auto& points : x)
                    points = Kind::points(random);
                // Results go round in a buffer that stays in the cache: a million would measure memory only.
                constexpr int kept = 256;
                std::vector<Mat<Kind::size, Kind::size>> projected(kept);
                const double start_of_eigen = cpu_seconds();
                for (int k = 0; k < num_pairs; ++k) {
                    auto& H = projected[k % kept];
                    H = Kind::exact(x[k]);
                    const Eigen::SelfAdjointEigenSolver<Mat<Kind::size, Kind::size>> solver(H);
                    H = solver.eigenvectors() * solver.eigenvalues().cwiseMax(0).asDiagonal() *
                        solver.eigenvectors().transpose();
                    benchmark::DoNotOptimize(H.data());
                }
                const double eigen = cpu_seconds() - start_of_eigen;

                constexpr int num_blocks = Kind::num_points * (Kind::num_points + 1) / 2;
                std::vector<double> blocks(kept * num_blocks * 9);
                const PairCurvature curvature(HessianMode::analytic, *make_normal_law(law), range);
                const double start_of_analytic = cpu_seconds();
                for (auto _ : state) {
                    for (int k = 0; k < num_pairs; ++k) {
                        double* to = blocks.data() + (k % kept) * num_blocks * 9;
                        Kind::analytic(curvature, x[k], [&](const Mat<3, 3>& block) {
                            std::copy(block.data(), block.data() + 9, to);
                            to += 9;
                        });
                    }
                    benchmark::DoNotOptimize(blocks.data());
                    benchmark::ClobberMemory();
                }
                const double analytic = (cpu_seconds() - start_of_analytic) / static_cast<double>(state.iterations());
                state.counters["eigen_ms"] = 1e3 * eigen;
                state.counters["analytic_ms"] = 1e3 * analytic;
                state.counters["speedup"] = eigen / analytic;
            })
            ->Unit(benchmark::kMillisecond)
            ->Iterations(num_pairs >= 100'000 ? 3 : 30);
}

const int registered = [] {
    add<PointPoint>("point_point");
    add<PointEdge>("point_edge");
    add<PointTriangle>("point_triangle");
    add<EdgeEdge>("edge_edge");
    add<MollifiedEdges>("mollified_edges");
    return 0;
}();

} // namespace
} // namespace abut
