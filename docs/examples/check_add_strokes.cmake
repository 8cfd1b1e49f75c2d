# Fewer strokes, then all: more doubt, then less; a file that is no picture is said to be none.
set(photo ${IMAGES}/chelsea.jpg)
set(few ${CMAKE_CURRENT_LIST_DIR}/../tutorial/chelsea-one.png)
set(all ${IMAGES}/chelsea-marks.png)
execute_process(COMMAND ${EXAMPLE} ${photo} ${few} ${all}
                RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE complaint)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "exit code ${code}: ${complaint}")
endif()
if(NOT said MATCHES "chelsea-one.png: 2 regions, [1-9] areas of doubt.*chelsea-marks.png: 2 regions, 0 areas of doubt")
  message(FATAL_ERROR "unexpected: ${said}")
endif()

execute_process(COMMAND ${EXAMPLE} ${photo} ${CMAKE_CURRENT_LIST_FILE}
                RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE complaint)
if(NOT code EQUAL 1 OR NOT complaint MATCHES "add_strokes: unfit input: ")
  message(FATAL_ERROR "a text file as strokes: exit code ${code}: ${complaint}")
endif()
