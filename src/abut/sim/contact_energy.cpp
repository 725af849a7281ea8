#include "abut/sim/contact_energy.hpp"

#include "abut/contact/stiffness.hpp"

#include <fmt/format.h>

namespace abut {

Stencils to_full_vertices(const Stencils& stencils, const CollisionMesh& mesh)
{
    Stencils full;
    full.reserve(stencils.size(), static_cast<std::size_t>(stencils.num_entries()));
    std::vector<int> vertices;
    for (std::size_t term = 0; term < stencils.size(); ++term) {
        vertices.clear();
        for (const int v : stencils[term])
            vertices.push_back(mesh.to_full_vertex_id(v));
        full.add(vertices);
    }
    return full;
}

ContactEnergy::ContactEnergy(const CollisionMesh& mesh, const ContactEnergyOptions& options)
    : mesh_(mesh), options_(options), barrier_(options.barrier),
      detection_(mesh, {.range = options.set.dmin + options.set.dhat})
{}

void ContactEnergy::update(const ConstPositions& x)
{
    const Positions X = surface(x);
    detection_.update(X);
    smallest_distance_ = detection_.smallest_distance();
    collisions_.build(detection_, mesh_, X, options_.set);
    stencils_ = to_full_vertices(collisions_.stencils(), mesh_);
}

void ContactEnergy::evaluate(const ConstPositions& x, const TermOutput& out) const
{
    barrier_.evaluate(collisions_, mesh_, surface(x), out);
}

bool ContactEnergy::iterated(const ConstPositions& /*x*/)
{
    if (!options_.is_adaptive)
        return false;
    const double stiffness = update_barrier_stiffness(
        {.previous_distance = previous_distance_,
         .distance = smallest_distance_,
         .stiffness = barrier_.stiffness(),
         .max_stiffness = options_.max_stiffness,
         .bbox_diagonal = options_.bbox_diagonal,
         .dmin = options_.set.dmin});
    previous_distance_ = smallest_distance_;
    if (stiffness == barrier_.stiffness())
        return false;
    barrier_.set_stiffness(stiffness);
    return true;
}

FrictionEnergy::FrictionEnergy(const CollisionMesh& mesh, FrictionCoefficients coefficients, double eps_v)
    : mesh_(mesh), coefficients_(std::move(coefficients)), eps_v_(eps_v), potential_(eps_v)
{}

void FrictionEnergy::lag(const ContactEnergy& contact, const ConstPositions& x, Positions x_start, double dt)
{
    collisions_.build(mesh_, contact.surface(x), contact.collisions(), contact.barrier(), coefficients_);
    stencils_ = to_full_vertices(collisions_.stencils(), mesh_);
    x_start_ = std::move(x_start);
    // Over displacements instead of velocities: friction is an energy then, and its gradient a force.
    potential_ = FrictionPotential(eps_v_ * dt);
}

void FrictionEnergy::evaluate(const ConstPositions& x, const TermOutput& out) const
{
    if (collisions_.empty())
        return;
    potential_.evaluate(collisions_, mesh_, mesh_.vertices(x - x_start_), out);
}

GuardedStep CcdGuard::limit(const ConstPositions& x, const ConstPositions& dx)
{
    const Positions X = mesh_.vertices(x);
    const StepLimit found = find_collision_free_stepsize(mesh_, X, mesh_.vertices(x + dx), {.dmin = dmin_});
    return {found.step, found.step < 1 ? names_.pair(found, mesh_, X) : ""};
}

} // namespace abut
