/* A pair that is listed twice says what it says once. */
#include "base/base.h"
#include "constraints/closed.h"
#include "constraints/pair_set.h"

#include <stdlib.h>

typedef struct listed {
    uint64_t key;
    double weight;
    size_t place;
    int sign;
} listed;

static int same_pair(const listed *x, const listed *y) {
    return x->key == y->key && x->sign == y->sign;
}

/* Within a pair by weight, so that sums do not depend on the order of the list. */
static int by_pair(const void *a, const void *b) {
    const listed *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->sign != y->sign)
        return x->sign < y->sign ? -1 : 1;
    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

seg_status seg_constraints_once(seg_context *ctx, seg_constraints *constraints, size_t *repeated) {
    const size_t count = constraints->pairs;
    listed *all = seg_alloc(ctx, count, sizeof *all);
    size_t kept = 0;
    *repeated = 0;
    if (!all)
        return SEG_ERR_MEMORY;
    for (size_t p = 0; p < count; p++) {
        const seg_pair *pair = &constraints->pair[p];
        all[p] = (listed){seg_pair_key(pair->i, pair->j), pair->weight, p, pair->sign};
    }
    qsort(all, count, sizeof *all, by_pair);
    for (size_t first = 0, last; first < count; first = last) {
        size_t place = all[first].place;
        double sum = 0;
        for (last = first; last < count && same_pair(&all[first], &all[last]); last++) {
            sum += all[last].weight / 2; /* two of the largest may not be added up */
            place = all[last].place < place ? all[last].place : place;
        }
        if (last - first == 1)
            continue;
        for (size_t l = first; l < last; l++)
            if (all[l].place != place)
                constraints->pair[all[l].place].sign = 0; /* goes */
        constraints->pair[place].weight = 2 * (sum / (double)(last - first));
        *repeated += last - first - 1;
    }
    for (size_t p = 0; p < count && *repeated; p++)
        if (constraints->pair[p].sign)
            constraints->pair[kept++] = constraints->pair[p];
    constraints->pairs = *repeated ? kept : count;
    free(all);
    return SEG_OK;
}
