#include "abut/contact/ogc/vertex_regions.hpp"

#include "abut/base/parallel.hpp"
#include "abut/contact/ogc/displacement_bounds.hpp"
#include "abut/detect/pair_offset.hpp"
#include "abut/geometry/edge_edge.hpp"
#include "abut/geometry/point_edge.hpp"
#include "abut/geometry/point_triangle.hpp"

#include <algorithm>
#include <array>

namespace abut {

namespace {

constexpr std::size_t pairs_per_task = 1024;

/// The room of up to four vertices along a normal; those of the first element come first.
struct PairRoom {
    Vec3 normal; ///< from the second element to the first
    std::array<int, 4> vertices{-1, -1, -1, -1};
    std::array<double, 4> room{};
    int num_first = 0;
};

/// Two elements that a slab across `normal` separates.
template <std::size_t M, std::size_t N>
PairRoom room_between(
    const ConstPositions& X, const std::array<int, M>& first, const std::array<int, N>& second, const Vec3& normal,
    double dmin, const auto& is_still, double relaxation, double margin)
{
    PairRoom pair{.normal = normal, .num_first = static_cast<int>(M)};
    const Vec3 origin = lifted(X, second[0]);
    std::array<double, M + N> heights;
    for (std::size_t i = 0; i < M + N; ++i) {
        pair.vertices[i] = i < M ? first[i] : second[i - M];
        heights[i] = normal.dot(lifted(X, pair.vertices[i]) - origin);
    }
    const double bottom = *std::min_element(heights.begin(), heights.begin() + M);
    const double top = *std::max_element(heights.begin() + M, heights.end());
    const bool is_first_still = std::all_of(first.begin(), first.end(), is_still);
    const bool is_second_still = std::all_of(second.begin(), second.end(), is_still);
    const double share = relaxation * (is_first_still || is_second_still ? 2 : 1);
    const double room = std::max(0.0, share * (bottom - top - dmin) - margin);
    for (std::size_t i = 0; i < M + N; ++i) {
        const bool is_still_side = i < M ? is_first_still : is_second_still;
        pair.room[i] = is_still_side ? INFINITY : (i < M ? heights[i] - bottom : top - heights[i]) + room;
    }
    return pair;
}

} // namespace

VertexRegions::VertexRegions(
    const Detection& detection, const CollisionMesh& mesh, const ConstPositions& X,
    std::span<const std::uint8_t> is_fixed, const VertexRegionsOptions& options)
{
    const double margin = rounding_margin(X), range = detection.range();
    radius_ = std::max(
        0.0, std::min(options.relaxation * (range - options.dmin), (range - options.contact_range) / 2) - margin);
    const int num_vertices = mesh.num_vertices();
    centers_.resize(num_vertices);
    for (int v = 0; v < num_vertices; ++v)
        centers_[v] = lifted(X, v);
    const auto is_still = [&](int v) { return !is_fixed.empty() && is_fixed[v] != 0; };
    const auto at = [&](int v) { return lifted(X, v); };

    const NearPairs& near = detection.pairs();
    const std::array<std::size_t, 6> starts{
        0,
        near.vv.size(),
        near.vv.size() + near.ev.size(),
        near.vv.size() + near.ev.size() + near.ee.size(),
        near.vv.size() + near.ev.size() + near.ee.size() + near.fv.size(),
        near.size()};
    std::vector<PairRoom> rooms(starts[5]);
    const auto between = [&](PairKind kind, const IndexPair& pair, const auto& first, const auto& second,
                             const Vec3& closest) {
        return room_between(
            X, first, second, Vec3(closest.stableNormalized()),
            options.dmin + pair_offset(mesh, kind, pair[0], pair[1]), is_still, options.relaxation, margin);
    };
    parallel_for(near.vv.size(), pairs_per_task, [&](std::size_t k) {
        const IndexPair& pair = near.vv.pairs[k];
        rooms[starts[0] + k] =
            between(PairKind::vertex_vertex, pair, std::array{pair[0]}, std::array{pair[1]}, at(pair[0]) - at(pair[1]));
    });
    parallel_for(near.ev.size(), pairs_per_task, [&](std::size_t k) {
        const IndexPair& pair = near.ev.pairs[k];
        const std::array<int, 2> edge = corners_of(mesh.edges(), pair[0]);
        const Vec3 p = at(pair[1]), e0 = at(edge[0]), e1 = at(edge[1]);
        rooms[starts[1] + k] = between(
            PairKind::edge_vertex, pair, std::array{pair[1]}, edge,
            p - e0 - point_edge_coordinate<3>(p, e0, e1) * (e1 - e0));
    });
    parallel_for(near.ee.size(), pairs_per_task, [&](std::size_t k) {
        const IndexPair& pair = near.ee.pairs[k];
        const std::array<int, 2> a = corners_of(mesh.edges(), pair[0]), b = corners_of(mesh.edges(), pair[1]);
        rooms[starts[2] + k] = between(
            PairKind::edge_edge, pair, a, b,
            edge_edge_closest(at(a[0]), at(a[1]), at(b[0]), at(b[1]), static_cast<EdgeEdgeFeature>(near.ee.features[k]))
                .r);
    });
    parallel_for(near.fv.size(), pairs_per_task, [&](std::size_t k) {
        const IndexPair& pair = near.fv.pairs[k];
        const std::array<int, 3> face = corners_of(mesh.faces(), pair[0]);
        const Vec3 p = at(pair[1]), t0 = at(face[0]), t1 = at(face[1]), t2 = at(face[2]);
        const Vec3 u = point_triangle_coordinates(p, t0, t1, t2);
        rooms[starts[3] + k] = between(
            PairKind::face_vertex, pair, std::array{pair[1]}, face,
            u[0] * (p - t0) + u[1] * (p - t1) + u[2] * (p - t2));
    });
    parallel_for(near.pv.size(), pairs_per_task, [&](std::size_t k) {
        const auto [plane, v] = near.pv.pairs[k];
        const double distance = signed_distance(mesh.planes()[plane], at(v)) - mesh.offsets().radius(v);
        rooms[starts[4] + k] = {
            .normal = mesh.planes()[plane].normal,
            .vertices = {v, -1, -1, -1},
            .room = {std::max(0.0, 2 * (options.relaxation * (distance - options.dmin) - margin))},
            .num_first = 1};
    });

    // By vertex, in the order of pairs; what lies beyond the ball bounds nothing.
    starts_.assign(std::size_t(num_vertices) + 1, 0);
    const auto for_each = [&](auto&& visit) {
        for (const PairRoom& pair : rooms)
            for (int i = 0; i < 4 && pair.vertices[i] >= 0; ++i)
                if (pair.room[i] < radius_)
                    visit(pair, i);
    };
    for_each([&](const PairRoom& pair, int i) { ++starts_[pair.vertices[i] + 1]; });
    for (int v = 0; v < num_vertices; ++v)
        starts_[v + 1] += starts_[v];
    half_spaces_.resize(starts_.back());
    std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
    constexpr double rounding = 1e-12; // of normals and rooms
    free_radii_.assign(num_vertices, (1 - rounding) * radius_);
    for_each([&](const PairRoom& pair, int i) {
        double& free = free_radii_[pair.vertices[i]];
        free = std::min(free, (1 - rounding) * pair.room[i]);
        half_spaces_[next[pair.vertices[i]]++] = {i < pair.num_first ? pair.normal : Vec3(-pair.normal), pair.room[i]};
    });
}

bool VertexRegions::is_inside(int vertex, const Vec3& moved) const
{
    const double squared = moved.squaredNorm();
    if (squared <= free_radii_[vertex] * free_radii_[vertex])
        return true;
    if (!(squared <= radius_ * radius_))
        return false;
    for (const HalfSpace& half : half_spaces(vertex))
        if (!(half.normal.dot(moved) + half.room >= 0))
            return false;
    return true;
}

bool VertexRegions::cut(int vertex, const Vec3& x, const Vec3& gradient, Vec3& step) const
{
    const Vec3 moved = x - centers_[vertex];
    Vec3 end = moved + step;
    // Most often nothing is in the way.
    if (is_inside(vertex, end))
        return false;
    // Slide: to the plane that it passes by most, a few times, then back into the ball. A little is left for rounding.
    constexpr double inside = 1e-9; // of the radius
    for (int k = 0; k < 3; ++k) {
        const HalfSpace* worst = nullptr;
        double depth = 0;
        for (const HalfSpace& half : half_spaces(vertex))
            if (const double behind = -(half.normal.dot(end) + half.room); behind > depth) {
                depth = behind;
                worst = &half;
            }
        if (worst != nullptr)
            end += (depth + inside * radius_) * worst->normal;
        if (const double length = end.norm(); length > radius_)
            end *= (1 - inside) * radius_ / length;
        if (is_inside(vertex, end))
            break;
    }
    if (is_inside(vertex, end) && gradient.dot(end - moved) < 0) {
        step = end - moved;
        return true;
    }
    // Along the step as far as it goes
    double t = 1;
    for (const HalfSpace& half : half_spaces(vertex))
        if (const double sinks = -half.normal.dot(step); sinks > 0)
            t = std::min(t, std::max(0.0, half.normal.dot(moved) + half.room) / sinks);
    const double room = radius_ * radius_ - moved.squaredNorm(), outward = moved.dot(step),
                 squared = step.squaredNorm();
    if (squared + 2 * outward > room) {
        const double root = std::sqrt(std::max(0.0, outward * outward + squared * std::max(0.0, room)));
        t = std::min(t, outward > 0 ? std::max(0.0, room) / (outward + root) : (root - outward) / squared);
    }
    step *= std::max(0.0, t * (1 - inside));
    if (!is_inside(vertex, moved + step))
        step.setZero();
    return true;
}

} // namespace abut
