#pragma once
// Energies that a simulation has besides inertia, contact and scripts, each made for a model by one file that registers
// it here. A kind may look at the whole scene and make none where it has nothing to do.

#include "abut/base/registry.hpp"
#include "abut/elastic/strain_limit.hpp"
#include "abut/elastic/woven_elasticity.hpp"
#include "abut/sim/integrator.hpp"
#include "abut/sim/model.hpp"
#include "abut/solver/energy.hpp"

#include <functional>
#include <memory>

namespace abut {

struct EnergyKind {
    /// The energies of a simulation; the model outlives them.
    std::function<std::vector<std::unique_ptr<Energy>>(const Model&)> make = {};
    /// The same for energies of velocities, which the integrator knows; it outlives them, and begins each step before
    /// them. May be left out, as may the one above.
    std::function<std::vector<std::unique_ptr<Energy>>(const Model&, const Integrator&)> make_moving = {};
    /// Adds the unknowns that they need besides vertices: blocks to model.layout, their start to model.start.others.
    /// May be left out.
    std::function<void(Model&)> extend = {};
};

/// In the order in which they are summed; "elastic" is the first.
[[nodiscard]] Registry<EnergyKind>& energy_kinds();

/// Solids, planar bodies, and membranes and hinges of shells, object by object.
[[nodiscard]] std::vector<std::unique_ptr<Energy>> make_elastic_energies(const Model& model);
/// May materials with plasticity flow? Otherwise they are elastic about what has flowed.
enum class Flow : std::uint8_t { free, frozen };
/// Of these objects alone, by rising number; either all that have plasticity, or none of them.
[[nodiscard]] std::vector<std::unique_ptr<Energy>>
make_elastic_energies_of(const Model& model, std::span<const std::size_t> objects, Flow flow);

/// The moduli of a shell of baraff_witkin.
[[nodiscard]] WovenModuli woven_moduli(const SceneObject& object);

/// The limit of a shell that has one.
[[nodiscard]] StretchLimit stretch_limit(const SceneObject& object);

/// The barrier in the stretch of shells that have a strain limit, as one energy; none where no shell has one.
[[nodiscard]] std::vector<std::unique_ptr<Energy>> make_strain_limits(const Model& model);

/// Forces on whole objects, and what their gravity is more or less than the scene's; one energy, or none.
[[nodiscard]] std::vector<std::unique_ptr<Energy>> make_constant_loads(const Model& model);

} // namespace abut
