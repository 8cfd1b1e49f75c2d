#include "linalg/blas_threads.h"

#include <pthread.h>

/* Weak: absent from other BLAS libraries. */
extern int openblas_get_num_threads(void) __attribute__((weak));
extern void openblas_set_num_threads(int threads) __attribute__((weak));

/* OpenBLAS has one number of threads for the whole process, so the calls of all threads must be counted together:
 * the first to begin sets it, the last to end puts it back. Nothing but that count is kept. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users, remembered = 1;

int seg_blas_begin(void) {
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
}
