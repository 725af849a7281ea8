#pragma once
// Which vertices each local term of a sum acts on. Stencils are of any size: a contact pair has two to four vertices,
// a tetrahedron four, a hinge four, a pair that sees the one-rings of its elements twenty or more.

#include "abut/base/assert.hpp"
#include "abut/base/parallel.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace abut {

class Stencils {
public:
    [[nodiscard]] std::size_t size() const { return offsets_.size() - 1; }
    [[nodiscard]] bool empty() const { return size() == 0; }

    /// The vertices of a term, each once.
    [[nodiscard]] std::span<const int> operator[](std::size_t term) const
    {
        return {vertices_.data() + offsets_[term], vertices_.data() + offsets_[term + 1]};
    }

    /// Where the term's vertices begin in the list of all: times the dimension, where its local gradient begins.
    [[nodiscard]] std::int64_t offset(std::size_t term) const { return offsets_[term]; }
    [[nodiscard]] std::int64_t num_entries() const { return offsets_.back(); }

    /// Where the term's blocks begin: it has n (n + 1) / 2 of them, block (i, j) with i >= j at i (i + 1) / 2 + j.
    [[nodiscard]] std::int64_t block_offset(std::size_t term) const { return block_offsets_[term]; }
    [[nodiscard]] std::int64_t num_blocks() const { return block_offsets_.back(); }

    /// All vertices are below this: one more than the largest, or 2^31 and more where one is negative. Tells in no time
    /// whether the terms fit a mesh.
    [[nodiscard]] std::int64_t vertex_bound() const { return vertex_bound_; }

    void clear()
    {
        vertex_bound_ = 0;
        vertices_.clear();
        offsets_.assign(1, 0);
        block_offsets_.assign(1, 0);
    }

    void reserve(std::size_t terms, std::size_t entries)
    {
        offsets_.reserve(terms + 1);
        block_offsets_.reserve(terms + 1);
        vertices_.reserve(entries);
    }

    void add(std::span<const int> vertices)
    {
        const auto n = static_cast<std::int64_t>(vertices.size());
        for (const int vertex : vertices)
            vertex_bound_ = std::max(vertex_bound_, std::int64_t{1} + static_cast<std::uint32_t>(vertex));
        vertices_.insert(vertices_.end(), vertices.begin(), vertices.end());
        offsets_.push_back(offsets_.back() + n);
        block_offsets_.push_back(block_offsets_.back() + n * (n + 1) / 2);
    }

    /// Many of one size.
    template <std::size_t N>
    void add_all(std::span<const std::array<int, N>> stencils)
    {
        static_assert(sizeof(std::array<int, N>) == N * sizeof(int));
        const std::size_t entries = vertices_.size(), terms = offsets_.size(), n = stencils.size();
        if (n == 0)
            return;
        vertices_.resize(entries + N * n);
        std::memcpy(vertices_.data() + entries, stencils.data(), N * n * sizeof(int));
        std::uint32_t largest = 0;
        for (std::size_t k = entries; k < vertices_.size(); ++k)
            largest = std::max(largest, static_cast<std::uint32_t>(vertices_[k]));
        vertex_bound_ = std::max(vertex_bound_, std::int64_t{1} + largest);
        offsets_.resize(terms + n);
        block_offsets_.resize(terms + n);
        constexpr std::int64_t size = N, blocks = N * (N + 1) / 2;
        for (std::size_t k = 0; k < n; ++k) {
            offsets_[terms + k] = offsets_[terms - 1] + static_cast<std::int64_t>(k + 1) * size;
            block_offsets_[terms + k] = block_offsets_[terms - 1] + static_cast<std::int64_t>(k + 1) * blocks;
        }
    }

    void append(const Stencils& other)
    {
        const std::int64_t entries = offsets_.back(), blocks = block_offsets_.back();
        vertex_bound_ = std::max(vertex_bound_, other.vertex_bound_);
        vertices_.insert(vertices_.end(), other.vertices_.begin(), other.vertices_.end());
        for (std::size_t term = 1; term < other.offsets_.size(); ++term) {
            offsets_.push_back(entries + other.offsets_[term]);
            block_offsets_.push_back(blocks + other.block_offsets_[term]);
        }
    }

    /// Those of several lists, one behind the other.
    [[nodiscard]] static Stencils joined(std::span<const Stencils* const> lists)
    {
        struct Start {
            std::size_t term = 0, entry = 0, block = 0;
        };
        std::vector<Start> starts(lists.size() + 1);
        Stencils all;
        for (std::size_t k = 0; k < lists.size(); ++k) {
            const Stencils& list = *lists[k];
            starts[k + 1] = {
                starts[k].term + list.size(), starts[k].entry + static_cast<std::size_t>(list.num_entries()),
                starts[k].block + static_cast<std::size_t>(list.num_blocks())};
            all.vertex_bound_ = std::max(all.vertex_bound_, list.vertex_bound_);
        }
        all.vertices_.resize(starts.back().entry);
        all.offsets_.resize(starts.back().term + 1);
        all.block_offsets_.resize(starts.back().term + 1);
        parallel_for(lists.size(), 16, [&](std::size_t k) {
            const Stencils& list = *lists[k];
            const auto [term, entry, block] = starts[k];
            std::copy(
                list.vertices_.begin(), list.vertices_.end(),
                all.vertices_.begin() + static_cast<std::ptrdiff_t>(entry));
            for (std::size_t i = 1; i <= list.size(); ++i) {
                all.offsets_[term + i] = static_cast<std::int64_t>(entry) + list.offsets_[i];
                all.block_offsets_[term + i] = static_cast<std::int64_t>(block) + list.block_offsets_[i];
            }
        });
        return all;
    }

    /// The stencils of these terms, in this order.
    [[nodiscard]] Stencils subset(std::span<const int> terms) const
    {
        Stencils part;
        std::size_t entries = 0;
        for (const int term : terms) {
            ABUT_ASSERT(term >= 0 && static_cast<std::size_t>(term) < size());
            entries += (*this)[term].size();
        }
        part.reserve(terms.size(), entries);
        for (const int term : terms)
            part.add((*this)[term]);
        return part;
    }

    bool operator==(const Stencils&) const = default;

private:
    std::int64_t vertex_bound_ = 0;
    std::vector<int> vertices_;
    std::vector<std::int64_t> offsets_{0}, block_offsets_{0};
};

} // namespace abut
