#pragma once
// Laws of sliding: smoothed friction with a static and a kinetic coefficient, and tangential adhesion. The argument is
// the sliding speed y >= 0 [m/s], or a displacement if eps is one.
//
// Friction, z = y / eps:
//   f1(y) = z (2 − z)  for z < 1,  1 beyond                       (C1)
//   mu(y) = mu_s + 2 (mu_k − mu_s) z²         for z < 1/2
//         = mu_k − 2 (mu_k − mu_s) (z − 1)²   for z < 1,  mu_k beyond
//   the force is g1 = mu f1, the potential g0 its integral with g0(y) = mu_k y for y >= eps
// Li et al., "Incremental potential contact", 2020, eq. 14, for mu_s = mu_k.
//
// Tangential adhesion: f_t(y) = z (2 − z) for z < 2, 0 beyond, which rises to 1 at eps and then lets go.
// "Augmented Incremental Potential Contact for Sticky Interactions", eq. 14 (where the printed range 2 eps_v h should
// read 2 eps_a h).

namespace abut {

/// A law of sliding: the potential, the force, the force's derivative, and force / y, which has a limit at y = 0.
struct TangentialTerm {
    double value = 0, first = 0, second = 0, first_over_y = 0;
};

/// The law of y whose potential is reach times this one's at y / reach.
[[nodiscard]] constexpr TangentialTerm stretched(const TangentialTerm& term, double reach)
{
    return {term.value * reach, term.first, term.second / reach, term.first_over_y / reach};
}

struct SmoothFriction {
    double mu_s;  ///< coefficient at rest, >= 0
    double mu_k;  ///< coefficient of sliding, >= 0
    double eps_v; ///< below this speed friction is static [m/s], > 0

    TangentialTerm operator()(double y) const
    {
        const double z = y / eps_v, dmu = mu_k - mu_s;
        if (z >= 1)
            return {mu_k * y, mu_k, 0, mu_k / y};
        // mu and its derivative, then the product rule for g1 = mu f1 with f1 / y = (2 − z) / eps.
        const bool is_slow = z < 0.5;
        const double mu = is_slow ? mu_s + 2 * dmu * z * z : mu_k - 2 * dmu * (z - 1) * (z - 1);
        const double mu_z = is_slow ? 4 * dmu * z : -4 * dmu * (z - 1);
        const double f1 = z * (2 - z);
        return {eps_v * (work(z) + start()), mu * f1, (mu_z * f1 + mu * 2 * (1 - z)) / eps_v, mu * (2 - z) / eps_v};
    }

    /// ∫ g1 / eps_v from rest to z <= 1: two polynomials in z that join at z = 1/2.
    [[nodiscard]] double work(double z) const
    {
        const double dmu = mu_k - mu_s, z2 = z * z;
        if (z < 0.5) // of (mu_s + 2 dmu z²)(2z − z²)
            return mu_s * (z2 - z2 * z / 3) + dmu * (z2 * z2 - 0.4 * z2 * z2 * z);
        // of (mu_k − 2 dmu (z − 1)²)(2z − z²) = mu_k (2z − z²) + dmu (−4z + 10z² − 8z³ + 2z⁴)
        return mu_k * (z2 - z2 * z / 3) + dmu * (z2 * (-2 + z * (10. / 3 + z * (-2 + 0.4 * z))) + 3. / 80);
    }

private:
    /// The potential at rest / eps_v, such that it joins mu_k y at eps_v.
    [[nodiscard]] double start() const { return 9. / 16 * mu_k - 11. / 48 * mu_s; }
};

struct TangentialAdhesion {
    double eps_a; ///< where the force is largest [m/s], > 0

    TangentialTerm operator()(double y) const
    {
        const double z = y / eps_a;
        if (z >= 2)
            return {4 * eps_a / 3, 0, 0, 0};
        return {eps_a * z * z * (1 - z / 3), z * (2 - z), 2 * (1 - z) / eps_a, (2 - z) / eps_a};
    }
};

/// Tangential adhesion with a coefficient that goes from mu_s at rest to mu_k at eps_a, as friction's does.
struct SmoothTangentialAdhesion {
    double mu_s;  ///< >= 0
    double mu_k;  ///< >= 0
    double eps_a; ///< where the force is largest [m/s], > 0

    TangentialTerm operator()(double y) const
    {
        // Up to eps_a, f_t is friction's f1; beyond, the coefficient is mu_k. The value begins at 0.
        if (y < eps_a) {
            const SmoothFriction friction{mu_s, mu_k, eps_a};
            TangentialTerm term = friction(y);
            term.value = eps_a * friction.work(y / eps_a);
            return term;
        }
        const TangentialTerm f = TangentialAdhesion{eps_a}(y);
        return {
            mu_k * f.value - 11. / 48 * eps_a * (mu_k - mu_s), mu_k * f.first, mu_k * f.second, mu_k * f.first_over_y};
    }
};

} // namespace abut
