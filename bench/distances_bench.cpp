// Time per pair of each kind, by order of derivative. Positions are random and mix all regions.

#include "abut/base/random.hpp"
#include "abut/geometry/edge_edge.hpp"
#include "abut/geometry/edge_edge_mollifier.hpp"
#include "abut/geometry/point_triangle.hpp"
#include "abut/geometry/predicates.hpp"

#include <benchmark/benchmark.h>

#include <vector>

namespace abut {
namespace {

constexpr int num_pairs = 2048; // fits the second-level cache

template <int N, int Dim>
std::vector<Mat<Dim, N>> random_stencils()
{
    RandomStream random(1);
    std::vector<Mat<Dim, N>> stencils(num_pairs);
    for (auto& stencil : stencils)
        for (Eigen::Index k = 0; k < stencil.size(); ++k)
            stencil.data()[k] = random.uniform(-1, 1);
    return stencils;
}

/// Times `function(stencil)` and reports the time of one pair.
template <int N, int Dim, typename Function>
void time_pairs(benchmark::State& state, Function function)
{
    const auto stencils = random_stencils<N, Dim>();
    for (auto _ : state)
        for (const auto& stencil : stencils)
            benchmark::DoNotOptimize(function(stencil));
    state.counters["per_pair"] =
        benchmark::Counter(num_pairs, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

const char* name_of(Order order)
{
    constexpr const char* names[]{"value", "gradient", "hessian"};
    return names[static_cast<int>(order)];
}

template <int N, int Dim, typename Function>
void add(const std::string& name, Function function)
{
    for (const Order order : {Order::value, Order::gradient, Order::hessian})
        benchmark::RegisterBenchmark((name + "/" + name_of(order)).c_str(), [=](benchmark::State& state) {
            time_pairs<N, Dim>(state, [=](const Mat<Dim, N>& X) { return function(X, order); });
        });
}

const int registered = [] {
    add<2, 3>("point_point", [](const Mat<3, 2>& X, Order order) {
        return point_point_squared_distance<3>(X.col(0), X.col(1), order);
    });
    add<3, 2>("point_edge_2d", [](const Mat<2, 3>& X, Order order) {
        return point_edge_squared_distance<2>(X.col(0), X.col(1), X.col(2), order);
    });
    add<3, 3>("point_edge_3d", [](const Mat<3, 3>& X, Order order) {
        return point_edge_squared_distance<3>(X.col(0), X.col(1), X.col(2), order);
    });
    add<4, 3>("point_triangle", [](const Mat<3, 4>& X, Order order) {
        return point_triangle_squared_distance(X.col(0), X.col(1), X.col(2), X.col(3), order);
    });
    add<4, 3>("point_plane", [](const Mat<3, 4>& X, Order order) {
        return point_plane_squared_distance(X.col(0), X.col(1), X.col(2), X.col(3), order);
    });
    add<4, 3>("edge_edge", [](const Mat<3, 4>& X, Order order) {
        return edge_edge_squared_distance(X.col(0), X.col(1), X.col(2), X.col(3), order);
    });
    add<4, 3>("line_line", [](const Mat<3, 4>& X, Order order) {
        return line_line_squared_distance(X.col(0), X.col(1), X.col(2), X.col(3), order);
    });
    add<4, 3>("edge_edge_mollifier", [](const Mat<3, 4>& X, Order order) {
        return edge_edge_mollifier(X.col(0), X.col(1), X.col(2), X.col(3), 1.0, order);
    });
    benchmark::RegisterBenchmark("orientation_3d", [](benchmark::State& state) {
        time_pairs<4, 3>(state, [](const Mat<3, 4>& X) { return orientation(X.col(0), X.col(1), X.col(2), X.col(3)); });
    });
    benchmark::RegisterBenchmark("segment_intersects_triangle", [](benchmark::State& state) {
        time_pairs<5, 3>(state, [](const Mat<3, 5>& X) {
            return segment_intersects_triangle(X.col(0), X.col(1), X.col(2), X.col(3), X.col(4));
        });
    });
    return 0;
}();

} // namespace
} // namespace abut
