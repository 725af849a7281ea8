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
    // A frozen list holds all pairs within the detection's range: those beyond dhat have no energy yet, but may get
    // some within the iteration, and Newton must see it rise.
    if (options.is_frozen)
        region_.emplace(
            mesh, TrustRegionOptions{
                      .dhat = detection_.range() - options.set.dmin,
                      .dmin = options.set.dmin,
                      .query_radius = detection_.range(),
                      .truncation = Truncation::planes,
                      .set_type = options.set.set_type,
                      .use_area_weighting = options.set.use_area_weighting});
}

void ContactEnergy::detect(const ConstPositions& x)
{
    const Positions X = surface(x);
    detection_.update(X);
    ++num_detections_;
    smallest_distance_ = detection_.smallest_distance();
    if (region_) {
        region_->update(detection_, X);
        collisions_ = region_->collisions();
        was_cut_ = false;
    } else
        collisions_.build(detection_, mesh_, X, options_.set);
    stencils_ = to_full_vertices(collisions_.stencils(), mesh_);
}

bool ContactEnergy::begin_iteration(const ConstPositions& x)
{
    if (!region_)
        return false;
    // While no vertex has moved farther than half of what the list reaches beyond dhat, every pair closer than dhat is
    // in it. Keeping it then lets Newton converge; a vertex that was cut needs a new region.
    const double reach = (detection_.range() - options_.set.dmin - options_.set.dhat) / 2;
    const bool is_far = (surface(x) - region_->centers()).rowwise().norm().maxCoeff() > reach;
    if (!is_far && !was_cut_)
        return false;
    detect(x);
    return true;
}

GuardedStep ContactEnergy::truncate(const ConstPositions& x, Positions& dx, const Eigen::VectorXd& gradient)
{
    const Positions X = surface(x), whole = surface(dx);
    Positions cut = whole;
    const TruncatedStep truncated = region_->truncate(X, cut);
    was_cut_ = truncated.num_truncated > 0;
    if (!was_cut_)
        return {};
    const Positions before = dx;
    for (Eigen::Index v = 0; v < cut.rows(); ++v)
        dx.row(mesh_.to_full_vertex_id(static_cast<int>(v))) = cut.row(v);
    const std::string reason = fmt::format("the bounds of {} vertices", truncated.num_truncated);
    // Cut one by one, the vertices' steps may lead uphill together, also through vertices inside bodies; the whole
    // step, shortened, does not.
    if (gradient.dot(Eigen::Map<const Eigen::VectorXd>(dx.data(), dx.size())) < 0)
        return {1, reason};
    const double scale = region_->largest_scale(X, whole).scale;
    dx = scale * before;
    return {scale, reason};
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
    detection_ = contact_.num_detections();
    collisions_.build(contact_.detection(), contact_.mesh(), contact_.surface(x), set_);
    stencils_ = to_full_vertices(collisions_.stencils(), contact_.mesh());
}

bool AdhesionEnergy::begin_iteration(const ConstPositions& x)
{
    if (!is_frozen_ || detection_ == contact_.num_detections())
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

} // namespace abut
