#pragma once
// One of several ranks of which the others are not there: what it finds is its share alone.

#include "abut/base/ranks.hpp"

namespace abut::test {

class LoneRank final : public Ranks {
public:
    LoneRank(int rank, int size) : rank_(rank), size_(size) { set_ranks(this); }
    ~LoneRank() override { set_ranks(nullptr); }
    LoneRank(const LoneRank&) = delete;
    LoneRank& operator=(const LoneRank&) = delete;

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int size() const override { return size_; }
    void sum(std::span<double> /*numbers*/) override {}
    [[nodiscard]] std::vector<std::byte>
    gather(std::span<const std::byte> own, std::vector<std::size_t>& sizes) override
    {
        sizes.assign(1, own.size());
        return {own.begin(), own.end()};
    }
    void take_from_root(std::vector<std::byte>& bytes) override { bytes = from_root; }
    /// Equal ranges.
    [[nodiscard]] std::vector<int> partition(const NodeGraph& graph) override
    {
        std::vector<int> owners;
        const std::size_t n = graph.starts.size() - 1;
        for (std::size_t k = 0; k < n; ++k)
            owners.push_back(static_cast<int>(k * size_ / n));
        return owners;
    }

    std::vector<std::byte> from_root{}; ///< what take_from_root() gives

private:
    int rank_, size_;
};

} // namespace abut::test
