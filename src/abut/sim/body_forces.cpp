#include "abut/sim/body_forces.hpp"

#include <map>

namespace abut {

namespace {

using Forces = std::map<std::pair<int, int>, BodyForce>;

/// Adds minus the gradients of the terms of an energy; `set[term]` tells its kind and elements.
template <typename Set>
void add_forces(
    Forces& forces, Vec3 BodyForce::*member, const Energy& energy, const Set& set, const BodyNames& bodies,
    const Unknowns& x)
{
    const Eigen::Index dim = x.layout().dim();
    const Stencils& stencils = energy.stencils();
    Buffer<double> gradients(static_cast<std::size_t>(stencils.num_entries() * dim));
    energy.evaluate(x, {.gradients = gradients.data()});
    for (std::size_t term = 0; term < stencils.size(); ++term) {
        const std::span<const int> vertices = stencils[term];
        const auto collision = set[term];
        int body = bodies.object_of(vertices[0]), other = body;
        if (collision.kind == PairKind::plane_vertex)
            other = -1 - collision.elements[0];
        else
            for (const int v : vertices) {
                const int each = bodies.object_of(v);
                body = std::min(body, each);
                other = std::max(other, each);
            }
        if (body == other)
            continue;
        BodyForce& force = forces.try_emplace({body, other}, BodyForce{body, other}).first->second;
        for (std::size_t i = 0; i < vertices.size(); ++i)
            if (bodies.object_of(vertices[i]) == body)
                for (Eigen::Index a = 0; a < dim; ++a)
                    (force.*member)[a] -= gradients[(stencils.offset(term) + static_cast<std::int64_t>(i)) * dim + a];
    }
}

} // namespace

std::vector<BodyForce> body_forces(
    const ContactEnergy& contact, const AdhesionEnergy* adhesion, const std::vector<const SlidingEnergy*>& sliding,
    const BodyNames& bodies, const Unknowns& x)
{
    Forces forces;
    contact.visit(
        [&](const auto& each) { add_forces(forces, &BodyForce::contact, contact, each.collisions, bodies, x); });
    if (adhesion != nullptr)
        add_forces(forces, &BodyForce::contact, *adhesion, adhesion->collisions(), bodies, x);
    for (const SlidingEnergy* each : sliding)
        if (each != nullptr)
            add_forces(forces, &BodyForce::friction, *each, each->collisions(), bodies, x);
    std::vector<BodyForce> list;
    for (const auto& [bodies_of, force] : forces)
        list.push_back(force);
    return list;
}

} // namespace abut
