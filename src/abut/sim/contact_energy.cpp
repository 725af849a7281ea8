#include "abut/sim/contact_energy.hpp"

#include "abut/contact/stiffness.hpp"
#include "abut/sim/block_kernels.hpp"
#include "abut/sim/surface_terms.hpp"

namespace abut {

namespace {

std::variant<BarrierContact, SmoothContact> make_contact(const BarrierContactOptions& options, const CollisionMesh&)
{
    return BarrierContact{options.set, BarrierPotential(options.barrier)};
}

std::variant<BarrierContact, SmoothContact> make_contact(const SmoothContactOptions& options, const CollisionMesh& mesh)
{
    SmoothExtents extents;
    if (options.adaptive_ratio)
        extents = adaptive_extents(mesh, mesh.rest_positions(), options.params, *options.adaptive_ratio);
    return SmoothContact{SmoothContactPotential(options.params, options.stiffness), std::move(extents)};
}

} // namespace

ContactEnergy::ContactEnergy(ContactPairs& pairs, const ContactEnergyOptions& options)
    : pairs_(pairs), options_(options),
      contact_(std::visit([&](const auto& model) { return make_contact(model, pairs.mesh()); }, options.model)),
      initial_stiffness_(stiffness())
{
    ABUT_ASSERT(!pairs.is_frozen() || std::holds_alternative<BarrierContact>(contact_));
}

double ContactEnergy::stiffness() const
{
    return visit([](const auto& contact) { return contact.potential.stiffness(); });
}

void ContactEnergy::set_stiffness(double stiffness)
{
    std::visit([&](auto& contact) { contact.potential.set_stiffness(stiffness); }, contact_);
}

void ContactEnergy::save(History& history) const { history.set("contact.stiffness", stiffness()); }

void ContactEnergy::load(const History& history)
{
    set_stiffness(history.number("contact.stiffness", initial_stiffness_));
}

bool ContactEnergy::follow_pairs(const Positions& X)
{
    if (revision_ == pairs_.revision())
        return false;
    revision_ = -1; // a set that cannot be made leaves none
    const Detection& detection = pairs_.detection();
    smallest_distance_ = detection.smallest_distance();
    if (auto* smooth = std::get_if<SmoothContact>(&contact_)) {
        smooth->collisions.build(detection, pairs_.mesh(), X, smooth->potential.parameters(), smooth->extents);
        // Neighbours within a body are nearer than dhat where it is large, and no contacts.
        smallest_distance_ = smooth->collisions.compute_minimum_distance(pairs_.mesh(), X);
    } else if (auto& barrier = std::get<BarrierContact>(contact_); pairs_.is_frozen())
        barrier.collisions = pairs_.collisions();
    else
        barrier.collisions.build(detection, pairs_.mesh(), X, barrier.options);
    stencils_ = visit([&](const auto& contact) { return pairs_.map().to_unknowns(contact.collisions.stencils()); });
    revision_ = pairs_.revision();
    return true;
}

void ContactEnergy::begin_step(const State& /*start*/, double /*dt*/) { previous_distance_ = INFINITY; }

bool ContactEnergy::begin_iteration(const Unknowns& x) { return follow_pairs(pairs_.map().positions(x)); }

void ContactEnergy::update(const Unknowns& x) { follow_pairs(pairs_.map().positions(x)); }

void ContactEnergy::evaluate(const Unknowns& x, const TermOutput& out) const
{
    visit([&](const auto& contact) {
        contact.potential.evaluate(contact.collisions, pairs_.mesh(), pairs_.map().positions(x), out);
    });
}

std::unique_ptr<BlockTerms> ContactEnergy::by_blocks(const BlockGroups& groups, const Unknowns& x) const
{
    const auto* barrier = std::get_if<BarrierContact>(&contact_);
    return barrier != nullptr ? make_block_terms(*barrier, pairs_.map(), x, groups) : nullptr;
}

std::unique_ptr<Terms> ContactEnergy::subset(std::span<const int> terms) const
{
    return visit([&](const auto& contact) -> std::unique_ptr<Terms> {
        auto chosen = contact.collisions.subset(terms);
        return std::make_unique<SurfaceTerms<decltype(chosen), std::decay_t<decltype(contact.potential)>>>(
            pairs_.map(), std::move(chosen), contact.potential);
    });
}

double ContactEnergy::smallest_distance_at(const Unknowns& x)
{
    const Detection& detection = pairs_.look_at(x);
    if (std::holds_alternative<BarrierContact>(contact_))
        return detection.smallest_distance();
    follow_pairs(pairs_.map().positions(x));
    return smallest_distance_;
}

bool ContactEnergy::iterated(const Unknowns& /*x*/)
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
         .dmin = pairs_.dmin()});
    previous_distance_ = smallest_distance_;
    if (after == before)
        return false;
    set_stiffness(after);
    return true;
}

} // namespace abut
