#pragma once
// The projection of Hessians of many points to positive semidefinite, a few with as many points at a time.
//
// Moving all points together changes nothing: a Hessian has these moves as null vectors. A reflection that turns them
// into moves of the first point alone, orthogonal and so without effect on eigenvalues, leaves an eigenproblem with one
// point less:
//
//   Q = I − β v vᵀ,  v = e_0 + (1, ..., 1)/√n,  β = 1 / (1 + 1/√n),  each entry standing for a point
//   Q H Q = H − β (u vᵀ + v uᵀ) + β² v W vᵀ   with u = H v and W = vᵀ u

#include "abut/base/assert.hpp"
#include "abut/math/psd_projection_any_order.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace abut::gcp {

template <int Dim>
class StencilProjection {
public:
    /// Notes the Hessian of n points given by its blocks (i, j), i >= j, in the order of Stencils, for run(). Only
    /// where the pair `is_free` is moving all points together a null vector; a point above a fixed plane is not.
    void add(double* blocks, int n, bool is_free = true)
    {
        ABUT_ASSERT(n > (is_free ? 1 : 0));
        noted_.push_back({.num_points = n, .is_free = is_free, .blocks = blocks});
    }

    /// Projects in place what was noted since the last run.
    void run(PSDProjectionMethod method)
    {
        ABUT_ASSERT(method != PSDProjectionMethod::none);
        const auto shape = [](const Noted& hessian) { return std::pair(hessian.num_points, hessian.is_free); };
        std::stable_sort(
            noted_.begin(), noted_.end(), [&](const Noted& a, const Noted& b) { return shape(a) < shape(b); });
        for (std::size_t begin = 0, end = 0; begin < noted_.size(); begin = end) {
            while (end < noted_.size() && end - begin < num_lanes && shape(noted_[end]) == shape(noted_[begin]))
                ++end;
            project({noted_.data() + begin, end - begin}, method);
        }
        noted_.clear();
    }

private:
    static constexpr int size = Dim * Dim;
    struct Noted {
        int num_points;
        bool is_free;
        double* blocks;
    };
    struct Block {
        Lanes entries[Dim][Dim]; // column by column, as blocks are stored

        void add(const Block& other, double factor)
        {
            for (int b = 0; b < Dim; ++b)
                for (int a = 0; a < Dim; ++a)
                    entries[b][a] += factor * other.entries[b][a];
        }
        void add_transposed(const Block& other, double factor)
        {
            for (int b = 0; b < Dim; ++b)
                for (int a = 0; a < Dim; ++a)
                    entries[b][a] += factor * other.entries[a][b];
        }
    };

    void project(std::span<const Noted> hessians, PSDProjectionMethod method)
    {
        const int n = hessians.front().num_points, fixed = hessians.front().is_free ? 1 : 0;
        const int num_blocks = n * (n + 1) / 2;
        blocks_.resize(static_cast<std::size_t>(num_blocks));
        for (int lane = 0; lane < num_lanes; ++lane) { // idle lanes repeat the first
            const double* from = hessians[static_cast<std::size_t>(lane) < hessians.size() ? lane : 0].blocks;
            for (int k = 0; k < num_blocks; ++k, from += size)
                for (int e = 0; e < size; ++e)
                    blocks_[k].entries[e / Dim][e % Dim][lane] = from[e];
        }
        if (fixed == 1)
            reflect(n);
        projection_.begin((n - fixed) * Dim);
        for_each_entry(n, fixed, [&](Lanes& of_block, Lanes& of_matrix) { of_matrix = of_block; });
        const std::array<bool, num_lanes> is_changed = projection_.project(method);
        if (std::none_of(is_changed.begin(), is_changed.end(), [](bool changed) { return changed; }))
            return;
        for_each_entry(n, fixed, [&](Lanes& of_block, Lanes& of_matrix) { of_block = of_matrix; });
        if (fixed == 1) {
            for (int i = 0; i < n; ++i)
                blocks_[number(i, 0)] = {};
            reflect(n);
        }
        for (std::size_t lane = 0; lane < hessians.size(); ++lane) {
            double* to = hessians[lane].blocks;
            if (is_changed[lane])
                for (int k = 0; k < num_blocks; ++k, to += size)
                    for (int e = 0; e < size; ++e)
                        to[e] = blocks_[k].entries[e / Dim][e % Dim][lane];
        }
    }

    /// The number of block (i, j), i >= j.
    static std::size_t number(int i, int j) { return static_cast<std::size_t>(i * (i + 1) / 2 + j); }

    /// Calls visit(entry of a block, entry of projection_) for the lower triangle of the points from `fixed` on; of
    /// blocks on the diagonal both triangles, which share an entry of the matrix.
    template <typename Visit>
    void for_each_entry(int n, int fixed, Visit&& visit)
    {
        for (int i = fixed; i < n; ++i)
            for (int j = fixed; j <= i; ++j) {
                Block& block = blocks_[number(i, j)];
                for (int b = 0; b < Dim; ++b)
                    for (int a = 0; a < Dim; ++a) {
                        const int row = (i - fixed) * Dim + a, column = (j - fixed) * Dim + b;
                        visit(block.entries[b][a], projection_.entry(std::max(row, column), std::min(row, column)));
                    }
            }
    }

    /// Q H Q of what is in blocks_.
    void reflect(int n)
    {
        const double share = 1 / std::sqrt(double(n)), beta = 1 / (1 + share);
        const auto v = [&](int i) { return i == 0 ? 1 + share : share; };
        products_.resize(static_cast<std::size_t>(n));
        std::fill_n(products_.data(), n, Block{});
        for (int i = 0; i < n; ++i)
            for (int j = 0; j <= i; ++j) {
                const Block& block = blocks_[number(i, j)];
                products_[i].add(block, v(j));
                if (i != j)
                    products_[j].add_transposed(block, v(i));
            }
        Block along{};
        for (int i = 0; i < n; ++i)
            along.add(products_[i], v(i));
        for (int i = 0; i < n; ++i)
            for (int j = 0; j <= i; ++j) {
                Block& block = blocks_[number(i, j)];
                block.add(products_[i], -beta * v(j));
                block.add_transposed(products_[j], -beta * v(i));
                block.add(along, beta * beta * v(i) * v(j));
            }
    }

    std::vector<Noted> noted_;
    Buffer<Block> blocks_, products_;
    PsdProjectionAnyOrder projection_;
};

} // namespace abut::gcp
