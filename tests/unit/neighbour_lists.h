/* Lists of nearest neighbours, for the tests of searches. */
#ifndef TESTS_NEIGHBOUR_LISTS_H
#define TESTS_NEIGHBOUR_LISTS_H

#include "check.h"

typedef struct lists {
    int32_t *neighbour;
    double *distance2;
} lists;

static inline lists lists_make(size_t entries) {
    lists l = {malloc(entries * sizeof(int32_t)), malloc(entries * sizeof(double))};
    assert_true(l.neighbour && l.distance2);
    return l;
}

static inline void lists_free(lists *l) {
    free(l->neighbour);
    free(l->distance2);
}

#endif
