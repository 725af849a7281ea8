# Precompiled headers for Abut's own targets: what nearly every file includes of other people's libraries, parsed once per
# kind of target. They are private, so users of Abut see nothing of them. Files still include what they use; a
# build with -DABUT_PRECOMPILE=OFF, such as `make clang`, shows where one does not.
option(ABUT_PRECOMPILE "Precompile the headers of Eigen, fmt, GoogleTest and others" ${PROJECT_IS_TOP_LEVEL})

set(ABUT_COMMON_HEADERS <algorithm> <array> <cmath> <filesystem> <functional> <map> <memory> <optional> <span> <string>
    <vector> <Eigen/Dense> <Eigen/SparseCore> <fmt/format.h>)

# With these ccache recognises an unchanged precompiled header.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(ABUT_PRECOMPILE_OPTIONS -fpch-preprocess)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(ABUT_PRECOMPILE_OPTIONS "SHELL:-Xclang -fno-pch-timestamp")
endif()

# abut_precompile(<target> <header>...): the common headers and these.
function(abut_precompile target)
  if(ABUT_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${ABUT_COMMON_HEADERS} ${ARGN})
    target_compile_options(${target} PRIVATE ${ABUT_PRECOMPILE_OPTIONS})
  endif()
endfunction()

# abut_reuse_precompiled(<target> <other>): what was precompiled for `other`, which has the same flags.
function(abut_reuse_precompiled target other)
  if(ABUT_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${other})
    target_compile_options(${target} PRIVATE ${ABUT_PRECOMPILE_OPTIONS})
  endif()
endfunction()
