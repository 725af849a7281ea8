# Unity groups: files that a compiler reads as one, because what they share (pybind11, CLI11, instantiations of the same
# templates) costs each of them more than its own code does. They share a scope too, so names in their unnamed namespaces
# have to differ. For `make clang` each file is compiled by itself, which shows what it forgets to include; -DABUT_UNITY=OFF does
# the same, for work on one file.
option(ABUT_UNITY "Compile groups of small files together" ${ABUT_PRECOMPILE})

# abut_unity(<target> <group> <file>...): the files are one group of the target's.
function(abut_unity target group)
  if(ABUT_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${group})
  endif()
endfunction()

# abut_unity_batches(<target> <size>): groups of <size> files each, in their order. CMake's own groups include files by their
# whole paths, which end up in what GoogleTest's macros name; these include them by paths below the folder, so that a compiler's
# cache that another checkout filled serves this one.
function(abut_unity_batches target size)
  if(NOT ABUT_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/.*[.]cpp$")
  set_source_files_properties(${sources} PROPERTIES HEADER_FILE_ONLY ON)
  list(TRANSFORM sources REPLACE "^${CMAKE_CURRENT_SOURCE_DIR}/(.*)$" "#include <\\1>\n")
  list(LENGTH sources count)
  set(group 0)
  foreach(first RANGE 0 ${count} ${size})
    if(first LESS count)
      list(SUBLIST sources ${first} ${size} files)
      list(JOIN files "" content)
      set(file ${CMAKE_CURRENT_BINARY_DIR}/groups/${target}_${group}.cpp)
      file(CONFIGURE OUTPUT ${file} CONTENT "${content}" @ONLY)
      target_sources(${target} PRIVATE ${file})
      math(EXPR group "${group} + 1")
    endif()
  endforeach()
endfunction()
