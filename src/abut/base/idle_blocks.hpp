#pragma once
// Large blocks of memory that were given back, kept for the next who want one of about that size.
//
// Otherwise the system clears every page anew, and a virtual machine may have to get it from its host first: on one,
// the first touch of 128 MB took 217 to 477 ms, a touch of pages that had been in use 6 to 40 ms. What is computed on
// fresh memory then takes several times as long, or not, from run to run. To tell the system that it may take the pages
// back meanwhile (MADV_FREE) costs a seventh of a Hessian's time, and so is not done; what is kept has a bound instead.

#include <cstddef>

namespace abut::detail {

/// A block of at least this size, and of less than twice; null if there is none.
[[nodiscard]] void* take_idle_block(std::size_t bytes);

/// Notes a new block, which can be given back from now on; throws std::bad_alloc.
void note_block(void* memory, std::size_t bytes);

/// Whether the memory is a block that was noted. It is then kept, and what was kept longest is freed where it has
/// become too much.
[[nodiscard]] bool give_back_block(void* memory) noexcept;

/// Frees all that is kept, for whoever finds too little memory; returns how many bytes that was.
std::size_t free_idle_blocks() noexcept;

} // namespace abut::detail
