#include "abut/contact/friction/slip_memory.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/contact/friction/term_tangents.hpp"

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

/// A spring is at most so many times as stiff as its load asks for.
constexpr double most_stiffening = 1e6;

/// One term, as lists of them are read.
template <int N>
struct OneTerm {
    std::array<std::array<int, N>, 1> vertices;
    std::array<IndexPair, 1> elements;
};

/// The vertices of two elements, in the order of stencils.
template <PairKind kind>
std::array<int, stencil_size(kind)> vertices_of(const CollisionMesh& mesh, const IndexPair& elements)
{
    const auto [a, b] = elements;
    const Edges& E = mesh.edges();
    const Faces& F = mesh.faces();
    if constexpr (kind == PairKind::edge_vertex)
        return {b, E(a, 0), E(a, 1)};
    else if constexpr (kind == PairKind::edge_edge)
        return {E(a, 0), E(a, 1), E(b, 0), E(b, 1)};
    else if constexpr (kind == PairKind::face_vertex)
        return {b, F(a, 0), F(a, 1), F(a, 2)};
    else if constexpr (kind == PairKind::plane_vertex)
        return {b};
    else
        return {a, b};
}

constexpr int num_first(PairKind kind) { return kind == PairKind::edge_edge ? 2 : 1; }

/// Do two edges cross, so that their contact has a place and a tangent plane?
bool is_crossing(const ConstPositions& X, const std::array<int, 4>& vertices)
{
    const auto x = stencil_points<4, 3>(X, vertices);
    const Vec3 u = x.col(1) - x.col(0), v = x.col(3) - x.col(2);
    return u.cross(v).squaredNorm() > 1e-12 * u.squaredNorm() * v.squaredNorm();
}

/// Σ c_i x_i, from one of the points, as coefficients of pairs add up to 0. Of a plane's pair, the point.
template <int N, int Dim>
Vec<Dim> contact_vector(const ConstPositions& X, std::span<const int> vertices, std::span<const double> c)
{
    const Vec<Dim> first = point<Dim>(X, vertices[0]);
    if constexpr (N == 1)
        return c[0] * first;
    Vec<Dim> sum = Vec<Dim>::Zero();
    for (int i = 1; i < N; ++i)
        sum += c[i] * (point<Dim>(X, vertices[i]) - first);
    return sum;
}

/// The tangent basis of a term at X that `basis`, of the same term at `from`, turns into.
template <int Dim, PairKind kind, int N>
Mat<Dim, Dim - 1> turned_basis(
    KindConstant<kind> of, const TangentialTerms<N>& list, std::size_t k, const CollisionMesh& mesh,
    const ConstPositions& from, const ConstPositions& X)
{
    const Mat<Dim, Dim - 1> basis = list.bases[k].template topLeftCorner<Dim, Dim - 1>();
    if constexpr (kind == PairKind::plane_vertex)
        return basis;
    else {
        if constexpr (kind == PairKind::edge_edge)
            if (!is_crossing(X, list.vertices[k]))
                return basis;
        if constexpr (Dim == 3 && kind == PairKind::vertex_vertex) {
            // Two points have a direction and no more: turned the shortest way.
            const auto direction = [&](const ConstPositions& at) {
                return Vec3((point<3>(at, list.vertices[k][0]) - point<3>(at, list.vertices[k][1])).normalized());
            };
            return Eigen::Quaterniond::FromTwoVectors(direction(from), direction(X)).toRotationMatrix() * basis;
        } else
            return tangents_of<Dim>(of, list, k, mesh, X, Order::value).basis;
    }
}

/// The basis in which the vector between the contact points is compared with the one at `from`, so that a turn of both
/// sides together is no slip. Faces and crossing edges turn it. Of an edge and a point and of two points the direction
/// between them turns as they slide along each other, too: only what the edge turns by is left out.
template <int Dim, PairKind kind, int N>
Mat<Dim, Dim - 1> common_basis(
    KindConstant<kind> of, const TangentialTerms<N>& list, std::size_t k, const CollisionMesh& mesh,
    const ConstPositions& from, const ConstPositions& X)
{
    const Mat<Dim, Dim - 1> basis = list.bases[k].template topLeftCorner<Dim, Dim - 1>();
    if constexpr (kind == PairKind::vertex_vertex)
        return basis;
    else if constexpr (Dim == 3 && kind == PairKind::edge_vertex) {
        const auto direction = [&](const ConstPositions& at) {
            return Vec3((point<3>(at, list.vertices[k][2]) - point<3>(at, list.vertices[k][1])).normalized());
        };
        return Eigen::Quaterniond::FromTwoVectors(direction(from), direction(X)).toRotationMatrix() * basis;
    } else
        return turned_basis<Dim>(of, list, k, mesh, from, X);
}

template <typename Visit>
void visit_kind(PairKind kind, Visit&& visit)
{
    for_each_kind(
        [&](auto each, int) {
            if (each == kind)
                visit(each);
        },
        ByKind<int>{});
}

std::tuple<PairKind, IndexPair> key(const RememberedSlip& contact) { return {contact.kind, contact.elements}; }

} // namespace

/// Contacts of the memory by the vertices they touch, with what new ones ask of them.
struct SlipMemory::Neighbours {
    struct Corner {
        int contact;   ///< of the memory
        double weight; ///< |c| K
        double side;   ///< 1 on the first side, −1 on the second
        int other;     ///< the body of the other side
        Vec3 normal;   ///< from the second side to the first
    };
    std::vector<std::size_t> starts; ///< of vertices
    std::vector<Corner> corners;

    Neighbours(
        const std::vector<RememberedSlip>& contacts, const CollisionMesh& mesh, const std::vector<int>& bodies,
        const ConstPositions& X)
        : starts(mesh.num_vertices() + 1, 0)
    {
        std::vector<std::pair<int, Corner>> found;
        for (std::size_t k = 0; k < contacts.size(); ++k)
            visit_kind(contacts[k].kind, [&](auto kind) {
                const auto add = [&]<int Dim>(std::integral_constant<int, Dim>) {
                    if constexpr (exists_in(Dim, kind))
                        add_corners<Dim>(kind, contacts, k, mesh, bodies, X, found);
                };
                mesh.dim() == 2 ? add(std::integral_constant<int, 2>()) : add(std::integral_constant<int, 3>());
            });
        std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        corners.reserve(found.size());
        for (const auto& [vertex, corner] : found) {
            ++starts[vertex + 1];
            corners.push_back(corner);
        }
        for (std::size_t v = 1; v < starts.size(); ++v)
            starts[v] += starts[v - 1];
    }

    template <int Dim, PairKind kind>
    static void add_corners(
        KindConstant<kind> of, const std::vector<RememberedSlip>& contacts, std::size_t k, const CollisionMesh& mesh,
        const std::vector<int>& bodies, const ConstPositions& X, std::vector<std::pair<int, Corner>>& found)
    {
        constexpr int N = stencil_size(kind);
        const OneTerm<N> term{{vertices_of<kind>(mesh, contacts[k].elements)}, {contacts[k].elements}};
        const std::array<int, N>& vertices = term.vertices[0];
        if constexpr (kind == PairKind::edge_edge)
            if (!is_crossing(X, vertices))
                return;
        const TermTangents<N, Dim> tangents = tangents_of<Dim>(of, term, 0, mesh, X, Order::value);
        std::array<double, N> c;
        std::copy(tangents.w.data(), tangents.w.data() + N, c.begin());
        const Vec3 normal = normal_of<Dim>(of, mesh, X, vertices, contacts[k].elements, c);
        for (int i = 0; i < N; ++i)
            found.push_back(
                {vertices[i],
                 {.contact = static_cast<int>(k),
                  .weight = std::abs(c[i]) * contacts[k].stiffness,
                  .side = i < num_first(kind) ? 1.0 : -1.0,
                  .other = other_body(of, bodies, vertices, contacts[k].elements, i),
                  .normal = normal}});
    }

    template <int Dim, PairKind kind>
    static Vec3 normal_of(
        KindConstant<kind>, const CollisionMesh& mesh, const ConstPositions& X, std::span<const int> vertices,
        const IndexPair& elements, std::span<const double> c)
    {
        if constexpr (kind == PairKind::plane_vertex)
            return mesh.planes()[elements[0]].normal;
        else {
            Vec3 gap = Vec3::Zero();
            gap.template head<Dim>() = contact_vector<stencil_size(kind), Dim>(X, vertices, c);
            return gap.normalized(); // 0 stays 0
        }
    }

    /// Of the side that vertex i is not on; plane k is −1 − k.
    template <PairKind kind>
    static int other_body(
        KindConstant<kind>, const std::vector<int>& bodies, std::span<const int> vertices, const IndexPair& elements,
        int i)
    {
        if constexpr (kind == PairKind::plane_vertex)
            return -1 - elements[0];
        else
            return bodies[i < num_first(kind) ? vertices.back() : vertices.front()];
    }

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
    const bool has_moved = X0.rows() != X.rows() || (X0.array() != X.array()).any();
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
                    const Mat<Dim, Dim - 1> basis = list.bases[k].template topLeftCorner<Dim, Dim - 1>();
                    Vec<Dim - 1> slip;
                    if (has_moved) {
                        const Mat<Dim, Dim - 1> start = turned_basis<Dim>(kind, list, k, mesh, X, X0);
                        const Mat<Dim, Dim - 1> common = common_basis<Dim>(kind, list, k, mesh, X, X0);
                        const Vec<Dim> at_start = contact_vector<N, Dim>(X0, list.vertices[k], list.coefficients[k]);
                        slip = start.transpose() * before.slip.template head<Dim>() +
                               (basis - common).transpose() * at_start;
                    } else
                        slip = basis.transpose() * before.slip.template head<Dim>();
                    anchor.slip.template head<Dim - 1>() = slip;
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
    std::stable_sort(contacts_.begin(), contacts_.end(), [](const RememberedSlip& a, const RememberedSlip& b) {
        return key(a) < key(b);
    });
}

// Of each contact: kind + 8 × the first element, the second element, the slip, the stiffness, which is negative where
// it slides.
std::vector<double> SlipMemory::numbers(int dim) const
{
    std::vector<double> all;
    all.reserve(contacts_.size() * (3 + dim));
    for (const RememberedSlip& contact : contacts_) {
        all.push_back(static_cast<double>(contact.kind) + 8.0 * contact.elements[0]);
        all.push_back(contact.elements[1]);
        all.insert(all.end(), contact.slip.data(), contact.slip.data() + dim);
        all.push_back(contact.is_sliding ? -contact.stiffness : contact.stiffness);
    }
    return all;
}

void SlipMemory::set_numbers(const CollisionMesh& mesh, std::span<const double> numbers, std::string_view name)
{
    const int dim = mesh.dim();
    const std::size_t stride = 3 + dim;
    if (numbers.size() % stride != 0)
        reject(
            "{}: {} numbers are not {} for each contact; start anew instead of resuming", name, numbers.size(), stride);
    const auto count = [&](ElementKind kind) {
        switch (kind) {
        case ElementKind::edge:
            return mesh.num_edges();
        case ElementKind::face:
            return mesh.num_faces();
        case ElementKind::plane:
            return static_cast<int>(mesh.planes().size());
        default:
            return mesh.num_vertices();
        }
    };
    std::vector<RememberedSlip> contacts;
    contacts.reserve(numbers.size() / stride);
    for (std::size_t k = 0; k < numbers.size(); k += stride) {
        const auto at = numbers.subspan(k, stride);
        bool is_right = at[0] >= 0 && at[0] < 8e9 && at[1] >= 0 && at[1] < 1e9 && std::abs(at[stride - 1]) > 0;
        RememberedSlip contact;
        if (is_right) {
            const auto packed = static_cast<std::int64_t>(at[0]);
            contact.elements = {static_cast<int>(packed / 8), static_cast<int>(at[1])};
            const std::int64_t kind = packed % 8;
            is_right = kind >= 1 && kind <= 5 && exists_in(dim, static_cast<PairKind>(kind));
            contact.kind = static_cast<PairKind>(is_right ? kind : 0);
        }
        if (is_right)
            for (int side = 0; side < 2; ++side)
                is_right = is_right && contact.elements[side] < count(element_kinds(contact.kind)[side]);
        if (!is_right)
            reject("{}: contact {} is none of this mesh; start anew instead of resuming", name, k / stride);
        std::copy_n(at.begin() + 2, dim, contact.slip.data());
        contact.stiffness = std::abs(at[stride - 1]);
        contact.is_sliding = at[stride - 1] < 0;
        contacts.push_back(contact);
    }
    contacts_ = std::move(contacts);
}

} // namespace abut
