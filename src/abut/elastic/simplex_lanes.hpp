#pragma once
// What energies of simplices with linear shape functions share: rest shapes side by side, one per lane, deformation
// gradients of a group of elements, and forces and Hessian blocks of their corners.
//
// Notation: x_i the present positions of an element's corners, g_i the rest gradients of its shape functions, F = Σ x_i
// g_iᵀ the deformation gradient, V the rest volume, P = dpsi/dF.
//
// Layout and size depend on the instruction set, as Lanes do: for source files of the library, not for its interfaces.

#include "abut/base/assert.hpp"
#include "abut/elastic/lane_matrix.hpp"
#include "abut/linear/stencils.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// A tetrahedron or triangle is degenerate when its volume is this small against the product of its edges at a corner,
/// where rounding of the edges (eps each) has taken all but two or three digits of it.
inline constexpr double degenerate_sine = 1e-13;

/// Where number `field` of an element is among those of all: by group of elements, in it by field, in it by lane.
inline std::size_t lane_index(std::size_t element, int field, int num_fields)
{
    ABUT_ASSERT(field >= 0 && field < num_fields);
    return (element / num_lanes * num_fields + field) * num_lanes + element % num_lanes;
}

/// Blocks of an element's Hessian that are stored: one per pair of corners i >= j.
template <int D>
constexpr int num_hessian_blocks = (D + 1) * (D + 2) / 2;

/// Rest shapes of a group of elements.
template <int D>
struct RestLanes {
    static constexpr int num_fields = D * D + 1; ///< before the parameters of the material

    Lanes g[D][D]; ///< g_1 .. g_D; g_0 is minus their sum
    Lanes volume;
    const double* parameters;

    [[nodiscard]] Lanes parameter(int k) const { return load_lanes(parameters + k * num_lanes); }
};

/// From the fields of a group: g_1 .. g_D, V, parameters.
template <int D>
RestLanes<D> load_rest(const double* fields)
{
    const auto field = [&](int k) { return load_lanes(fields + k * num_lanes); };
    RestLanes<D> rest;
    for (int i = 0; i < D; ++i)
        for (int b = 0; b < D; ++b)
            rest.g[i][b] = field(i * D + b);
    rest.volume = field(D * D);
    rest.parameters = fields + RestLanes<D>::num_fields * num_lanes;
    return rest;
}

/// F = Σ (x_i - x_0) g_iᵀ of `count` elements from `first` on. Idle lanes repeat the last of them.
template <int Dim, int D>
LaneMatrix<Dim, D> deformation_gradient(
    const ConstPositions& x, const Stencils& stencils, std::size_t first, int count, const RestLanes<D>& rest)
{
    alignas(sizeof(Lanes)) double edges[D][Dim][num_lanes];
    for (int lane = 0; lane < num_lanes; ++lane) {
        const auto corners = stencils[first + (lane < count ? lane : count - 1)];
        const auto x_0 = point<Dim>(x, corners[0]);
        for (int i = 0; i < D; ++i) {
            const auto x_i = point<Dim>(x, corners[i + 1]);
            for (int a = 0; a < Dim; ++a)
                edges[i][a][lane] = x_i[a] - x_0[a];
        }
    }
    LaneMatrix<Dim, D> F;
    for (int a = 0; a < Dim; ++a)
        for (int b = 0; b < D; ++b) {
            F(a, b) = load_lanes(edges[0][a]) * rest.g[0][b];
            for (int i = 1; i < D; ++i)
                F(a, b) += load_lanes(edges[i][a]) * rest.g[i][b];
        }
    return F;
}

/// Results of a group of elements, transposed into the memory of each: number k of element `lane` is numbers[k][lane].
template <int Count>
void store_lanes(const Lanes (&numbers)[Count], int num_elements, double* to)
{
    ABUT_ASSERT(num_elements > 0 && num_elements <= num_lanes);
    for (int lane = 0; lane < num_elements; ++lane, to += Count)
        for (int k = 0; k < Count; ++k)
            to[k] = numbers[k][lane];
}

/// The gradient V P g_i at each corner i, with respect to its position.
template <int Dim, int D>
void store_gradients(const RestLanes<D>& rest, const LaneMatrix<Dim, D>& P, int count, double* to)
{
    Lanes gradients[(D + 1) * Dim];
    for (int a = 0; a < Dim; ++a) {
        Lanes sum{};
        for (int i = 0; i < D; ++i) {
            Lanes force = P(a, 0) * rest.g[i][0];
            for (int b = 1; b < D; ++b)
                force += P(a, b) * rest.g[i][b];
            gradients[(i + 1) * Dim + a] = rest.volume * force;
            sum += gradients[(i + 1) * Dim + a];
        }
        gradients[a] = -sum; // corner 0 balances the others
    }
    store_lanes(gradients, count, to);
}

/// The Hessian's blocks of all pairs of corners, from block(i, j) of those i >= j >= 1.
template <int Dim, int D, typename Block>
void store_blocks(const Block& block_of, int count, double* to)
{
    Lanes blocks[num_hessian_blocks<D> * Dim * Dim];
    // Entry (a, c) of block (i, j), i >= j; blocks are stored column by column.
    const auto at = [&](int i, int j, int a, int c) -> Lanes& {
        return blocks[(i * (i + 1) / 2 + j) * Dim * Dim + c * Dim + a];
    };
    for (int k = 0; k < Dim * Dim; ++k)
        for (int i = 0; i <= D; ++i)
            blocks[i * (i + 1) / 2 * Dim * Dim + k] = Lanes{};
    for (int i = 1; i <= D; ++i)
        for (int j = 1; j <= i; ++j) {
            const LaneMatrix<Dim, Dim> block = block_of(i, j);
            for (int a = 0; a < Dim; ++a)
                for (int c = 0; c < Dim; ++c) {
                    // A diagonal block is symmetric to the bit.
                    const Lanes entry = i == j && c > a ? block(c, a) : block(a, c);
                    at(i, j, a, c) = entry;
                    at(i, 0, a, c) -= entry;
                    if (j < i)
                        at(j, 0, c, a) -= entry;
                }
        }
    // Corner 0 balances the others.
    for (int a = 0; a < Dim; ++a)
        for (int c = 0; c <= a; ++c) {
            Lanes sum{};
            for (int i = 1; i <= D; ++i)
                sum -= at(i, 0, a, c);
            at(0, 0, a, c) = at(0, 0, c, a) = sum;
        }
    store_lanes(blocks, count, to);
}

} // namespace abut
