# What is installed where, in parts: the program, the shared library for those who run what uses it, and what one needs to
# build with it; in packages also Python's. A Debian package is made of each (Debian.cmake).
include(CMakePackageConfigHelpers)

install(TARGETS segment_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
if(SEGMENT_PAINT)
  install(TARGETS segment_paint_program RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/segment COMPONENT program)
endif()
install(TARGETS segment_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
        NAMELINK_COMPONENT development)
install(TARGETS segment_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY include/segment DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)

# install_text(FILE NAME FOLDER COMPONENT): a text, packed where a Debian package wants it so.
function(install_text file name folder component)
  if(NOT SEGMENT_PACKAGE)
    install(FILES "${file}" DESTINATION ${folder} RENAME ${name} COMPONENT ${component})
    return()
  endif()
  set(packed "${PROJECT_BINARY_DIR}/packed/${component}-${name}.gz")
  add_custom_command(OUTPUT "${packed}" DEPENDS "${file}" COMMAND gzip -9nc "${file}" > "${packed}" VERBATIM)
  add_custom_target(packed_${component}_${name} ALL DEPENDS "${packed}")
  install(FILES "${packed}" DESTINATION ${folder} RENAME ${name}.gz COMPONENT ${component})
endfunction()
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/packed")

file(GLOB MANUAL_PAGES CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/*.[13]")
foreach(page IN LISTS MANUAL_PAGES)
  get_filename_component(name "${page}" NAME)
  string(REGEX REPLACE ".*[.]" "" section "${name}")
  set(component_1 program)
  set(component_3 development)
  install_text("${page}" ${name} ${CMAKE_INSTALL_MANDIR}/man${section} ${component_${section}})
endforeach()

# Completion. Debian's zsh looks below share/zsh in a folder of another name.
set(FOLDER_zsh ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
if(SEGMENT_PACKAGE)
  set(FOLDER_zsh ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
endif()
set(COMPLETION "${PROJECT_SOURCE_DIR}/src/cli/help/completion/segment")
install(FILES "${COMPLETION}.bash" DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME segment
        COMPONENT program)
install(FILES "${COMPLETION}.zsh" DESTINATION ${FOLDER_zsh} RENAME _segment COMPONENT program)
install(FILES "${COMPLETION}.fish" DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)

# What others find the library by: pkg-config and find_package(segment). Both take the prefix from where they are
# themselves, so that an installed folder may be moved; in a package it is fixed.
set(PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
if(NOT SEGMENT_PACKAGE)
  file(RELATIVE_PATH up "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
  string(REGEX REPLACE "/$" "" PC_PREFIX "\${pcfiledir}/${up}")
endif()
configure_file("${PROJECT_SOURCE_DIR}/scripts/cmake/segment.pc.in" "${PROJECT_BINARY_DIR}/segment.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/segment.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
set(PACKAGE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/segment)
configure_package_config_file("${PROJECT_SOURCE_DIR}/scripts/cmake/segmentConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/segmentConfig.cmake" INSTALL_DESTINATION ${PACKAGE_FOLDER}
                              PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/segmentConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/segmentConfig.cmake" "${PROJECT_BINARY_DIR}/segmentConfigVersion.cmake"
        DESTINATION ${PACKAGE_FOLDER} COMPONENT development)

# Python's package is Debian's own (python3-pysegment); elsewhere pip installs it from src/python.
if(SEGMENT_PACKAGE AND SEGMENT_PYTHON)
  set(PYTHON_INSTALL lib/python3/dist-packages/pysegment)
  install(TARGETS pysegment_binding LIBRARY DESTINATION ${PYTHON_INSTALL} COMPONENT python)
  install(DIRECTORY src/python/pysegment/ DESTINATION ${PYTHON_INSTALL} COMPONENT python
          FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
endif()
