#pragma once
// Ranks that are processes of MPI (base/ranks.hpp). Sums are added in the order of ranks by those who own a range of
// the numbers, and not by MPI, whose order may differ from call to call.

#include "abut/base/ranks.hpp"

#include <cstdint>

namespace abut {

/// What a rank has sent to others so far.
struct Traffic {
    double bytes = 0, messages = 0;
};

class MpiRanks final : public Ranks {
public:
    /// Of all processes of the program; MPI is initialised.
    MpiRanks();
    ~MpiRanks() override;
    MpiRanks(const MpiRanks&) = delete;
    MpiRanks& operator=(const MpiRanks&) = delete;

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int size() const override { return size_; }
    void sum(std::span<double> numbers) override;
    [[nodiscard]] std::vector<std::byte>
    gather(std::span<const std::byte> own, std::vector<std::size_t>& sizes) override;
    void take_from_root(std::vector<std::byte>& bytes) override;
    /// By METIS, on rank 0.
    [[nodiscard]] std::vector<int> partition(const NodeGraph& graph) override;

    /// Of the calls above.
    [[nodiscard]] const Traffic& traffic() const { return traffic_; }

private:
    void count(std::size_t bytes, std::size_t messages);

    int rank_ = 0, size_ = 1;
    Traffic traffic_;
    std::vector<double> parts_; // of sums, kept for their memory
};

} // namespace abut
