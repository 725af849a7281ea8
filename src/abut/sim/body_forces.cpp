#include "abut/sim/body_forces.hpp"

#include "abut/base/buffer.hpp"

#include <algorithm>
#include <map>

namespace abut {

namespace {

/// What one pair of the surface does.
struct PairForce {
    int body, other; ///< as in BodyForce
    Vec3 force;      ///< on `body` [N]
    Vec3 place;      ///< of the vertices of `body` that it acts on, weighted by their forces [m]
};

/// The vertex's position. The unknowns of vertices are the first.
Vec3 position_of(const Unknowns& x, int vertex, Eigen::Index dim)
{
    Vec3 p = Vec3::Zero();
    for (Eigen::Index a = 0; a < dim; ++a)
        p[a] = x.numbers()[vertex * dim + a];
    return p;
}

/// Visits the terms between two bodies: minus their gradients. `set[term]` tells the kind and elements of each.
template <typename Set, typename Visit>
void visit_forces(const Energy& energy, const Set& set, const BodyNames& bodies, const Unknowns& x, const Visit& visit)
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
        PairForce pair{body, other, Vec3::Zero(), Vec3::Zero()};
        double weights = 0;
        for (std::size_t i = 0; i < vertices.size(); ++i)
            if (bodies.object_of(vertices[i]) == body) {
                Vec3 force = Vec3::Zero();
                for (Eigen::Index a = 0; a < dim; ++a)
                    force[a] = -gradients[(stencils.offset(term) + static_cast<std::int64_t>(i)) * dim + a];
                const double weight = force.norm();
                pair.force += force;
                pair.place += weight * position_of(x, vertices[i], dim);
                weights += weight;
            }
        pair.place = weights > 0 ? Vec3(pair.place / weights) : position_of(x, vertices[0], dim);
        visit(pair, term);
    }
}

/// One arrow for the contacts of two bodies within a cell of a grid. The first `num_contacts` press, the others rub.
std::vector<ContactArrow> gathered(std::span<const PairForce> pairs, std::size_t num_contacts)
{
    // Where the contacts of each two bodies are
    struct Box {
        Vec3 low = Vec3::Constant(INFINITY), high = Vec3::Constant(-INFINITY);
    };
    std::map<std::pair<int, int>, Box> boxes;
    for (const PairForce& pair : pairs) {
        Box& box = boxes[{pair.body, pair.other}];
        box.low = box.low.cwiseMin(pair.place);
        box.high = box.high.cwiseMax(pair.place);
    }

    constexpr double cells = 10; // along the longest side; a surface fills about the square of it
    struct Sum {
        ContactArrow arrow;
        double weights = 0;
    };
    std::map<std::array<int, 5>, Sum> sums;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        const PairForce& pair = pairs[k];
        const Box& box = boxes.at({pair.body, pair.other});
        const double width = (box.high - box.low).maxCoeff() / cells;
        std::array<int, 5> cell{pair.body, pair.other, 0, 0, 0};
        for (int a = 0; a < 3 && width > 0; ++a)
            cell[2 + a] = static_cast<int>((pair.place[a] - box.low[a]) / width);
        Sum& sum = sums[cell];
        (k < num_contacts ? sum.arrow.contact : sum.arrow.friction) += pair.force;
        const double weight = std::max(pair.force.norm(), 1e-300); // forces of 0 still have a place
        sum.arrow.place += weight * (pair.place - box.low);
        sum.weights += weight;
    }

    std::vector<ContactArrow> arrows;
    for (const auto& [cell, sum] : sums) {
        ContactArrow arrow = sum.arrow;
        arrow.body = cell[0];
        arrow.other = cell[1];
        arrow.place = boxes.at({cell[0], cell[1]}).low + sum.arrow.place / sum.weights;
        arrows.push_back(arrow);
    }
    return arrows;
}

} // namespace

BodyForces body_forces(
    const ContactEnergy& contact, const AdhesionEnergy* adhesion, const std::vector<const SlidingEnergy*>& sliding,
    const BodyNames& bodies, const Unknowns& x)
{
    std::map<std::pair<int, int>, BodyForce> sums;
    std::vector<PairForce> pairs;
    const auto add = [&](Vec3 BodyForce::*member, bool is_of_bonds) {
        return [&, member, is_of_bonds](const PairForce& pair, std::size_t /*term*/) {
            BodyForce& sum = sums.try_emplace({pair.body, pair.other}, BodyForce{pair.body, pair.other}).first->second;
            sum.*member += pair.force;
            if (is_of_bonds)
                sum.adhesion += pair.force;
            pairs.push_back(pair);
        };
    };
    contact.visit(
        [&](const auto& each) { visit_forces(contact, each.collisions, bodies, x, add(&BodyForce::contact, false)); });
    if (adhesion != nullptr)
        visit_forces(
            *adhesion, adhesion->collisions(), bodies, x,
            [&, add_force = add(&BodyForce::contact, true)](const PairForce& pair, std::size_t term) {
                add_force(pair, term);
                sums.at({pair.body, pair.other}).bonded_area += adhesion->bonded_area(term, x);
            });
    const std::size_t num_contacts = pairs.size();
    for (std::size_t k = 0; k < sliding.size(); ++k)
        if (sliding[k] != nullptr)
            visit_forces(*sliding[k], sliding[k]->collisions(), bodies, x, add(&BodyForce::friction, k > 0));

    BodyForces forces;
    for (const auto& [bodies_of, force] : sums)
        forces.sums.push_back(force);
    forces.arrows = gathered(pairs, num_contacts);
    return forces;
}

} // namespace abut
