#pragma once
// Processes that work on one simulation together, as parallel.hpp has threads: every process ("rank") takes the same
// way through the program with the same numbers and evaluates only its share of the terms and pairs; what they find is
// joined in the order of ranks, so that all have the same bits.
//
// There is one rank, and all below costs nothing, unless a program says otherwise by set_ranks() before it starts
// (mpi/mpi_ranks.hpp). All functions but rank() and size() are collective: each rank must call them in the same order.
// What only one rank does, such as writing files, goes through on_root().

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace abut {

/// Who is next to whom, as METIS wants it: the neighbours of node i are neighbours[starts[i]] and on.
struct NodeGraph {
    std::vector<std::int64_t> starts{0};
    std::vector<int> neighbours{};
    std::vector<int> weights{}; ///< work of each node, > 0
};

class Ranks {
public:
    virtual ~Ranks() = default;
    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int size() const = 0;
    /// Replaces the numbers by their sums over all ranks, which are added in the order of ranks.
    virtual void sum(std::span<double> numbers) = 0;
    /// The bytes of all ranks, one behind the other in the order of ranks; `sizes` are those of each.
    [[nodiscard]] virtual std::vector<std::byte>
    gather(std::span<const std::byte> own, std::vector<std::size_t>& sizes) = 0;
    /// Replaces the bytes by those of rank 0.
    virtual void take_from_root(std::vector<std::byte>& bytes) = 0;
    /// A rank for each node of the graph that rank 0 gives, so that neighbours are together and ranks have about equal
    /// weights. What others give is passed over.
    [[nodiscard]] virtual std::vector<int> partition(const NodeGraph& graph) = 0;

    /// The rank that has the rows of each block of unknowns in the simulation that was made last; none where there is
    /// one rank. Distributed linear solvers read it.
    [[nodiscard]] const std::vector<int>& block_owners() const { return block_owners_; }
    void set_block_owners(std::vector<int> owners) { block_owners_ = std::move(owners); }
    /// How many elements that simulation divided among the ranks gave to this one, for reports.
    [[nodiscard]] std::size_t num_own_elements() const { return num_own_elements_; }
    void set_num_own_elements(std::size_t count) { num_own_elements_ = count; }

private:
    std::vector<int> block_owners_;
    std::size_t num_own_elements_ = 0;
};

/// Those of the program: one rank where set_ranks() was not called, or within a Solo.
[[nodiscard]] Ranks& ranks();
/// Null: one rank. What is given must outlive its use. Before any simulation is made.
void set_ranks(Ranks* all);

/// While it lives, this rank works alone: what it calls runs as in a program of one rank. By one thread.
class Solo {
public:
    Solo();
    ~Solo();
    Solo(const Solo&) = delete;
    Solo& operator=(const Solo&) = delete;

private:
    Ranks* before_;
};

/// The share of this rank of n things: equal ranges, in the order of ranks.
struct OwnRange {
    std::size_t begin, end;
    [[nodiscard]] std::size_t size() const { return end - begin; }
};
[[nodiscard]] inline OwnRange own_range(std::size_t n)
{
    const auto rank = static_cast<std::size_t>(ranks().rank()), size = static_cast<std::size_t>(ranks().size());
    return {n * rank / size, n * (rank + 1) / size};
}
/// The same in whole chunks, the last of which may be smaller: loops over chunks see those of one rank.
[[nodiscard]] inline OwnRange own_range(std::size_t n, std::size_t chunk)
{
    ABUT_ASSERT(chunk > 0);
    const OwnRange chunks = own_range((n + chunk - 1) / chunk);
    return {chunks.begin * chunk, chunks.end * chunk < n ? chunks.end * chunk : n};
}

/// One value of each rank, in their order.
template <typename T>
[[nodiscard]] std::vector<T> of_all_ranks(const T& own)
{
    static_assert(std::is_trivially_copyable_v<T>);
    if (ranks().size() == 1)
        return {own};
    std::vector<std::size_t> sizes;
    const std::vector<std::byte> bytes = ranks().gather(std::as_bytes(std::span(&own, 1)), sizes);
    std::vector<T> all(sizes.size(), own);
    for (std::size_t k = 0; k < all.size(); ++k) {
        ABUT_ASSERT(sizes[k] == sizeof(T));
        std::memcpy(static_cast<void*>(&all[k]), bytes.data() + k * sizeof(T), sizeof(T));
    }
    return all;
}

/// The lists of all ranks, one behind the other.
template <typename T>
[[nodiscard]] std::vector<T> joined_over_ranks(std::vector<T> own)
{
    static_assert(std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>);
    if (ranks().size() == 1)
        return own;
    std::vector<std::size_t> sizes;
    const std::vector<std::byte> bytes = ranks().gather(std::as_bytes(std::span(own)), sizes);
    std::vector<T> all(bytes.size() / sizeof(T));
    if (!bytes.empty())
        std::memcpy(static_cast<void*>(all.data()), bytes.data(), bytes.size());
    return all;
}

[[nodiscard]] inline bool any_rank(bool own)
{
    for (const std::uint8_t each : of_all_ranks(static_cast<std::uint8_t>(own)))
        own = own || each != 0;
    return own;
}

[[nodiscard]] inline double least_over_ranks(double own)
{
    for (const double each : of_all_ranks(own))
        own = each < own ? each : own;
    return own;
}

namespace detail {
/// How the root fared, told to all: those that are not the root throw what it threw.
void agree_with_root(const Error* thrown);
} // namespace detail

/// Calls act() on rank 0, alone. All go on when it is done; where it throws an Error, all throw one that says the same.
template <typename Act>
void on_root(Act&& act)
{
    if (ranks().size() == 1) {
        act();
        return;
    }
    if (ranks().rank() != 0) {
        detail::agree_with_root(nullptr);
        return;
    }
    try {
        const Solo solo;
        act();
    } catch (const Error& error) {
        detail::agree_with_root(&error);
        throw;
    }
    detail::agree_with_root(nullptr);
}

} // namespace abut
