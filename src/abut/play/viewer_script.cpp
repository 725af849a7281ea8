#include "abut/play/viewer_script.hpp"

// The assembler copies the file as it is: compilers take long for literals of its size.
asm(".section .rodata\n"
    ".balign 16\n"
    "abut_viewer_script_begin:\n"
    ".incbin \"" ABUT_VIEWER_SCRIPT "\"\n"
    "abut_viewer_script_end:\n"
    ".byte 0\n"
    ".text\n");

extern "C" const char abut_viewer_script_begin[], abut_viewer_script_end[];

namespace abut {

std::string_view viewer_script()
{
    return {abut_viewer_script_begin, static_cast<std::size_t>(abut_viewer_script_end - abut_viewer_script_begin)};
}

} // namespace abut
