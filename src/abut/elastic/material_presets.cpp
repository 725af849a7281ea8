#include "abut/elastic/material_presets.hpp"

#include <algorithm>
#include <array>

namespace abut {

namespace {

constexpr std::string_view clyde = "Clyde, Teran, Tamstorf, Modeling and data-driven parameter estimation for woven "
                                   "fabrics, SCA 2017";

const std::array<MaterialPreset, 9> presets{{
    {.name = "rubber",
     .what = "natural rubber, vulcanised, unfilled",
     .model = ElasticModel::neo_hookean,
     .youngs_modulus = 2e6,
     .poisson_ratio = 0.49,
     .density = 925,
     .range = "1.5 to 2.5 MPa",
     .source = "Ashby, Materials Selection in Mechanical Design, 4th ed., 2011, appendix A"},
    {.name = "silicone",
     .what = "PDMS, Sylgard 184, 10:1",
     .model = ElasticModel::neo_hookean,
     .youngs_modulus = 2e6,
     .poisson_ratio = 0.49,
     .density = 1030,
     .range = "1.3 to 3 MPa, by the temperature of curing",
     .source = "Johnston et al., Mechanical characterization of bulk Sylgard 184, J. Micromech. Microeng. 24, 2014"},
    {.name = "paper",
     .what = "office paper of 80 g/m²",
     .model = ElasticModel::fixed_corotated,
     .youngs_modulus = 4e9,
     .poisson_ratio = 0.3,
     .density = 800,
     .thickness = 1e-4,
     .range = "3 to 8.9 GPa, stiffer along the machine's direction",
     .source = "Ashby, Materials Selection in Mechanical Design, 4th ed., 2011, appendix A"},
    {.name = "cotton",
     .what = "woven, 104 g/m²",
     .model = ElasticModel::baraff_witkin,
     .youngs_modulus = 15.6e6,
     .poisson_ratio = 0,
     .density = 576,
     .thickness = 0.18e-3,
     .woven = WovenModuli{.warp = 15.6e6, .weft = 25e6, .shear = 0.54e6},
     .range = "1 to 100 MPa, by weave and strain",
     .source = clyde},
    {.name = "denim",
     .what = "woven, 400 g/m²",
     .model = ElasticModel::baraff_witkin,
     .youngs_modulus = 4.79e6,
     .poisson_ratio = 0,
     .density = 606,
     .thickness = 0.66e-3,
     .woven = WovenModuli{.warp = 4.79e6, .weft = 9.03e6, .shear = 1.22e6},
     .range = "1 to 50 MPa, by weave and strain",
     .source = clyde},
    {.name = "silk",
     .what = "woven, 83 g/m²",
     .model = ElasticModel::baraff_witkin,
     .youngs_modulus = 4.3e6,
     .poisson_ratio = 0,
     .density = 461,
     .thickness = 0.18e-3,
     .woven = WovenModuli{.warp = 4.3e6, .weft = 9.94e6, .shear = 0.285e6},
     .range = "1 to 100 MPa, by weave and strain",
     .source = clyde},
    {.name = "wood",
     .what = "Sitka spruce at 12 % moisture, along its grain",
     .model = ElasticModel::fixed_corotated,
     .youngs_modulus = 1.08e10,
     .poisson_ratio = 0.37,
     .density = 450,
     .range = "7 to 14 GPa among softwoods; a tenth and less across the grain",
     .source = "Forest Products Laboratory, Wood Handbook, 2010, chapter 5"},
    {.name = "steel",
     .what = "structural steel",
     .model = ElasticModel::fixed_corotated,
     .youngs_modulus = 2.1e11,
     .poisson_ratio = 0.3,
     .density = 7850,
     .range = "190 to 215 GPa",
     .source = "EN 1993-1-1:2005, 3.2.6, and EN 1991-1-1:2002, table A.4"},
    {.name = "skin",
     .what = "of the human forearm",
     .model = ElasticModel::neo_hookean,
     .youngs_modulus = 4.2e5,
     .poisson_ratio = 0.49,
     .density = 1100,
     .thickness = 1.5e-3,
     .range = "0.42 MPa of the young to 0.85 MPa of the old",
     .source = "Agache et al., Mechanical properties and Young's modulus of human skin in vivo, Arch. Dermatol. Res. "
               "269, 1980; ICRP Publication 89, 2002 (density, thickness)"},
}};

} // namespace

std::span<const MaterialPreset> material_presets() { return presets; }

const MaterialPreset* find_preset(std::string_view name)
{
    const auto found =
        std::find_if(presets.begin(), presets.end(), [&](const auto& each) { return each.name == name; });
    return found == presets.end() ? nullptr : &*found;
}

} // namespace abut
