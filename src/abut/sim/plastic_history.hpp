#pragma once
// What a state remembers of flow, and the names under which it does.

#include "abut/elastic/plasticity.hpp"
#include "abut/sim/model.hpp"
#include "abut/solver/state.hpp"

namespace abut {

struct PlasticNames {
    const char *deformation, *strain;
    const char* elements; ///< for messages
};
/// F_p of elements, object by object.
inline constexpr PlasticNames names_of_solids{"plastic.deformation", "plastic.strain", "elements"};
/// Angles of hinges that shells are bent by for good, and the strain at their surface.
inline constexpr PlasticNames names_of_hinges{"hinges.plastic_angle", "hinges.plastic_strain", "hinges"};
/// Curvatures of joints of rods, and the strain at their surface; of all rods where one of them flows.
inline constexpr PlasticNames names_of_rods{"rods.plastic_curvature", "rods.plastic_strain", "joints of rods"};

/// What a history has of them, or `initial` where it has nothing. Throws InvalidInput where it is of another scene, or
/// no flow leads to it.
[[nodiscard]] PlasticState plastic_state(const History& history, const PlasticNames& names, PlasticState initial);

void save_plastic_state(History& history, const PlasticNames& names, const PlasticState& state);

/// Equivalent plastic strain of cells, one object behind the other; NaN where a cell has none, as those of obstacles
/// and the faces of solids. A face of a shell and an edge of a rod have the largest of their hinges or joints.
struct CellPlasticStrain {
    std::vector<double> tets, faces, edges;
};
/// None where no object of the model has plasticity.
[[nodiscard]] std::optional<CellPlasticStrain> cell_plastic_strain(const Model& model, const History& history);

} // namespace abut
