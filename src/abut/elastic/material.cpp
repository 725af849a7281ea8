#include "abut/elastic/material.hpp"

#include "abut/base/error.hpp"
#include "abut/base/suggest.hpp"

#include <array>
#include <cmath>

namespace abut {

namespace {

constexpr std::array models{ElasticModel::neo_hookean, ElasticModel::stable_neo_hookean, ElasticModel::fixed_corotated,
                            ElasticModel::stvk,        ElasticModel::baraff_witkin,      ElasticModel::hencky};

void validate_young(double young)
{
    if (!(young > 0 && std::isfinite(young)))
        reject("young: {} is not a positive number of pascals", young);
}

void validate_sheet(const IsotropicModuli& moduli)
{
    validate_young(moduli.young);
    if (!(moduli.poisson > -1 && moduli.poisson <= 0.5))
        reject("poisson: {} is not in (-1, 0.5]", moduli.poisson);
}

double shear_modulus(const IsotropicModuli& moduli) { return moduli.young / (2 * (1 + moduli.poisson)); }

} // namespace

LameParameters lame_parameters(const IsotropicModuli& moduli)
{
    validate_young(moduli.young);
    const double nu = moduli.poisson;
    if (!(nu > -1 && nu < 0.5))
        reject("poisson: {} is not in (-1, 0.5); a nearly incompressible solid has 0.45 to 0.499", nu);
    return {shear_modulus(moduli), moduli.young * nu / ((1 + nu) * (1 - 2 * nu))};
}

LameParameters plane_stress_lame_parameters(const IsotropicModuli& moduli)
{
    validate_sheet(moduli);
    const double nu = moduli.poisson;
    return {shear_modulus(moduli), moduli.young * nu / ((1 + nu) * (1 - nu))};
}

double plate_stiffness(const IsotropicModuli& moduli, double thickness)
{
    validate_sheet(moduli);
    if (!(thickness > 0 && std::isfinite(thickness)))
        reject("thickness: {} is not a positive number of metres", thickness);
    const double nu = moduli.poisson;
    return moduli.young * thickness * thickness * thickness / (12 * (1 - nu) * (1 + nu));
}

std::string_view to_string(ElasticModel model)
{
    switch (model) {
    case ElasticModel::neo_hookean:
        return "neo_hookean";
    case ElasticModel::stable_neo_hookean:
        return "stable_neo_hookean";
    case ElasticModel::fixed_corotated:
        return "fixed_corotated";
    case ElasticModel::stvk:
        return "stvk";
    case ElasticModel::baraff_witkin:
        return "baraff_witkin";
    case ElasticModel::hencky:
        return "hencky";
    }
    return "unknown";
}

ElasticModel elastic_model(const std::string& name)
{
    std::array<std::string, models.size()> names;
    for (std::size_t k = 0; k < models.size(); ++k) {
        names[k] = to_string(models[k]);
        if (names[k] == name)
            return models[k];
    }
    const std::string near = nearest_word(name, names);
    reject(
        "model: '{}' is not one of {}{}", name, fmt::join(names, ", "),
        near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
}

} // namespace abut
