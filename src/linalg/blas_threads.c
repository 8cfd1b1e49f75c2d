#include "linalg/blas_threads.h"

/* Weak: absent from other BLAS libraries. */
extern int openblas_get_num_threads(void) __attribute__((weak));
extern void openblas_set_num_threads(int threads) __attribute__((weak));

int seg_blas_begin(void) {
    int before = openblas_get_num_threads ? openblas_get_num_threads() : 1;
    if (before > 1 && openblas_set_num_threads)
        openblas_set_num_threads(1);
    return before;
}

void seg_blas_end(int before) {
    if (before > 1 && openblas_set_num_threads)
        openblas_set_num_threads(before);
}
