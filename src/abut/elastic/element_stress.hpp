#pragma once
// Stress and strain of elements, for those who look at results.
//
// Notation: F the deformation gradient of an element, J = det F, psi the energy density, P = dpsi/dF (first
// Piola-Kirchhoff), as in deformation.hpp.
//
//   Cauchy's stress   P Fᵀ / J, force per present area [Pa]
//   Green's strain    (FᵀF - I) / 2, in the directions of the rest shape
//   von Mises         √(3/2) |dev stress|: one number to compare with a yield strength [Pa]
//
// A planar body is held across its plane (plane strain), so that its stress has an entry there. Of sheets there are the
// values of the membrane, without bending: P Fᵀ over the ratio of areas, which is the force per present length over the
// thickness at rest, and no stress across.

#include "abut/elastic/simplex_elasticity.hpp"
#include "abut/elastic/strain_limit.hpp"
#include "abut/elastic/woven_elasticity.hpp"

#include <limits>

namespace abut {

/// NaN where an element has no volume left, or is inverted: a material has no such state.
struct ElementStress {
    Mat<3, 3> cauchy = Mat<3, 3>::Constant(std::numeric_limits<double>::quiet_NaN());       ///< [Pa]
    Mat<3, 3> green_strain = Mat<3, 3>::Constant(std::numeric_limits<double>::quiet_NaN()); ///< at rest zero

    [[nodiscard]] double von_mises() const; ///< [Pa]
};

/// A material, for all elements.
struct ElementMaterial {
    ElasticModel model = ElasticModel::neo_hookean;
    LameParameters lame{};
    /// F_p of each element as PlasticSolids has it, whose stress follows from F F_p⁻¹; none where it is null.
    const double* plastic_deformation = nullptr;
};

/// Of tetrahedra in space, or of triangles in the plane, at the positions x; one per row.
[[nodiscard]] std::vector<ElementStress> solid_stresses(
    const ConstPositions& rest_positions, const ConstElements& elements, const ElementMaterial& material,
    const ConstPositions& x);

/// Of the triangles of sheets, whose terms say how they resist: MembraneElasticity, WovenElasticity or StrainLimit.
template <typename Sheet>
[[nodiscard]] std::vector<ElementStress>
membrane_stresses(const ConstPositions& rest_positions, const Sheet& membrane, const ConstPositions& x);

} // namespace abut
