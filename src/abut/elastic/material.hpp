#pragma once
// What elastic bodies are made of: moduli as engineers give them, and the parameters of the energies made from them.
//
// Notation: E Young's modulus [Pa], nu Poisson's ratio, mu and lambda the Lamé parameters [Pa], h thickness [m]. At
// small strains eps every model has the energy density mu |eps|² + lambda/2 tr(eps)².

#include <cstdint>
#include <string>
#include <string_view>

namespace abut {

/// An isotropic material as engineers describe it.
struct IsotropicModuli {
    double young = 0;   ///< E [Pa], > 0
    double poisson = 0; ///< nu, in (-1, 0.5)
};

struct LameParameters {
    double mu = 0;     ///< shear modulus [Pa], > 0
    double lambda = 0; ///< [Pa], > -2/3 mu in solids, > -mu in sheets

    bool operator==(const LameParameters&) const = default;
};

/// mu = E / (2 (1 + nu)), lambda = E nu / ((1 + nu) (1 - 2 nu)): for solids, and for plane strain.
[[nodiscard]] LameParameters lame_parameters(const IsotropicModuli& moduli);

/// The same mu and lambda = E nu / (1 - nu²): for thin sheets, which are free to change their thickness. Also accepts
/// nu = 0.5, which a sheet can have and a solid cannot.
[[nodiscard]] LameParameters plane_stress_lame_parameters(const IsotropicModuli& moduli);

/// D = E h³ / (12 (1 - nu²)) of a plate [N m]: a plate bent to the curvature kappa stores 1/2 D kappa² per area.
[[nodiscard]] double plate_stiffness(const IsotropicModuli& moduli, double thickness);

/// The energies of isotropic.hpp, those of hencky.hpp, and that of woven_elasticity.hpp.
enum class ElasticModel : std::uint8_t {
    neo_hookean,        ///< infinite for inverted elements, and for sheets without area
    stable_neo_hookean, ///< finite and smooth for all
    fixed_corotated,    ///< finite for all; no second derivative where two stretches cancel
    stvk,               ///< St. Venant-Kirchhoff: linear in Green's strain, weak under compression
    baraff_witkin,      ///< of sheets alone: warp, weft and shear
    hencky,             ///< linear in logarithmic strain; infinite as neo_hookean is; the one that can flow
};

/// Is the energy infinite for inverted elements, and for sheets without area?
[[nodiscard]] constexpr bool keeps_volume(ElasticModel model)
{
    return model == ElasticModel::neo_hookean || model == ElasticModel::hencky;
}

/// "neo_hookean", "stable_neo_hookean", "fixed_corotated", "stvk", "baraff_witkin" or "hencky".
[[nodiscard]] std::string_view to_string(ElasticModel model);

/// The model of that name; rejects others, with a suggestion.
[[nodiscard]] ElasticModel elastic_model(const std::string& name);

} // namespace abut
