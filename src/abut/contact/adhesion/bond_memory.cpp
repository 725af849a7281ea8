#include "abut/contact/adhesion/bond_memory.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/contact/friction/contact_memory.hpp"

#include <algorithm>
#include <tuple>

namespace abut {

namespace {

std::tuple<PairKind, IndexPair> key_of(const RememberedBond& bond) { return {bond.kind, bond.elements}; }

/// Is vertex i of the stencil the one that the contact goes with, as it slides over elements of the other side?
constexpr bool carries(PairKind kind, int i)
{
    return kind == PairKind::vertex_vertex || (kind != PairKind::edge_edge && i == 0);
}

/// What asks for a bond: a contact and its place.
struct Asking {
    PairKind kind;
    IndexPair elements;
    std::span<const int> vertices;
    std::array<double, 4> coefficients;
    Vec3 normal; ///< from the second side to the first
};

std::span<const int> side_of(const Asking& contact, bool first)
{
    const std::size_t n = num_first(contact.kind);
    return first ? contact.vertices.first(n) : contact.vertices.subspan(n);
}

} // namespace

/// What new contacts ask of those that they touch.
struct BondMemory::Neighbours : ContactCorners {
    Neighbours(
        const std::vector<RememberedBond>& all, const CollisionMesh& on, const std::vector<int>& bodies_of_vertices,
        const ConstPositions& X0)
        : ContactCorners(
              all, [](const RememberedBond&) { return 1.0; }, on, bodies_of_vertices, X0),
          start(X0), mesh(on), bodies(bodies_of_vertices), bonds(all)
    {}

    /// Does the bond, which has a vertex on one side, touch any of these vertices with the other?
    [[nodiscard]] bool touches_beyond(const Corner& corner, std::span<const int> vertices) const
    {
        const RememberedBond& bond = bonds[corner.contact];
        bool found = false;
        visit_kind(bond.kind, [&](auto kind) {
            const auto all = stencil_of<decltype(kind)::value>(mesh, bond.elements);
            for (int i = 0; i < std::ssize(all); ++i)
                if ((i < num_first(kind)) != (corner.side > 0))
                    found = found || std::find(vertices.begin(), vertices.end(), all[i]) != vertices.end();
        });
        return found;
    }

    [[nodiscard]] bool touches(std::span<const int> vertices) const
    {
        return std::any_of(vertices.begin(), vertices.end(), [&](int v) { return starts[v] < starts[v + 1]; });
    }

    [[nodiscard]] int other_of(const Asking& contact, bool is_on_first) const
    {
        if (contact.kind == PairKind::plane_vertex)
            return -1 - contact.elements[0];
        return bodies[is_on_first ? contact.vertices.back() : contact.vertices.front()];
    }

    /// The bond of a contact that has none of its own.
    [[nodiscard]] RememberedBond inherited(const Asking& contact) const
    {
        double sum = 0;
        RememberedBond mean{contact.kind, contact.elements};
        const bool is_of_edges = contact.kind == PairKind::edge_edge;
        for (int i = 0; i < std::ssize(contact.vertices); ++i) {
            const bool is_on_first = i < num_first(contact.kind);
            const double side = is_on_first ? 1.0 : -1.0;
            const int vertex = contact.vertices[i];
            for (std::size_t at = starts[vertex]; at < starts[vertex + 1]; ++at) {
                const Corner& corner = corners[at];
                const RememberedBond& bond = bonds[corner.contact];
                if (corner.other != other_of(contact, is_on_first))
                    continue;
                const double same = side * corner.side, facing = same * contact.normal.dot(corner.normal);
                if (!(facing > 0))
                    continue;
                const bool has_its_vertex = carries(contact.kind, i) && carries(bond.kind, corner.place);
                const bool is_passed_by_edges = is_on_first && (is_of_edges || bond.kind == PairKind::edge_edge) &&
                                                contact.kind != PairKind::plane_vertex &&
                                                touches_beyond(corner, side_of(contact, false));
                if (!has_its_vertex && !is_passed_by_edges)
                    continue;
                const double weight = std::abs(contact.coefficients[i]) * corner.weight * facing;
                sum += weight;
                mean.slip += weight * same * bond.slip;
                mean.intensity += weight * bond.intensity;
            }
        }
        if (!(sum > 0))
            return {contact.kind, contact.elements};
        mean.slip /= sum;
        mean.intensity = std::min(mean.intensity / sum, 1.0);
        return mean;
    }

    Positions start; ///< where they were made
    const CollisionMesh& mesh;
    const std::vector<int>& bodies;
    const std::vector<RememberedBond>& bonds;
};

BondMemory::BondMemory(std::vector<int> bodies) : bodies_(std::move(bodies)) {}
BondMemory::~BondMemory() = default;

const RememberedBond* BondMemory::find(PairKind kind, const IndexPair& elements) const
{
    const std::tuple wanted(kind, elements);
    const auto at =
        std::lower_bound(contacts_.begin(), contacts_.end(), wanted, [](const RememberedBond& bond, const auto& value) {
            return key_of(bond) < value;
        });
    return at != contacts_.end() && key_of(*at) == wanted ? &*at : nullptr;
}

const BondMemory::Neighbours& BondMemory::neighbours(const CollisionMesh& mesh, const ConstPositions& X0) const
{
    if (!neighbours_ || has_moved(neighbours_->start, X0))
        neighbours_ = std::make_unique<Neighbours>(contacts_, mesh, bodies_, X0);
    return *neighbours_;
}

std::vector<RememberedBond>
BondMemory::bonds(const CollisionMesh& mesh, const ConstPositions& X0, const NormalCollisions& collisions) const
{
    ABUT_ASSERT(static_cast<int>(bodies_.size()) == mesh.num_vertices());
    std::vector<RememberedBond> all(collisions.size());
    std::size_t first = 0;
    const auto bonds_of_kind = [&](auto kind, const auto& list) {
        const auto bonds_of = [&]<int Dim>(std::integral_constant<int, Dim>) {
            if constexpr (exists_in(Dim, kind))
                for (std::size_t k = 0; k < list.size(); ++k) {
                    RememberedBond& bond = all[first + k];
                    bond = {kind, list.elements[k]};
                    if (contacts_.empty())
                        continue;
                    if (const RememberedBond* own = find(kind, list.elements[k])) {
                        bond = *own;
                        continue;
                    }
                    const Neighbours& near = neighbours(mesh, X0);
                    if (!near.touches(list.vertices[k]))
                        continue;
                    const auto closest = closest_of<Dim>(kind, list, k, mesh, X0);
                    Asking asking{kind, list.elements[k], list.vertices[k], {}, Vec3::Zero()};
                    std::copy_n(closest.w.data(), closest.w.size(), asking.coefficients.begin());
                    asking.normal.template head<Dim>() = closest.r.normalized();
                    bond = near.inherited(asking);
                }
        };
        if (mesh.dim() == 2)
            bonds_of(std::integral_constant<int, 2>());
        else
            bonds_of(std::integral_constant<int, 3>());
        first += list.size();
    };
    for_each_kind(bonds_of_kind, collisions.by_kind());
    return all;
}

void BondMemory::recall(
    const CollisionMesh& mesh, const ConstPositions& X0, const ConstPositions& X, std::span<const double> reaches,
    TangentialCollisions& terms) const
{
    ABUT_ASSERT(reaches.size() == terms.size());
    std::vector<TangentialAnchor> anchors(terms.size());
    std::vector<double> mu(terms.size());
    const bool is_elsewhere = has_moved(X0, X);
    std::size_t first = 0;
    const auto recall_kind = [&]<int N>(auto kind, const TangentialTerms<N>& list) {
        const auto recall_terms = [&]<int Dim>(std::integral_constant<int, Dim>) {
            if constexpr (exists_in(Dim, kind))
                for (std::size_t k = 0; k < list.size(); ++k) {
                    anchors[first + k] = {Vec2::Zero(), reaches[first + k]};
                    mu[first + k] = list.mu_s[k];
                    if (contacts_.empty())
                        continue;
                    RememberedBond bond;
                    if (const RememberedBond* own = find(kind, list.elements[k]))
                        bond = *own;
                    else {
                        const Neighbours& near = neighbours(mesh, X0);
                        Asking asking{kind, list.elements[k], list.vertices[k], {}, Vec3::Zero()};
                        std::copy_n(list.coefficients[k].begin(), N, asking.coefficients.begin());
                        asking.normal = Neighbours::normal_of<Dim>(
                            kind, mesh, X0, list.vertices[k], list.elements[k], list.coefficients[k]);
                        bond = near.inherited(asking);
                    }
                    anchors[first + k].slip.template head<Dim - 1>() =
                        carried_slip<Dim>(kind, list, k, mesh, X0, X, is_elsewhere, bond.slip);
                }
        };
        if (mesh.dim() == 2)
            recall_terms(std::integral_constant<int, 2>());
        else
            recall_terms(std::integral_constant<int, 3>());
        first += list.size();
    };
    for_each_kind(recall_kind, terms.by_kind());
    terms.set_anchors(anchors, mu);
}

void BondMemory::set_contacts(std::vector<RememberedBond> contacts)
{
    neighbours_.reset();
    std::erase_if(contacts, [](const RememberedBond& bond) {
        return !(bond.intensity > 0 && std::isfinite(bond.intensity) && bond.slip.allFinite());
    });
    std::stable_sort(contacts.begin(), contacts.end(), [](const RememberedBond& a, const RememberedBond& b) {
        return key_of(a) < key_of(b);
    });
    contacts_ = std::move(contacts);
}

std::vector<double> BondMemory::numbers(int dim) const
{
    std::vector<ContactNumbers> all;
    all.reserve(contacts_.size());
    for (const RememberedBond& bond : contacts_)
        all.push_back({bond.kind, bond.elements, bond.slip, bond.intensity});
    return to_numbers(all, dim);
}

void BondMemory::set_numbers(const CollisionMesh& mesh, std::span<const double> numbers, std::string_view name)
{
    std::vector<RememberedBond> contacts;
    for (const ContactNumbers& each : contacts_from(mesh, numbers, name)) {
        if (!(each.number > 0 && each.number <= 1))
            reject("{}: an intensity of {} is not within 0 and 1; start anew instead of resuming", name, each.number);
        contacts.push_back({each.kind, each.elements, each.slip, each.number});
    }
    set_contacts(std::move(contacts));
}

} // namespace abut
