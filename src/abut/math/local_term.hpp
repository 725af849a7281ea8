#pragma once
// A scalar function of a few points, with its derivatives. Coordinates are flat by point: x0 y0 z0 x1 y1 z1 ...

#include "abut/base/assert.hpp"
#include "abut/math/types.hpp"

#include <array>

namespace abut {

/// Value, gradient and Hessian of a function of N points in Dim dimensions. What was not asked for stays unset.
template <int N, int Dim>
struct LocalTerm {
    static constexpr int size = N * Dim;

    double value = 0;
    Vec<size> gradient;
    Mat<size, size> hessian;

    /// Sets the derivatives up to `order` to zero.
    void set_zero(Order order)
    {
        value = 0;
        if (order >= Order::gradient)
            gradient.setZero();
        if (order >= Order::hessian)
            hessian.setZero();
    }
};

/// flat(w, r) = w ⊗ r: point i receives w_i r.
template <int N, int Dim>
Vec<N * Dim> flat(const Vec<N>& w, const Vec<Dim>& r)
{
    Vec<N * Dim> g;
    for (int i = 0; i < N; ++i)
        g.template segment<Dim>(i * Dim) = w[i] * r;
    return g;
}

/// The term of N points that depends on K of them: point i of `term` is point map[i] of the result.
template <int N, int K, int Dim>
LocalTerm<N, Dim> scatter(const LocalTerm<K, Dim>& term, const std::array<int, K>& map, Order order)
{
    LocalTerm<N, Dim> all;
    all.set_zero(order);
    all.value = term.value;
    for (int i = 0; i < K; ++i) {
        ABUT_ASSERT(map[i] >= 0 && map[i] < N);
        if (order >= Order::gradient)
            all.gradient.template segment<Dim>(map[i] * Dim) = term.gradient.template segment<Dim>(i * Dim);
        if (order >= Order::hessian)
            for (int j = 0; j < K; ++j)
                all.hessian.template block<Dim, Dim>(map[i] * Dim, map[j] * Dim) =
                    term.hessian.template block<Dim, Dim>(i * Dim, j * Dim);
    }
    return all;
}

} // namespace abut
