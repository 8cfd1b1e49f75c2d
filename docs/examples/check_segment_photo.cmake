# The example writes the bytes that the program writes, says what it found, and says what is wrong with a bad file.
set(photo ${IMAGES}/chelsea.jpg)
set(scribbles ${IMAGES}/chelsea-scribbles.png)
set(mask ${FOLDER}/example-mask.png)
set(overlay ${FOLDER}/example-overlay.png)
file(REMOVE ${mask} ${overlay})
execute_process(COMMAND ${EXAMPLE} ${photo} ${scribbles} ${mask} ${overlay}
                RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE progress)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "exit code ${code}: ${progress}")
endif()
if(NOT said MATCHES "^2 regions by [a-z]+\nlabel 1: [0-9.]+ %\nlabel 2: [0-9.]+ %\n$" OR NOT progress MATCHES "100 % mask")
  message(FATAL_ERROR "unexpected: ${said}${progress}")
endif()

execute_process(COMMAND ${SEGMENT} ${photo} --scribbles ${scribbles} -o ${mask}.other --overlay ${overlay}.other -q
                COMMAND_ERROR_IS_FATAL ANY)
foreach(file ${mask} ${overlay})
  execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${file} ${file}.other RESULT_VARIABLE differ)
  if(differ)
    message(FATAL_ERROR "${file} is not what the program writes")
  endif()
endforeach()

execute_process(COMMAND ${EXAMPLE} ${CMAKE_CURRENT_LIST_FILE} ${scribbles} ${mask} ${overlay}
                RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE complaint)
if(NOT code EQUAL 1 OR NOT complaint MATCHES "segment_photo: unfit input: ")
  message(FATAL_ERROR "a text file as image: exit code ${code}: ${complaint}")
endif()
