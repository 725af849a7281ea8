#pragma once
// How far elements can move along a line before one of them inverts.
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

#include "abut/linear/stencils.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// A t in (0, 1] such that no element of x + s dx, taken as real numbers, has a volume <= 0 for any s in [0, t]; nor
/// has one of x + t dx as rounded to doubles, whether in one step or in two. 1, or about nine tenths of the way to the
/// first element that comes too close to zero to be told from it. Throws InvalidStart if x itself is inverted.
template <int Dim>
[[nodiscard]] double
largest_uninverted_step(const Stencils& elements, int num_vertices, const ConstPositions& x, const ConstPositions& dx);

} // namespace abut
