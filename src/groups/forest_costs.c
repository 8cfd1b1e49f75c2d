#include "groups/pair_labels.h"

#include "base/base.h"
#include "likelihood/forest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FOLDS 5
#define TREES 16   /* of each fold's forest */
#define FLOOR 0.02 /* the least share of a label */

static void put_costs(const seg_pair_labels *l, size_t fold, const seg_matrix *P, double *cost) {
    for (size_t p = fold; p < (size_t)l->near.count; p += FOLDS)
        for (size_t m = l->near.start[p]; m < l->near.start[p + 1]; m++) {
            const size_t c = (size_t)l->near.member[m];
            for (size_t a = 0; a < l->k; a++)
                cost[c * l->k + a] = -log(P->at[c * l->k + a]);
        }
}

seg_status seg_forest_costs(seg_context *ctx, const seg_matrix *F, const seg_pair_labels *l, double *cost) {
    const seg_forest_options options = {.trees = TREES, .floor = FLOOR};
    seg_matrix rows = {0};
    int16_t *group = seg_alloc(ctx, l->count, sizeof *group);
    seg_status status = group ? seg_matrix_create(ctx, l->count, F->cols, &rows) : SEG_ERR_MEMORY;
    for (size_t c = 0; c < l->count && !status; c++)
        memcpy(rows.at + c * F->cols, F->at + l->sample[c] * F->cols, F->cols * sizeof *F->at);
    memset(cost, 0, l->count * l->k * sizeof *cost);
    for (size_t fold = 0; fold < FOLDS && !status; fold++) {
        seg_matrix P = {0};
        size_t learned = 0;
        for (size_t p = 0; p < (size_t)l->near.count; p++)
            for (size_t m = l->near.start[p]; m < l->near.start[p + 1]; m++) {
                const size_t c = (size_t)l->near.member[m];
                group[c] = (int16_t)(p % FOLDS == fold ? -1 : l->label[c]);
                learned += group[c] >= 0;
            }
        if (learned == 0) /* there is one neighbourhood alone */
            continue;
        if ((status = seg_forest_posterior(ctx, &rows, group, (int)l->k, &options, &P)) == SEG_OK)
            put_costs(l, fold, &P, cost);
        seg_matrix_free(&P);
    }
    seg_matrix_free(&rows);
    free(group);
    return status;
}
