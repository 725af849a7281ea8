#pragma once
// One of several ranks of which the others are not there: what it finds is its share alone.

#include "abut/base/ranks.hpp"

#include <gtest/gtest.h>

namespace abut::test {

class LoneRank final : public Ranks {
public:
    /// `num_nodes`: of the graph that rank 0 gives.
    LoneRank(int rank, int size, int num_nodes = 0) : rank_(rank), size_(size), num_nodes_(num_nodes)
    {
        set_ranks(this);
    }
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
        EXPECT_TRUE(rank_ != 0 || graph.starts.size() == static_cast<std::size_t>(num_nodes_) + 1);
        std::vector<int> owners;
        for (int k = 0; k < num_nodes_; ++k)
            owners.push_back(k * size_ / num_nodes_);
        return owners;
    }

    std::vector<std::byte> from_root{}; ///< what take_from_root() gives

private:
    int rank_, size_, num_nodes_;
};

} // namespace abut::test
