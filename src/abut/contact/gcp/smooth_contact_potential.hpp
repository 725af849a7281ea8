#pragma once
// The Geometric Contact Potential: Huang et al. 2025, eq. 13 and 14.
//
//   E(x) = κ Σ_k  W_k  p_eps(|d|)  M(x)  g_A(d, x)  g_B(-d, x)
//
//   d     from the closest point of the pair's first element A to that of its second, B
//   p     the spline barrier of its length, 0 from the pair's extent on
//   g     product of an element's local-minimum and exterior factors, each a smoothed step of a cosine
//   M     fades a pair out as a closest point nears the border of its element, where another pair takes over
//   W     rest measures of the two elements
//
// Value, gradient and Hessian are sums in a fixed order: the same bits for any number of threads.

#include "abut/contact/gcp/smooth_collisions.hpp"
#include "abut/linear/hessian_cache.hpp"

namespace abut {

class SmoothContactPotential {
public:
    /// With stiffness κ > 0; its unit makes E an energy: [J m^(r - 4)], in the plane [J m^(r - 2)].
    explicit SmoothContactPotential(SmoothContactParameters params, double stiffness = 1);

    /// The energy at X.
    [[nodiscard]] double
    operator()(const SmoothCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const;

    /// Its gradient by X, flat by vertex.
    [[nodiscard]] Eigen::VectorXd
    gradient(const SmoothCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const;

    /// Its Hessian, both triangles; each pair's is projected before they are added.
    [[nodiscard]] Eigen::SparseMatrix<double> hessian(
        const SmoothCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X,
        PSDProjectionMethod project_hessian_to_psd = PSDProjectionMethod::none) const;

    /// The same into cache.matrix().
    void hessian(
        const SmoothCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X,
        PSDProjectionMethod project_hessian_to_psd, HessianCache& cache) const;

    /// Writes what is asked for of each pair, in the layout of collisions.stencils().
    void evaluate(
        const SmoothCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X,
        const TermOutput& out) const;

    /// Energy of each pair.
    [[nodiscard]] Eigen::VectorXd
    energies(const SmoothCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const;

    /// Force on each vertex of each stencil: row collisions.stencils().offset(k) + i is that on vertex i of pair k.
    [[nodiscard]] Positions
    forces(const SmoothCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const;

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
