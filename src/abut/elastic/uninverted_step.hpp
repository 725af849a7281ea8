#pragma once
// How far elements can move along a line before one of them inverts, or, a triangle in space, loses its area.
//
// Notation: a_i = x_i - x_0 and b_i = dx_i - dx_0 the edges of an element and their change, p(t) = det(a_i + t b_i) its
// signed volume (times 6, or twice its area) along the step, a polynomial of degree 3 (2 in the plane) with the
// coefficients p_k. P(t) is p with all products of coordinates made positive and added: K u P(t) bounds the rounding
// error of everything computed from p at parameters up to t, with u = 2^-53 and K = 32 (each product has three rounded
// edges and two roundings of its own, its sums to a coefficient p_k five more, Bernstein's coefficients another ten;
// the rest covers the rounding of P itself).
//
// p lies above the smallest of its Bernstein coefficients on an interval,
//
//   B(l, l, l), B(l, l, r), B(l, r, r), B(r, r, r)  with  B(u, v, w) = p_0 + p_1 (u + v + w) / 3
//                                                                    + p_2 (uv + uw + vw) / 3 + p_3 u v w,
//
// so an interval on which all exceed the error bound has no root. Intervals are laid end to end from t = 0, doubled
// when they succeed and halved when they fail, until the next would be shorter than a thousandth of what is reached: no
// root is ever passed, and near a root nothing worth having is lost. Elements whose volume at t = 0 is within the
// bound, a vanishing share, are treated in the same way with rational numbers, whose bound is zero.
//
// A triangle in space has no sign. Its squared area along the step, |(a_1 + t b_1) x (a_2 + t b_2)|² up to a factor, is
// a polynomial of degree 4, and is kept above a share of what it is at t = 0 by the same intervals. Nothing is
// certified there: paths through zero are exceptions that the share keeps away from by far more than rounding.

#include "abut/linear/stencils.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// A t in (0, 1] such that no element of x + s dx, taken as real numbers, has a volume <= 0 for any s in [0, t]; nor
/// has one of x + t dx as rounded to doubles, whether in one step or in two. 1, or about nine tenths of the way to the
/// first element that comes too close to zero to be told from it. Throws InvalidStart if x itself is inverted.
template <int Dim>
[[nodiscard]] double
largest_uninverted_step(const Stencils& elements, int num_vertices, const ConstPositions& x, const ConstPositions& dx);

/// The same of element k alone.
template <int Dim>
[[nodiscard]] double
uninverted_step_of(const Stencils& elements, std::size_t k, const ConstPositions& x, const ConstPositions& dx);

/// No triangle in space keeps less than this share of its area along a step, so that its energy stays finite.
inline constexpr double least_kept_area = 1e-3;

/// A t in (0, 1] such that every triangle of x + s dx has more than least_kept_area of its area in x, for any s in
/// [0, t], up to rounding. Triangles that have none in x limit nothing.
[[nodiscard]] double
largest_step_with_area(const Stencils& triangles, int num_vertices, const ConstPositions& x, const ConstPositions& dx);

/// The same of triangle k alone.
[[nodiscard]] double
step_with_area_of(const Stencils& triangles, std::size_t k, const ConstPositions& x, const ConstPositions& dx);

} // namespace abut
