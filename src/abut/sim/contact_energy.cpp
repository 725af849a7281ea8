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
      detection_(mesh, {.range = std::max(options.range, options.set.dmin + options.set.dhat)})
{
    if (options.is_frozen)
        region_.emplace(
            mesh, TrustRegionOptions{
                      .dhat = options.set.dhat,
                      .dmin = options.set.dmin,
                      .query_radius = detection_.range(),
                      .set_type = options.set.set_type,
                      .use_area_weighting = options.set.use_area_weighting});
}

void ContactEnergy::detect(const ConstPositions& x)
{
    const Positions X = surface(x);
    detection_.update(X);
    smallest_distance_ = detection_.smallest_distance();
    if (region_) {
        region_->update(detection_, X);
        collisions_ = region_->collisions();
    } else
        collisions_.build(detection_, mesh_, X, options_.set);
    stencils_ = to_full_vertices(collisions_.stencils(), mesh_);
}

bool ContactEnergy::begin_iteration(const ConstPositions& x)
{
    if (!options_.is_frozen)
        return false;
    detect(x);
    return true;
}

void ContactEnergy::update(const ConstPositions& x)
{
    if (!options_.is_frozen)
        detect(x);
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

AdhesionEnergy::AdhesionEnergy(
    const ContactEnergy& contact, const NormalCollisionsOptions& set, const NormalAdhesionOptions& adhesion,
    bool is_frozen)
    : contact_(contact), set_(set), potential_(adhesion), is_frozen_(is_frozen)
{}

void AdhesionEnergy::detect(const ConstPositions& x)
{
    collisions_.build(contact_.detection(), contact_.mesh(), contact_.surface(x), set_);
    stencils_ = to_full_vertices(collisions_.stencils(), contact_.mesh());
}

bool AdhesionEnergy::begin_iteration(const ConstPositions& x)
{
    if (!is_frozen_)
        return false;
    detect(x);
    return true;
}

void AdhesionEnergy::update(const ConstPositions& x)
{
    if (!is_frozen_)
        detect(x);
}

void AdhesionEnergy::evaluate(const ConstPositions& x, const TermOutput& out) const
{
    potential_.evaluate(collisions_, contact_.mesh(), contact_.surface(x), out);
}

SlidingEnergy::SlidingEnergy(
    std::string_view name, const CollisionMesh& mesh, FrictionCoefficients coefficients, MakePotential make_potential)
    : name_(name), mesh_(mesh), coefficients_(std::move(coefficients)), make_potential_(std::move(make_potential))
{}

void SlidingEnergy::lag(
    const NormalCollisions& set, const NormalPotential& normal_potential, const ConstPositions& x, Positions x_start,
    double dt)
{
    collisions_.build(mesh_, mesh_.vertices(x), set, normal_potential, coefficients_);
    stencils_ = to_full_vertices(collisions_.stencils(), mesh_);
    x_start_ = std::move(x_start);
    potential_ = make_potential_(dt);
}

void SlidingEnergy::evaluate(const ConstPositions& x, const TermOutput& out) const
{
    if (collisions_.empty())
        return;
    potential_->evaluate(collisions_, mesh_, mesh_.vertices(x - x_start_), out);
}

GuardedStep CcdGuard::limit(const ConstPositions& x, const ConstPositions& dx)
{
    const Positions X = mesh_.vertices(x);
    const StepLimit found = find_collision_free_stepsize(mesh_, X, mesh_.vertices(x + dx), {.dmin = dmin_});
    return {found.step, found.step < 1 ? names_.pair(found, mesh_, X) : ""};
}

GuardedStep BoundsGuard::truncate(const ConstPositions& x, Positions& dx, const Eigen::VectorXd& gradient)
{
    TrustRegion& region = *contact_.region();
    const CollisionMesh& mesh = contact_.mesh();
    const Positions X = mesh.vertices(x), whole = mesh.vertices(dx);
    Positions cut = whole;
    const TruncatedStep truncated = region.truncate(X, cut);
    if (truncated.num_truncated == 0)
        return {};
    const Positions before = dx;
    for (Eigen::Index v = 0; v < cut.rows(); ++v)
        dx.row(mesh.to_full_vertex_id(static_cast<int>(v))) = cut.row(v);
    const StepScale scale = region.largest_scale(X, whole);
    std::string reason = fmt::format("the bounds of {} vertices", truncated.num_truncated);
    if (scale.vertex >= 0)
        reason += fmt::format(", first of {}", names_.vertex(mesh.to_full_vertex_id(scale.vertex)));
    // Cut one by one, the vertices' steps may lead uphill together, also through vertices inside bodies; the whole
    // step, shortened, does not.
    if (gradient.dot(Eigen::Map<const Eigen::VectorXd>(dx.data(), dx.size())) < 0)
        return {1, std::move(reason)};
    dx = scale.scale * before;
    return {scale.scale, std::move(reason)};
}

} // namespace abut
