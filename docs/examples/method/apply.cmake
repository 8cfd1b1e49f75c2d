# What docs/adding-a-method.md asks for, done in a copy: the method's file and its line.
#     cmake -DSOURCE=... -DCOPY=... -P apply.cmake
file(READ ${SOURCE}/src/selection/registry.c registry)
string(REPLACE "    METHOD(ncut) \\\n" "    METHOD(nearest_marked) \\\n    METHOD(ncut) \\\n" new_registry "${registry}")
if(new_registry STREQUAL registry)
  message(FATAL_ERROR "src/selection/registry.c is not as docs/adding-a-method.md says it is")
endif()
file(WRITE ${COPY}/selection/registry.c "${new_registry}")
configure_file(${SOURCE}/docs/examples/method/nearest_marked.c ${COPY}/methods/nearest_marked.c COPYONLY)
