#pragma once
// How many pairs several tasks have found together, so that an explosion ends before memory does. Internal: for those
// who collect candidates.

#include "abut/detect/pair_kinds.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace abut {

class PairCount {
public:
    PairCount(PairKind kind, std::int64_t max_pairs) : kind_(kind), max_pairs_(max_pairs) {}

    /// To be called now and then by tasks; throws LimitReached where they are more than max_pairs together.
    void add(std::size_t added);

private:
    std::atomic<std::int64_t> count_{0};
    PairKind kind_;
    std::int64_t max_pairs_;
};

} // namespace abut
