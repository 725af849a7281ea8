#pragma once
// Polynomials with integer coefficients and their real roots in (0, 1], without rounding: a root is a polynomial and an
// interval that holds no other of its roots, so the sign that any second polynomial has there can be decided.
//
// Roots are isolated by bisection with Descartes' rule of signs (Collins, Akritas, "Polynomial real root isolation
// using Descartes' rule of signs", 1976) rather than with a Sturm sequence: on numbers this small it needs additions
// only, and most polynomials are dismissed by the first test. Intervals are refined by Abbott, "Quadratic interval
// refinement for real roots", 2006.

#include <gmpxx.h>

#include <initializer_list>
#include <optional>
#include <vector>

namespace abut::test {

/// c[0] + c[1] t + ... + c[n] tⁿ with c[n] != 0; the zero polynomial has no coefficients and degree -1.
class Polynomial {
public:
    Polynomial() = default;
    Polynomial(std::initializer_list<mpz_class> coefficients) : Polynomial(std::vector<mpz_class>(coefficients)) {}
    explicit Polynomial(std::vector<mpz_class> coefficients);

    [[nodiscard]] int degree() const { return static_cast<int>(c_.size()) - 1; }
    [[nodiscard]] bool is_zero() const { return c_.empty(); }
    [[nodiscard]] const mpz_class& operator[](int i) const { return c_[i]; }
    [[nodiscard]] const std::vector<mpz_class>& coefficients() const { return c_; }

    [[nodiscard]] int sign_at_zero() const { return c_.empty() ? 0 : sgn(c_[0]); }
    [[nodiscard]] int sign_at(const mpq_class& t) const;

    /// Surely without a root in [0, 1]; false says nothing.
    [[nodiscard]] bool has_one_strict_sign_on_unit_interval() const;
    /// Surely nowhere positive on [0, 1]; false says nothing.
    [[nodiscard]] bool is_never_positive_on_unit_interval() const;

    Polynomial& operator+=(const Polynomial& other);
    Polynomial& operator-=(const Polynomial& other);
    Polynomial& operator*=(const mpz_class& factor);
    friend Polynomial operator+(Polynomial a, const Polynomial& b) { return a += b; }
    friend Polynomial operator-(Polynomial a, const Polynomial& b) { return a -= b; }
    friend Polynomial operator*(Polynomial a, const mpz_class& factor) { return a *= factor; }
    friend Polynomial operator*(const Polynomial& a, const Polynomial& b);
    friend bool operator==(const Polynomial&, const Polynomial&) = default;

private:
    void trim();

    std::vector<mpz_class> c_;
};

/// Greatest common divisor over the rationals, with coprime coefficients and a positive leading one.
Polynomial greatest_common_divisor(const Polynomial& a, const Polynomial& b);

/// A polynomial with the same roots, each of them simple.
Polynomial squarefree_part(const Polynomial& p);

/// A real root in (0, 1] of a polynomial p, known as a rational or by an interval in which p has no other.
class Root {
public:
    explicit Root(const mpq_class& value) : value_(value) {}
    /// The only root of p in the open interval ]a, a + 1[ / 2^k, simple; p has the sign `sign` on its left there.
    Root(Polynomial p, mpz_class a, unsigned k, int sign);

    /// Sign of g at the root; may narrow the interval.
    [[nodiscard]] int sign_of(const Polynomial& g);

    /// Narrows the interval to a width of at most 2^-bits.
    void refine(unsigned bits);

    /// lower() <= root <= upper(); equal where the root is known as a rational.
    [[nodiscard]] mpq_class lower() const;
    [[nodiscard]] mpq_class upper() const;

private:
    void narrow();
    void become_exact(const mpz_class& numerator, unsigned exponent);

    std::optional<mpq_class> value_; ///< the root itself, where known
    Polynomial p_;
    mpz_class a_;
    unsigned k_ = 0;
    int sign_ = 0;
    unsigned next_bits_ = 1; ///< how many bits the next step tries to gain
};

/// The distinct roots of p != 0 in ]0, 1], in ascending order.
std::vector<Root> roots_after_zero_up_to_one(const Polynomial& p);

} // namespace abut::test
