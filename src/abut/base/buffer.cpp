#include "abut/base/buffer.hpp"

#include "abut/base/idle_blocks.hpp"

#include <cstdint>
#include <cstdlib>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace abut::detail {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20, cache_line = 64;
// With fewer than four huge pages, the unused part of the last one is too large a share.
constexpr std::size_t least_in_huge_pages = 4 * huge_page;

std::size_t rounded_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

void* allocate(std::size_t bytes, std::size_t unit)
{
    void* memory = std::aligned_alloc(unit, bytes);
#ifdef MADV_HUGEPAGE
    if (memory != nullptr && unit == huge_page)
        madvise(memory, bytes, MADV_HUGEPAGE); // a wish: nothing depends on it
#endif
    return memory;
}

} // namespace

void* allocate_pages(std::size_t count, std::size_t element_size)
{
    constexpr std::size_t address_space = std::size_t{1} << 47; // of a process, in bytes
    if (count > address_space / element_size)
        throw std::bad_alloc();
    const std::size_t bytes = count * element_size;
    if (bytes < least_in_huge_pages) {
        void* memory = allocate(rounded_up(bytes, cache_line), cache_line);
        if (memory == nullptr)
            throw std::bad_alloc();
        return memory;
    }
    const std::size_t rounded = rounded_up(bytes, huge_page);
    if (void* memory = take_idle_block(rounded))
        return memory;
    void* memory = allocate(rounded, huge_page);
    if (memory == nullptr && free_idle_blocks() > 0) // what is kept may be what is missing
        memory = allocate(rounded, huge_page);
    if (memory == nullptr)
        throw std::bad_alloc();
    try {
        note_block(memory, rounded);
    } catch (...) {
        std::free(memory);
        throw;
    }
    return memory;
}

void free_pages(void* memory) noexcept
{
    // Blocks in huge pages are aligned to them; others rarely are, and are none of those that were noted.
    const bool may_be_noted = memory != nullptr && reinterpret_cast<std::uintptr_t>(memory) % huge_page == 0;
    if (!may_be_noted || !give_back_block(memory))
        std::free(memory);
}

} // namespace abut::detail
