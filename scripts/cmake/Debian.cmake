# Debian packages by cpack -G DEB: segment, libsegment0, libsegment-dev and python3-pysegment.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME segment)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The authors of segment <authors@segment.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # one a package, below
set(CPACK_PACKAGING_INSTALL_PREFIX "${CMAKE_INSTALL_PREFIX}")
set(CPACK_SET_DESTDIR ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)

set(CPACK_COMPONENTS_ALL program library development)
if(SEGMENT_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME segment)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION graphics)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "cut images into regions from a few scribbles
segment takes an image and one thin stroke or a few in each region, drawn
in any paint program, and gives back a mask at full resolution and an overlay.
The strokes become must-link and cannot-link constraints on small patches,
from which a kernel is learned and spread over a graph. It needs no training,
no GPU and no network.
.
It also clusters vectors and graphs under constraints, asks a person for
constraints, and runs experiments of papers on constrained clustering.")

# What is loaded late is recommended only: without it, its files are refused with a sentence that names it.
list(JOIN LATE_LIBRARIES ", " CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "${CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS}")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS ffmpeg)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libsegment0)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "regions of images and clusters under constraints - library
libsegment cuts images into regions from a few scribbles and clusters
vectors, graphs and kernels under must-link and cannot-link constraints.
.
This package has the shared library.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libsegment-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libsegment0 (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "regions of images and clusters under constraints - development
libsegment cuts images into regions from a few scribbles and clusters
vectors, graphs and kernels under must-link and cannot-link constraints.
.
This package has the headers, the static library, and what pkg-config and
CMake find them by.")

# The module keeps to Python's stable interface, so one package serves all versions. dpkg-shlibdeps does not know libsegment0,
# which is made in the same run.
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-pysegment)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "libc6 (>= 2.36), libsegment0 (= ${PROJECT_VERSION}), python3 (>= 3.11), python3-cffi-backend, python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-scipy, python3-sklearn")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/scripts/debian/postinst;${PROJECT_SOURCE_DIR}/scripts/debian/prerm")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "regions of images and clusters under constraints - Python
libsegment cuts images into regions from a few scribbles and clusters
vectors, graphs and kernels under must-link and cannot-link constraints.
.
This package has pysegment: NumPy arrays in and out, sessions for interactive
work, and estimators with the conventions of scikit-learn.")

# Each package tells its licence and what has changed.
set(CHANGELOG "${PROJECT_BINARY_DIR}/changelog")
add_custom_command(OUTPUT "${CHANGELOG}" DEPENDS "${PROJECT_SOURCE_DIR}/docs/CHANGELOG.md"
                   "${PROJECT_SOURCE_DIR}/scripts/debian-changelog.sh"
  COMMAND "${PROJECT_SOURCE_DIR}/scripts/debian-changelog.sh" "${PROJECT_SOURCE_DIR}/docs/CHANGELOG.md"
          "${CPACK_PACKAGE_CONTACT}" > "${CHANGELOG}" VERBATIM)
foreach(part IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${part} upper)
  set(folder ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  install(FILES "${PROJECT_SOURCE_DIR}/scripts/copyright" DESTINATION ${folder} COMPONENT ${part})
  install_text("${CHANGELOG}" changelog ${folder} ${part})
endforeach()

set(CPACK_POST_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/scripts/cmake/DebianFinish.cmake")
include(CPack)
