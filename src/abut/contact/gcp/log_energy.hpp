#pragma once
// The logarithm of a pair's energy, with its derivatives by the points of the pair's stencil and by the vector r
// between its closest points, which is treated as a variable of its own until the end.
//
// The energy is a product of positive factors f_k, so psi = log E is a sum, and
//
//   grad E = E grad psi,   hess E = E (hess psi + grad psi grad psiT)
//
// Each factor depends on r and a vector or two; its gradient and Hessian are added where they belong. Only then
// r = r(x) is put in, once for all factors. Where the gradient is all that is asked for, vectors are VectorSlopes.

#include "abut/base/assert.hpp"
#include "abut/contact/gcp/vector_function.hpp"
#include "abut/contact/gcp/vector_slope.hpp"
#include "abut/contact/laws/law_term.hpp"
#include "abut/math/local_term.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace abut::gcp {

/// Derivatives of log f, whose value nobody needs, from f > 0.
struct LogSlopes {
    double first, second;
};
inline LogSlopes logarithm(const LawTerm& f)
{
    const double slope = f.first / f.value;
    return {slope, f.second / f.value - slope * slope};
}

/// Derivatives of a factor's argument by a squared distance D and by q = |r|^2.
struct RatioDerivatives {
    double D, q, DD, Dq, qq;
};

template <int Dim>
class LogEnergy {
public:
    using Vector = Vec<Dim>;
    using Matrix = Mat<Dim, Dim>;
    using Function = VectorFunction<Dim>;

    double energy = 1; ///< the product of the factors so far

    /// Begins anew, with the constant factor `scale`, for n points.
    void begin(int n, double scale, Order order)
    {
        num_points_ = n;
        order_ = order;
        energy = scale;
        if (order >= Order::gradient)
            gradient_.assign((n + 1) * Dim, 0.0);
        if (order >= Order::hessian)
            hessian_.assign((n + 1) * (n + 1) * Dim * Dim, 0.0);
        if (order >= Order::hessian)
            inner_.resize((n + 1) * Dim);
        support_.clear();
    }

    [[nodiscard]] int r() const { return num_points_; } ///< the number of r among the points
    [[nodiscard]] bool is_zero() const { return !(energy > 0); }
    [[nodiscard]] Order order() const { return order_; }

    /// A factor that is a function of |a|: given by its value and derivatives.
    template <typename Vectors>
    void multiply_by_length_law(const Vectors& a, const LawTerm& f)
    {
        energy *= f.value;
        if (order_ == Order::value || is_zero())
            return;
        const LogSlopes psi = logarithm(f);
        const double length = a.value.norm();
        const Vector unit = a.value / length;
        begin_inner(psi);
        add_to_inner(a, unit);
        if constexpr (is_function<Vectors>)
            if (order_ == Order::hessian) {
                const Matrix H = (psi.first / length) * (Matrix::Identity() - unit * unit.transpose());
                add_hessian(a, H);
                add_second(a, psi.first * unit);
            }
        end_inner();
    }

    /// The same without derivatives.
    void multiply_by_length_law(const PlainVector<Dim>&, const LawTerm& f)
    {
        ABUT_ASSERT(order_ == Order::value);
        energy *= f.value;
    }
    void add_cosine(const PlainVector<Dim>&, const PlainVector<Dim>&, const LawTerm&) {}

    /// Begins a factor f(Phi), whose Phi is a sum of terms that follow; `f` at their sum.
    void begin_factor(const LawTerm& f)
    {
        energy *= f.value;
        is_skipped_ = order_ == Order::value || is_zero();
        if (is_skipped_)
            return;
        begin_inner(logarithm(f));
    }

    /// A term h(cos(a, b)) of Phi, given by h at that cosine.
    template <typename Vectors>
    void add_cosine(const Vectors& a, const Vectors& b, const LawTerm& h)
    {
        if (is_skipped_)
            return;
        const double la = 1 / a.value.norm(), lb = 1 / b.value.norm();
        const Vector ua = la * a.value, ub = lb * b.value;
        const double c = ua.dot(ub);
        const Vector ra = ub - c * ua, rb = ua - c * ub, by_a = la * ra, by_b = lb * rb;
        add_to_inner(a, h.first * by_a);
        add_to_inner(b, h.first * by_b);
        if constexpr (is_function<Vectors>) {
            if (order_ != Order::hessian)
                return;
            const double slope = outer_.first * h.first, bend = outer_.first * h.second;
            const Matrix I = Matrix::Identity();
            add_hessian(
                a, -slope * la * la * (ua * ra.transpose() + ra * ua.transpose() + c * (I - ua * ua.transpose())) +
                       bend * by_a * by_a.transpose());
            add_hessian(
                b, -slope * lb * lb * (ub * rb.transpose() + rb * ub.transpose() + c * (I - ub * ub.transpose())) +
                       bend * by_b * by_b.transpose());
            add_cross_hessian(
                a, b,
                slope * la * lb * (I - ub * ub.transpose() - ua * rb.transpose()) + bend * by_a * by_b.transpose());
            add_second(a, slope * by_a);
            add_second(b, slope * by_b);
        }
    }

    /// A term of Phi that is a function of the squared distance D of some points and of q = |r|^2.
    template <int K>
    void add_ratio(
        const LocalTerm<K, Dim>& D, const std::array<int, K>& map, const Vector& r_value, const RatioDerivatives& by)
    {
        if (is_skipped_)
            return;
        for (int i = 0; i < K; ++i)
            add_to_inner(map[i], by.D * D.gradient.template segment<Dim>(i * Dim));
        add_to_inner(r(), 2 * by.q * r_value);
        if (order_ != Order::hessian)
            return;
        for (int i = 0; i < K; ++i) {
            const Vector gi = D.gradient.template segment<Dim>(i * Dim);
            for (int j = 0; j <= i; ++j) {
                const Vector gj = D.gradient.template segment<Dim>(j * Dim);
                add_block(
                    map[i], map[j],
                    outer_.first *
                        (by.D * D.hessian.template block<Dim, Dim>(i * Dim, j * Dim) + by.DD * gi * gj.transpose()));
            }
            add_block(map[i], r(), 2 * outer_.first * by.Dq * gi * r_value.transpose());
        }
        add_block(r(), r(), outer_.first * (2 * by.q * Matrix::Identity() + 4 * by.qq * r_value * r_value.transpose()));
    }

    void end_factor()
    {
        if (!is_skipped_)
            end_inner();
    }

    /// The factor s sum |x_i - x_c|^2 over neighbours i of the point c.
    template <typename Points>
    void multiply_by_squares(const Points& x, int c, std::span<const int> neighbours, double s)
    {
        const Vector centre = x(c);
        double sum = 0;
        for (const int i : neighbours)
            sum += s * (x(i) - centre).squaredNorm();
        energy *= sum;
        if (order_ == Order::value || is_zero())
            return;
        const double slope = 2 * s / sum;
        Vector total = Vector::Zero();
        begin_inner({1, -1});
        for (const int i : neighbours) {
            const Vector g = slope * (x(i) - centre);
            add_to_inner(i, g);
            total += g;
        }
        add_to_inner(c, -total);
        if (order_ == Order::hessian) {
            const Matrix I = slope * Matrix::Identity();
            for (const int i : neighbours) {
                add_block(i, i, I);
                add_block(i, c, -I);
            }
            add_block(c, c, double(neighbours.size()) * I);
        }
        end_inner();
    }

    /// The factor s sum |x_i - x_c| over neighbours i of the point c.
    template <typename Points>
    void multiply_by_lengths(const Points& x, int c, std::span<const int> neighbours, double s)
    {
        double sum = 0;
        for (const int i : neighbours)
            sum += s * (x(i) - x(c)).norm();
        begin_factor({sum, 1, 0});
        if (is_skipped_)
            return;
        for (const int i : neighbours) {
            const Function a = Function::difference(x, c, i);
            const double length = a.value.norm();
            const Vector unit = a.value / length;
            add_to_inner(a, s * unit);
            if (order_ == Order::hessian)
                add_hessian(a, (s * outer_.first / length) * (Matrix::Identity() - unit * unit.transpose()));
        }
        end_factor();
    }

    /// Derivative of psi by r as a variable.
    [[nodiscard]] Vector by_r() const { return gradient(r()); }
    /// Derivative of psi by a point, as far as it has been put in.
    [[nodiscard]] Eigen::Map<const Vector> gradient(int i) const
    {
        return Eigen::Map<const Vector>(gradient_.data() + i * Dim);
    }
    /// Block (i, j) of the Hessian of psi, i >= j.
    [[nodiscard]] Matrix hessian(int i, int j) const
    {
        Matrix H;
        for (int b = 0; b < Dim; ++b)
            for (int a = 0; a < Dim; ++a)
                H(a, b) = entry(i * Dim + a, j * Dim + b);
        return H;
    }

    /// Puts in r = r(x): afterwards the derivatives by the points are total ones.
    void substitute(const VectorSlope<Dim>& r_of_x)
    {
        ABUT_ASSERT(order_ == Order::gradient);
        const Vector g = by_r();
        r_of_x.pull_back(
            g, [&](int i, const Vector& by_point) { Eigen::Map<Vector>(gradient_.data() + i * Dim) += by_point; });
    }
    void substitute(const Function& r_of_x)
    {
        const int n = num_points_;
        const Vector g = by_r();
        if (order_ == Order::hessian) {
            const Matrix rr = hessian(n, n);
            std::array<Matrix, Function::max_points> rr_J;
            for (int q = 0; q < r_of_x.count; ++q)
                rr_J[q] = rr * r_of_x.jacobian[q];
            for (int p = 0; p < r_of_x.count; ++p)
                for (int q = 0; q < r_of_x.count; ++q)
                    if (r_of_x.points[p] >= r_of_x.points[q])
                        add_block(r_of_x.points[p], r_of_x.points[q], r_of_x.jacobian[p].transpose() * rr_J[q]);
            for (int i = 0; i < n; ++i) {
                const Matrix ri = hessian(n, i); // by r and x_i
                if (ri.isZero(0))
                    continue;
                for (int q = 0; q < r_of_x.count; ++q) {
                    const Matrix block = r_of_x.jacobian[q].transpose() * ri; // by x_q, x_i
                    const int j = r_of_x.points[q];
                    if (i == j)
                        add_block(i, i, block + block.transpose());
                    else
                        add_block(j, i, block);
                }
            }
            r_of_x.second_derivative(g, [&](int p, int q, const Matrix& block) { add_block(p, q, block); });
        }
        for (int q = 0; q < r_of_x.count; ++q)
            Eigen::Map<Vector>(gradient_.data() + r_of_x.points[q] * Dim) += r_of_x.jacobian[q].transpose() * g;
    }

private:
    template <typename Vectors>
    static constexpr bool is_function = std::is_same_v<Vectors, Function>;

    /// Entries of a symmetric matrix whose blocks (i, j) with i >= j are stored.
    [[nodiscard]] double& entry(int row, int column) { return hessian_[column * (num_points_ + 1) * Dim + row]; }
    [[nodiscard]] double entry(int row, int column) const { return hessian_[column * (num_points_ + 1) * Dim + row]; }

    /// Adds to the block (i, j), and so to its mirror image; a diagonal block must be symmetric. Called for every block
    /// of every factor: a call of its own would take longer than what it does.
    [[gnu::always_inline]] void add_block(int i, int j, const Matrix& block)
    {
        ABUT_ASSERT(i >= 0 && i <= num_points_ && j >= 0 && j <= num_points_);
        if (i >= j)
            for (int b = 0; b < Dim; ++b)
                for (int a = 0; a < Dim; ++a)
                    entry(i * Dim + a, j * Dim + b) += block(a, b);
        else
            for (int b = 0; b < Dim; ++b)
                for (int a = 0; a < Dim; ++a)
                    entry(j * Dim + b, i * Dim + a) += block(a, b);
    }

    /// J_fT H J_f, H symmetric.
    void add_hessian(const Function& f, const Matrix& H)
    {
        for (int q = 0; q < f.count; ++q) {
            const Matrix HJ = H * f.jacobian[q];
            for (int p = 0; p <= q; ++p)
                add_block(f.points[p], f.points[q], f.jacobian[p].transpose() * HJ);
        }
    }

    /// J_fT H J_h and its transpose, of two functions.
    void add_cross_hessian(const Function& f, const Function& h, const Matrix& H)
    {
        for (int q = 0; q < h.count; ++q) {
            const Matrix HJ = H * h.jacobian[q];
            for (int p = 0; p < f.count; ++p) {
                const Matrix block = f.jacobian[p].transpose() * HJ;
                if (f.points[p] == h.points[q])
                    add_block(f.points[p], f.points[p], block + block.transpose());
                else
                    add_block(f.points[p], h.points[q], block);
            }
        }
    }

    void add_second(const Function& f, const Vector& g)
    {
        f.second_derivative(g, [&](int p, int q, const Matrix& block) { add_block(p, q, block); });
    }

    // The gradient of one factor's argument, over the few points that it depends on. Its product with itself is kept
    // for the Hessian alone; without one it goes to its place at once.
    void begin_inner(const LogSlopes& outer)
    {
        outer_ = outer;
        support_.clear();
    }
    void add_to_inner(int i, const Vector& g)
    {
        ABUT_ASSERT(i >= 0 && i <= num_points_);
        if (order_ == Order::gradient) {
            Eigen::Map<Vector>(gradient_.data() + i * Dim) += outer_.first * g;
            return;
        }
        Eigen::Map<Vector> at(inner_.data() + i * Dim);
        if (std::find(support_.begin(), support_.end(), i) == support_.end()) {
            support_.push_back(i);
            at = g;
        } else
            at += g;
    }
    void add_to_inner(const Function& f, const Vector& g)
    {
        for (int p = 0; p < f.count; ++p)
            add_to_inner(f.points[p], f.jacobian[p].transpose() * g);
    }
    void add_to_inner(const VectorSlope<Dim>& f, const Vector& g)
    {
        f.pull_back(g, [&](int i, const Vector& by_point) { add_to_inner(i, by_point); });
    }
    void end_inner()
    {
        if (order_ != Order::hessian)
            return;
        for (const int i : support_)
            Eigen::Map<Vector>(gradient_.data() + i * Dim) += outer_.first * inner(i);
        if (outer_.second != 0)
            for (std::size_t a = 0; a < support_.size(); ++a)
                for (std::size_t b = 0; b <= a; ++b)
                    add_block(
                        support_[a], support_[b], outer_.second * inner(support_[a]) * inner(support_[b]).transpose());
    }
    [[nodiscard]] Eigen::Map<const Vector> inner(int i) const
    {
        return Eigen::Map<const Vector>(inner_.data() + i * Dim);
    }

    int num_points_ = 0;
    Order order_ = Order::value;
    bool is_skipped_ = false;
    LogSlopes outer_;
    std::vector<double> gradient_, hessian_, inner_;
    std::vector<int> support_;
};

} // namespace abut::gcp
