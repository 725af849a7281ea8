#pragma once
// The energy of sliding under a law of its speed:
//
//   E(v) = Σ_k  w_k N_k g0(y_k),   y = |A u|,   u = Pᵀ Σ_i c_i v_i
//
// with what TangentialCollisions lags and A = diag(mu_aniso). Velocities may be displacements if the law's speeds are:
// no time step enters. Force and gradient are one: F = −grad E, also with anisotropy.
//
//   grad E = Γᵀ P A  w N (g1 / y) A u
//   hess E = Γᵀ P A  w N [ g1' û ûᵀ + (g1 / y) (I − û ûᵀ) ]  A Pᵀ Γ,    û = A u / y
//
// The 2 x 2 block has these two eigenvalues, so its projection is closed: each is clamped by itself.

#include "abut/contact/friction/tangential_collisions.hpp"
#include "abut/contact/laws/tangential.hpp"

namespace abut {

/// What a friction force depends on.
enum class DiffWRT : std::uint8_t {
    velocities,
    lagged_positions, ///< through normal force, contact point, tangent basis and interpolated coefficients
};

/// Of velocities (#V x dim) in place of positions.
class TangentialPotential : public Potential<TangentialCollisions> {
public:
    void evaluate(
        const TangentialCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& velocities,
        const TermOutput& out) const override;

    /// The force on the vertices, −gradient [N].
    [[nodiscard]] Eigen::VectorXd
    force(const TangentialCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& velocities) const;

    /// Derivative of force(): by the velocities, or by the positions X at which the collisions were lagged under
    /// `normal_potential`; row = entry of the force. Not symmetric in the second case, which collisions of GCP do not
    /// have.
    [[nodiscard]] Eigen::SparseMatrix<double> force_jacobian(
        const TangentialCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& lagged_positions,
        const ConstPositions& velocities, const NormalPotential& normal_potential, DiffWRT wrt) const;

    /// terms[k] = the law of a pair of coefficients mu_s[k], mu_k[k] that slides at speed y[k].
    virtual void evaluate_law(
        std::span<const double> y, std::span<const double> mu_s, std::span<const double> mu_k,
        std::span<TangentialTerm> terms) const = 0;

private:
    friend class TangentialEvaluation;
};

/// Friction: SmoothFriction as the law.
class FrictionPotential final : public TangentialPotential {
public:
    /// `eps_v`: speed below which friction is static [m/s], > 0. Smaller is stiffer and closer to Coulomb's law.
    explicit FrictionPotential(double eps_v);
    [[nodiscard]] double eps_v() const { return eps_v_; }

protected:
    void evaluate_law(
        std::span<const double> y, std::span<const double> mu_s, std::span<const double> mu_k,
        std::span<TangentialTerm> terms) const override;

private:
    double eps_v_;
};

} // namespace abut
