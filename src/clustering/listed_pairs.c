#include "clustering/listed_pairs.h"

#include "base/base.h"
#include "linalg/sparse.h"

#include <stdlib.h>

typedef struct item {
    int32_t row, column;
    double value;
} item;

static int by_place(const void *a, const void *b) {
    const item *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value; /* so that sums do not depend on the order of the list */
}

seg_status seg_pairs_by_sample(seg_context *ctx, const seg_constraints *constraints, double unit, seg_csr *out) {
    const size_t n = constraints->n, count = 2 * constraints->pairs;
    SEG_FREED item *items = seg_alloc(ctx, count, sizeof *items);
    if (!items)
        return SEG_ERR_MEMORY;
    SEG_TRY(seg_csr_create(ctx, n, n, count, out));
    for (size_t p = 0; p < constraints->pairs; p++) {
        const seg_pair *pair = &constraints->pair[p];
        const double value = pair->sign * pair->weight * unit;
        items[2 * p] = (item){pair->i, pair->j, value};
        items[2 * p + 1] = (item){pair->j, pair->i, value};
        out->start[pair->i + 1]++;
        out->start[pair->j + 1]++;
    }
    qsort(items, count, sizeof *items, by_place);
    for (size_t e = 0; e < count; e++) {
        out->column[e] = items[e].column;
        out->value[e] = items[e].value;
    }
    for (size_t i = 0; i < n; i++)
        out->start[i + 1] += out->start[i];
    return SEG_OK;
}
