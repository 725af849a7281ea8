#pragma once
// Stress and strain in the bodies of a model.

#include "abut/elastic/element_stress.hpp"
#include "abut/sim/model.hpp"

namespace abut {

/// Of the tets and faces of all objects, one object behind the other; NaN where an element is not elastic, such as
/// those of obstacles and the faces of solids.
struct CellStresses {
    std::vector<ElementStress> tets, faces;
};

/// At the positions x of the model's vertices, with what the history says of flow.
[[nodiscard]] CellStresses cell_stresses(const Model& model, const ConstPositions& x, const History& history = {});

} // namespace abut
