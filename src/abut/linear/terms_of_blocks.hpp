#pragma once
// Which terms touch a block of unknowns: the stencils, turned round. Made in one pass, for stencils that stay a while.

#include "abut/linear/stencils.hpp"

#include "abut/base/assert.hpp"

namespace abut {

class TermsOfBlocks {
public:
    TermsOfBlocks(const Stencils& stencils, int num_blocks) : starts_(std::size_t(num_blocks) + 1, 0)
    {
        ABUT_ASSERT(stencils.vertex_bound() <= num_blocks);
        for (std::size_t term = 0; term < stencils.size(); ++term)
            for (const int block : stencils[term])
                ++starts_[block + 1];
        for (int block = 0; block < num_blocks; ++block)
            starts_[block + 1] += starts_[block];
        terms_.resize(starts_.back());
        std::vector<std::int64_t> next(starts_.begin(), starts_.end() - 1);
        for (std::size_t term = 0; term < stencils.size(); ++term)
            for (const int block : stencils[term])
                terms_[next[block]++] = static_cast<int>(term);
    }

    /// By rising number.
    [[nodiscard]] std::span<const int> operator[](int block) const
    {
        ABUT_ASSERT(block >= 0 && block + 1 < static_cast<int>(starts_.size()));
        return {terms_.data() + starts_[block], terms_.data() + starts_[block + 1]};
    }

private:
    std::vector<std::int64_t> starts_;
    std::vector<int> terms_;
};

} // namespace abut
