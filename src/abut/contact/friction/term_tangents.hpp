#pragma once
// Contact points and tangent bases of terms, and for Order::gradient their derivatives by the stencil's points, which
// stay unset for Order::value.

#include "abut/contact/term_geometry.hpp"
#include "abut/geometry/tangent_basis.hpp"

namespace abut {

template <int N, int Dim>
struct TermTangents {
    Vec<N> w;                ///< weights of the stencil in the relative velocity
    Mat<Dim, Dim - 1> basis; ///< P
    int num_first;           ///< vertices of the first side
    // With derivatives only
    double squared_distance;                    ///< D
    Vec<N * Dim> distance_gradient;             ///< grad D
    Mat<N, N * Dim> w_jacobian;                 ///< dw/dx
    Mat<Dim*(Dim - 1), N * Dim> basis_jacobian; ///< column by column of P
};

namespace detail {

template <int N, int M, int Dim>
TermTangents<N, Dim>
term_tangents(const ClosestPair<N, M, Dim>& closest, const TangentBasis<N, Dim>& tangents, int num_first, Order order)
{
    TermTangents<N, Dim> term;
    term.w = closest.w;
    term.basis = tangents.basis;
    term.num_first = num_first;
    if (order == Order::value)
        return term;
    term.squared_distance = closest.squared_distance();
    term.distance_gradient = flat<N, Dim>(2 * closest.w, closest.r);
    term.basis_jacobian = tangents.jacobian;
    // dw/dx = dw du/dx = −dw R⁻¹ Sᵀ.
    term.w_jacobian.setZero();
    if constexpr (M > 0)
        for (int j = 0; j < M; ++j) {
            const Vec<N* Dim> S =
                flat<N, Dim>(closest.dw_R.col(j), closest.r) + flat<N, Dim>(closest.w, closest.Q.col(j));
            for (int i = 0; i < N; ++i)
                term.w_jacobian.row(i) -= closest.dw_R(i, j) * S.transpose();
        }
    return term;
}

} // namespace detail

template <int Dim>
TermTangents<2, Dim> vertex_vertex_tangents(const Mat<Dim, 2>& x, Order order)
{
    return detail::term_tangents(
        vertex_vertex_closest<Dim>(x), point_point_tangent_basis<Dim>(x.col(0), x.col(1), order), 1, order);
}

template <int Dim>
TermTangents<3, Dim> edge_vertex_tangents(const Mat<Dim, 3>& x, Order order)
{
    return detail::term_tangents(
        edge_vertex_closest<Dim>(x), point_edge_tangent_basis<Dim>(x.col(0), x.col(1), x.col(2), order), 1, order);
}

inline TermTangents<4, 3> edge_edge_tangents(const Mat<3, 4>& x, Order order)
{
    return detail::term_tangents(
        edge_edge_closest(x, EdgeEdgeFeature::a_b),
        edge_edge_tangent_basis(x.col(0), x.col(1), x.col(2), x.col(3), order), 2, order);
}

inline TermTangents<4, 3> face_vertex_tangents(const Mat<3, 4>& x, Order order)
{
    return detail::term_tangents(
        face_vertex_closest(x), point_triangle_tangent_basis(x.col(0), x.col(1), x.col(2), x.col(3), order), 1, order);
}

/// The basis is the one of two points, the second of them one normal above the plane's point.
template <int Dim>
TermTangents<1, Dim> plane_vertex_tangents(const Vec<Dim>& x, const Plane& plane, Order order)
{
    const Vec<Dim> n = plane.normal.template head<Dim>();
    const Mat<Dim, Dim - 1> basis = point_point_tangent_basis<Dim>(Vec<Dim>::Zero(), n, Order::value).basis;
    return detail::term_tangents(
        plane_vertex_closest<Dim>(x, plane), TangentBasis<1, Dim>{basis, Mat<Dim*(Dim - 1), Dim>::Zero()}, 1, order);
}

/// Those of term k of a list.
template <int Dim, PairKind kind, typename List>
TermTangents<stencil_size(kind), Dim> tangents_of(
    KindConstant<kind>, const List& list, std::size_t k, const CollisionMesh& mesh, const ConstPositions& X,
    Order order)
{
    static_assert(exists_in(Dim, kind));
    const auto x = stencil_points<stencil_size(kind), Dim>(X, list.vertices[k]);
    if constexpr (kind == PairKind::vertex_vertex)
        return vertex_vertex_tangents<Dim>(x, order);
    else if constexpr (kind == PairKind::edge_vertex)
        return edge_vertex_tangents<Dim>(x, order);
    else if constexpr (kind == PairKind::edge_edge)
        return edge_edge_tangents(x, order);
    else if constexpr (kind == PairKind::face_vertex)
        return face_vertex_tangents(x, order);
    else
        return plane_vertex_tangents<Dim>(x, mesh.planes()[list.elements[k][0]], order);
}

} // namespace abut
