#pragma once
// Contact, adhesion and sliding of a simulation, as energies over the full mesh's vertices, and what guards its steps.
//
// One Detection finds the pairs of all of them. Sets follow the positions: they are found anew at every trial of the
// line search. OGC's are frozen instead while they surely hold all contacts, with bounds on how far vertices move.
//
// The pairs that press are terms of a barrier, or pairs of GCP: a set and its potential, which ContactEnergy::visit
// shows to whoever works with either.

#include "abut/contact/adhesion/normal_adhesion_potential.hpp"
#include "abut/contact/adhesion/tangential_adhesion_potential.hpp"
#include "abut/contact/barrier_potential.hpp"
#include "abut/contact/gcp/smooth_contact_potential.hpp"
#include "abut/contact/ogc/trust_region.hpp"
#include "abut/sim/body_names.hpp"
#include "abut/solver/energy.hpp"
#include "abut/solver/step_guard.hpp"

#include <functional>
#include <variant>

namespace abut {

/// A barrier over a set of collisions: IPC, its convergent form, OGC, GIPC.
struct BarrierContactOptions {
    NormalCollisionsOptions set;
    BarrierPotentialOptions barrier;
    bool is_frozen = false; ///< keep the set while it holds all contacts, with bounds for steps (OGC)
};

/// The geometric contact potential.
struct SmoothContactOptions {
    SmoothContactParameters params;
    double stiffness;              ///< > 0
    bool use_adaptive_dhat = true; ///< with extents that make the rest positions of the mesh free of forces
};

struct ContactEnergyOptions {
    std::variant<BarrierContactOptions, SmoothContactOptions> model;
    double range = 0;         ///< of the detection, at least dmin + dhat; 0: that [m]
    bool is_adaptive = true;  ///< double the stiffness where gaps become tiny and still shrink
    double bbox_diagonal = 1; ///< of the scene [m]
    double max_stiffness = INFINITY;
};

/// A set and its potential.
struct BarrierContact {
    NormalCollisionsOptions options;
    BarrierPotential potential;
    NormalCollisions collisions{};

    /// The set at X, found by a search of its own.
    [[nodiscard]] NormalCollisions find(const CollisionMesh& mesh, const ConstPositions& X) const;
};

struct SmoothContact {
    bool use_adaptive_dhat;
    SmoothContactPotential potential;
    SmoothCollisions collisions{}; ///< holds the extents

    [[nodiscard]] SmoothCollisions find(const CollisionMesh& mesh, const ConstPositions& X) const;
};

class ContactEnergy final : public Energy {
public:
    /// Extents of GCP are those of the mesh's rest positions.
    ContactEnergy(const CollisionMesh& mesh, const ContactEnergyOptions& options);

    /// Finds the set, and the bounds if it is frozen, at x.
    void detect(const ConstPositions& x);

    [[nodiscard]] std::string_view name() const override { return "contact"; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    bool begin_iteration(const ConstPositions& x) override;
    void update(const ConstPositions& x) override;
    void evaluate(const ConstPositions& x, const TermOutput& out) const override;
    bool iterated(const ConstPositions& x) override;

    /// Forgets the gaps of the step before, so that a step depends on its start alone.
    void begin_step() { previous_distance_ = INFINITY; }

    /// Calls visit(contact) with the BarrierContact or SmoothContact that this is.
    template <typename Visit>
    decltype(auto) visit(Visit&& visitor) const
    {
        return std::visit(std::forward<Visit>(visitor), contact_);
    }

    /// How many pairs the last detect() found.
    [[nodiscard]] std::size_t num_contacts() const { return stencils_.size(); }
    [[nodiscard]] const CollisionMesh& mesh() const { return mesh_; }
    /// The distance that pairs never go below [m].
    [[nodiscard]] double dmin() const { return dmin_; }
    /// The pairs at the last detect(), for energies that share them, and how many there were so far.
    [[nodiscard]] const Detection& detection() const { return detection_; }
    [[nodiscard]] std::int64_t num_detections() const { return num_detections_; }
    /// Of a frozen set: cuts a step to the regions in which vertices may move, as StepGuard::truncate.
    [[nodiscard]] GuardedStep truncate(const ConstPositions& x, Positions& dx, const Eigen::VectorXd& gradient);
    /// Positions of the surface for positions of the full mesh.
    [[nodiscard]] Positions surface(const ConstPositions& x) const { return mesh_.vertices(x); }
    /// The smallest distance at the last detect(), if pairs were within range, of GCP in contact; else infinity [m].
    [[nodiscard]] double smallest_distance() const { return smallest_distance_; }

    [[nodiscard]] double stiffness() const;
    void set_stiffness(double stiffness);

private:
    [[nodiscard]] bool is_frozen() const { return region_.has_value(); }

    const CollisionMesh& mesh_;
    ContactEnergyOptions options_;
    std::variant<BarrierContact, SmoothContact> contact_;
    double dmin_, dhat_;
    Detection detection_;
    std::optional<TrustRegion> region_;
    Stencils stencils_;
    double smallest_distance_ = INFINITY, previous_distance_ = INFINITY;
    bool was_cut_ = false; // the last step, by the regions
    bool has_set_ = false; // of the detection's positions
    std::int64_t num_detections_ = 0;
};

/// The stencils of a surface, by the vertices of its full mesh.
[[nodiscard]] Stencils to_full_vertices(const Stencils& stencils, const CollisionMesh& mesh);

/// Bonds between surfaces, over the pairs of a contact that is updated before it.
class AdhesionEnergy final : public Energy {
public:
    /// `contact` must outlive it, and detect as far as bonds reach.
    AdhesionEnergy(
        const ContactEnergy& contact, const NormalCollisionsOptions& set, const NormalAdhesionOptions& adhesion,
        bool is_frozen);

    /// Finds the set at x, at which the contact was detected.
    void detect(const ConstPositions& x);

    [[nodiscard]] std::string_view name() const override { return "adhesion"; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    bool begin_iteration(const ConstPositions& x) override;
    void update(const ConstPositions& x) override;
    void evaluate(const ConstPositions& x, const TermOutput& out) const override;

    [[nodiscard]] const NormalCollisions& collisions() const { return collisions_; }
    [[nodiscard]] const NormalAdhesionPotential& potential() const { return potential_; }
    [[nodiscard]] const NormalCollisionsOptions& set_options() const { return set_; }

private:
    const ContactEnergy& contact_;
    NormalCollisionsOptions set_;
    NormalAdhesionPotential potential_;
    NormalCollisions collisions_;
    Stencils stencils_;
    bool is_frozen_;
    std::int64_t detection_ = -1; // of the contact, at which the set was found
};

/// What resists sliding, lagged: friction over a contact, or tangential adhesion over bonds.
class SlidingEnergy final : public Energy {
public:
    /// The potential of a step of time dt.
    using MakePotential = std::function<std::unique_ptr<TangentialPotential>(double dt)>;

    SlidingEnergy(
        std::string_view name, const CollisionMesh& mesh, FrictionCoefficients coefficients,
        MakePotential make_potential);

    /// Lags normal forces and tangents of a set under its potential, at x; sliding counts from x_start, over dt.
    template <typename Set, typename Potential>
    void lag(const Set& set, const Potential& potential, const ConstPositions& x, Positions x_start, double dt)
    {
        collisions_.build(mesh_, mesh_.vertices(x), set, potential, coefficients_);
        begin(std::move(x_start), dt);
    }

    [[nodiscard]] std::string_view name() const override { return name_; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const ConstPositions& x, const TermOutput& out) const override;
    [[nodiscard]] const TangentialCollisions& collisions() const { return collisions_; }

private:
    void begin(Positions x_start, double dt);

    std::string_view name_;
    const CollisionMesh& mesh_;
    FrictionCoefficients coefficients_;
    MakePotential make_potential_;
    std::unique_ptr<TangentialPotential> potential_;
    TangentialCollisions collisions_;
    Stencils stencils_;
    Positions x_start_;
};

/// Continuous collision detection of a contact's surface as a guard.
class CcdGuard final : public StepGuard {
public:
    /// `contact` must outlive it. What it found where a step starts serves the guard too.
    CcdGuard(const ContactEnergy& contact, BodyNames names) : contact_(contact), names_(std::move(names)) {}
    [[nodiscard]] GuardedStep limit(const ConstPositions& x, const ConstPositions& dx) override;

private:
    const ContactEnergy& contact_;
    BodyNames names_;
};

/// The bounds of a frozen contact as a guard: each vertex of the surface stays in its region.
class BoundsGuard final : public StepGuard {
public:
    explicit BoundsGuard(ContactEnergy& contact) : contact_(contact) {}
    [[nodiscard]] GuardedStep truncate(const ConstPositions& x, Positions& dx, const Eigen::VectorXd& gradient) override
    {
        return contact_.truncate(x, dx, gradient);
    }

private:
    ContactEnergy& contact_;
};

} // namespace abut
