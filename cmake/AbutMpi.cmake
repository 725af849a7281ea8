# One simulation over several processes: the library abut::mpi and the program abut-mpi. Debian: scripts/install-deps --mpi.
find_package(MPI REQUIRED COMPONENTS CXX)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ABUT_PETSC REQUIRED IMPORTED_TARGET PETSc>=3.17)
if(NOT ABUT_METIS_INCLUDE OR NOT ABUT_METIS_LIBRARY)
  message(FATAL_ERROR "abut-mpi needs METIS; install libmetis-dev, or build with -DABUT_BUILD_MPI=OFF")
endif()

file(GLOB ABUT_MPI_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/abut/mpi/*.cpp)
add_library(abut_mpi STATIC ${ABUT_MPI_SOURCES})
add_library(abut::mpi ALIAS abut_mpi)
# MPI's C interface alone: that for C++ was removed from the standard
target_compile_definitions(abut_mpi PUBLIC OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
target_include_directories(abut_mpi SYSTEM PRIVATE ${ABUT_METIS_INCLUDE})
target_link_libraries(
  abut_mpi PUBLIC abut_sim abut MPI::MPI_CXX PRIVATE abut_options PkgConfig::ABUT_PETSC ${ABUT_METIS_LIBRARY})

add_subdirectory(apps/abut-mpi)
enable_testing()
add_subdirectory(tests/mpi)
