#pragma once
// The energy of a set of collisions under a law of their distances:
//
//   E(x) = Σ_k  κ s w_k m_k(x) b(D_k(x))
//
//   b     a law of the (squared) distance, distance_law.hpp        κ  stiffness
//   w_k   the term's weight in its set                             s  1, or the physical scaling dhat / unit of b
//   m_k   the mollifier of nearly parallel edges; 1 for other terms
//
// Closest features are those of the set, frozen when it was built. Value, gradient and Hessian are sums in a fixed
// order: the same bits for any number of threads.

#include "abut/contact/gipc/hessian_mode.hpp"
#include "abut/contact/laws/distance_law.hpp"
#include "abut/contact/normal_collisions.hpp"
#include "abut/contact/potential.hpp"

#include <optional>

namespace abut {

/// The pattern of Hessians over any subset of these candidates.
[[nodiscard]] std::shared_ptr<const BlockPattern>
candidate_pattern(const Candidates& candidates, const CollisionMesh& mesh);

class NormalPotential : public Potential<NormalCollisions> {
public:
    /// HessianForm::analytic is the form of hessian_mode(), where that is one; the other forms do not ask for the mode.
    void evaluate(
        const NormalCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X,
        const TermOutput& out) const override;

    /// As Potential's, but added up where terms are evaluated: the same but for rounding.
    [[nodiscard]] double
    operator()(const NormalCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const override;
    [[nodiscard]] Eigen::VectorXd
    gradient(const NormalCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const override;

    /// Size of the force with which the two closest points of each term push each other apart, −κ s b' 2d [N]: without
    /// the weight and the mollifier, which belong to the term's share of the surface. Negative where they pull.
    [[nodiscard]] Eigen::VectorXd
    force_magnitudes(const NormalCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const;

    /// Derivative of the gradient by the rest positions at fixed X, through area weights and the mollifiers'
    /// thresholds; row = entry of the gradient, column = rest coordinate. Where X = rest + displacement, add hessian().
    /// Needs collisions built with enable_shape_derivatives.
    [[nodiscard]] Eigen::SparseMatrix<double>
    shape_derivative(const NormalCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const;

    [[nodiscard]] double dhat() const { return dhat_; }
    [[nodiscard]] const NormalLaw& law() const { return *law_; }
    [[nodiscard]] HessianMode hessian_mode() const { return hessian_mode_; }
    [[nodiscard]] double hessian_filter() const { return hessian_filter_; }

    /// κ s for pairs of this smallest distance.
    [[nodiscard]] virtual double scale(double dmin) const = 0;

    /// The normal force that sliding counts with, where it is the same for every pair closer than dmin + dhat instead
    /// of force_magnitudes(): per unit of weight, as those are.
    [[nodiscard]] virtual std::optional<double> sliding_force() const { return std::nullopt; }

    /// What sliding counts with for each term [N]: force_magnitudes(), or sliding_force() where there is one.
    [[nodiscard]] Eigen::VectorXd
    sliding_forces(const NormalCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const;

protected:
    NormalPotential(
        std::shared_ptr<const NormalLaw> law, double dhat, HessianMode hessian_mode = HessianMode::exact,
        double hessian_filter = usual_hessian_filter);

    /// Closed forms are positive semidefinite as they are.
    [[nodiscard]] HessianForm form_of(PSDProjectionMethod projection) const override
    {
        return hessian_mode_ == HessianMode::exact ? hessian_form_of(projection) : HessianForm::analytic;
    }

private:
    friend class NormalEvaluation;
    std::shared_ptr<const NormalLaw> law_;
    double dhat_;
    HessianMode hessian_mode_;
    double hessian_filter_;
};

} // namespace abut
