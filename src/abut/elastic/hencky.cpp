#include "abut/elastic/hencky.hpp"

#include <limits>

namespace abut {

namespace {

/// Logarithmic strains, and Kirchhoff's stresses of them as far as they are known without flow.
template <int D>
struct LogStrains {
    Lanes e[D], deviator[D];
    Lanes sum;              ///< of all three
    Lanes squared_deviator; ///< of all three
};

template <int D>
LogStrains<D> log_strains(const Lanes (&sigma)[D], Lanes third)
{
    LogStrains<D> log;
    log.sum = third; // of three stretches 0
    for (int i = 0; i < D; ++i) {
        // Accurate near 1 too: the logarithm of the number that sigma is.
        for (int lane = 0; lane < num_lanes; ++lane)
            log.e[i][lane] = std::log(sigma[i][lane]);
        log.sum += log.e[i];
    }
    const Lanes mean = log.sum / 3;
    log.squared_deviator = D == 2 ? (third - mean) * (third - mean) : Lanes{};
    for (int i = 0; i < D; ++i) {
        log.deviator[i] = log.e[i] - mean;
        log.squared_deviator += log.deviator[i] * log.deviator[i];
    }
    return log;
}

template <int D>
Lanes finite_or_infinite(const Lanes (&sigma)[D], Lanes value)
{
    // The last is the smallest up to rounding.
    for (int i = 0; i < D; ++i)
        value = sigma[i] > 0 ? value : broadcast(std::numeric_limits<double>::infinity());
    return value;
}

/// artanh(D) / D, where artanh(D) = half of `difference` is given: by it, or near 0 by its series.
Lanes artanh_ratio(Lanes D, Lanes difference)
{
    const Lanes z = D * D;
    // The first term that is left out is 0.0025⁷ / 15: below rounding.
    const Lanes series =
        1 + z * (1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 + z * (1.0 / 9 + z * (1.0 / 11 + z * (1.0 / 13))))));
    return z < 0.0025 ? series : 0.5 * difference / D;
}

/// Derivatives from the shear modulus m after the return, and minus the factor of d_i d_j that flow adds.
template <int D>
void differentiate(
    Lanes bulk, Lanes m, Lanes softening, const LogStrains<D>& log, const Lanes (&sigma)[D], Order order,
    StretchTerm<D>& phi)
{
    Lanes inverse[D], tau[D];
    for (int i = 0; i < D; ++i) {
        inverse[i] = 1 / sigma[i];
        tau[i] = bulk * log.sum + 2 * m * log.deviator[i];
        phi.first[i] = tau[i] * inverse[i];
    }
    if (order < Order::hessian)
        return;
    const Lanes volume = bulk - 2.0 / 3 * m;
    for (int i = 0; i < D; ++i)
        for (int j = 0; j <= i; ++j) {
            Lanes T = volume - softening * (log.deviator[i] * log.deviator[j]);
            if (i == j)
                T += 2 * m - tau[i];
            phi.second.entries[i][j] = phi.second.entries[j][i] = T * (inverse[i] * inverse[j]);
        }
    for (int k = 0; k < StretchTerm<D>::num_pairs; ++k) {
        const auto [i, j] = PairCorners<D>(k);
        const Lanes apart = (sigma[i] - sigma[j]) / (sigma[i] + sigma[j]), mean = 0.5 * (tau[i] + tau[j]);
        const Lanes scale = inverse[i] * inverse[j], difference = log.e[i] - log.e[j];
        phi.flip[k] = (2 * m * artanh_ratio(apart, difference) - mean) * scale;
        phi.twist[k] = (mean - m * difference * apart) * scale;
    }
    if constexpr (D == 2)
        for (int i = 0; i < 2; ++i)
            phi.out_of_plane[i] = phi.first[i] * inverse[i];
}

Lanes bulk_modulus(const LameLanes& lame) { return lame.lambda + 2.0 / 3 * lame.mu; }

/// q and da of a step, and where it flows the force that is left, Y + slope da.
struct Return {
    Lanes q, flow, left;
};

Return return_of(const LameLanes& lame, const FlowLanes& flow, Lanes squared_deviator)
{
    Return back;
    back.q = lame.mu * sqrt(6 * squared_deviator);
    back.flow = back.q > flow.yield ? (back.q - flow.yield) / (3 * lame.mu + flow.slope) : Lanes{};
    back.left = flow.yield + flow.slope * back.flow;
    return back;
}

} // namespace

template <int D>
void hencky_energy(const LameLanes& lame, const Lanes (&sigma)[D], Order order, StretchTerm<D>& phi)
{
    const LogStrains<D> log = log_strains<D>(sigma, Lanes{});
    const Lanes bulk = bulk_modulus(lame);
    phi.value = finite_or_infinite<D>(sigma, 0.5 * bulk * log.sum * log.sum + lame.mu * log.squared_deviator);
    if (order > Order::value)
        differentiate<D>(bulk, lame.mu, Lanes{}, log, sigma, order, phi);
}

template <int D>
void flow_energy(
    const LameLanes& lame, const FlowLanes& flow, const Lanes (&sigma)[D], Order order, StretchTerm<D>& phi)
{
    const LogStrains<D> log = log_strains<D>(sigma, flow.third);
    const Lanes mu = lame.mu, bulk = bulk_modulus(lame);
    const Return back = return_of(lame, flow, log.squared_deviator);
    const auto flows = back.flow > 0; // then q is above the yield stress, which is positive
    // Where it flows by what is left and what flow takes: the difference to what there would be without it loses its
    // digits where little is left of much.
    const Lanes taken = (flow.yield + 0.5 * flow.slope * back.flow) * back.flow;
    const Lanes shear = flows ? back.left * back.left / (6 * mu) + taken : mu * log.squared_deviator;
    phi.value = finite_or_infinite<D>(sigma, 0.5 * bulk * log.sum * log.sum + shear);
    if (order == Order::value)
        return;
    const Lanes m = flows ? mu * (back.left / back.q) : mu;
    const Lanes mu_per_q = mu / back.q, square = mu_per_q * mu_per_q;
    const Lanes softening = flows ? 36 * mu * flow.yield / (3 * mu + flow.slope) * (square * mu_per_q) : Lanes{};
    differentiate<D>(bulk, m, softening, log, sigma, order, phi);
}

template <int D>
FlowTerm<D> flow_of(const LameLanes& lame, const FlowLanes& flow, const Lanes (&sigma)[D])
{
    const LogStrains<D> log = log_strains<D>(sigma, flow.third);
    const Return back = return_of(lame, flow, log.squared_deviator);
    FlowTerm<D> term;
    term.equivalent = back.flow;
    term.stress = back.q;
    term.volumetric = 0.5 * bulk_modulus(lame) * log.sum * log.sum;
    // √(3/2) d / |d| = 3 mu d / q
    const Lanes scale = back.flow > 0 ? 3 * lame.mu * back.flow / back.q : Lanes{};
    for (int i = 0; i < D; ++i)
        term.principal[i] = scale * log.deviator[i];
    return term;
}

template void hencky_energy<2>(const LameLanes&, const Lanes (&)[2], Order, StretchTerm<2>&);
template void hencky_energy<3>(const LameLanes&, const Lanes (&)[3], Order, StretchTerm<3>&);
template void flow_energy<2>(const LameLanes&, const FlowLanes&, const Lanes (&)[2], Order, StretchTerm<2>&);
template void flow_energy<3>(const LameLanes&, const FlowLanes&, const Lanes (&)[3], Order, StretchTerm<3>&);
template FlowTerm<2> flow_of<2>(const LameLanes&, const FlowLanes&, const Lanes (&)[2]);
template FlowTerm<3> flow_of<3>(const LameLanes&, const FlowLanes&, const Lanes (&)[3]);

} // namespace abut
