#include "abut/base/checksum.hpp"

#include <gtest/gtest.h>

#include <string>

namespace abut {
namespace {

TEST(Checksum, IsThatOfFnv1aForShortTexts)
{
    EXPECT_EQ(checksum(""), 0xcbf29ce484222325ULL);
    EXPECT_EQ(checksum("a"), 0xaf63dc4c8601ec8cULL);
    EXPECT_EQ(checksum("foobar"), 0x85944171f73967e8ULL);
}

TEST(Checksum, SeesEveryFlippedBit)
{
    std::string bytes(37, 'x'); // whole words and a rest
    const std::uint64_t whole = checksum(bytes);
    for (std::size_t k = 0; k < bytes.size(); ++k)
        for (int bit = 0; bit < 8; ++bit) {
            bytes[k] = static_cast<char>(bytes[k] ^ (1 << bit));
            EXPECT_NE(checksum(bytes), whole) << "bit " << bit << " of byte " << k;
            bytes[k] = static_cast<char>(bytes[k] ^ (1 << bit));
        }
    EXPECT_NE(checksum(bytes + '\0'), whole);
}

} // namespace
} // namespace abut
