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

NormalCollisions BarrierContact::find(const CollisionMesh& mesh, const ConstPositions& X) const
{
    NormalCollisions found;
    found.build(mesh, X, options);
    return found;
}

SmoothCollisions SmoothContact::find(const CollisionMesh& mesh, const ConstPositions& X) const
{
    SmoothCollisions found = collisions; // for its extents
    found.build(mesh, X, potential.parameters(), use_adaptive_dhat);
    return found;
}

namespace {

/// Of the detection. Newton's steps shrink quickly, and what is near is found again at every one of them, so that it
/// pays to search rarely; a wide search brings little more, for boxes of elements longer than dhat overlap anyway.
constexpr double slack = 1;

BarrierContact make_contact(const BarrierContactOptions& options, const CollisionMesh& /*mesh*/)
{
    return {options.set, BarrierPotential(options.barrier)};
}

SmoothContact make_contact(const SmoothContactOptions& options, const CollisionMesh& mesh)
{
    SmoothContact contact{options.use_adaptive_dhat, SmoothContactPotential(options.params, options.stiffness)};
    if (options.use_adaptive_dhat)
        contact.collisions.compute_adaptive_dhat(mesh, mesh.rest_positions(), options.params);
    return contact;
}

/// The distances at which pairs begin and end to press.
struct Reach {
    double dmin, dhat;
};
Reach reach_of(const BarrierContactOptions& options) { return {options.set.dmin, options.set.dhat}; }
Reach reach_of(const SmoothContactOptions& options) { return {0, options.params.dhat}; }
Reach reach_of(const ContactEnergyOptions& options)
{
    return std::visit([](const auto& model) { return reach_of(model); }, options.model);
}

} // namespace

ContactEnergy::ContactEnergy(const CollisionMesh& mesh, const ContactEnergyOptions& options)
    : mesh_(mesh), options_(options),
      contact_(std::visit(
          [&](const auto& model) { return std::variant<BarrierContact, SmoothContact>(make_contact(model, mesh)); },
          options.model)),
      dmin_(reach_of(options).dmin), dhat_(reach_of(options).dhat),
      detection_(mesh, {.range = std::max(options.range, dmin_ + dhat_), .slack = slack})
{
    // A frozen list holds all pairs within the detection's range: those beyond dhat have no energy yet, but may get
    // some within the iteration, and Newton must see it rise.
    const auto* barrier = std::get_if<BarrierContactOptions>(&options.model);
    if (barrier != nullptr && barrier->is_frozen)
        region_.emplace(
            mesh, TrustRegionOptions{
                      .dhat = detection_.range() - dmin_,
                      .dmin = dmin_,
                      .query_radius = detection_.range(),
                      .truncation = Truncation::planes,
                      .set_type = barrier->set.set_type,
                      .use_area_weighting = barrier->set.use_area_weighting});
}

double ContactEnergy::stiffness() const
{
    return visit([](const auto& contact) { return contact.potential.stiffness(); });
}

void ContactEnergy::set_stiffness(double stiffness)
{
    std::visit([&](auto& contact) { contact.potential.set_stiffness(stiffness); }, contact_);
}

void ContactEnergy::detect(const ConstPositions& x)
{
    const Positions X = surface(x);
    // A step starts where the one before ended, and a solve where the step does.
    if (!region_ && has_set_ && detection_.is_at(X))
        return;
    has_set_ = false;
    detection_.update(X);
    ++num_detections_;
    smallest_distance_ = detection_.smallest_distance();
    if (auto* smooth = std::get_if<SmoothContact>(&contact_)) {
        smooth->collisions.build(detection_, mesh_, X, smooth->potential.parameters(), smooth->use_adaptive_dhat);
        // Neighbours within a body are nearer than dhat where it is large, and no contacts.
        smallest_distance_ = smooth->collisions.compute_minimum_distance(mesh_, X);
    } else {
        auto& barrier = std::get<BarrierContact>(contact_);
        if (region_) {
            region_->update(detection_, X);
            barrier.collisions = region_->collisions();
            was_cut_ = false;
        } else
            barrier.collisions.build(detection_, mesh_, X, barrier.options);
    }
    stencils_ = visit([&](const auto& contact) { return to_full_vertices(contact.collisions.stencils(), mesh_); });
    has_set_ = true;
}

bool ContactEnergy::begin_iteration(const ConstPositions& x)
{
    if (!region_)
        return false;
    // While no vertex has moved farther than half of what the list reaches beyond dhat, every pair closer than dhat is
    // in it. Keeping it then lets Newton converge; a vertex that was cut needs a new region.
    const double reach = (detection_.range() - dmin_ - dhat_) / 2;
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
    if (!is_frozen())
        detect(x);
}

void ContactEnergy::evaluate(const ConstPositions& x, const TermOutput& out) const
{
    visit([&](const auto& contact) { contact.potential.evaluate(contact.collisions, mesh_, surface(x), out); });
}

bool ContactEnergy::iterated(const ConstPositions& /*x*/)
{
    if (!options_.is_adaptive)
        return false;
    const double before = stiffness();
    const double after = update_barrier_stiffness(
        {.previous_distance = previous_distance_,
         .distance = smallest_distance_,
         .stiffness = before,
         .max_stiffness = options_.max_stiffness,
         .bbox_diagonal = options_.bbox_diagonal,
         .dmin = dmin_});
    previous_distance_ = smallest_distance_;
    if (after == before)
        return false;
    set_stiffness(after);
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

void SlidingEnergy::begin(Positions x_start, double dt)
{
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
    const CollisionMesh& mesh = contact_.mesh();
    const Positions X = contact_.surface(x);
    const StepLimit found = find_collision_free_stepsize(
        mesh, contact_.detection(), X, contact_.surface(x + dx), {.dmin = contact_.dmin()});
    return {found.step, found.step < 1 ? names_.pair(found, mesh, X) : ""};
}

} // namespace abut
