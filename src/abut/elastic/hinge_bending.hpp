#pragma once
// Bending energy of thin sheets, by the angles at which their triangles meet.
//
// Notation: theta the angle at an inner edge (dihedral_angle.hpp), theta_0 that at rest, |e| the rest length of the
// edge, A the rest area of its two triangles, h the thickness, D = E h³ / (12 (1 - nu²)) the plate's stiffness. With
// the weights of Grinspun, Hirani, Desbrun, Schröder, "Discrete shells", 2003, Eq. 2, an edge has the energy
//
//   c 3 |e|² / A (theta - theta_0)²,   c = D / 6 = E h³ / (72 (1 - nu²)),
//
// that is k/2 (theta - theta_0)² with k = D |e|² / A. The factor c, which the paper leaves open, follows from a plate
// that is bent to a cylinder of curvature kappa about an axis along a family of edges: only these turn, by
// theta = kappa A / |e| (kappa times the mean height of their two triangles), their triangles cover the plate, and
// Σ c 3 |e|² / A theta² = 3 c kappa² Σ A must be the plate's D/2 kappa² Σ A. Equilateral triangles give the same for
// every direction of the axis (Seung, Nelson, "Defects in flexible membranes with crystalline order", 1988); for other
// meshes the energy depends on the mesh by some ten percent, as it does for every energy of single hinges (Grinspun,
// Gingold, Reisman, Zorin, "Computing discrete shape operators on general meshes", 2006).
//
// The exact Hessian is k (grad theta grad thetaᵀ + (theta - theta_0) hess theta). In the coordinates of hinge_frame.hpp
// it is four 2 x 2 forms, whose eigenvalues are known. Projection treats those, so that a clamped Hessian has rank four
// and costs little more than the gradient. It is the nearest positive semidefinite form in these coordinates, which
// measure motions by the triangles' heights and the edge's length, and not in those of space.

#include "abut/elastic/plasticity.hpp"
#include "abut/linear/stencils.hpp"
#include "abut/linear/term_output.hpp"
#include "abut/math/types.hpp"

#include <vector>

namespace abut {

enum class RestAngles : std::uint8_t {
    rest_shape, ///< as in the rest positions: a crease stays one
    flat,       ///< zero
};

struct HingeOptions {
    std::vector<double> stiffness; ///< D, one or one per face [N m], > 0; see plate_stiffness()
    RestAngles rest_angles = RestAngles::rest_shape;
};

/// One term for each edge between two faces, in the order of edges(faces); its stencil is the edge's vertices, then the
/// opposite ones.
///
/// The angle jumps from pi to -pi where two triangles fold onto each other, and has no derivatives (zero is written)
/// where one of them has no area. Contact keeps sheets away from the first, their membrane energy from the second.
class HingeBending {
public:
    /// Rejects faces without area, and edges of more than two faces.
    HingeBending(const ConstPositions& rest_positions, const ConstElements& faces, const HingeOptions& options);

    [[nodiscard]] const Stencils& stencils() const { return stencils_; }
    [[nodiscard]] int num_vertices() const { return num_vertices_; }
    [[nodiscard]] double rest_angle(std::size_t hinge) const { return hinges_[hinge].rest_angle; }
    /// k of the energy k/2 (theta - theta_0)² [N m].
    [[nodiscard]] double stiffness(std::size_t hinge) const { return hinges_[hinge].stiffness; }

    /// theta - theta_0, theta_0 with what has flowed.
    [[nodiscard]] double turn(const ConstPositions& x, std::size_t hinge) const;
    /// From now on it is at rest at this angle, and its moment flows by this law; see plastic_hinges.hpp.
    void set_flow(std::size_t hinge, double rest_angle, const FlowLaw& law)
    {
        hinges_[hinge].rest_angle = rest_angle;
        hinges_[hinge].law = law;
    }

    void evaluate(const ConstPositions& x, const TermOutput& out) const;

    /// Only these hinges, in this order, of the same mesh. Throws InvalidInput for terms out of range.
    [[nodiscard]] HingeBending subset(std::span<const int> terms) const;

private:
    struct Hinge {
        double rest_angle, stiffness;
        FlowLaw law = {};
    };

    HingeBending(const HingeBending& whole, std::span<const int> terms);

    void evaluate_hinge(const ConstPositions& x, const TermOutput& out, std::size_t k) const;

    Stencils stencils_;
    int num_vertices_;
    std::vector<Hinge> hinges_;
};

} // namespace abut
