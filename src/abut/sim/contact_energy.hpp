#pragma once
// Contact and friction of a simulation: the barrier over the surface of all bodies, rebuilt at every trial position,
// and friction lagged once a step. Both act on the full mesh's vertices.

#include "abut/contact/barrier_potential.hpp"
#include "abut/contact/friction/tangential_potential.hpp"
#include "abut/sim/body_names.hpp"
#include "abut/solver/energy.hpp"
#include "abut/solver/step_guard.hpp"

namespace abut {

struct ContactEnergyOptions {
    NormalCollisionsOptions set;
    BarrierPotentialOptions barrier;
    bool is_adaptive = true;  ///< double the stiffness where gaps become tiny and still shrink
    double bbox_diagonal = 1; ///< of the scene [m]
    double max_stiffness = INFINITY;
};

class ContactEnergy final : public Energy {
public:
    ContactEnergy(const CollisionMesh& mesh, const ContactEnergyOptions& options);

    [[nodiscard]] std::string_view name() const override { return "contact"; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void update(const ConstPositions& x) override;
    void evaluate(const ConstPositions& x, const TermOutput& out) const override;
    bool iterated(const ConstPositions& x) override;

    /// Forgets the gaps of the step before, so that a step depends on its start alone.
    void begin_step() { previous_distance_ = INFINITY; }

    [[nodiscard]] const NormalCollisions& collisions() const { return collisions_; }
    [[nodiscard]] const BarrierPotential& barrier() const { return barrier_; }
    [[nodiscard]] const NormalCollisionsOptions& set_options() const { return options_.set; }
    [[nodiscard]] const CollisionMesh& mesh() const { return mesh_; }
    /// Positions of the surface for positions of the full mesh.
    [[nodiscard]] Positions surface(const ConstPositions& x) const { return mesh_.vertices(x); }
    /// The smallest distance at the last update, if pairs were within range; else infinity [m].
    [[nodiscard]] double smallest_distance() const { return smallest_distance_; }

    void set_stiffness(double stiffness) { barrier_.set_stiffness(stiffness); }

private:
    const CollisionMesh& mesh_;
    ContactEnergyOptions options_;
    BarrierPotential barrier_;
    Detection detection_;
    NormalCollisions collisions_;
    Stencils stencils_;
    double smallest_distance_ = INFINITY, previous_distance_ = INFINITY;
};

/// The stencils of a surface, by the vertices of its full mesh.
[[nodiscard]] Stencils to_full_vertices(const Stencils& stencils, const CollisionMesh& mesh);

class FrictionEnergy final : public Energy {
public:
    /// `eps_v` [m/s].
    FrictionEnergy(const CollisionMesh& mesh, FrictionCoefficients coefficients, double eps_v);

    /// Lags normal forces and tangents of the contact as it was updated last, at x; sliding counts from x_start, over
    /// dt.
    void lag(const ContactEnergy& contact, const ConstPositions& x, Positions x_start, double dt);

    [[nodiscard]] std::string_view name() const override { return "friction"; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const ConstPositions& x, const TermOutput& out) const override;
    [[nodiscard]] const TangentialCollisions& collisions() const { return collisions_; }

private:
    const CollisionMesh& mesh_;
    FrictionCoefficients coefficients_;
    double eps_v_;
    FrictionPotential potential_;
    TangentialCollisions collisions_;
    Stencils stencils_;
    Positions x_start_;
};

/// Continuous collision detection of the surface as a guard.
class CcdGuard final : public StepGuard {
public:
    CcdGuard(const CollisionMesh& mesh, BodyNames names, double dmin)
        : mesh_(mesh), names_(std::move(names)), dmin_(dmin)
    {}
    [[nodiscard]] GuardedStep limit(const ConstPositions& x, const ConstPositions& dx) override;

private:
    const CollisionMesh& mesh_;
    BodyNames names_;
    double dmin_;
};

} // namespace abut
