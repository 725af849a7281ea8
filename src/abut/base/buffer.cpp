#include "abut/base/buffer.hpp"

#include <cstdint>
#include <cstdlib>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace abut::detail {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20, cache_line = 64;

std::size_t rounded_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

} // namespace

void* allocate_pages(std::size_t count, std::size_t element_size)
{
    constexpr std::size_t address_space = std::size_t{1} << 47; // of a process, in bytes
    if (count > address_space / element_size)
        throw std::bad_alloc();
    const std::size_t bytes = count * element_size;
    // With fewer than four huge pages, the unused part of the last one is too large a share.
    const std::size_t unit = bytes >= 4 * huge_page ? huge_page : cache_line;
    const std::size_t rounded = rounded_up(bytes, unit);
    void* memory = std::aligned_alloc(unit, rounded);
    if (memory == nullptr)
        throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (unit == huge_page)
        madvise(memory, rounded, MADV_HUGEPAGE); // a wish: nothing depends on it
#endif
    return memory;
}

void free_pages(void* memory) noexcept { std::free(memory); }

} // namespace abut::detail
