#include "support/exact_polynomial.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace abut::test {
namespace {

using Coefficients = std::vector<mpz_class>;

/// Coefficients of p on [0, 1] in the Bernstein basis, the i-th times binomial(n, i): the signs are the same.
Coefficients to_scaled_bernstein(Coefficients c)
{
    for (std::size_t i = 1; i < c.size(); ++i)
        for (std::size_t j = 1; j + i <= c.size(); ++j)
            c[j] += c[j - 1];
    return c;
}

/// Coefficients of p(t + a).
void shift(Coefficients& c, const mpz_class& a)
{
    for (std::size_t i = 0; i + 1 < c.size(); ++i)
        for (std::size_t j = c.size() - 1; j-- > i;)
            mpz_addmul(c[j].get_mpz_t(), c[j + 1].get_mpz_t(), a.get_mpz_t());
}

/// Coefficients of 2^(kn) p(t / 2^k).
void stretch(Coefficients& c, unsigned k)
{
    for (std::size_t i = 0; i < c.size(); ++i)
        c[i] <<= k * (c.size() - 1 - i);
}

/// A positive multiple of p((a + t) / 2^k), which has on [0, 1] what p has on [a, a + 1] / 2^k.
Coefficients localised(const Polynomial& p, const mpz_class& a, unsigned k)
{
    Coefficients c = p.coefficients();
    stretch(c, k);
    shift(c, a);
    return c;
}

/// Signs of a polynomial on the open unit interval. By Descartes' rule it has as many roots there, counted with
/// multiplicity, as its Bernstein coefficients have changes of sign, or fewer by an even number.
struct SignPattern {
    int first = 0, last = 0; ///< sign next to 0 and next to 1
    int changes = 0;

    explicit SignPattern(const Coefficients& bernstein)
    {
        for (const mpz_class& b : bernstein) {
            const int sign = sgn(b);
            if (sign == 0)
                continue;
            if (first == 0)
                first = sign;
            else if (sign != last)
                ++changes;
            last = sign;
        }
    }
};

/// 2^(kn) p(a / 2^k)
mpz_class scaled_value(const Polynomial& p, const mpz_class& a, unsigned k)
{
    const int n = p.degree();
    mpz_class sum = p[n], term;
    for (int i = n - 1; i >= 0; --i) {
        sum *= a;
        term = p[i] << (k * (n - i));
        sum += term;
    }
    return sum;
}

mpq_class dyadic(const mpz_class& numerator, unsigned exponent)
{
    mpq_class q(numerator, mpz_class(1) << exponent);
    q.canonicalize();
    return q;
}

/// p divided by the greatest common divisor of its coefficients.
Polynomial primitive_part(const Polynomial& p)
{
    mpz_class content = 0;
    for (const mpz_class& c : p.coefficients())
        content = gcd(content, c);
    Coefficients quotient = p.coefficients();
    for (mpz_class& c : quotient)
        mpz_divexact(c.get_mpz_t(), c.get_mpz_t(), content.get_mpz_t());
    return Polynomial(std::move(quotient));
}

/// Quotient and remainder of s a by b for some integer s != 0 that makes them integer.
std::pair<Polynomial, Polynomial> pseudo_divide(const Polynomial& a, const Polynomial& b)
{
    Coefficients remainder = a.coefficients();
    const int n = b.degree();
    Coefficients quotient(std::max(0, a.degree() - n + 1));
    for (int i = a.degree(); i >= n; --i) {
        const mpz_class lead = remainder[i];
        for (mpz_class& c : quotient)
            c *= b[n];
        quotient[i - n] += lead;
        for (int j = 0; j < i; ++j)
            remainder[j] *= b[n];
        for (int j = 0; j < n; ++j)
            remainder[i - n + j] -= lead * b[j];
        remainder.pop_back();
    }
    return {Polynomial(std::move(quotient)), Polynomial(std::move(remainder))};
}

/// Collects the roots of p in the open interval ]a, a + 1[ / 2^k, on which p is a multiple of `local`; p is squarefree,
/// so that the bisection ends.
void isolate(const Polynomial& p, Coefficients local, const mpz_class& a, unsigned k, std::vector<Root>& roots)
{
    const SignPattern signs(to_scaled_bernstein(local));
    if (signs.changes == 0)
        return;
    if (signs.changes == 1) {
        roots.emplace_back(p, a, k, signs.first);
        return;
    }
    stretch(local, 1);
    const mpz_class left = 2 * a, middle = left + 1;
    isolate(p, local, left, k + 1, roots);
    shift(local, 1);
    if (local.front() == 0)
        roots.emplace_back(dyadic(middle, k + 1));
    isolate(p, std::move(local), middle, k + 1, roots);
}

} // namespace

Polynomial::Polynomial(std::vector<mpz_class> coefficients) : c_(std::move(coefficients)) { trim(); }

void Polynomial::trim()
{
    while (!c_.empty() && c_.back() == 0)
        c_.pop_back();
}

int Polynomial::sign_at(const mpq_class& t) const
{
    // denⁿ p(num / den), with den > 0
    mpz_class sum = 0, power = 1;
    for (int i = degree(); i >= 0; --i) {
        sum = sum * t.get_num() + c_[i] * power;
        power *= t.get_den();
    }
    return sgn(sum);
}

bool Polynomial::has_one_strict_sign_on_unit_interval() const
{
    const std::vector<mpz_class> b = to_scaled_bernstein(c_);
    return !b.empty() && b.front() != 0 &&
           std::ranges::all_of(b, [&](const mpz_class& x) { return sgn(x) == sgn(b.front()); });
}

bool Polynomial::is_never_positive_on_unit_interval() const
{
    return std::ranges::all_of(to_scaled_bernstein(c_), [](const mpz_class& x) { return sgn(x) <= 0; });
}

Polynomial& Polynomial::operator+=(const Polynomial& other)
{
    if (c_.size() < other.c_.size())
        c_.resize(other.c_.size());
    for (std::size_t i = 0; i < other.c_.size(); ++i)
        c_[i] += other.c_[i];
    trim();
    return *this;
}

Polynomial& Polynomial::operator-=(const Polynomial& other)
{
    if (c_.size() < other.c_.size())
        c_.resize(other.c_.size());
    for (std::size_t i = 0; i < other.c_.size(); ++i)
        c_[i] -= other.c_[i];
    trim();
    return *this;
}

Polynomial& Polynomial::operator*=(const mpz_class& factor)
{
    for (mpz_class& c : c_)
        c *= factor;
    trim();
    return *this;
}

Polynomial operator*(const Polynomial& a, const Polynomial& b)
{
    if (a.is_zero() || b.is_zero())
        return {};
    Coefficients c(a.c_.size() + b.c_.size() - 1);
    for (std::size_t i = 0; i < a.c_.size(); ++i)
        for (std::size_t j = 0; j < b.c_.size(); ++j)
            mpz_addmul(c[i + j].get_mpz_t(), a.c_[i].get_mpz_t(), b.c_[j].get_mpz_t());
    return Polynomial(std::move(c));
}

Polynomial greatest_common_divisor(const Polynomial& a, const Polynomial& b)
{
    // Euclid's algorithm with the contents removed at every step, which keeps the numbers as small as they can be.
    Polynomial p = primitive_part(a), q = primitive_part(b);
    while (!q.is_zero()) {
        Polynomial remainder = primitive_part(pseudo_divide(p, q).second);
        p = std::exchange(q, std::move(remainder));
    }
    if (!p.is_zero() && p[p.degree()] < 0)
        p *= -1;
    return p;
}

Polynomial squarefree_part(const Polynomial& p)
{
    Coefficients derivative(std::max(0, p.degree()));
    for (int i = 1; i <= p.degree(); ++i)
        derivative[i - 1] = i * p[i];
    const Polynomial repeated = greatest_common_divisor(p, Polynomial(std::move(derivative)));
    return repeated.degree() <= 0 ? p : primitive_part(pseudo_divide(p, repeated).first);
}

Root::Root(Polynomial p, mpz_class a, unsigned k, int sign) : p_(std::move(p)), a_(std::move(a)), k_(k), sign_(sign)
{
    if (p_.degree() == 1) {
        value_ = mpq_class(-p_[0], p_[1]);
        value_->canonicalize();
    }
}

void Root::become_exact(const mpz_class& numerator, unsigned exponent) { value_ = dyadic(numerator, exponent); }

mpq_class Root::lower() const { return value_ ? *value_ : dyadic(a_, k_); }
mpq_class Root::upper() const { return value_ ? *value_ : dyadic(a_ + 1, k_); }

void Root::narrow()
{
    // Where the secant meets zero, rounded to a grid of 2^bits cells; the middle where there is no secant because an
    // end of the interval is another root.
    const mpz_class left = scaled_value(p_, a_, k_), right = scaled_value(p_, a_ + 1, k_);
    const unsigned bits = sgn(left) * sgn(right) < 0 ? next_bits_ : 1;
    const mpz_class first = a_ << bits, end = first + (mpz_class(1) << bits);
    mpz_class x = first + 1;
    if (bits > 1) {
        const mpz_class range = left - right;
        mpz_class offset = (left << (bits + 1)) / range + 1; // at least zero: left and range have the same sign
        offset >>= 1;
        x = first + offset;
    }

    // The root lies to the right of x if p has the sign of the left end there. It is in the cell beside x, if the
    // secant was good enough.
    const int sign = sgn(scaled_value(p_, x, k_ + bits));
    if (sign == 0 && x > first && x < end)
        return become_exact(x, k_ + bits);
    const bool to_the_right = x == first || (x < end && sign == sign_);
    if (bits == 1) {
        a_ = to_the_right ? x : first;
        k_ += 1;
        next_bits_ = 2;
        return;
    }
    const mpz_class y = to_the_right ? mpz_class(x + 1) : mpz_class(x - 1);
    if (y > first && y < end) {
        const int sign_y = sgn(scaled_value(p_, y, k_ + bits));
        if (sign_y == 0)
            return become_exact(y, k_ + bits);
        if ((sign_y == sign_) == to_the_right) {
            next_bits_ = bits / 2;
            return;
        }
    }
    a_ = to_the_right ? x : y;
    k_ += bits;
    next_bits_ = 2 * bits;
}

void Root::refine(unsigned bits)
{
    while (!value_ && k_ < bits)
        narrow();
}

int Root::sign_of(const Polynomial& g)
{
    if (g.is_zero())
        return 0;
    constexpr unsigned bits_before_test_for_zero = 64; // zero is rare and its test costs as much as several refinements
    bool may_be_zero = true;
    while (!value_) {
        const SignPattern signs(to_scaled_bernstein(localised(g, a_, k_)));
        if (signs.changes == 0)
            return signs.first;
        if (may_be_zero && k_ >= bits_before_test_for_zero) {
            // p and g vanish together where their divisor does. It divides p, so it has one simple root in the
            // interval, and with it a change of sign, or none.
            const SignPattern common(to_scaled_bernstein(localised(greatest_common_divisor(p_, g), a_, k_)));
            if (common.first != common.last)
                return 0;
            may_be_zero = false;
        }
        narrow();
    }
    return g.sign_at(*value_);
}

std::vector<Root> roots_after_zero_up_to_one(const Polynomial& p)
{
    assert(!p.is_zero());
    const Coefficients bernstein = to_scaled_bernstein(p.coefficients());
    const SignPattern signs(bernstein);
    std::vector<Root> roots;
    if (signs.changes == 1) {
        roots.emplace_back(p, 0, 0, signs.first);
    } else if (signs.changes > 1) {
        const Polynomial simple = squarefree_part(p);
        isolate(simple, simple.coefficients(), 0, 0, roots);
    }
    if (bernstein.back() == 0)
        roots.emplace_back(mpq_class(1));
    return roots;
}

} // namespace abut::test
