#pragma once
// Tangent bases and relative velocities of a pair in contact, for friction. The contact's tangent space is orthogonal
// to the line between the closest points; its basis has one column in the plane and two in space.
//
// Stencils and directions: point-point (p, q); point-edge (p, e0, e1), first column along the edge; edge-edge
// (a0, a1, b0, b1), first column along a; point-triangle (p, t0, t1, t2), first column along t0t1.
// Bases are orthonormal away from degenerate pairs; columns of degenerate ones are zero, with zero derivative.

#include "abut/math/types.hpp"

namespace abut {

/// Columns of the basis, and their derivatives stacked: row Dim * k + i is the gradient of component i of column k. The
/// derivatives stay unset for Order::value.
template <int N, int Dim>
struct TangentBasis {
    Mat<Dim, Dim - 1> basis;
    Mat<Dim*(Dim - 1), N * Dim> jacobian;
};

/// Basis for two points. In space the first column is orthogonal to the x or the y axis: to the one that makes the
/// larger angle with the line between the points. The basis jumps where the two angles are equal.
template <int Dim>
TangentBasis<2, Dim> point_point_tangent_basis(const Vec<Dim>& p, const Vec<Dim>& q, Order order = Order::gradient);

template <int Dim>
TangentBasis<3, Dim>
point_edge_tangent_basis(const Vec<Dim>& p, const Vec<Dim>& e0, const Vec<Dim>& e1, Order order = Order::gradient);

[[nodiscard]] TangentBasis<4, 3>
edge_edge_tangent_basis(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1, Order order = Order::gradient);

[[nodiscard]] TangentBasis<4, 3> point_triangle_tangent_basis(
    const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2, Order order = Order::gradient);

/// sum_i w_i v_i: the velocity of the first body's contact point relative to the second's, for the weights `w` of a
/// ClosestPair and the velocities of its stencil as columns.
template <int N, int Dim>
Vec<Dim> relative_velocity(const Mat<Dim, N>& velocities, const Vec<N>& w)
{
    return velocities * w;
}

/// The matrix Γ with Γ v = relative velocity for the stencil's flat velocities v: w ⊗ I.
template <int N, int Dim>
Mat<Dim, N * Dim> relative_velocity_matrix(const Vec<N>& w)
{
    Mat<Dim, N * Dim> gamma;
    for (int i = 0; i < N; ++i)
        gamma.template block<Dim, Dim>(0, i * Dim) = w[i] * Mat<Dim, Dim>::Identity();
    return gamma;
}

} // namespace abut
