#include "abut/elastic/isotropic.hpp"

#include "abut/base/assert.hpp"
#include "abut/elastic/hencky.hpp"

#include <limits>

namespace abut {

namespace {

/// Products of the stretches that several models share.
template <int D>
struct Volume {
    Lanes J, J_minus_1;
    Lanes J_i[D];               ///< dJ / dsigma_i
    Lanes rest[D == 2 ? 1 : 3]; ///< sigma_k of each pair: d²J / dsigma_i dsigma_j
};

template <int D>
Volume<D> volume(const Lanes (&sigma)[D], const Lanes (&e)[D])
{
    Volume<D> v;
    // (1 + a) (1 + b) - 1 = a + b + a b: no rounding of the 1.
    v.J_minus_1 = e[0] + e[1] + e[0] * e[1];
    if constexpr (D == 2) {
        v.J = sigma[0] * sigma[1];
        v.J_i[0] = sigma[1];
        v.J_i[1] = sigma[0];
        v.rest[0] = broadcast(1);
    } else {
        v.J_minus_1 = v.J_minus_1 + e[2] + v.J_minus_1 * e[2];
        v.J = sigma[0] * sigma[1] * sigma[2];
        for (int k = 0; k < 3; ++k) {
            v.J_i[k] = sigma[(k + 1) % 3] * sigma[(k + 2) % 3];
            v.rest[k] = sigma[k];
        }
    }
    return v;
}

/// ln J from the more accurate of J and J - 1; minus infinity for J <= 0.
Lanes log_volume(Lanes J, Lanes J_minus_1)
{
    Lanes log;
    for (int lane = 0; lane < num_lanes; ++lane)
        log[lane] = J[lane] > 0.5 ? std::log1p(J_minus_1[lane])
                    : J[lane] > 0 ? std::log(J[lane])
                                  : -std::numeric_limits<double>::infinity();
    return log;
}

template <int D>
void neo_hookean(const LameLanes& lame, const Lanes (&sigma)[D], const Lanes (&e)[D], Order order, StretchTerm<D>& phi)
{
    const auto [mu, lambda] = lame;
    const Volume<D> v = volume<D>(sigma, e);
    const Lanes log_J = log_volume(v.J, v.J_minus_1);
    Lanes half_I_minus_3{};
    for (int i = 0; i < D; ++i)
        half_I_minus_3 += e[i] + 0.5 * e[i] * e[i];
    const Lanes finite = mu * (half_I_minus_3 - log_J) + 0.5 * lambda * log_J * log_J;
    phi.value = v.J > 0 ? finite : broadcast(std::numeric_limits<double>::infinity());
    if (order == Order::value)
        return;
    const Lanes pressure = lambda * log_J - mu;
    Lanes inverse[D];
    for (int i = 0; i < D; ++i) {
        inverse[i] = 1 / sigma[i];
        // mu (sigma - 1 / sigma) + lambda ln J / sigma
        phi.first[i] = inverse[i] * (mu * e[i] * (sigma[i] + 1) + lambda * log_J);
    }
    if (order < Order::hessian)
        return;
    for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j)
            phi.second.entries[i][j] = inverse[i] * inverse[j] * (i == j ? lambda - pressure : lambda);
    for (int i = 0; i < D; ++i)
        phi.second.entries[i][i] += mu;
    for (int k = 0; k < StretchTerm<D>::num_pairs; ++k) {
        const auto [i, j] = PairCorners<D>(k);
        const Lanes across = pressure * inverse[i] * inverse[j];
        phi.flip[k] = mu - across;
        phi.twist[k] = mu + across;
    }
    if constexpr (D == 2)
        for (int i = 0; i < 2; ++i)
            phi.out_of_plane[i] = phi.first[i] / sigma[i];
}

template <int D>
void stable_neo_hookean(
    const LameLanes& lame, const Lanes (&sigma)[D], const Lanes (&e)[D], Order order, StretchTerm<D>& phi)
{
    const Lanes mu = lame.mu, lambda = lame.lambda + 5.0 / 6 * mu;
    const Volume<D> v = volume<D>(sigma, e);
    Lanes I_minus_3{};
    for (int i = 0; i < D; ++i)
        I_minus_3 += e[i] * (2 + e[i]);
    phi.value = 2.0 / 3 * mu * (I_minus_3 - log1p(0.25 * I_minus_3)) + v.J_minus_1 * (0.5 * lambda * v.J_minus_1 - mu);
    if (order == Order::value)
        return;
    // grad I = 2 sigma; a = 2 dphi/dI = 4/3 mu I / (I + 1), which is mu at rest: a - mu is written without cancelling.
    const Lanes I_plus_1 = I_minus_3 + 4;
    const Lanes a_minus_mu = mu * I_minus_3 / (3 * I_plus_1), a = mu + a_minus_mu;
    const Lanes q = lambda * v.J_minus_1 - mu;
    for (int i = 0; i < D; ++i) {
        // a sigma_i + q J_i, in which mu (sigma_i - J_i) is the larger part near rest
        phi.first[i] = a_minus_mu * sigma[i] + mu * (sigma[i] - v.J_i[i]) + lambda * v.J_minus_1 * v.J_i[i];
    }
    if (order < Order::hessian)
        return;
    const Lanes b = 8.0 / 3 * mu / (I_plus_1 * I_plus_1);
    for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j)
            phi.second.entries[i][j] = b * (sigma[i] * sigma[j]) + lambda * (v.J_i[i] * v.J_i[j]);
    for (int i = 0; i < D; ++i)
        phi.second.entries[i][i] += a;
    for (int k = 0; k < StretchTerm<D>::num_pairs; ++k) {
        const auto [i, j] = PairCorners<D>(k);
        const Lanes across = q * v.rest[k];
        phi.second.entries[i][j] += across;
        phi.second.entries[j][i] += across;
        phi.flip[k] = a - across;
        phi.twist[k] = a + across;
    }
}

/// Away from zero by at least smallest_stretch_sum.
Lanes kept_from_zero(Lanes sum) { return absolute(sum) < smallest_stretch_sum ? broadcast(smallest_stretch_sum) : sum; }

template <int D>
void fixed_corotated(
    const LameLanes& lame, const Lanes (&sigma)[D], const Lanes (&e)[D], Order order, StretchTerm<D>& phi)
{
    const auto [mu, lambda] = lame;
    const Volume<D> v = volume<D>(sigma, e);
    phi.value = 0.5 * lambda * v.J_minus_1 * v.J_minus_1;
    for (int i = 0; i < D; ++i)
        phi.value += mu * e[i] * e[i];
    if (order == Order::value)
        return;
    const Lanes pressure = lambda * v.J_minus_1;
    for (int i = 0; i < D; ++i)
        phi.first[i] = 2 * mu * e[i] + pressure * v.J_i[i];
    if (order < Order::hessian)
        return;
    for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j)
            phi.second.entries[i][j] = lambda * (v.J_i[i] * v.J_i[j]);
    for (int i = 0; i < D; ++i)
        phi.second.entries[i][i] += 2 * mu;
    for (int k = 0; k < StretchTerm<D>::num_pairs; ++k) {
        const auto [i, j] = PairCorners<D>(k);
        const Lanes across = pressure * v.rest[k];
        phi.second.entries[i][j] += across;
        phi.second.entries[j][i] += across;
        phi.flip[k] = 2 * mu - across;
        phi.twist[k] = 2 * mu * (e[i] + e[j]) / kept_from_zero(sigma[i] + sigma[j]) + across;
    }
    if constexpr (D == 2)
        for (int i = 0; i < 2; ++i)
            phi.out_of_plane[i] = phi.first[i] / kept_from_zero(sigma[i]);
}

template <int D>
void stvk(const LameLanes& lame, const Lanes (&sigma)[D], const Lanes (&e)[D], Order order, StretchTerm<D>& phi)
{
    const auto [mu, lambda] = lame;
    Lanes E[D], trace{};
    for (int i = 0; i < D; ++i) {
        E[i] = e[i] + 0.5 * e[i] * e[i];
        trace += E[i];
    }
    phi.value = 0.5 * lambda * trace * trace;
    for (int i = 0; i < D; ++i)
        phi.value += mu * E[i] * E[i];
    if (order == Order::value)
        return;
    Lanes stress[D]; // second Piola-Kirchhoff
    for (int i = 0; i < D; ++i) {
        stress[i] = 2 * mu * E[i] + lambda * trace;
        phi.first[i] = sigma[i] * stress[i];
    }
    if (order < Order::hessian)
        return;
    for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j)
            phi.second.entries[i][j] = (i == j ? lambda + 2 * mu : lambda) * (sigma[i] * sigma[j]);
    for (int i = 0; i < D; ++i)
        phi.second.entries[i][i] += stress[i];
    for (int k = 0; k < StretchTerm<D>::num_pairs; ++k) {
        const auto [i, j] = PairCorners<D>(k);
        // sigma_i² + sigma_j² - 1 = 2 E_i + 2 E_j + 1
        const Lanes sum = lambda * trace + mu * (2 * (E[i] + E[j]) + 1), product = mu * sigma[i] * sigma[j];
        phi.flip[k] = sum + product;
        phi.twist[k] = sum - product;
    }
    if constexpr (D == 2)
        for (int i = 0; i < 2; ++i)
            phi.out_of_plane[i] = stress[i];
}

} // namespace

template <int D>
void stretch_energy(
    ElasticModel model, const LameLanes& lame, const Lanes (&sigma)[D], Order order, StretchTerm<D>& phi)
{
    Lanes e[D];
    for (int i = 0; i < D; ++i)
        e[i] = sigma[i] - 1;
    switch (model) {
    case ElasticModel::neo_hookean:
        return neo_hookean<D>(lame, sigma, e, order, phi);
    case ElasticModel::stable_neo_hookean:
        return stable_neo_hookean<D>(lame, sigma, e, order, phi);
    case ElasticModel::fixed_corotated:
        return fixed_corotated<D>(lame, sigma, e, order, phi);
    case ElasticModel::stvk:
        return stvk<D>(lame, sigma, e, order, phi);
    case ElasticModel::hencky:
        return hencky_energy<D>(lame, sigma, order, phi);
    case ElasticModel::baraff_witkin:
        ABUT_ASSERT(false); // is no function of the stretches
    }
}

template void stretch_energy<2>(ElasticModel, const LameLanes&, const Lanes (&)[2], Order, StretchTerm<2>&);
template void stretch_energy<3>(ElasticModel, const LameLanes&, const Lanes (&)[3], Order, StretchTerm<3>&);

} // namespace abut
