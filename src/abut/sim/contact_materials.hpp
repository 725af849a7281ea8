#pragma once
// Who rubs and sticks how with whom, and who does not meet at all: names of materials and of contact groups in a scene.

#include "abut/sim/model.hpp"

namespace abut {

/// A name that is wrong: in entry `entry` of contact.pairs or contact.ignore, the first or second of its two.
struct WrongName {
    std::size_t entry;
    int side;
    std::string what; ///< with the cure
};

/// The first name of contact.pairs that no object or plane has, or pair that comes twice.
[[nodiscard]] std::optional<WrongName> wrong_material(const Scene& scene);
/// The first name of contact.ignore that no object has, or pair that comes twice.
[[nodiscard]] std::optional<WrongName> wrong_group(const Scene& scene);

/// Does an object or plane have a coefficient of friction of its own?
[[nodiscard]] bool has_own_friction(const Scene& scene);

/// Throws InvalidInput for names and coefficients that can never be right.
void check_contact_materials(const Scene& scene);

/// Does a pair of materials stick?
[[nodiscard]] bool has_sticky_pair(const Scene& scene);

/// Of bonds that change in time, with what is left out chosen. `own`: what a pair says, before what all do; `place` is
/// where it says so. Throws InvalidInput where c_n or w are given by neither.
[[nodiscard]] RccParameters rcc_parameters(const SceneRcc& usual, const SceneRcc& own, const std::string& place);

/// None where all pairs are alike. Adds what was blended to the choices. `sticks` says whether pairs that contact.pairs
/// does not name stick; parameters.adhesion is known by then.
[[nodiscard]] std::optional<ContactMaterials> choose_materials(Model& model, bool sticks);

/// Which bodies never meet, as a filter over the vertices of all objects; trivial where there are none. Their number is
/// added to the choices.
[[nodiscard]] CollisionFilter group_filter(Model& model);

} // namespace abut
