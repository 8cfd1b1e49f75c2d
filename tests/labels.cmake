# What tests are left to some runs of CI (ctest's -L and -LE).
#
# numbers   What stands on BLAS and LAPACK: run again with OpenBLAS's kernels for other processors
#           (scripts/check-processors.sh). Of the sweeps those that reach OpenBLAS's kernels for small matrices and LAPACKE.
#           Not test_extent, whose distances no BLAS computes, nor cli_test_replay: that a run repeated has the same bytes
#           cli_test_same_bytes shows.
# long      What takes longest: left out with the sanitizers and on a second release of Debian, since other tests run the
#           same code on less, and with other processors' kernels.
# measures  Measures of accuracy and time. All code they run is run by other tests, too, and what they find is the same, or
#           means nothing, with the sanitizers and on a second release of Debian, where CI leaves them out.
# anywhere  What is long and does not touch what differs between releases of Debian: left out on a second one.
# browser   Pages in a browser, which CI has outside of its roots with node and npm, and runs once there.
# readers   What other programs (shells, Python, NumPy) make of segment's output, which is the same with the sanitizers:
#           left out with them, not on a second release, where these programs are others.
set(NUMBERS linalg lanczos laplacian spectrum full_graph graph neighbours kmeans discretise ccskl ccsr enpakl monotone_qp
            psd_quadratic sdp sdp_kernels spectral_learning sskk methods session auto walk_forest statistics mixture
            balance chromaticity)
list(TRANSFORM NUMBERS PREPEND test_)
list(APPEND NUMBERS sweep_graph sweep_methods cli_test_same_bytes)
set(LONG test_first_strokes test_outline test_spectrum test_spectral_learning test_protocols test_photo test_few_pairs test_balance test_float_rows test_sskk_starts stroke_files python_long
         cli_test_experiment cli_test_reproduce cli_test_reference
         cli_test_regions cli_test_plain_images cli_test_outputs cli_test_names cli_test_races cli_test_limits cli_test_full_graph cli_test_paint_files cli_test_eval cli_test_tiled cli_test_video
         docs_tutorial sweep_disk)
set(MEASURES bench_solvers bench_vectors bench_processes bench_scale bench_curves bench_session accuracy_images
             wrong_seeds_images)
set(READERS cli_test_export_read cli_test_completion cli_test_manual cli_test_reference python_docs python_install)

set(BROWSER browser_paint browser_paint_firefox cli_test_eval_page)

# What takes longest begins first, so that no processor is idle at the end.
set(FIRST ${LONG} ${BROWSER} cli_random_runs sweep_photo sweep_damaged sweep_damaged_record sweep_kernels sweep_memory_batch sweep_memory_photo sweep_memory_cluster
          test_psd_quadratic test_full_graph test_neighbours cli_test_same_bytes cli_test_reference python_package python_docs wrong_seeds_images
          accuracy_images bench_memory bench_processes)

set(ANYWHERE test_limits test_approximate test_many_contexts test_seeds_of_pairs test_islands test_thin test_strokes
             cli_random_runs cli_test_channels cli_test_batch_shared cli_test_variants cli_test_cluster cli_test_float_table
             cli_test_odd_marks bench_memory)

# Every sweep, of which those of numbers reach into libraries, looks at our own code only.
function(is_anywhere name out)
  if(name IN_LIST ANYWHERE OR (name MATCHES "^sweep_" AND NOT name IN_LIST NUMBERS))
    set(${out} TRUE PARENT_SCOPE)
  else()
    set(${out} FALSE PARENT_SCOPE)
  endif()
endfunction()

# Label this folder's tests.
function(label_tests)
  get_property(tests DIRECTORY PROPERTY TESTS)
  foreach(name IN LISTS tests)
    if(name IN_LIST FIRST)
      set_property(TEST ${name} PROPERTY COST 100)
    endif()
    is_anywhere(${name} anywhere)
    if(anywhere)
      set_property(TEST ${name} APPEND PROPERTY LABELS anywhere)
    endif()
    foreach(label NUMBERS LONG MEASURES READERS BROWSER)
      if(name IN_LIST ${label})
        string(TOLOWER ${label} word)
        set_property(TEST ${name} APPEND PROPERTY LABELS ${word})
      endif()
    endforeach()
  endforeach()
endfunction()
