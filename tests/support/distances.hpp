#pragma once
// The distances of Abut in one shape, so that one suite of tests serves all: a stencil of points as columns, the
// features with a way to make stencils that have them, the squared distance, and the exact value.

#include "abut/geometry/edge_edge.hpp"
#include "abut/geometry/point_triangle.hpp"
#include "support/exact_distance.hpp"
#include "support/random_points.hpp"

#include <array>
#include <vector>

namespace abut::test {

/// A triangle that is no sliver: sines above 0.2, edges longer than 0.5.
inline std::array<Vec3, 3> well_shaped_triangle(RandomStream& random)
{
    while (true) {
        const Mat<3, 3> t = random_points<3, 3>(random);
        const Vec3 a = t.col(1) - t.col(0), b = t.col(2) - t.col(1), c = t.col(0) - t.col(2);
        const double n = a.cross(b).norm();
        if (std::min({a.norm(), b.norm(), c.norm()}) > 0.5 &&
            n > 0.2 * std::max({a.norm() * b.norm(), b.norm() * c.norm(), c.norm() * a.norm()}))
            return {t.col(0), t.col(1), t.col(2)};
    }
}

template <int D>
struct PointPoint {
    static constexpr int dim = D, num_points = 2;
    using Stencil = Mat<D, 2>;
    enum class Feature { points };
    static constexpr std::array features{Feature::points};
    static constexpr std::array<std::array<int, 2>, 1> symmetries{{{1, 0}}};
    static constexpr int num_borders = 0;

    static Feature feature(const Stencil&) { return Feature::points; }
    static bool is_smooth(const Stencil&) { return true; }
    static Stencil with_feature(Feature, RandomStream& random) { return random_points<D, 2>(random); }
    static LocalTerm<2, D> squared_distance(const Stencil& X, Order order)
    {
        return point_point_squared_distance<D>(X.col(0), X.col(1), order);
    }
    static mpq_class exact_squared_distance(const Stencil& X)
    {
        return squared_norm(minus(exact<D>(X.col(0)), exact<D>(X.col(1))));
    }
};

template <int D>
struct PointEdge {
    static constexpr int dim = D, num_points = 3;
    using Stencil = Mat<D, 3>;
    using Feature = PointEdgeFeature;
    static constexpr std::array features{Feature::e0, Feature::e1, Feature::edge};
    static constexpr std::array<std::array<int, 3>, 1> symmetries{{{0, 2, 1}}};
    static constexpr int num_borders = 2; // the edge with each end

    static Feature feature(const Stencil& X) { return point_edge_feature<D>(X.col(0), X.col(1), X.col(2)); }
    static Stencil with_feature(Feature feature, RandomStream& random)
    {
        const Vec<D> direction = random_direction<D>(random), e0 = random_points<D>(random);
        const Vec<D> e = random.uniform(0.5, 2) * direction;
        const double u = feature == Feature::e0   ? random.uniform(-1, -0.1)
                         : feature == Feature::e1 ? random.uniform(1.1, 2)
                                                  : random.uniform(0.1, 0.9);
        Stencil X;
        X << e0 + u * e + random.uniform(0.1, 1) * random_orthogonal<D>(random, direction), e0, e0 + e;
        return X;
    }
    static LocalTerm<3, D> squared_distance(const Stencil& X, Order order)
    {
        return point_edge_squared_distance<D>(X.col(0), X.col(1), X.col(2), order);
    }
    static mpq_class exact_squared_distance(const Stencil& X)
    {
        return exact_point_segment(exact<D>(X.col(0)), exact<D>(X.col(1)), exact<D>(X.col(2)));
    }
    /// Is the gradient continuous there?
    static bool is_smooth(const Stencil&) { return true; }
};

struct PointTriangle {
    static constexpr int dim = 3, num_points = 4;
    using Stencil = Mat<3, 4>;
    using Feature = PointTriangleFeature;
    static constexpr std::array features{Feature::t0, Feature::t1, Feature::t2,  Feature::e0,
                                         Feature::e1, Feature::e2, Feature::face};
    static constexpr std::array<std::array<int, 4>, 3> symmetries{{{0, 2, 3, 1}, {0, 3, 1, 2}, {0, 2, 1, 3}}};
    static constexpr int num_borders = 9; // each edge with the face and with its ends

    static Feature feature(const Stencil& X) { return point_triangle_feature(X.col(0), X.col(1), X.col(2), X.col(3)); }
    static Stencil with_feature(Feature feature, RandomStream& random)
    {
        const std::array<Vec3, 3> t = well_shaped_triangle(random);
        const Vec3 n = (t[1] - t[0]).cross(t[2] - t[0]).normalized();
        const auto outward = [&](int k) -> Vec3 { return (t[(k + 1) % 3] - t[k % 3]).cross(n).normalized(); };
        const int index = static_cast<int>(feature);
        Vec3 p;
        if (feature <= Feature::t2) {
            p = t[index] + random.uniform(0.1, 1) * outward(index) + random.uniform(0.1, 1) * outward(index + 2);
        } else if (feature <= Feature::e2) {
            const int k = index - 3;
            const double u = random.uniform(0.1, 0.9);
            p = (1 - u) * t[k] + u * t[(k + 1) % 3] + random.uniform(0.1, 1) * outward(k);
        } else {
            const double u = random.uniform(0.1, 0.8), v = random.uniform(0.1, 0.9 - u);
            p = (1 - u - v) * t[0] + u * t[1] + v * t[2];
        }
        Stencil X;
        X << p + (random.below(2) == 0 ? 1 : -1) * random.uniform(0.1, 1) * n, t[0], t[1], t[2];
        return X;
    }
    static LocalTerm<4, 3> squared_distance(const Stencil& X, Order order)
    {
        return point_triangle_squared_distance(X.col(0), X.col(1), X.col(2), X.col(3), order);
    }
    static mpq_class exact_squared_distance(const Stencil& X)
    {
        return exact_point_triangle(exact<3>(X.col(0)), exact<3>(X.col(1)), exact<3>(X.col(2)), exact<3>(X.col(3)));
    }
    static bool is_smooth(const Stencil&) { return true; }
};

struct EdgeEdge {
    static constexpr int dim = 3, num_points = 4;
    using Stencil = Mat<3, 4>;
    using Feature = EdgeEdgeFeature;
    static constexpr std::array features{Feature::a0_b0, Feature::a0_b1, Feature::a1_b0, Feature::a1_b1, Feature::a_b0,
                                         Feature::a_b1,  Feature::a0_b,  Feature::a1_b,  Feature::a_b};
    static constexpr std::array<std::array<int, 4>, 4> symmetries{
        {{1, 0, 2, 3}, {0, 1, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}}};
    static constexpr int num_borders = 12; // a with each of its ends, for each part of b, and the other way round

    /// The end (0 or 1) or the whole (2) of edge a (0) or b (1) in a feature.
    static int part(Feature feature, int edge)
    {
        constexpr std::array<std::array<int, 2>, 9> parts{
            {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}}};
        return parts[static_cast<int>(feature)][edge];
    }
    static Feature feature(const Stencil& X) { return edge_edge_feature(X.col(0), X.col(1), X.col(2), X.col(3)); }

    /// An edge through `contact`, orthogonal to r if the contact is inside it, else leaving it on the side of r.
    static std::array<Vec3, 2> edge_through(const Vec3& contact, int part, const Vec3& r, RandomStream& random)
    {
        const Vec3 along = random.uniform(0.5, 2) * random_orthogonal<3>(random, r);
        if (part == 2) {
            const double u = random.uniform(0.1, 0.9);
            return {contact - u * along, contact + (1 - u) * along};
        }
        const Vec3 other = contact + along + random.uniform(0.1, 1) * r;
        return part == 0 ? std::array{contact, other} : std::array{other, contact};
    }
    static Stencil with_feature(Feature feature, RandomStream& random)
    {
        Stencil X;
        do {
            const Vec3 r = random_direction<3>(random), on_b = random_points<3>(random);
            const auto a = edge_through(on_b + random.uniform(0.1, 1) * r, part(feature, 0), r, random);
            const auto b = edge_through(on_b, part(feature, 1), -r, random);
            X << a[0], a[1], b[0], b[1];
        } while (sine(X) < 0.2);
        return X;
    }
    static LocalTerm<4, 3> squared_distance(const Stencil& X, Order order)
    {
        return edge_edge_squared_distance(X.col(0), X.col(1), X.col(2), X.col(3), order);
    }
    static mpq_class exact_squared_distance(const Stencil& X)
    {
        return exact_segment_segment(exact<3>(X.col(0)), exact<3>(X.col(1)), exact<3>(X.col(2)), exact<3>(X.col(3)));
    }
    static double sine(const Stencil& X)
    {
        const Vec3 u = X.col(1) - X.col(0), v = X.col(3) - X.col(2);
        return u.cross(v).norm() / (u.norm() * v.norm());
    }
    /// At parallel edges the closest points jump, and the gradient with them.
    static bool is_smooth(const Stencil& X) { return sine(X) > 0.1; }
};

} // namespace abut::test
