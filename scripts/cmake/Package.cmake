# What others find an installed library by: pkg-config and find_package(segment).
include(CMakePackageConfigHelpers)
# At install time, so that cmake --install --prefix is followed.
install(CODE "
  set(CMAKE_INSTALL_LIBDIR \"${CMAKE_INSTALL_LIBDIR}\")
  set(CMAKE_INSTALL_INCLUDEDIR \"${CMAKE_INSTALL_INCLUDEDIR}\")
  set(PROJECT_VERSION \"${PROJECT_VERSION}\")
  set(PROJECT_DESCRIPTION \"${PROJECT_DESCRIPTION}\")
  configure_file(\"${PROJECT_SOURCE_DIR}/scripts/cmake/segment.pc.in\" \"${PROJECT_BINARY_DIR}/segment.pc\" @ONLY)")
install(FILES "${PROJECT_BINARY_DIR}/segment.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
set(PACKAGE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/segment)
configure_package_config_file("${PROJECT_SOURCE_DIR}/scripts/cmake/segmentConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/segmentConfig.cmake" INSTALL_DESTINATION ${PACKAGE_FOLDER}
                              PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/segmentConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/segmentConfig.cmake" "${PROJECT_BINARY_DIR}/segmentConfigVersion.cmake"
        DESTINATION ${PACKAGE_FOLDER})
