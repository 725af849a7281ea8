#include "abut/contact/friction/slip_memory.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/contact/friction/contact_memory.hpp"

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

/// A spring is at most so many times as stiff as its load asks for.
constexpr double most_stiffening = 1e6;

std::tuple<PairKind, IndexPair> key(const RememberedSlip& contact) { return {contact.kind, contact.elements}; }

void sort_by_key(std::vector<RememberedSlip>& contacts)
{
    std::stable_sort(contacts.begin(), contacts.end(), [](const RememberedSlip& a, const RememberedSlip& b) {
        return key(a) < key(b);
    });
}

} // namespace

/// What new contacts ask of those that they touch.
struct SlipMemory::Neighbours : ContactCorners {
    Neighbours(
        const std::vector<RememberedSlip>& contacts, const CollisionMesh& mesh, const std::vector<int>& bodies,
        const ConstPositions& X)
        : ContactCorners(
              contacts, [](const RememberedSlip& contact) { return contact.stiffness; }, mesh, bodies, X)
    {}

    /// The slip of a new contact, and whether it slides; stiffness 0.
    template <int Dim, PairKind kind, int N>
    [[nodiscard]] RememberedSlip inherited(
        KindConstant<kind> of, const TangentialTerms<N>& list, std::size_t term,
        const std::vector<RememberedSlip>& contacts, const CollisionMesh& mesh, const std::vector<int>& bodies,
        const ConstPositions& X) const
    {
        const std::array<int, N>& vertices = list.vertices[term];
        const Vec3 normal = normal_of<Dim>(of, mesh, X, vertices, list.elements[term], list.coefficients[term]);
        double sum = 0, sliding = 0;
        RememberedSlip mean;
        for (int i = 0; i < N; ++i) {
            const double side = i < num_first(kind) ? 1.0 : -1.0;
            const int other = other_body(of, bodies, vertices, list.elements[term], i);
            for (std::size_t at = starts[vertices[i]]; at < starts[vertices[i] + 1]; ++at) {
                const Corner& corner = corners[at];
                if (corner.other != other)
                    continue;
                const double same = side * corner.side, facing = same * normal.dot(corner.normal);
                if (!(facing > 0))
                    continue;
                const double weight = std::abs(list.coefficients[term][i]) * corner.weight * facing;
                sum += weight;
                sliding += contacts[corner.contact].is_sliding ? weight : 0;
                mean.slip += weight * same * contacts[corner.contact].slip;
            }
        }
        if (!(sum > 0))
            return {};
        mean.slip /= sum;
        mean.is_sliding = sliding > 0.5 * sum;
        return mean;
    }
};

SlipMemory::SlipMemory(double slip, std::vector<int> bodies) : slip_(slip), bodies_(std::move(bodies))
{
    if (!(slip > 0 && std::isfinite(slip)))
        reject("slip: {} is not a positive length [m]", slip);
}

void SlipMemory::recall(
    const CollisionMesh& mesh, const ConstPositions& X0, const ConstPositions& X, TangentialCollisions& terms) const
{
    ABUT_ASSERT(static_cast<int>(bodies_.size()) == mesh.num_vertices());
    std::vector<TangentialAnchor> anchors(terms.size());
    std::vector<double> mu(terms.size());
    const bool is_elsewhere = has_moved(X0, X);
    // Of contacts that are found again, and, where there are others, of their neighbours.
    std::vector<int> own(terms.size(), -1);
    bool has_new = false;
    std::size_t first = 0;
    const auto find_own = [&](PairKind kind, const auto& list) {
        for (std::size_t k = 0; k < list.size(); ++k) {
            const std::tuple wanted(kind, list.elements[k]);
            const auto at = std::lower_bound(
                contacts_.begin(), contacts_.end(), wanted,
                [](const RememberedSlip& contact, const auto& value) { return key(contact) < value; });
            if (at != contacts_.end() && key(*at) == wanted)
                own[first + k] = static_cast<int>(at - contacts_.begin());
            else
                has_new = true;
        }
        first += list.size();
    };
    for_each_kind(find_own, terms.by_kind());
    std::optional<Neighbours> neighbours;
    if (has_new && !contacts_.empty())
        neighbours.emplace(contacts_, mesh, bodies_, X0);

    first = 0;
    const auto recall_kind = [&]<int N>(auto kind, const TangentialTerms<N>& list) {
        const auto recall_terms = [&]<int Dim>(std::integral_constant<int, Dim>) {
            if constexpr (exists_in(Dim, kind))
                parallel_for(list.size(), 256, [&](std::size_t k) {
                    RememberedSlip before;
                    if (own[first + k] >= 0)
                        before = contacts_[own[first + k]];
                    else if (neighbours)
                        before = neighbours->template inherited<Dim>(kind, list, k, contacts_, mesh, bodies_, X0);
                    const double coefficient = before.is_sliding ? list.mu_k[k] : list.mu_s[k];
                    mu[first + k] = coefficient;
                    const double load = list.weights[k] * list.normal_forces[k];
                    const double asked = coefficient * std::abs(load) / slip_;
                    TangentialAnchor& anchor = anchors[first + k];
                    anchor = {Vec2::Zero(), slip_};
                    if (!(asked > 0))
                        return;
                    // What a negative weight takes away follows the load as it is.
                    const double stiffness =
                        load > 0 ? std::clamp(before.stiffness, asked, most_stiffening * asked) : asked;
                    if (before.stiffness > 0 && stiffness > before.stiffness)
                        before.slip *= before.stiffness / stiffness;
                    anchor.reach = slip_ * (asked / stiffness);
                    anchor.slip.template head<Dim - 1>() =
                        carried_slip<Dim>(kind, list, k, mesh, X0, X, is_elsewhere, before.slip);
                });
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

void SlipMemory::remember(
    const CollisionMesh& mesh, const ConstPositions& X0, const ConstPositions& X, const ConstPositions& X1,
    const TangentialCollisions& terms)
{
    std::vector<RememberedSlip> all(terms.size());
    std::size_t first = 0;
    const auto remember_kind = [&]<int N>(auto kind, const TangentialTerms<N>& list) {
        const auto remember_terms = [&]<int Dim>(std::integral_constant<int, Dim>) {
            if constexpr (exists_in(Dim, kind))
                parallel_for(list.size(), 256, [&](std::size_t k) {
                    RememberedSlip& contact = all[first + k];
                    const double pull = list.mu_s[k] * std::abs(list.weights[k] * list.normal_forces[k]);
                    if (!(pull > 0))
                        return;
                    contact.kind = kind;
                    contact.elements = list.elements[k];
                    const TangentialAnchor& anchor = list.anchors[k];
                    const Mat<Dim, Dim - 1> before = list.bases[k].template topLeftCorner<Dim, Dim - 1>();
                    const Mat<Dim, Dim - 1> after = turned_basis<Dim>(kind, list, k, mesh, X, X1);
                    Vec<Dim - 1> slip = anchor.slip.template head<Dim - 1>();
                    if constexpr (kind == PairKind::plane_vertex)
                        slip += after.transpose() *
                                (point<Dim>(X1, list.vertices[k][0]) - point<Dim>(X0, list.vertices[k][0]));
                    else // as seen from the elements, which may have turned
                        slip += common_basis<Dim>(kind, list, k, mesh, X, X1).transpose() *
                                    contact_vector<N, Dim>(X1, list.vertices[k], list.coefficients[k]) -
                                before.transpose() * contact_vector<N, Dim>(X0, list.vertices[k], list.coefficients[k]);
                    const double length = slip.norm();
                    contact.is_sliding = length > anchor.reach;
                    if (contact.is_sliding) {
                        const double kept = std::min(length, slip_);
                        slip *= kept / length;
                        contact.stiffness = pull / kept;
                    } else
                        contact.stiffness = pull / anchor.reach;
                    contact.slip.template head<Dim>() = after * slip;
                });
        };
        if (mesh.dim() == 2)
            remember_terms(std::integral_constant<int, 2>());
        else
            remember_terms(std::integral_constant<int, 3>());
        first += list.size();
    };
    for_each_kind(remember_kind, terms.by_kind());
    contacts_.clear();
    for (const RememberedSlip& contact : all)
        if (contact.kind != PairKind::none && contact.stiffness > 0 && std::isfinite(contact.stiffness) &&
            contact.slip.allFinite())
            contacts_.push_back(contact);
    sort_by_key(contacts_);
}

// The number more is the stiffness, negative where the contact slides.
std::vector<double> SlipMemory::numbers(int dim) const
{
    std::vector<ContactNumbers> all;
    all.reserve(contacts_.size());
    for (const RememberedSlip& contact : contacts_)
        all.push_back(
            {contact.kind, contact.elements, contact.slip,
             contact.is_sliding ? -contact.stiffness : contact.stiffness});
    return to_numbers(all, dim);
}

void SlipMemory::set_numbers(const CollisionMesh& mesh, std::span<const double> numbers, std::string_view name)
{
    std::vector<RememberedSlip> contacts;
    for (const ContactNumbers& each : contacts_from(mesh, numbers, name))
        contacts.push_back({each.kind, each.elements, each.slip, std::abs(each.number), each.number < 0});
    sort_by_key(contacts);
    contacts_ = std::move(contacts);
}

} // namespace abut
