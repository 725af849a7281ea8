#include "abut/base/buffer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <new>

namespace abut::test {
namespace {

TEST(Buffer, KeepsItsMemoryUntilItHasToGrow)
{
    for (const std::size_t size : {1u, 1000u, 5'000'000u}) { // the last one in huge pages
        Buffer<std::int64_t> buffer(size);
        ASSERT_EQ(buffer.size(), size);
        const std::int64_t* memory = buffer.data();
        for (std::size_t i = 0; i < size; ++i)
            buffer[i] = static_cast<std::int64_t>(i);
        buffer.resize(size / 2);
        EXPECT_EQ(buffer.span().size(), size / 2);
        buffer.resize(size);
        EXPECT_EQ(buffer.data(), memory);
        std::int64_t sum = 0;
        for (const std::int64_t number : buffer.span())
            sum += number;
        EXPECT_EQ(sum, static_cast<std::int64_t>(size * (size - 1) / 2));
        buffer.resize(2 * size);
        buffer[2 * size - 1] = 1;
        EXPECT_EQ(buffer.size(), 2 * size);
    }
}

TEST(Buffer, OfAnImpossibleSizeThrowsAndStaysUsable)
{
    Buffer<double> buffer(10);
    for (const std::size_t size : {std::numeric_limits<std::size_t>::max(), std::size_t{1} << 61, std::size_t{1} << 58})
        EXPECT_THROW(buffer.resize(size), std::bad_alloc);
    buffer.resize(10);
    buffer[9] = 3;
    EXPECT_EQ(buffer.span().back(), 3);
}

} // namespace
} // namespace abut::test
