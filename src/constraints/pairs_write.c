/* Listed pairs into a file. */
#include "base/base.h"
#include "vectors/vectors_write.h"

#include <segment/constraints.h>

#include <stdio.h>

typedef struct listed {
    const seg_constraints *constraints;
    int base;
} listed;

static void pair_row(const void *user, size_t i, double *row) {
    const listed *l = user;
    const seg_pair *pair = &l->constraints->pair[i];
    row[0] = pair->i + l->base;
    row[1] = pair->j + l->base;
    row[2] = pair->sign;
    row[3] = pair->weight;
}

seg_status seg_constraints_write(seg_context *ctx, const char *path, int base, const seg_constraints *constraints) {
    const listed l = {constraints, base};
    char head[96];
    if (base != 0 && base != 1)
        return seg_fail(ctx, SEG_ERR_USAGE, "samples are counted from 0 or 1, not from %d", base);
    snprintf(head, sizeof head, "# i,j,sign,weight: 1 must link, -1 cannot link\n#:samples %zu\n", constraints->n);
    return seg_rows_write(ctx, path, &(seg_rows){head, constraints->pairs, 4, pair_row, &l});
}
