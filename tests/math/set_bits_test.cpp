#include "abut/math/set_bits.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace abut::test {

TEST(SetBits, AreTheNumbersOfTheBitsOfEveryMask)
{
    for (unsigned mask = 0; mask < 256; ++mask) {
        std::array<int, 8> stored{};
        const std::size_t count = store_set_bits(mask, 40, stored.data());
        std::vector<int> expected;
        for (int k = 0; k < 8; ++k)
            if ((mask >> k & 1) != 0)
                expected.push_back(40 + k);
        EXPECT_EQ(std::vector(stored.begin(), stored.begin() + static_cast<std::ptrdiff_t>(count)), expected) << mask;
    }
}

} // namespace abut::test
