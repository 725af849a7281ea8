#pragma once
// A vector function of a few points with its Jacobian, and the operations that build one from another: sums, cross
// products and normalisation; the last two also for vectors alone. Used for normals and tangent bases, where a chain of
// two or three such steps is all there is; derivatives of higher order are written out where they are needed.

#include "abut/geometry/measures.hpp"

namespace abut {

/// A Rows-vector and its derivative by the Cols coordinates of a stencil.
template <int Rows, int Cols>
struct VectorTerm {
    Vec<Rows> value;
    Mat<Rows, Cols> jacobian;
};

/// sum_i w_i x_i for the N points of a stencil, with constant weights.
template <int N, int Dim>
VectorTerm<Dim, N * Dim> combination(const Mat<Dim, N>& points, const Vec<N>& w)
{
    VectorTerm<Dim, N * Dim> v;
    v.value = points * w;
    for (int i = 0; i < N; ++i)
        v.jacobian.template block<Dim, Dim>(0, i * Dim) = w[i] * Mat<Dim, Dim>::Identity();
    return v;
}

template <int Rows>
const Vec<Rows>& value_of(const Vec<Rows>& v)
{
    return v;
}

template <int Rows, int Cols>
const Vec<Rows>& value_of(const VectorTerm<Rows, Cols>& v)
{
    return v.value;
}

inline Vec3 cross(const Vec3& a, const Vec3& b) { return a.cross(b); }

template <int Cols>
VectorTerm<3, Cols> cross(const VectorTerm<3, Cols>& a, const VectorTerm<3, Cols>& b)
{
    return {a.value.cross(b.value), cross_matrix(a.value) * b.jacobian - cross_matrix(b.value) * a.jacobian};
}

/// v / |v|; zero, with zero derivative, for the zero vector.
template <int Rows>
Vec<Rows> normalized(const Vec<Rows>& v)
{
    const double length = v.norm();
    if (length == 0)
        return Vec<Rows>::Zero();
    return v / length;
}

template <int Rows, int Cols>
VectorTerm<Rows, Cols> normalized(const VectorTerm<Rows, Cols>& v)
{
    const double length = v.value.norm();
    if (length == 0)
        return {Vec<Rows>::Zero(), Mat<Rows, Cols>::Zero()};
    const Vec<Rows> direction = v.value / length;
    return {direction, (v.jacobian - direction * (direction.transpose() * v.jacobian)) / length};
}

} // namespace abut
