#pragma once
// The stencil of a pair as the toolkit has it: vertices and neighbours of the one element, then those of the other. A
// vertex that belongs to both comes twice. Energy and derivatives are the same, but a Hessian that is projected as if
// these were two points is another one.

#include "abut/base/assert.hpp"
#include "abut/contact/gcp/pair_energy.hpp"

#include <algorithm>

namespace abut::gcp {

template <int Dim>
class SplitStencil {
public:
    /// Whether a vertex comes twice. Then the pair's tests and rings are those of vertices(), kept here.
    bool split(PairInput& pair, std::span<const int> stencil)
    {
        const int n = static_cast<int>(stencil.size());
        // By which side each is used: its own vertices, and those of its tests and rings.
        users_.assign(n, 0);
        const SideOfPair& second = side_of(pair.kind, 1);
        for (int i = 0; i < stencil_size(pair.kind); ++i)
            users_[i] = second.has(i) ? 2 : 1;
        for_each_use(pair, [&](int side, int i) {
            ABUT_ASSERT(side < 2 && i < n);
            users_[i] |= 1 << side;
        });
        if (std::find(users_.begin(), users_.end(), 3) == users_.end())
            return false;
        vertices_.assign(stencil.begin(), stencil.end());
        points_.resize(n);
        copies_.resize(n);
        for (int i = 0; i < n; ++i)
            points_[i] = copies_[i] = i;
        for (int i = 0; i < n; ++i)
            if (users_[i] == 3) {
                copies_[i] = static_cast<int>(vertices_.size());
                vertices_.push_back(stencil[i]);
                points_.push_back(i);
            }
        // The copy is the first side's where the point is a vertex of the second element, else the second's.
        const auto number = [&](int side, int i) {
            const bool is_copied = second.has(i) ? side == 0 : side == 1;
            return i >= 0 && is_copied ? copies_[i] : i;
        };
        tests_.assign(pair.tests.begin(), pair.tests.end());
        for (Test& test : tests_) {
            test.i = number(test.side, test.i);
            test.j = number(test.side, test.j);
        }
        pair.tests = tests_;
        for (int side = 0; side < 2; ++side) {
            rings_[side].clear();
            for (const int i : pair.rings[side])
                rings_[side].push_back(number(side, i));
            pair.rings[side] = rings_[side];
        }
        return true;
    }

    [[nodiscard]] std::span<const int> vertices() const { return vertices_; }

    /// Room for the Hessian's blocks of vertices().
    [[nodiscard]] double* blocks()
    {
        blocks_.resize(vertices_.size() * (vertices_.size() + 1) / 2 * Dim * Dim);
        return blocks_.data();
    }

    /// Adds these blocks up to those (i, j), i >= j, of the n points of the stencil that was split.
    void merge_into(double* blocks, int n) const
    {
        using Block = Mat<Dim, Dim>;
        ABUT_ASSERT(points_.size() == vertices_.size() && static_cast<std::size_t>(n) < vertices_.size());
        std::fill_n(blocks, n * (n + 1) / 2 * Dim * Dim, 0.0);
        const double* from = blocks_.data();
        for (std::size_t k = 0; k < vertices_.size(); ++k)
            for (std::size_t l = 0; l <= k; ++l, from += Dim * Dim) {
                const Eigen::Map<const Block> block(from);
                const int i = std::max(points_[k], points_[l]), j = std::min(points_[k], points_[l]);
                Eigen::Map<Block> sum(blocks + (i * (i + 1) / 2 + j) * Dim * Dim);
                if (points_[k] >= points_[l])
                    sum += block;
                if (points_[k] < points_[l] || (i == j && k != l))
                    sum += block.transpose();
            }
    }

private:
    template <typename Visit>
    static void for_each_use(const PairInput& pair, Visit&& visit)
    {
        for (const Test& test : pair.tests)
            for (const int i : {test.i, test.j})
                if (i >= 0)
                    visit(test.side, i);
        for (int side = 0; side < 2; ++side)
            for (const int i : pair.rings[side])
                visit(side, i);
    }

    std::vector<int> users_, vertices_, points_, copies_, rings_[2];
    std::vector<Test> tests_;
    std::vector<double> blocks_;
};

} // namespace abut::gcp
