#pragma once
// Typical numbers of well-known materials, each with where it comes from. Real ones differ from sample to sample: a
// preset is a start, and docs/materials.md says in which range the material is found.

#include "abut/elastic/material.hpp"
#include "abut/elastic/woven_elasticity.hpp"

#include <optional>
#include <span>

namespace abut {

struct MaterialPreset {
    std::string_view name;
    std::string_view what; ///< which sort of it
    ElasticModel model;    ///< baraff_witkin of woven sheets, which have no other
    double youngs_modulus; ///< [Pa]; of woven sheets that of bending
    double poisson_ratio;
    double density;                     ///< [kg/m³]
    std::optional<double> thickness{};  ///< of what comes as sheets [m]
    std::optional<WovenModuli> woven{}; ///< of woven sheets
    std::string_view range;             ///< of the modulus among samples
    std::string_view source;

    [[nodiscard]] bool is_woven() const { return woven.has_value(); }
};

[[nodiscard]] std::span<const MaterialPreset> material_presets();

/// The preset of that name, null where there is none.
[[nodiscard]] const MaterialPreset* find_preset(std::string_view name);

} // namespace abut
