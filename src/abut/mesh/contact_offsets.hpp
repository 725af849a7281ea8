#pragma once
// Surfaces that stand off: what contact keeps apart are not the elements of a mesh but surfaces around them, at half
// the thickness of cloth or the radius of a rope. The gap of two elements is their distance less the offset of the
// pair, and everything that asks how near two elements are asks for the gap.
//
// As a rule the offset of a pair is the sum of the two radii. Vertices of one body that are close to each other along
// its shape at rest have an offset of their own, which leaves them their gap at rest (detect/rest_gaps.hpp): neighbours
// on a rope are nearer than it is thick. The offset of two elements is the smallest of those of their vertices, and of
// two edges those across from them in their faces count too: so it is never larger than that of a vertex and a face
// that one of the edges is part of. Edges that are parallel have no barrier of their own; these pairs stop them first.

#include "abut/base/assert.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace abut {

/// The offset of two vertices that is not the sum of their radii.
struct VertexPairOffset {
    int first, second; ///< first < second
    double offset;     ///< [m], >= 0

    bool operator==(const VertexPairOffset&) const = default;
};

class ContactOffsets {
public:
    /// No offsets.
    ContactOffsets() = default;

    /// By the radius of each vertex [m], >= 0, and what pairs of vertices have instead, in any order; of several for
    /// one pair the smallest holds. Throws InvalidInput for what is out of range.
    explicit ContactOffsets(std::vector<double> radii, std::vector<VertexPairOffset> pairs = {});

    /// Are all zero?
    [[nodiscard]] bool empty() const { return radii_.empty(); }
    /// One per vertex; none where all are zero [m].
    [[nodiscard]] const std::vector<double>& radii() const { return radii_; }
    [[nodiscard]] double radius(int vertex) const { return radii_.empty() ? 0 : radii_[vertex]; }
    /// Pairs of vertices with an offset of their own, sorted.
    [[nodiscard]] const std::vector<VertexPairOffset>& pairs() const { return pairs_; }

    /// Of two elements with these vertices [m].
    [[nodiscard]] double between(std::span<const int> a, std::span<const int> b) const
    {
        ABUT_ASSERT(!a.empty() && !b.empty());
        if (radii_.empty())
            return 0;
        double smallest = radii_[a[0]] + radii_[b[0]];
        if (pairs_.empty())
            return smallest;
        for (const int i : a)
            for (const int j : b)
                if (i != j)
                    smallest = std::min(smallest, of_pair(std::min(i, j), std::max(i, j)));
        return smallest;
    }

    bool operator==(const ContactOffsets&) const = default;

private:
    /// Infinite where it has none of its own.
    [[nodiscard]] double of_pair(int first, int second) const
    {
        ABUT_ASSERT(first < second && second < static_cast<int>(radii_.size()));
        const auto begin = pairs_.begin() + starts_[first], end = pairs_.begin() + starts_[first + 1];
        const auto found = std::lower_bound(
            begin, end, second, [](const VertexPairOffset& pair, int vertex) { return pair.second < vertex; });
        return found != end && found->second == second ? found->offset : INFINITY;
    }

    std::vector<double> radii_;
    std::vector<VertexPairOffset> pairs_;
    std::vector<std::int64_t> starts_; // of each first vertex among the pairs
};

/// The squared gap of elements at a squared distance; 0 where their offset surfaces overlap [m²].
[[nodiscard]] inline double squared_gap(double squared_distance, double offset)
{
    if (offset == 0)
        return squared_distance;
    const double gap = std::max(0.0, std::sqrt(squared_distance) - offset);
    return gap * gap;
}

} // namespace abut
