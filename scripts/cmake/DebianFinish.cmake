# The last touch to the packages, for what cpack has no variable.
foreach(package IN LISTS CPACK_PACKAGE_FILES)
  set(folder "${CPACK_TOPLEVEL_DIRECTORY}/finish")
  set(control "${folder}/DEBIAN/control")
  file(REMOVE_RECURSE "${folder}")
  execute_process(COMMAND dpkg-deb -R "${package}" "${folder}" COMMAND_ERROR_IS_FATAL ANY)

  # OpenBLAS without threads of its own, as the build's: BLAS runs on one thread, and idle workers burn a processor.
  file(READ "${control}" text)
  string(REGEX REPLACE "(, |: )libopenblas0([^-])" "\\1libopenblas0-serial | libopenblas0\\2" text "${text}")
  file(WRITE "${control}" "${text}")

  # ldconfig runs by a trigger instead of scripts of the package's own, and symbols are listed for dpkg-shlibdeps.
  if(package MATCHES "/libsegment0_")
    file(REMOVE "${folder}/DEBIAN/postinst" "${folder}/DEBIAN/postrm")
    file(WRITE "${folder}/DEBIAN/triggers" "activate-noawait ldconfig\n")
    file(GLOB_RECURSE library "${folder}/usr/lib/*.so.0")
    execute_process(COMMAND nm -D --defined-only --with-symbol-versions "${library}" OUTPUT_VARIABLE lines
                    COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[^ \n]+@@[^ \n]+" symbols "${lines}")
    list(TRANSFORM symbols REPLACE "(.*)@@(.*)" " \\1@\\2 ${CPACK_PACKAGE_VERSION}")
    list(APPEND symbols " SEGMENT_0@SEGMENT_0 ${CPACK_PACKAGE_VERSION}")
    list(SORT symbols)
    list(JOIN symbols "\n" symbols)
    file(WRITE "${folder}/DEBIAN/symbols" "libsegment.so.0 libsegment0 #MINVER#\n${symbols}\n")
    file(WRITE "${folder}/DEBIAN/shlibs" "libsegment 0 libsegment0 (>= ${CPACK_PACKAGE_VERSION})\n")
    file(CHMOD "${folder}/DEBIAN/triggers" "${folder}/DEBIAN/symbols" "${folder}/DEBIAN/shlibs"
         PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  endif()
  execute_process(COMMAND dpkg-deb -Zxz --root-owner-group -b "${folder}" "${package}" OUTPUT_QUIET
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()
