#include "abut/elastic/woven_elasticity.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/elastic/simplex_lanes.hpp"
#include "abut/math/psd_projection.hpp"
#include "abut/mesh/validate.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace abut {

namespace {

constexpr std::size_t woven_per_task = 512;

struct LaneVector {
    Lanes at[3];

    Lanes& operator[](int a) { return at[a]; }
    const Lanes& operator[](int a) const { return at[a]; }
};

Lanes dot(const LaneVector& a, const LaneVector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

LaneVector column(const LaneMatrix<3, 2>& F, int c) { return {{F(0, c), F(1, c), F(2, c)}}; }

/// d²psi/dF² by its 3 x 3 blocks: of the warp, of the weft, and of the warp (rows) with the weft.
struct WovenHessian {
    LaneMatrix<3, 3> uu{}, ww{}, uw{};
};

/// One thread, at the length it has.
struct Thread {
    LaneVector f;
    Lanes length, inverse; ///< the latter of no less than shortest_thread
    Lanes strain;          ///< |f| - 1

    explicit Thread(const LaneVector& along) : f(along)
    {
        length = sqrt(dot(f, f));
        inverse = 1 / maximum(length, broadcast(shortest_thread));
        strain = length - 1;
    }

    /// k (f̂ f̂ᵀ + r (I - f̂ f̂ᵀ)), r = 1 - 1/|f|.
    void add_hessian(Lanes k, PSDProjectionMethod projection, LaneMatrix<3, 3>& to) const
    {
        Lanes across = 1 - inverse;
        if (projection != PSDProjectionMethod::none)
            across = across < 0 ? (projection == PSDProjectionMethod::abs ? -across : Lanes{}) : across;
        const Lanes along = k * (1 - across) * inverse * inverse;
        for (int a = 0; a < 3; ++a) {
            for (int b = 0; b < 3; ++b)
                to(a, b) += along * (f[a] * f[b]);
            to(a, a) += k * across;
        }
    }
};

/// k (g gᵀ + I_6 [0 I; I 0]).
void add_shear(const LaneVector& u, const LaneVector& w, Lanes k, Lanes I_6, WovenHessian& H)
{
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
            H.uu(a, b) += k * (w[a] * w[b]);
            H.ww(a, b) += k * (u[a] * u[b]);
            H.uw(a, b) += k * (w[a] * u[b]);
        }
        H.uw(a, a) += k * I_6;
    }
}

/// The same with its negative eigenvalues set to zero:
///
///   I_6 (I - p̂ p̂ᵀ) on vectors (a, a) / √2, and lambda v vᵀ with v = (p̂ + q, p̂ - q) / √(2 (1 + |q|²)).
WovenHessian clamped_shear(const LaneVector& u, const LaneVector& w, Lanes k, Lanes I_6)
{
    const Lanes sign = I_6 < 0 ? broadcast(-1) : broadcast(1), j = absolute(I_6);
    LaneVector p, m;
    for (int a = 0; a < 3; ++a) {
        const Lanes turned = sign * w[a];
        p[a] = 0.5 * (u[a] + turned);
        m[a] = 0.5 * (turned - u[a]);
    }
    const Lanes I_2 = dot(u, u) + dot(w, w), lambda = 0.5 * (I_2 + sqrt(I_2 * I_2 + 12 * j * j));
    const Lanes length = maximum(sqrt(dot(p, p)), broadcast(shortest_thread)), inverse = 1 / length;
    const Lanes share = 2 * length / maximum(lambda + j - 2 * dot(m, m), 2 * length * length);
    LaneVector hat, q, first, second; // v's halves, up to its length
    for (int a = 0; a < 3; ++a) {
        hat[a] = p[a] * inverse;
        q[a] = share * m[a];
        first[a] = hat[a] + q[a];
        second[a] = hat[a] - q[a];
    }
    const Lanes stiff = k * lambda / (2 * (1 + dot(q, q))), half = 0.5 * k * j;
    WovenHessian H;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            const Lanes across = half * ((a == b ? 1.0 : 0.0) - hat[a] * hat[b]);
            H.uu(a, b) = stiff * (first[a] * first[b]) + across;
            H.ww(a, b) = stiff * (second[a] * second[b]) + across;
            H.uw(a, b) = sign * (stiff * (first[a] * second[b]) + across);
        }
    return H;
}

void add_shear(
    const LaneVector& u, const LaneVector& w, Lanes k, Lanes I_6, PSDProjectionMethod projection, WovenHessian& H)
{
    if (projection == PSDProjectionMethod::none)
        return add_shear(u, w, k, I_6, H);
    const WovenHessian clamped = clamped_shear(u, w, k, I_6);
    // Eigenvalues of twice the clamped less the exact Hessian are those of the exact one, made positive.
    if (projection == PSDProjectionMethod::abs)
        add_shear(u, w, -k, I_6, H);
    const double factor = projection == PSDProjectionMethod::abs ? 2 : 1;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            H.uu(a, b) += factor * clamped.uu(a, b);
            H.ww(a, b) += factor * clamped.ww(a, b);
            H.uw(a, b) += factor * clamped.uw(a, b);
        }
}

/// Σ_bd (d²psi / dF_ab dF_cd) g_b h_d.
LaneMatrix<3, 3> contract(const WovenHessian& H, const Lanes (&g)[2], const Lanes (&h)[2])
{
    LaneMatrix<3, 3> block;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            block(a, b) = g[0] * h[0] * H.uu(a, b) + g[1] * h[1] * H.ww(a, b) + g[0] * h[1] * H.uw(a, b) +
                          g[1] * h[0] * H.uw(b, a);
    return block;
}

void validate_moduli(const WovenModuli& moduli, std::size_t k)
{
    for (const auto& [name, value] : {std::pair{"warp", moduli.warp}, std::pair{"weft", moduli.weft}})
        if (!(value > 0 && std::isfinite(value)))
            reject("moduli: entry {} has {} = {}, which is not a positive number of pascals", k, name, value);
    if (!(moduli.shear >= 0 && std::isfinite(moduli.shear)))
        reject("moduli: entry {} has shear = {}, which is not 0 or a positive number of pascals", k, moduli.shear);
}

} // namespace

WovenElasticity::WovenElasticity(
    const ConstPositions& rest_positions, const ConstElements& faces, const WovenOptions& options)
    : shapes_(
          rest_positions, faces,
          {.thickness = options.thickness, .first_axis = options.warp_direction, .num_parameters = 3})
{
    if (options.warp_direction.empty())
        reject("warp_direction: expected one entry, or one for each of the {} triangles, got 0", shapes_.size());
    if (options.moduli.size() != 1 && options.moduli.size() != shapes_.size())
        reject(
            "moduli: expected one entry, or one for each of the {} triangles, got {}", shapes_.size(),
            options.moduli.size());
    for (std::size_t k = 0; k < options.moduli.size(); ++k)
        validate_moduli(options.moduli[k], k);
    for (std::size_t k = 0; k < shapes_.size(); ++k) {
        const WovenModuli& moduli = options.moduli[options.moduli.size() == 1 ? 0 : k];
        shapes_.set_parameters(k, std::array{moduli.warp, moduli.weft, moduli.shear});
    }
}

WovenElasticity WovenElasticity::subset(std::span<const int> terms) const
{
    return WovenElasticity(shapes_.subset(terms));
}

void WovenElasticity::evaluate(const ConstPositions& x, const TermOutput& out) const
{
    validate_positions(x, num_vertices(), 3, "x");
    static_assert(woven_per_task % num_lanes == 0);
    const std::size_t num_groups = (shapes_.size() + num_lanes - 1) / num_lanes;
    parallel_for(num_groups, woven_per_task / num_lanes, [&](std::size_t group) { evaluate_group(x, out, group); });
}

void WovenElasticity::evaluate_group(const ConstPositions& x, const TermOutput& out, std::size_t group) const
{
    const std::size_t begin = group * num_lanes;
    const int count = static_cast<int>(std::min<std::size_t>(num_lanes, shapes_.size() - begin));
    const RestLanes<2> rest = load_rest<2>(shapes_.group(group));
    const LaneMatrix<3, 2> F = deformation_gradient<3>(x, stencils(), begin, count, rest);
    const Lanes k_u = rest.parameter(0), k_w = rest.parameter(1), k_s = rest.parameter(2);
    const Thread u(column(F, 0)), w(column(F, 1));
    const Lanes I_6 = dot(u.f, w.f);
    if (out.values != nullptr) {
        const Lanes values[1]{
            0.5 * rest.volume * (k_u * u.strain * u.strain + k_w * w.strain * w.strain + k_s * I_6 * I_6)};
        store_lanes(values, count, out.values + begin);
    }
    if (out.gradients != nullptr) {
        const Lanes along_u = k_u * u.strain * u.inverse, along_w = k_w * w.strain * w.inverse, shear = k_s * I_6;
        LaneMatrix<3, 2> P;
        for (int a = 0; a < 3; ++a) {
            P(a, 0) = along_u * u.f[a] + shear * w.f[a];
            P(a, 1) = along_w * w.f[a] + shear * u.f[a];
        }
        store_gradients(rest, P, count, out.gradients + begin * 9);
    }
    if (out.blocks != nullptr) {
        const PSDProjectionMethod projection = projection_of(out.hessian);
        WovenHessian H;
        u.add_hessian(rest.volume * k_u, projection, H.uu);
        w.add_hessian(rest.volume * k_w, projection, H.ww);
        add_shear(u.f, w.f, rest.volume * k_s, I_6, projection, H);
        store_blocks<3, 2>(
            [&](int i, int j) { return contract(H, rest.g[i - 1], rest.g[j - 1]); }, count,
            out.blocks + begin * (num_hessian_blocks<2> * 9));
    }
}

} // namespace abut
