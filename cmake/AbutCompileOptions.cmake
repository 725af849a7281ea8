# Flags for Abut's own targets, as a target that is linked privately and never exported.
add_library(abut_options INTERFACE)

target_compile_options(abut_options INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor)
if(ABUT_WERROR)
  target_compile_options(abut_options INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports false positives of these inside Eigen's inlined loops.
  target_compile_options(abut_options INTERFACE -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow)
endif()

if(ABUT_NATIVE)
  set(ABUT_ARCH_FLAG -march=native)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(ABUT_ARCH_FLAG -march=${ABUT_ARCH})
  if(ABUT_ARCH STREQUAL "x86-64-v3" AND EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo ABUT_CPU_FLAGS REGEX "^flags" LIMIT_COUNT 1)
    if(ABUT_CPU_FLAGS AND NOT ABUT_CPU_FLAGS MATCHES " avx2 ")
      message(WARNING "This CPU has no AVX2, so the programs built here will not run on it. "
                      "Configure with -DABUT_NATIVE=ON, or -DABUT_ARCH=x86-64 for any x86-64 CPU.")
    endif()
  endif()
endif()
target_compile_options(abut_options INTERFACE ${ABUT_ARCH_FLAG})

if(ABUT_SANITIZE)
  add_compile_options(-fsanitize=${ABUT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${ABUT_SANITIZE})
  if(ABUT_SANITIZE MATCHES "undefined" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # Relative to where compilers run, as what else depends on the place of the checkout is not found in caches.
    file(RELATIVE_PATH ABUT_IGNORELIST ${CMAKE_BINARY_DIR} ${CMAKE_CURRENT_LIST_DIR}/ubsan-ignorelist.txt)
    add_compile_options(-fsanitize-ignorelist=${ABUT_IGNORELIST})
  endif()
endif()

find_program(ABUT_CCACHE ccache)
if(ABUT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # ccache cannot see which macros precompiled headers define and whether they use __TIME__; ours do not use it.
  set(ABUT_CCACHE_SETTINGS CCACHE_SLOPPINESS=pch_defines,time_macros)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR NOT ABUT_PRECOMPILE)
    # What one checkout has compiled serves the others. Not with precompiled headers of clang, which name the files that
    # they were made of.
    list(APPEND ABUT_CCACHE_SETTINGS CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1)
  endif()
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env ${ABUT_CCACHE_SETTINGS} ${ABUT_CCACHE})
endif()
