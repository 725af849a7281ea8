#pragma once
// A scene in motion: steps in which nothing intersects. Puts together what the files beside it hold: a Model, a State,
// the System of energies and a Solver (step.hpp is the way of a step). One thread at a time may use it.

#include "abut/sim/contact_list.hpp"
#include "abut/sim/step.hpp"

namespace abut {

class Simulation {
public:
    /// Throws InvalidInput for values that can never be right and InvalidStart where the start intersects, touches or
    /// is inverted, naming the bodies.
    explicit Simulation(Scene scene);

    /// One time step. Whatever the outcome, the state is free of intersections, unless contact is off.
    StepReport step(const SolveObserver& observer = {}) { return abut::step(*system_, state_, *solver_, observer); }

    [[nodiscard]] const State& state() const { return state_; }
    /// Continues from another state of the same scene.
    void set_state(State state);

    [[nodiscard]] const Model& model() const { return *model_; }
    [[nodiscard]] const Scene& scene() const { return model_->scene; }
    [[nodiscard]] const std::vector<Choice>& choices() const { return model_->choices; }
    /// What is legal, and most likely not meant: sentences that name the place and a cure.
    [[nodiscard]] const std::vector<std::string>& warnings() const { return model_->warnings; }
    [[nodiscard]] int dim() const { return model_->dim(); }
    [[nodiscard]] int num_vertices() const { return model_->num_vertices(); }
    /// First vertex of each object, and their number at the end.
    [[nodiscard]] const std::vector<int>& object_starts() const { return model_->object_starts; }
    [[nodiscard]] const Eigen::VectorXd& masses() const { return model_->masses; }
    /// The names of objects and of their elements.
    [[nodiscard]] const BodyNames& names() const { return *model_->names; }
    /// The surface that contact and the exact tests see.
    [[nodiscard]] const CollisionMesh& collision_mesh() const { return *model_->mesh; }
    [[nodiscard]] bool has_inertia() const { return system_->integrator().has_inertia(); }

    /// Contact force on each vertex at the present positions, minus the gradient of barrier and adhesion [N].
    [[nodiscard]] Positions contact_forces() { return system_->contact_forces(system_->unknowns_of(state_)); }
    /// What acts on surfaces at the present positions, per area; what resists sliding is that of the last step.
    [[nodiscard]] SurfaceTractions tractions() { return system_->tractions(system_->unknowns_of(state_)); }
    /// The pairs that the barrier acts on at the present positions.
    [[nodiscard]] ContactList contacts() { return contacts_at(*system_, system_->unknowns_of(state_)); }
    /// Second derivatives of what the next step minimises, where it starts: inertia, elasticity, contact, friction and
    /// all else but enclosed gas, which ties all of its surface together. The exact ones, so that it may be indefinite.
    /// Rows are unknowns, those that do not move too.
    [[nodiscard]] Eigen::SparseMatrix<double> hessian() const;
    /// The exact tests at the present positions; intersections also where contact is off.
    [[nodiscard]] Verification verify() { return abut::verify(*system_, state_); }

private:
    std::unique_ptr<const Model> model_;
    State state_;
    std::unique_ptr<System> system_;
    std::unique_ptr<Solver> solver_;
};

} // namespace abut
