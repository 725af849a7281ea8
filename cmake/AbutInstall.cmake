# cmake --install puts down a package that find_package(abut CONFIG) finds.
include(CMakePackageConfigHelpers)
set(ABUT_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/abut)

install(TARGETS abut abut_sim EXPORT abutTargets)
install(DIRECTORY src/abut/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/abut FILES_MATCHING PATTERN "*.hpp")
install(FILES ${CMAKE_BINARY_DIR}/generated/abut/base/version.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/abut/base)
install(EXPORT abutTargets NAMESPACE abut:: DESTINATION ${ABUT_CMAKE_DIR})
configure_package_config_file(cmake/abutConfig.cmake.in ${CMAKE_BINARY_DIR}/abutConfig.cmake
                              INSTALL_DESTINATION ${ABUT_CMAKE_DIR})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/abutConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/abutConfig.cmake ${CMAKE_BINARY_DIR}/abutConfigVersion.cmake DESTINATION ${ABUT_CMAKE_DIR})
install(FILES schema/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/abut)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
