#include "linalg/blas_threads.h"

#include <pthread.h>

/* Weak: absent from other BLAS libraries. */
extern int openblas_get_num_threads(void) __attribute__((weak));
extern void openblas_set_num_threads(int threads) __attribute__((weak));
extern int openblas_get_parallel(void) __attribute__((weak));

/* OpenBLAS built without threads must not be called by two threads at once: some results are then wrong. So one thread
 * holds it at a time, from its first begin to its last end. */
static pthread_mutex_t alone = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static int needs_to_be_alone(void) {
    return openblas_get_parallel && openblas_get_parallel() == 0;
}

/* OpenBLAS has one number of threads for the whole process, so the calls of all threads are counted together: the first
 * begin sets it, the last end restores it. No other state is kept. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users, remembered = 1;

int seg_blas_begin(void) {
    if (needs_to_be_alone())
        pthread_mutex_lock(&alone);
    pthread_mutex_lock(&lock);
    if (users++ == 0) {
        remembered = openblas_get_num_threads ? openblas_get_num_threads() : 1;
        if (remembered > 1 && openblas_set_num_threads)
            openblas_set_num_threads(1);
    }
    int before = remembered;
    pthread_mutex_unlock(&lock);
    return before;
}

void seg_blas_end(int before) {
    pthread_mutex_lock(&lock);
    if (--users == 0 && before > 1 && openblas_set_num_threads)
        openblas_set_num_threads(before);
    pthread_mutex_unlock(&lock);
    if (needs_to_be_alone())
        pthread_mutex_unlock(&alone);
}

/* The OpenMP run-time library, if a dependency has loaded it: it is not linked. The setting is per thread, in OpenMP
 * 5.0 and since GCC 11. */
extern int omp_get_max_active_levels(void) __attribute__((weak));
extern void omp_set_max_active_levels(int levels) __attribute__((weak));

int seg_openmp_begin(void) {
    if (!omp_get_max_active_levels || !omp_set_max_active_levels)
        return -1;
    const int before = omp_get_max_active_levels();
    omp_set_max_active_levels(0); /* every parallel region runs on one thread */
    return before;
}

void seg_openmp_end(int before) {
    if (before >= 0)
        omp_set_max_active_levels(before);
}
