#pragma once
// The vectors that GCP compares directions with, as functions of the points of a stencil: values, Jacobians, and the
// second derivative of their product with a given vector.

#include "abut/base/assert.hpp"
#include "abut/geometry/measures.hpp"

#include <array>

namespace abut::gcp {

/// A quarter turn clockwise: of the direction of an edge in the plane, the normal on its right.
inline Vec2 right_of(const Vec2& a) { return {a[1], -a[0]}; }

/// F(u, w) = (g.u)(u.w)/(u.u), the part of w along u times g, with its derivatives.
template <int Dim>
struct ProjectedProduct {
    Vec<Dim> by_u;
    Mat<Dim, Dim> by_uu, by_uw; // by_ww is zero

    ProjectedProduct(const Vec<Dim>& g, const Vec<Dim>& u, const Vec<Dim>& w)
    {
        const double c = 1 / u.squaredNorm(), a = c * g.dot(u), b = c * u.dot(w);
        by_u = b * g + a * w - 2 * a * b * u;
        by_uw = c * (g * u.transpose()) - 2 * a * c * (u * u.transpose());
        by_uw.diagonal().array() += a;
        by_uu = c * (g * w.transpose() + w * g.transpose() - 2 * (by_u * u.transpose() + u * by_u.transpose()));
        by_uu.diagonal().array() -= 2 * a * b;
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

    /// A point of its own: the difference vector d while it is treated as a variable.
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

    /// The part of x_i - x_e0 perpendicular to the edge.
    template <typename Points>
    static VectorFunction perpendicular(const Points& x, int e0, int e1, int i)
    {
        VectorFunction f(Kind::perpendicular);
        f.u_ = x(e1) - x(e0);
        f.w_ = x(i) - x(e0);
        const double c = 1 / f.u_.squaredNorm(), along = c * f.u_.dot(f.w_);
        f.value = f.w_ - along * f.u_;
        const Matrix P = Matrix::Identity() - c * (f.u_ * f.u_.transpose());
        const Matrix by_u = -along * P - c * (f.u_ * f.value.transpose());
        f.add(i, P);
        f.add(e0, -P - by_u);
        f.add(e1, by_u);
        return f;
    }

    /// The sum of the unit vectors from x_c to x_i and to x_j.
    template <typename Points>
    static VectorFunction bisector(const Points& x, int c, int i, int j)
    {
        VectorFunction f(Kind::bisector);
        f.u_ = x(i) - x(c);
        f.w_ = x(j) - x(c);
        const double lu = f.u_.norm(), lw = f.w_.norm();
        const Vector a = f.u_ / lu, b = f.w_ / lw;
        f.value = a + b;
        const Matrix by_u = (Matrix::Identity() - a * a.transpose()) / lu,
                     by_w = (Matrix::Identity() - b * b.transpose()) / lw;
        f.add(i, by_u);
        f.add(j, by_w);
        f.add(c, -by_u - by_w);
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
            f.w_ = x(j) - x(c);
            f.value = f.u_.cross(f.w_);
            const Matrix by_u = -cross_matrix(f.w_), by_w = cross_matrix(f.u_);
            f.add(i, by_u);
            f.add(j, by_w);
            f.add(c, -by_u - by_w);
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

    /// The part of x_w - x_a0 along (x_a1 - x_a0) x (x_b1 - x_b0): between two lines with w = b0, or, with b0 = a0,
    /// between a plane and the point w.
    template <typename Points>
    static VectorFunction along_normal(const Points& x, int a0, int a1, int b0, int b1, int w) requires(Dim == 3)
    {
        VectorFunction f(Kind::along_normal);
        f.u_ = x(a1) - x(a0);
        f.v_ = x(b1) - x(b0);
        f.w_ = x(w) - x(a0);
        f.n_ = f.u_.cross(f.v_);
        const double c = 1 / f.n_.squaredNorm(), b = c * f.n_.dot(f.w_);
        f.value = b * f.n_;
        const Matrix by_w = c * (f.n_ * f.n_.transpose());
        const Matrix by_n = c * (f.n_ * f.w_.transpose()) - 2 * b * by_w + b * Matrix::Identity();
        const Matrix by_u = -by_n * cross_matrix(f.v_), by_v = by_n * cross_matrix(f.u_);
        // a0, a1, b1 and the remaining one: b0 = w for lines, w for a plane, whose b0 is a0
        f.is_plane_ = b0 == a0;
        f.add(a0, f.is_plane_ ? Matrix(-by_u - by_v - by_w) : Matrix(-by_u - by_w));
        f.add(a1, by_u);
        f.add(b1, by_v);
        f.add(w, f.is_plane_ ? by_w : Matrix(by_w - by_v));
        return f;
    }

    /// From a plane to the point 0; `normal` of length 1.
    template <typename Points>
    static VectorFunction above_plane(const Points& x, const Vector& origin, const Vector& normal)
    {
        VectorFunction f(Kind::linear, normal.dot(x(0) - origin) * normal);
        f.add(0, normal * normal.transpose());
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
        case Kind::perpendicular: { // g.w - F(u, w); points i, e0, e1
            const ProjectedProduct<Dim> F(g, u_, w_);
            add_pulled_back(-F.by_uu, -F.by_uw, Matrix::Zero(), add_block, 2, 0, 1);
            return;
        }
        case Kind::bisector:
            add_pulled_back(unit_vector_hessian(g, u_), Matrix::Zero(), unit_vector_hessian(g, w_), add_block, 0, 1, 2);
            return;
        case Kind::normal:
            if constexpr (Dim == 3)
                add_pulled_back(Matrix::Zero(), -cross_matrix(g), Matrix::Zero(), add_block, 0, 1, 2);
            return;
        case Kind::along_normal:
            if constexpr (Dim == 3)
                add_along_normal(g, add_block);
            return;
        }
    }

private:
    enum class Kind : std::uint8_t { linear, perpendicular, bisector, normal, along_normal };

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

    template <typename Add>
    void add_along_normal(const Vector& g, Add&& add_block) const
    {
        const ProjectedProduct<Dim> F(g, n_, w_);
        const Matrix n_u = -cross_matrix(v_), n_v = cross_matrix(u_);
        // By u, v and w
        std::array<std::array<Matrix, 3>, 3> H;
        H[0][0] = n_u.transpose() * F.by_uu * n_u;
        H[1][1] = n_v.transpose() * F.by_uu * n_v;
        H[0][1] = n_u.transpose() * F.by_uu * n_v - cross_matrix(F.by_u);
        H[0][2] = n_u.transpose() * F.by_uw;
        H[1][2] = n_v.transpose() * F.by_uw;
        H[2][2].setZero();
        H[1][0] = H[0][1].transpose();
        H[2][0] = H[0][2].transpose();
        H[2][1] = H[1][2].transpose();
        // u, v, w by the points a0, a1, b1 and the last: rows of signs
        const double lines[3][4] = {{-1, 1, 0, 0}, {0, 0, 1, -1}, {-1, 0, 0, 1}};
        const double plane[3][4] = {{-1, 1, 0, 0}, {-1, 0, 1, 0}, {-1, 0, 0, 1}};
        const auto& sign = is_plane_ ? plane : lines;
        for (int p = 0; p < 4; ++p)
            for (int q = p; q < 4; ++q) {
                Matrix block = Matrix::Zero();
                for (int a = 0; a < 3; ++a)
                    for (int b = 0; b < 3; ++b)
                        if (const double s = sign[a][p] * sign[b][q]; s != 0)
                            block += s * H[a][b];
                add_block(points[p], points[q], block);
            }
    }

    Kind kind_;
    bool is_plane_ = false;
    Vector u_, v_, w_, n_;
};

} // namespace abut::gcp
