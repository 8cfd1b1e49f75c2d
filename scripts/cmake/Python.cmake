# The Python package pysegment in build/python/: a module that cffi makes of the public headers, and the Python beside it.
# SEGMENT_PYTHON is OFF afterwards where something is missing, and PYTHON_MISSING says what.
set(PYTHON_MISSING "")
if(SEGMENT_PYTHON)
  # Debian's packages for Python belong to Debian's own interpreter, whatever comes first in PATH.
  find_program(SEGMENT_PYTHON_PROGRAM python3 PATHS /usr/bin NO_DEFAULT_PATH)
  find_program(SEGMENT_PYTHON_PROGRAM python3)
  if(NOT SEGMENT_PYTHON_PROGRAM)
    set(PYTHON_MISSING python3-dev python3-cffi python3-numpy)
  else()
    execute_process(COMMAND "${SEGMENT_PYTHON_PROGRAM}" -c "import sysconfig; print(sysconfig.get_path('include'))"
                    OUTPUT_VARIABLE PYTHON_INCLUDE OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT EXISTS "${PYTHON_INCLUDE}/Python.h")
      list(APPEND PYTHON_MISSING python3-dev)
    endif()
    foreach(module cffi numpy)
      execute_process(COMMAND "${SEGMENT_PYTHON_PROGRAM}" -c "import ${module}" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
      if(failed)
        list(APPEND PYTHON_MISSING python3-${module})
      endif()
    endforeach()
  endif()
  if(PYTHON_MISSING)
    list(JOIN PYTHON_MISSING " " packages)
    message(WARNING "pysegment is left out: on Debian, apt-get install ${packages}; -DSEGMENT_PYTHON=OFF leaves it out "
                    "without this warning.")
    set(SEGMENT_PYTHON OFF)
  endif()
endif()

if(SEGMENT_PYTHON)
  set(PYTHON_SOURCE "${PROJECT_SOURCE_DIR}/src/python")
  set(PYTHON_FOLDER "${PROJECT_BINARY_DIR}/python") # for PYTHONPATH
  set(binding "${PROJECT_BINARY_DIR}/python-binding/_binding.c")
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/python-binding")
  file(GLOB public_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/segment/*.h")
  add_custom_command(OUTPUT "${binding}" DEPENDS "${PYTHON_SOURCE}/binding.py" "${PYTHON_SOURCE}/progress.c" ${public_headers}
    COMMAND "${CMAKE_COMMAND}" -E env PYTHONDONTWRITEBYTECODE=1
            "${SEGMENT_PYTHON_PROGRAM}" "${PYTHON_SOURCE}/binding.py" "${PROJECT_SOURCE_DIR}/include" "${binding}" VERBATIM)
  # One module for every version of Python from 3.11 on: cffi keeps to the stable interface.
  add_library(pysegment_binding MODULE "${binding}")
  set_target_properties(pysegment_binding PROPERTIES PREFIX "" OUTPUT_NAME "_binding.abi3" C_EXTENSIONS ON
                        LIBRARY_OUTPUT_DIRECTORY "${PYTHON_FOLDER}/pysegment" C_VISIBILITY_PRESET default)
  target_include_directories(pysegment_binding SYSTEM PRIVATE "${PYTHON_INCLUDE}")
  target_link_libraries(pysegment_binding PRIVATE segment_shared)
  if(SEGMENT_SANITIZE)
    target_compile_options(pysegment_binding PRIVATE -fsanitize=address,undefined -fno-omit-frame-pointer -g)
    target_link_options(pysegment_binding PRIVATE -fsanitize=address,undefined)
  elseif(SEGMENT_TSAN)
    target_compile_options(pysegment_binding PRIVATE -fsanitize=thread -g)
    target_link_options(pysegment_binding PRIVATE -fsanitize=thread)
  endif()
  file(GLOB files CONFIGURE_DEPENDS RELATIVE "${PYTHON_SOURCE}/pysegment" "${PYTHON_SOURCE}/pysegment/*.py"
       "${PYTHON_SOURCE}/pysegment/*.pyi" "${PYTHON_SOURCE}/pysegment/py.typed")
  set(copies)
  foreach(file IN LISTS files)
    add_custom_command(OUTPUT "${PYTHON_FOLDER}/pysegment/${file}" DEPENDS "${PYTHON_SOURCE}/pysegment/${file}"
      COMMAND "${CMAKE_COMMAND}" -E copy "${PYTHON_SOURCE}/pysegment/${file}" "${PYTHON_FOLDER}/pysegment/${file}" VERBATIM)
    list(APPEND copies "${PYTHON_FOLDER}/pysegment/${file}")
  endforeach()
  add_custom_target(pysegment ALL DEPENDS ${copies})
  add_dependencies(pysegment pysegment_binding)
endif()
