#include "abut/contact/adhesion/tangential_adhesion_potential.hpp"

#include "abut/base/error.hpp"

#include <cmath>

namespace abut {

TangentialAdhesionPotential::TangentialAdhesionPotential(double eps_a) : eps_a_(eps_a)
{
    if (!(eps_a > 0 && std::isfinite(eps_a)))
        reject("eps_a: {} is not a positive speed [m/s]", eps_a);
}

void TangentialAdhesionPotential::evaluate_law(
    std::span<const double> y, std::span<const double> mu_s, std::span<const double> mu_k,
    std::span<TangentialTerm> terms) const
{
    for (std::size_t k = 0; k < y.size(); ++k)
        terms[k] = SmoothTangentialAdhesion{mu_s[k], mu_k[k], eps_a_}(y[k]);
}

} // namespace abut
