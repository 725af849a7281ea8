#pragma once
// The vectors of vector_function.hpp with first derivatives alone: what gradients need. Instead of Jacobians there is
// what a gradient by the vector means for the points, Jᵀg, which takes a fraction of their work.

#include "abut/contact/gcp/vector_function.hpp"

namespace abut::gcp {

template <int Dim>
class VectorSlope {
public:
    using Vector = Vec<Dim>;

    Vector value;

    static VectorSlope variable(const Vector& value, int number)
    {
        return VectorSlope(Kind::variable, value, {number});
    }

    /// x_to - x_from.
    template <typename Points>
    static VectorSlope difference(const Points& x, int from, int to)
    {
        return VectorSlope(Kind::difference, x(to) - x(from), {to, from});
    }

    /// r of the closest points of the first points of a pair's stencil.
    template <int N, int M>
    static VectorSlope of(const ClosestPair<N, M, Dim>& closest)
    {
        std::array<int, max_points> numbers{};
        std::iota(numbers.begin(), numbers.end(), 0);
        return of(closest, numbers);
    }

    /// The part of x_i - x_e0 perpendicular to the edge.
    template <typename Points>
    static VectorSlope perpendicular(const Points& x, int e0, int e1, int i)
    {
        return of(point_line_closest<Dim>(x(i), x(e0), x(e1)), {i, e0, e1});
    }

    /// The sum of the unit vectors from x_c to x_i and to x_j.
    template <typename Points>
    static VectorSlope bisector(const Points& x, int c, int i, int j)
    {
        const Vector u = x(i) - x(c), v = x(j) - x(c);
        const double inverse_u = 1 / u.norm(), inverse_v = 1 / v.norm();
        VectorSlope f(Kind::bisector, Vector::Zero(), {i, j, c});
        f.u_ = inverse_u * u;
        f.v_ = inverse_v * v;
        f.inverse_u_ = inverse_u;
        f.inverse_v_ = inverse_v;
        f.value = f.u_ + f.v_;
        return f;
    }

    /// Space: (x_i - x_c) x (x_j - x_c). Plane: as VectorFunction has it.
    template <typename Points>
    static VectorSlope normal(const Points& x, int c, int i, int j)
    {
        if constexpr (Dim == 3) {
            VectorSlope f(Kind::normal, Vector::Zero(), {i, j, c});
            f.u_ = x(i) - x(c);
            f.v_ = x(j) - x(c);
            f.value = f.u_.cross(f.v_);
            return f;
        } else {
            const int from = i < 0 ? j : c, to = i < 0 ? c : i;
            return VectorSlope(Kind::normal, right_of(x(to) - x(from)), {to, from});
        }
    }

    /// Calls visit(point, Jᵀg) for each point that the vector depends on.
    template <typename Visit>
    void pull_back(const Vector& g, Visit&& visit) const
    {
        switch (kind_) {
        case Kind::variable:
            visit(points_[0], g);
            return;
        case Kind::difference:
            visit(points_[0], g);
            visit(points_[1], -g);
            return;
        case Kind::closest:
            return pull_back_closest(g, visit);
        case Kind::bisector: {
            const Vector by_u = inverse_u_ * (g - u_.dot(g) * u_), by_v = inverse_v_ * (g - v_.dot(g) * v_);
            visit(points_[0], by_u);
            visit(points_[1], by_v);
            visit(points_[2], -by_u - by_v);
            return;
        }
        case Kind::normal:
            if constexpr (Dim == 3) {
                const Vector by_u = v_.cross(g), by_v = g.cross(u_);
                visit(points_[0], by_u);
                visit(points_[1], by_v);
                visit(points_[2], -by_u - by_v);
            } else {
                const Vector turned(-g[1], g[0]);
                visit(points_[0], turned);
                visit(points_[1], -turned);
            }
            return;
        }
    }

private:
    static constexpr int max_points = 4;
    enum class Kind : std::uint8_t { variable, difference, closest, bisector, normal };

    VectorSlope(Kind kind, const Vector& v, const std::array<int, max_points>& points)
        : value(v), kind_(kind), points_(points)
    {}

    template <int N, int M>
    static VectorSlope of(const ClosestPair<N, M, Dim>& closest, const std::array<int, max_points>& numbers)
    {
        static_assert(N <= max_points && M <= 2);
        VectorSlope f(Kind::closest, closest.r, numbers);
        f.num_points_ = N;
        f.num_coordinates_ = M;
        for (int i = 0; i < N; ++i)
            f.w_[i] = closest.w[i];
        if constexpr (M > 0)
            for (int m = 0; m < M; ++m) {
                f.Q_[m] = closest.Q.col(m);
                for (int i = 0; i < N; ++i)
                    f.dw_[m][i] = closest.dw_R(i, m);
            }
        return f;
    }

    /// dr = sum w_i (I − Q Qᵀ) dx_i − Q_m dw_im r . dx_i
    template <typename Visit>
    void pull_back_closest(const Vector& g, Visit&& visit) const
    {
        std::array<double, 2> along{};
        Vector across = g;
        for (int m = 0; m < num_coordinates_; ++m) {
            along[m] = Q_[m].dot(g);
            across -= along[m] * Q_[m];
        }
        for (int i = 0; i < num_points_; ++i) {
            double by_r = 0;
            for (int m = 0; m < num_coordinates_; ++m)
                by_r += along[m] * dw_[m][i];
            visit(points_[i], w_[i] * across - by_r * value);
        }
    }

    Kind kind_;
    std::array<int, max_points> points_;
    Vector u_ = Vector::Zero(), v_ = Vector::Zero(); // of a bisector the unit vectors, of a normal the differences
    double inverse_u_ = 0, inverse_v_ = 0;
    // Of closest points
    int num_points_ = 0, num_coordinates_ = 0;
    std::array<double, max_points> w_{};
    std::array<std::array<double, max_points>, 2> dw_{};
    std::array<Vector, 2> Q_{Vector::Zero(), Vector::Zero()};
};

} // namespace abut::gcp
