#pragma once
// Contacts that are remembered from step to step: what they are made of, how the slip of one follows its elements as
// these move and turn, who its neighbours are, and their numbers in a file. SlipMemory is that of friction, BondMemory
// that of bonds.

#include "abut/contact/friction/tangential_collisions.hpp"
#include "abut/contact/friction/term_tangents.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace abut {

/// One term, as lists of them are read.
template <int N>
struct OneTerm {
    std::array<std::array<int, N>, 1> vertices;
    std::array<IndexPair, 1> elements;
};

/// The vertices of two elements, in the order of stencils.
template <PairKind kind>
std::array<int, stencil_size(kind)> stencil_of(const CollisionMesh& mesh, const IndexPair& elements)
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
inline bool is_crossing(const ConstPositions& X, const std::array<int, 4>& vertices)
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

/// The slip of term k of a list that was lagged at X, in its tangent basis there; it was `before` at X0. What a common
/// turn of both sides did to the gap between them since is no slip.
template <int Dim, PairKind kind, int N>
Vec<Dim - 1> carried_slip(
    KindConstant<kind> of, const TangentialTerms<N>& list, std::size_t k, const CollisionMesh& mesh,
    const ConstPositions& X0, const ConstPositions& X, bool is_elsewhere, const Vec3& before)
{
    const Mat<Dim, Dim - 1> basis = list.bases[k].template topLeftCorner<Dim, Dim - 1>();
    if (!is_elsewhere)
        return basis.transpose() * before.template head<Dim>();
    const Mat<Dim, Dim - 1> start = turned_basis<Dim>(of, list, k, mesh, X, X0);
    const Mat<Dim, Dim - 1> common = common_basis<Dim>(of, list, k, mesh, X, X0);
    const Vec<Dim> at_start = contact_vector<N, Dim>(X0, list.vertices[k], list.coefficients[k]);
    return start.transpose() * before.template head<Dim>() + (basis - common).transpose() * at_start;
}

/// Are positions elsewhere than they were?
inline bool has_moved(const ConstPositions& X0, const ConstPositions& X)
{
    return X0.rows() != X.rows() || (X0.array() != X.array()).any();
}

/// Contacts of a memory by the vertices they touch.
struct ContactCorners {
    struct Corner {
        int contact;   ///< of the memory
        double weight; ///< |c|, times the measure of the contact
        double side;   ///< 1 on the first side, −1 on the second
        int place;     ///< of the vertex in the stencil
        int other;     ///< the body of the other side
        Vec3 normal;   ///< from the second side to the first
    };
    std::vector<std::size_t> starts; ///< of vertices
    std::vector<Corner> corners;

    /// Of contacts that have kind and elements, at X. `measure` says how much each of them counts, `bodies` is of each
    /// vertex.
    template <typename Contact, typename Measure>
    ContactCorners(
        const std::vector<Contact>& contacts, const Measure& measure, const CollisionMesh& mesh,
        const std::vector<int>& bodies, const ConstPositions& X)
        : starts(mesh.num_vertices() + 1, 0)
    {
        std::vector<std::pair<int, Corner>> found;
        for (std::size_t k = 0; k < contacts.size(); ++k)
            visit_kind(contacts[k].kind, [&](auto kind) {
                const auto add = [&]<int Dim>(std::integral_constant<int, Dim>) {
                    if constexpr (exists_in(Dim, kind))
                        add_corners<Dim>(
                            kind, contacts[k].elements, static_cast<int>(k), measure(contacts[k]), mesh, bodies, X,
                            found);
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
        KindConstant<kind> of, const IndexPair& elements, int contact, double measure, const CollisionMesh& mesh,
        const std::vector<int>& bodies, const ConstPositions& X, std::vector<std::pair<int, Corner>>& found)
    {
        constexpr int N = stencil_size(kind);
        const OneTerm<N> term{{stencil_of<kind>(mesh, elements)}, {elements}};
        const std::array<int, N>& vertices = term.vertices[0];
        if constexpr (kind == PairKind::edge_edge)
            if (!is_crossing(X, vertices))
                return;
        const TermTangents<N, Dim> tangents = tangents_of<Dim>(of, term, 0, mesh, X, Order::value);
        std::array<double, N> c;
        std::copy(tangents.w.data(), tangents.w.data() + N, c.begin());
        const Vec3 normal = normal_of<Dim>(of, mesh, X, vertices, elements, c);
        for (int i = 0; i < N; ++i)
            found.push_back(
                {vertices[i],
                 {.contact = contact,
                  .weight = std::abs(c[i]) * measure,
                  .side = i < num_first(kind) ? 1.0 : -1.0,
                  .place = i,
                  .other = other_body(of, bodies, vertices, elements, i),
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
};

/// A contact as files keep it: kind + 8 × the first element, the second element, the slip, and one number more.
struct ContactNumbers {
    PairKind kind = PairKind::none;
    IndexPair elements{};
    Vec3 slip = Vec3::Zero(); ///< [m]
    double number = 0;
};

/// 3 + dim numbers for each contact.
[[nodiscard]] std::vector<double> to_numbers(const std::vector<ContactNumbers>& contacts, int dim);
/// Throws InvalidInput, naming `name`, for numbers that are no contacts of the mesh, or whose last one is 0.
[[nodiscard]] std::vector<ContactNumbers>
contacts_from(const CollisionMesh& mesh, std::span<const double> numbers, std::string_view name);

} // namespace abut
