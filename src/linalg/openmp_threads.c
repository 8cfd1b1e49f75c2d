#include "linalg/openmp_threads.h"

/* Of the run-time library that a dependency has loaded, if any: it is not linked. The number belongs to the thread that
 * sets it, by OpenMP 5.0 and since GCC 11. */
extern int omp_get_max_active_levels(void) __attribute__((weak));
extern void omp_set_max_active_levels(int levels) __attribute__((weak));

int seg_openmp_begin(void) {
    if (!omp_get_max_active_levels || !omp_set_max_active_levels)
        return -1;
    const int before = omp_get_max_active_levels();
    omp_set_max_active_levels(0); /* no region is more than one thread */
    return before;
}

void seg_openmp_end(int before) {
    if (before >= 0)
        omp_set_max_active_levels(before);
}
