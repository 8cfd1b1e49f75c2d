# Fewer strokes, then all: more ambiguous regions, then fewer; a file that is not an image is refused.
set(photo ${IMAGES}/chelsea.jpg)
set(few ${CMAKE_CURRENT_LIST_DIR}/../tutorial/chelsea-one.png)
set(all ${IMAGES}/chelsea-scribbles.png)
execute_process(COMMAND ${EXAMPLE} ${photo} ${few} ${all}
                RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE complaint)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "exit code ${code}: ${complaint}")
endif()
if(NOT said MATCHES "chelsea-one.png: 2 regions, ambiguous: [1-9].*chelsea-scribbles.png: 2 regions, ambiguous: 0")
  message(FATAL_ERROR "unexpected: ${said}")
endif()

execute_process(COMMAND ${EXAMPLE} ${photo} ${CMAKE_CURRENT_LIST_FILE}
                RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE complaint)
if(NOT code EQUAL 1 OR NOT complaint MATCHES "add_strokes: unfit input: ")
  message(FATAL_ERROR "a text file as strokes: exit code ${code}: ${complaint}")
endif()
