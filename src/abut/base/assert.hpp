#pragma once
// Assertions are for bugs in Abut, never for input: input is validated at the border in every build (error.hpp).

#include <cassert>

/// Checked in debug and sanitizer builds; costs nothing in release.
#define ABUT_ASSERT(condition) assert(condition)
