#pragma once
// The vectors that GCP compares directions with, as functions of the points of a stencil: values, Jacobians, and the
// second derivative of their product with a given vector.

#include "abut/base/assert.hpp"
#include "abut/geometry/measures.hpp"
#include "abut/geometry/point_edge.hpp"

#include <array>
#include <numeric>

namespace abut::gcp {

/// A quarter turn clockwise: of the direction of an edge in the plane, the normal on its right.
inline Vec2 right_of(const Vec2& a) { return {a[1], -a[0]}; }

/// A vector by points x(i), without derivatives; VectorFunction has the same functions.
template <int Dim>
struct PlainVector {
    Vec<Dim> value;

    /// x_to - x_from.
    template <typename Points>
    static PlainVector difference(const Points& x, int from, int to)
    {
        return {x(to) - x(from)};
    }

    /// The part of x_i - x_e0 perpendicular to the edge.
    template <typename Points>
    static PlainVector perpendicular(const Points& x, int e0, int e1, int i)
    {
        return {point_line_closest<Dim>(x(i), x(e0), x(e1)).r};
    }

    /// The sum of the unit vectors from x_c to x_i and to x_j.
    template <typename Points>
    static PlainVector bisector(const Points& x, int c, int i, int j)
    {
        return {(x(i) - x(c)).normalized() + (x(j) - x(c)).normalized()};
    }

    /// Space: (x_i - x_c) x (x_j - x_c). Plane: the normal right of the edge from c to i, or, with i < 0, of that from
    /// j to c.
    template <typename Points>
    static PlainVector normal(const Points& x, int c, int i, int j)
    {
        if constexpr (Dim == 3)
            return {Vec3(x(i) - x(c)).cross(x(j) - x(c))};
        else
            return {right_of(i < 0 ? x(c) - x(j) : x(i) - x(c))};
    }
};

/// A vector function of up to four points, by their numbers in the stencil.
template <int Dim>
class VectorFunction {
public:
    static constexpr int max_points = 4;
    using Vector = Vec<Dim>;
    using Matrix = Mat<Dim, Dim>;

    Vector value;
    int count = 0;                           ///< of the points that it depends on
    std::array<int, max_points> points;      ///< their numbers
    std::array<Matrix, max_points> jacobian; ///< by each of them

    /// A point of its own: the vector r while it is treated as a variable.
    static VectorFunction variable(const Vector& value, int number)
    {
        VectorFunction f(Kind::linear, value);
        f.add(number, Matrix::Identity());
        return f;
    }

    /// x_to - x_from.
    template <typename Points>
    static VectorFunction difference(const Points& x, int from, int to)
    {
        VectorFunction f(Kind::linear, x(to) - x(from));
        f.add(to, Matrix::Identity());
        f.add(from, -Matrix::Identity());
        return f;
    }

    /// r of closest points, whose stencil has these numbers: dr = sum w_i dx_i - Q Sᵀ dx, as ClosestPair has it.
    template <int N, int M>
    static VectorFunction
    of(const ClosestPair<N, M, Dim>& closest, const std::type_identity_t<std::array<int, N>>& numbers)
    {
        static_assert(M <= 2);
        VectorFunction f(Kind::closest, closest.r);
        Matrix normal_space = Matrix::Identity();
        if constexpr (M > 0)
            normal_space -= closest.Q * closest.Q.transpose();
        for (int i = 0; i < N; ++i) {
            Matrix J = closest.w[i] * normal_space;
            f.w_[i] = closest.w[i];
            if constexpr (M > 0)
                for (int m = 0; m < M; ++m) {
                    J -= closest.dw_R(i, m) * closest.Q.col(m) * closest.r.transpose();
                    f.dw_(i, m) = closest.dw_R(i, m);
                }
            f.add(numbers[i], J);
        }
        f.num_coordinates_ = M;
        if constexpr (M > 0)
            for (int m = 0; m < M; ++m)
                f.Q_[m] = closest.Q.col(m);
        return f;
    }
    /// The same of the first points of a pair's stencil.
    template <int N, int M>
    static VectorFunction of(const ClosestPair<N, M, Dim>& closest)
    {
        std::array<int, N> numbers;
        std::iota(numbers.begin(), numbers.end(), 0);
        return of(closest, numbers);
    }

    /// The part of x_i - x_e0 perpendicular to the edge.
    template <typename Points>
    static VectorFunction perpendicular(const Points& x, int e0, int e1, int i)
    {
        return of(point_line_closest<Dim>(x(i), x(e0), x(e1)), {i, e0, e1});
    }

    /// The sum of the unit vectors from x_c to x_i and to x_j.
    template <typename Points>
    static VectorFunction bisector(const Points& x, int c, int i, int j)
    {
        VectorFunction f(Kind::bisector);
        f.u_ = x(i) - x(c);
        f.v_ = x(j) - x(c);
        const double lu = f.u_.norm(), lv = f.v_.norm();
        const Vector a = f.u_ / lu, b = f.v_ / lv;
        f.value = a + b;
        const Matrix by_u = (Matrix::Identity() - a * a.transpose()) / lu,
                     by_v = (Matrix::Identity() - b * b.transpose()) / lv;
        f.add(i, by_u);
        f.add(j, by_v);
        f.add(c, -by_u - by_v);
        return f;
    }

    /// Space: (x_i - x_c) x (x_j - x_c). Plane: the normal right of the edge from c to i, or, with i < 0, of that from
    /// j to c.
    template <typename Points>
    static VectorFunction normal(const Points& x, int c, int i, int j)
    {
        VectorFunction f(Kind::linear);
        if constexpr (Dim == 3) {
            f.kind_ = Kind::normal;
            f.u_ = x(i) - x(c);
            f.v_ = x(j) - x(c);
            f.value = f.u_.cross(f.v_);
            const Matrix by_u = -cross_matrix(f.v_), by_v = cross_matrix(f.u_);
            f.add(i, by_u);
            f.add(j, by_v);
            f.add(c, -by_u - by_v);
        } else {
            const int from = i < 0 ? j : c, to = i < 0 ? c : i;
            f.value = right_of(x(to) - x(from));
            Matrix turn;
            turn << 0, 1, -1, 0;
            f.add(to, turn);
            f.add(from, -turn);
        }
        return f;
    }

    /// Calls add(p, q, block) for blocks of the second derivative of g . value by the points numbered p and q, with
    /// p's place before q's in the list of points or the same; the block (q, p) is its transpose.
    template <typename Add>
    void second_derivative(const Vector& g, Add&& add_block) const
    {
        switch (kind_) {
        case Kind::linear:
            return;
        case Kind::closest:
            add_closest(g, add_block);
            return;
        case Kind::bisector:
            add_pulled_back(unit_vector_hessian(g, u_), Matrix::Zero(), unit_vector_hessian(g, v_), add_block, 0, 1, 2);
            return;
        case Kind::normal:
            if constexpr (Dim == 3)
                add_pulled_back(Matrix::Zero(), -cross_matrix(g), Matrix::Zero(), add_block, 0, 1, 2);
            return;
        }
    }

private:
    enum class Kind : std::uint8_t { linear, closest, bisector, normal };

    explicit VectorFunction(Kind kind, const Vector& v = Vector::Zero()) : value(v), kind_(kind) {}

    void add(int number, const Matrix& J)
    {
        ABUT_ASSERT(count < max_points);
        points[count] = number;
        jacobian[count++] = J;
    }

    /// Hessian of g . u / |u|.
    static Matrix unit_vector_hessian(const Vector& g, const Vector& u)
    {
        const double inverse = 1 / u.norm();
        const Vector a = inverse * u;
        const double along = g.dot(a);
        return -inverse * inverse *
               (g * a.transpose() + a * g.transpose() + along * (Matrix::Identity() - 3 * a * a.transpose()));
    }

    /// From second derivatives by u = x_pu - x_pc and w = x_pw - x_pc, by places in the list of points.
    template <typename Add>
    void
    add_pulled_back(const Matrix& uu, const Matrix& uw, const Matrix& ww, Add&& add_block, int pu, int pw, int pc) const
    {
        const auto put = [&](int p, int q, const Matrix& block) {
            if (p <= q)
                add_block(points[p], points[q], block);
            else
                add_block(points[q], points[p], Matrix(block.transpose()));
        };
        put(pu, pu, uu);
        put(pw, pw, ww);
        put(pu, pw, uw);
        put(pu, pc, -uu - uw);
        put(pw, pc, -uw.transpose() - ww);
        put(pc, pc, uu + uw + uw.transpose() + ww);
    }

    /// Second derivative of g . r, r = X w(u) with u such that r is orthogonal to T = X dw. In the basis of Q, whose
    /// vectors move by dF_m = sum dw_R_im dx_i, the coordinates move by dv_m = -S_m . dx, and
    ///
    ///   d2(g . r) = 2 sum_m (h . dF_m) dv_m - 2 sum_m (g . Q_m) dF_m . dr,   h the part of g orthogonal to Q
    template <typename Add>
    void add_closest(const Vector& g, Add&& add_block) const
    {
        const int M = num_coordinates_;
        if (M == 0 || dw_.topLeftCorner(count, M).isZero(0)) // two points, or a plane that never moves
            return;
        Vector h = g;
        std::array<double, 2> along;
        for (int m = 0; m < M; ++m) {
            along[m] = g.dot(Q_[m]);
            h -= along[m] * Q_[m];
        }
        for (int p = 0; p < count; ++p)
            for (int q = p; q < count; ++q) {
                Matrix block = Matrix::Zero();
                for (int m = 0; m < M; ++m) {
                    const double dp = dw_(p, m), dq = dw_(q, m);
                    block.noalias() -= h * (dp * (dq * value + w_[q] * Q_[m])).transpose();
                    block.noalias() -= (dq * (dp * value + w_[p] * Q_[m])) * h.transpose();
                    block -= (along[m] * dp) * jacobian[q] + (along[m] * dq) * jacobian[p].transpose();
                }
                add_block(points[p], points[q], block);
            }
    }

    Kind kind_;
    Vector u_, v_; // two differences that a bisector or a normal is made of
    // Of closest points
    int num_coordinates_ = 0;
    Vec<max_points> w_;
    Mat<max_points, 2> dw_;
    std::array<Vector, 2> Q_;
};

} // namespace abut::gcp
