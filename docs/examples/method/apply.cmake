# What docs/adding-a-method.md asks for, done in a copy: the method's file and its two lines.
#     cmake -DSOURCE=... -DCOPY=... -P apply.cmake
file(READ ${SOURCE}/src/methods/method.h header)
string(REPLACE "\n/* The mean distance to the `count` nearest neighbours of a row, or to the last of them alone" "extern const seg_method_row seg_method_nearest_marked;\n\n/* The mean distance to the `count` nearest neighbours of a row, or to the last of them alone"
       new_header "${header}")
file(READ ${SOURCE}/src/selection/registry.c registry)
string(REPLACE "    &seg_method_ncut,\n" "    &seg_method_nearest_marked,\n    &seg_method_ncut,\n" new_registry "${registry}")
if(new_header STREQUAL header OR new_registry STREQUAL registry)
  message(FATAL_ERROR "src/methods/method.h or src/selection/registry.c is not as docs/adding-a-method.md says it is")
endif()
file(WRITE ${COPY}/methods/method.h "${new_header}")
file(WRITE ${COPY}/selection/registry.c "${new_registry}")
configure_file(${SOURCE}/docs/examples/method/nearest_marked.c ${COPY}/methods/nearest_marked.c COPYONLY)
