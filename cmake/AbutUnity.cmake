# Unity groups: files that a compiler reads as one, because what they share (pybind11, CLI11, instantiations of the same
# templates) costs each of them more than its own code does. They share a scope too, so names in their unnamed namespaces
# have to differ. Where headers are not precompiled, as for `make clang`, each file is compiled by itself, which shows
# what it forgets to include; -DABUT_UNITY=OFF does the same, for work on one file.
option(ABUT_UNITY "Compile groups of small files together" ${ABUT_PRECOMPILE})

# abut_unity(<target> <group> <file>...): the files are one group of the target's.
function(abut_unity target group)
  if(ABUT_UNITY AND ABUT_PRECOMPILE)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${group})
  endif()
endfunction()

# abut_unity_batches(<target> <size>): groups of <size> files each, in their order.
function(abut_unity_batches target size)
  if(ABUT_UNITY AND ABUT_PRECOMPILE)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE BATCH UNITY_BUILD_BATCH_SIZE ${size})
  endif()
endfunction()
