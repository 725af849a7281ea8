#pragma once
// The Geometric Contact Potential: Huang et al. 2025, eq. 13 and 14.
//
//   E(x) = κ Σ_k  W_k  p_eps(|r|)  M(x)  g_A(-r, x)  g_B(r, x)
//
//   r     from the closest point of element B to that of element A, as ClosestPair has it
//   p     the spline barrier of its length, 0 from the pair's extent on
//   g     product of an element's local-minimum and exterior factors, each a smoothed step of a cosine
//   M     fades a pair out as a closest point nears the border of its element, where another pair takes over
//   W     rest measures of the two elements
//
// Value, gradient and Hessian are sums in a fixed order: the same bits for any number of threads.

#include "abut/contact/gcp/smooth_collisions.hpp"
#include "abut/contact/potential.hpp"

namespace abut {

class SmoothContactPotential : public Potential<SmoothCollisions> {
public:
    /// With stiffness κ > 0; its unit makes E an energy: [J m^(r - 4)], in the plane [J m^(r - 2)].
    explicit SmoothContactPotential(SmoothContactParameters params, double stiffness = 1);

    void evaluate(
        const SmoothCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X,
        const TermOutput& out) const override;

    [[nodiscard]] Eigen::VectorXd
    gradient(const SmoothCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const override;

    /// The force with which each pair's elements push each other apart along the line between their closest points, all
    /// of the pair's factors included: what friction counts with. In the toolkit's variant, as there, the norm of the
    /// pair's whole gradient, which is larger.
    [[nodiscard]] Eigen::VectorXd
    normal_forces(const SmoothCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const;

    [[nodiscard]] const SmoothContactParameters& parameters() const { return params_; }
    [[nodiscard]] double stiffness() const { return stiffness_; }
    void set_stiffness(double stiffness);

private:
    SmoothContactParameters params_;
    double stiffness_ = 1;
};

} // namespace abut
