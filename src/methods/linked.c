#include "methods/linked.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

void seg_linked_free(seg_linked *l) {
    seg_neighbourhoods_free(&l->near);
    seg_matrix_free(&l->rows);
    free(l->sample);
    free(l->cost);
    free(l->centre);
    free(l->label);
    free(l->best);
    free(l->kept);
    free(l->size);
}

seg_status seg_linked_create(seg_context *ctx, const seg_problem *problem, const seg_matrix *Z, seg_linked *l) {
    const seg_constraints *given = problem->constraints;
    const size_t k = (size_t)problem->k, r = Z->cols;
    memset(l, 0, sizeof *l);
    l->k = k;
    int32_t *number = seg_alloc_zero(ctx, problem->n, sizeof *number);
    seg_status status = number ? SEG_OK : SEG_ERR_MEMORY;
    for (size_t p = 0; !status && p < given->pairs; p++)
        number[given->pair[p].i] = number[given->pair[p].j] = 1;
    l->sample = seg_alloc(ctx, problem->n, sizeof *l->sample);
    if (!l->sample)
        status = SEG_ERR_MEMORY;
    for (size_t i = 0; !status && i < problem->n; i++)
        if (number[i]) {
            number[i] = (int32_t)l->count;
            l->sample[l->count++] = i;
        }
    l->cost = seg_alloc(ctx, l->count * k, sizeof *l->cost);
    l->centre = seg_alloc(ctx, k * r, sizeof *l->centre);
    l->label = seg_alloc(ctx, l->count, sizeof *l->label);
    l->best = seg_alloc(ctx, l->count, sizeof *l->best);
    l->kept = seg_alloc(ctx, l->count, sizeof *l->kept);
    l->size = seg_alloc(ctx, k, sizeof *l->size);
    if (!l->cost || !l->centre || !l->label || !l->best || !l->kept || !l->size)
        status = SEG_ERR_MEMORY;
    if (status || (status = seg_matrix_create(ctx, l->count, r, &l->rows)) != SEG_OK ||
        (status = seg_neighbourhoods_create(ctx, given, &l->near)) != SEG_OK)
        goto done;
    for (size_t c = 0; c < l->count; c++)
        memcpy(l->rows.at + c * r, Z->at + l->sample[c] * r, r * sizeof *Z->at);
    for (size_t m = 0; m < l->near.start[l->near.count]; m++)
        l->near.member[m] = number[l->near.member[m]];
done:
    free(number);
    return status;
}

void seg_linked_count_sizes(seg_linked *l) {
    memset(l->size, 0, l->k * sizeof *l->size);
    for (size_t c = 0; c < l->count; c++)
        l->size[l->label[c]]++;
}
