#include "support/exact_ccd.hpp"

#include "support/exact_distance.hpp"
#include "support/exact_polynomial.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <initializer_list>
#include <limits>

namespace abut::test {
namespace {

constexpr unsigned time_bits = 80; ///< of the bounds of the time of contact

// ---- Coordinates as integers in a common unit, a power of two.

/// m 2^exponent with m odd, or zero.
struct OddAndExponent {
    std::int64_t m = 0;
    int exponent = std::numeric_limits<int>::max();

    explicit OddAndExponent(double x)
    {
        assert(std::isfinite(x));
        if (x == 0)
            return;
        int e = 0;
        m = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &e), 53));
        const int zeros = std::countr_zero(static_cast<std::uint64_t>(m));
        m /= std::int64_t(1) << zeros;
        exponent = e - 53 + zeros;
    }

    /// x / 2^unit for a unit that is not finer than needed.
    [[nodiscard]] mpz_class in_units_of(int unit) const
    {
        static_assert(sizeof(long) == sizeof(std::int64_t));
        return m == 0 ? mpz_class(0) : mpz_class(mpz_class(static_cast<long>(m)) << (exponent - unit));
    }
};

using IntegerPoint = std::array<mpz_class, 3>;
using PolynomialVector = std::array<Polynomial, 3>;

PolynomialVector minus(const PolynomialVector& a, const PolynomialVector& b)
{
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Polynomial dot(const PolynomialVector& a, const PolynomialVector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

PolynomialVector cross(const PolynomialVector& a, const PolynomialVector& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// ---- The search

class Search {
public:
    Search(const CcdQuery& query, double min_distance)
    {
        int unit = OddAndExponent(min_distance).exponent;
        for (int i = 0; i < num_points(query.kind); ++i)
            for (int axis = 0; axis < 3; ++axis)
                unit = std::min(
                    {unit, OddAndExponent(query.start[i][axis]).exponent, OddAndExponent(query.end[i][axis]).exponent});
        d_ = OddAndExponent(min_distance).in_units_of(unit);
        for (int i = 0; i < num_points(query.kind); ++i) {
            for (int axis = 0; axis < 3; ++axis) {
                start_[i][axis] = OddAndExponent(query.start[i][axis]).in_units_of(unit);
                end_[i][axis] = OddAndExponent(query.end[i][axis]).in_units_of(unit);
                x_[i][axis] = Polynomial{start_[i][axis], end_[i][axis] - start_[i][axis]};
            }
        }
    }

    FirstContact run(CcdKind kind)
    {
        switch (kind) {
        case CcdKind::point_point:
            point_point(0, 1);
            break;
        case CcdKind::point_edge:
            point_edge(0, 1, 2);
            break;
        case CcdKind::point_triangle:
            point_triangle();
            break;
        case CcdKind::edge_edge:
            edge_edge();
            break;
        }
        return first_;
    }

private:
    using Indices = std::initializer_list<int>;

    /// Is the projection of the elements on a coordinate axis further apart than d at both ends of the motion? Then it
    /// is so in between, as differences of coordinates are linear in t.
    [[nodiscard]] bool are_apart(Indices first, Indices second) const
    {
        for (int axis = 0; axis < 3; ++axis)
            if (is_above(first, second, axis) || is_above(second, first, axis))
                return true;
        return false;
    }

    [[nodiscard]] bool is_above(Indices low, Indices high, int axis) const
    {
        for (const auto* x : {&start_, &end_})
            for (const int i : low)
                for (const int j : high)
                    if ((*x)[j][axis] - (*x)[i][axis] <= d_)
                        return false;
        return true;
    }

    /// Lowers the first contact to the first time at which f is zero, or at t = 0 says that d is not exceeded, and all
    /// polynomials that `inside()` returns are positive.
    template <typename Inside>
    void consider(const Polynomial& f, const Inside& inside)
    {
        const bool close_at_start = d_ == 0 ? f.sign_at_zero() == 0 : f.sign_at_zero() <= 0;
        if (!close_at_start && f.has_one_strict_sign_on_unit_interval())
            return;
        const auto conditions = inside();
        if (close_at_start &&
            std::ranges::all_of(conditions, [](const Polynomial& g) { return g.sign_at_zero() > 0; })) {
            first_ = {true, 0, 0};
            return;
        }
        if (f.is_zero() ||
            std::ranges::any_of(conditions, [](const Polynomial& g) { return g.is_never_positive_on_unit_interval(); }))
            return;
        for (Root& root : roots_after_zero_up_to_one(f)) {
            if (first_.hit && first_.hi <= root.lower())
                return;
            if (std::ranges::all_of(conditions, [&](const Polynomial& g) { return root.sign_of(g) > 0; })) {
                root.refine(time_bits);
                // The bounds of the lesser of two times are the lesser of their bounds, and no further apart.
                first_.lo = first_.hit ? std::min(first_.lo, root.lower()) : root.lower();
                first_.hi = first_.hit ? std::min(first_.hi, root.upper()) : root.upper();
                first_.hit = true;
                return;
            }
        }
    }

    [[nodiscard]] bool is_decided() const { return first_.hit && first_.hi == 0; }

    void point_point(int p, int q)
    {
        if (is_decided() || are_apart({p}, {q}))
            return;
        const PolynomialVector r = minus(x_[q], x_[p]);
        const auto everywhere = [] { return std::array<Polynomial, 0>{}; };
        if (d_ == 0)
            consider(common_divisor(r), everywhere);
        else
            consider(dot(r, r) - squared_d(), everywhere);
    }

    /// The interior of the edge only.
    void point_line(int p, int e0, int e1)
    {
        if (is_decided() || are_apart({p}, {e0, e1}))
            return;
        // The foot is e0 + s e with s = e.r / e.e, and the distance to the line |e x r| / |e|.
        const PolynomialVector e = minus(x_[e1], x_[e0]), r = minus(x_[p], x_[e0]), area = cross(e, r);
        const auto inside = [&] {
            const Polynomial s = dot(e, r);
            return std::array{s, dot(e, e) - s};
        };
        if (d_ > 0)
            consider(dot(area, area) - dot(e, e) * squared_d(), inside);
        else if (std::ranges::none_of(area, &Polynomial::has_one_strict_sign_on_unit_interval))
            consider(common_divisor(area), inside);
    }

    void point_edge(int p, int e0, int e1)
    {
        if (are_apart({p}, {e0, e1}))
            return;
        point_point(p, e0);
        point_point(p, e1);
        point_line(p, e0, e1);
    }

    void point_triangle()
    {
        if (are_apart({0}, {1, 2, 3}))
            return;
        for (const int t : {1, 2, 3})
            point_point(0, t);
        point_line(0, 1, 2);
        point_line(0, 2, 3);
        point_line(0, 3, 1);
        if (is_decided())
            return;

        // The foot is t0 + s e + u f with s n.n = (r x f).n and u n.n = (e x r).n, where n = e x f.
        const PolynomialVector e = minus(x_[2], x_[1]), f = minus(x_[3], x_[1]), r = minus(x_[0], x_[1]);
        const PolynomialVector n = cross(e, f);
        consider(hull_distance(dot(r, n), n), [&] {
            const Polynomial s = dot(cross(r, f), n), u = dot(cross(e, r), n);
            return std::array{s, u, dot(n, n) - s - u};
        });
    }

    void edge_edge()
    {
        if (are_apart({0, 1}, {2, 3}))
            return;
        for (const int a : {0, 1})
            for (const int b : {2, 3})
                point_point(a, b);
        point_line(0, 2, 3);
        point_line(1, 2, 3);
        point_line(2, 0, 1);
        point_line(3, 0, 1);
        if (is_decided())
            return;

        // The feet are a0 + s a and b0 + u b with s n.n = (r x b).n and u n.n = (r x a).n, where n = a x b, r = b0 -
        // a0.
        const PolynomialVector a = minus(x_[1], x_[0]), b = minus(x_[3], x_[2]), r = minus(x_[2], x_[0]);
        const PolynomialVector n = cross(a, b);
        consider(hull_distance(dot(r, n), n), [&] {
            const Polynomial s = dot(cross(r, b), n), u = dot(cross(r, a), n), nn = dot(n, n);
            return std::array{s, nn - s, u, nn - u};
        });
    }

    /// Zero where the distance |height| / |n| is d: the height itself for d = 0, else height² - d² n².
    [[nodiscard]] Polynomial hull_distance(const Polynomial& height, const PolynomialVector& n) const
    {
        return d_ == 0 ? height : height * height - dot(n, n) * mpz_class(d_ * d_);
    }

    [[nodiscard]] Polynomial squared_d() const { return Polynomial{d_ * d_}; }

    /// Zero where all three components are.
    static Polynomial common_divisor(const PolynomialVector& v)
    {
        return greatest_common_divisor(greatest_common_divisor(v[0], v[1]), v[2]);
    }

    std::array<IntegerPoint, 4> start_, end_;
    std::array<PolynomialVector, 4> x_; ///< the points as functions of t
    mpz_class d_;
    FirstContact first_;
};

} // namespace

FirstContact exact_first_contact(const CcdQuery& query, double min_distance)
{
    assert(min_distance >= 0);
    return Search(query, min_distance).run(query.kind);
}

mpq_class exact_squared_distance(const CcdQuery& query, const mpq_class& t)
{
    std::array<ExactPoint<3>, 4> x;
    for (int i = 0; i < num_points(query.kind); ++i)
        x[i] = minus_multiple(exact<3>(query.start[i]), t, minus(exact<3>(query.start[i]), exact<3>(query.end[i])));
    switch (query.kind) {
    case CcdKind::point_point:
        return squared_norm(minus(x[0], x[1]));
    case CcdKind::point_edge:
        return exact_point_segment(x[0], x[1], x[2]);
    case CcdKind::point_triangle:
        return exact_point_triangle(x[0], x[1], x[2], x[3]);
    case CcdKind::edge_edge:
        return exact_segment_segment(x[0], x[1], x[2], x[3]);
    }
    return 0;
}

} // namespace abut::test
