/* Variables that are freed where their block ends. */
#ifndef TESTS_SCOPED_H
#define TESTS_SCOPED_H

#include <stdlib.h>

/* SCOPED(seg_matrix) X; is freed with seg_matrix_free(&X) where its block ends (but not where a failed
 * assertion leaves it). */
#define SCOPED(type) __attribute__((cleanup(type##_free))) type

/* AUTOFREE double *x = malloc(...); goes through free() where its block ends. */
#define AUTOFREE __attribute__((cleanup(check_free)))
static inline void check_free(void *pointer) {
    free(*(void **)pointer);
}

#endif
