#include "abut/base/buffer.hpp"
#include "abut/base/idle_blocks.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <new>
#include <vector>

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

TEST(Buffer, LargeOnesTakeMemoryThatWasGivenBack)
{
    detail::free_idle_blocks();
    constexpr std::size_t size = 1'200'000; // 10 MB: kept by machines of half a gigabyte and more
    const void* memory = nullptr;
    {
        const Buffer<double> first(size);
        memory = first.data();
    }
    {
        const Buffer<double> larger(size + 300'000); // by more than a huge page
        EXPECT_NE(static_cast<const void*>(larger.data()), memory);
        Buffer<double> second(size - 1000);
        EXPECT_EQ(static_cast<const void*>(second.data()), memory);
        second[0] = second[size - 1001] = 1; // the pages are there, whatever became of them in between
        const Buffer<double> third(size);    // while the second is in use there is none to take
        EXPECT_NE(static_cast<const void*>(third.data()), memory);
    }
    EXPECT_GT(detail::free_idle_blocks(), 2 * size * sizeof(double));
    EXPECT_EQ(detail::free_idle_blocks(), 0u);
}

TEST(Buffer, WhatIsKeptHasABound)
{
    detail::free_idle_blocks();
    {
        std::vector<Buffer<double>> many;
        for (int i = 0; i < 40; ++i)
            many.emplace_back(4'000'000);
    }
    EXPECT_LE(detail::free_idle_blocks(), std::size_t{512} << 20);
    {
        const Buffer<double> huge((std::size_t{513} << 20) / sizeof(double));
    }
    EXPECT_EQ(detail::free_idle_blocks(), 0u) << "larger than all that may be kept";
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
