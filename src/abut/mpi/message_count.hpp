#pragma once
// What this process sends to others, whoever sends it: MPI's functions are named twice, so that a program may put its
// own in between. Messages between two processes and the calls of collectives are counted; what a collective sends is
// the library's affair.

#include <cstdint>

namespace abut {

struct MessageCount {
    double bytes = 0;            ///< of messages from process to process
    std::int64_t messages = 0;   ///< as many
    std::int64_t reductions = 0; ///< MPI_Allreduce
};

/// So far, by all libraries of the program.
[[nodiscard]] const MessageCount& message_count();

} // namespace abut
