# The last touch to the library's package, which cpack has no variable for: ldconfig runs by a trigger instead of
# scripts of the package's own, and the symbols are listed for dpkg-shlibdeps.
foreach(package IN LISTS CPACK_PACKAGE_FILES)
  if(NOT package MATCHES "/libsegment0_")
    continue()
  endif()
  set(folder "${CPACK_TOPLEVEL_DIRECTORY}/finish")
  file(REMOVE_RECURSE "${folder}")
  execute_process(COMMAND dpkg-deb -R "${package}" "${folder}" COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE "${folder}/DEBIAN/postinst" "${folder}/DEBIAN/postrm" "${folder}/DEBIAN/shlibs")
  file(WRITE "${folder}/DEBIAN/triggers" "activate-noawait ldconfig\n")
  file(GLOB_RECURSE libraries "${folder}/usr/lib/*.so.*")
  list(FILTER libraries INCLUDE REGEX "[.]so[.]0$")
  execute_process(COMMAND nm -D --defined-only --with-symbol-versions "${libraries}" OUTPUT_VARIABLE lines
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^ \n]+@@[^ \n]+" symbols "${lines}")
  list(TRANSFORM symbols REPLACE "(.*)@@(.*)" " \\1@\\2 ${CPACK_PACKAGE_VERSION}")
  list(APPEND symbols " SEGMENT_0@SEGMENT_0 ${CPACK_PACKAGE_VERSION}")
  list(REMOVE_DUPLICATES symbols)
  list(SORT symbols)
  list(JOIN symbols "\n" symbols)
  file(WRITE "${folder}/DEBIAN/symbols" "libsegment.so.0 libsegment0 #MINVER#\n${symbols}\n")
  file(WRITE "${folder}/DEBIAN/shlibs" "libsegment 0 libsegment0 (>= ${CPACK_PACKAGE_VERSION})\n")
  file(CHMOD "${folder}/DEBIAN/triggers" "${folder}/DEBIAN/symbols" "${folder}/DEBIAN/shlibs"
       PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  execute_process(COMMAND dpkg-deb -Zxz --root-owner-group -b "${folder}" "${package}" OUTPUT_QUIET
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()
