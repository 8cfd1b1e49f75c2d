#include "kernels/subsets.h"

#include "base/base.h"
#include "kernels/links.h"

#include <stdlib.h>
#include <string.h>

typedef struct ranked {
    double degree;
    size_t turn; /* position within its group */
    int32_t sample;
} ranked;

static int by_degree(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->degree != y->degree)
        return x->degree > y->degree ? -1 : 1;
    if (x->turn != y->turn)
        return x->turn < y->turn ? -1 : 1;
    return (x->sample > y->sample) - (x->sample < y->sample);
}

seg_status seg_subsets_pick(seg_context *ctx, const seg_constraints *constraints, size_t landmarks, size_t portion,
                            seg_subsets *out) {
    const size_t n = constraints->n;
    size_t seen[SEG_MAX_LABELS] = {0}, constrained = 0, rest, filled = 0;
    double *degree = seg_alloc(ctx, n, sizeof *degree);
    ranked *order = seg_alloc(ctx, n, sizeof *order);
    seg_status status = SEG_ERR_MEMORY;
    memset(out, 0, sizeof *out);
    if (!degree || !order)
        goto done;
    seg_constraint_degrees(constraints, degree);
    for (size_t i = 0; i < n; i++)
        if (degree[i] > 0 ||
            (constraints->groups && constraints->group[i] >= 0)) { /* a single marked sample counts too */
            int g = constraints->groups ? constraints->group[i] : -1;
            ranked entry = {degree[i], g >= 0 ? seen[g]++ : 0, (int32_t)i};
            order[constrained++] = entry;
        }
    if (landmarks == 0 || landmarks + 1 >= constrained)
        landmarks = 0, portion = constrained;
    else
        qsort(order, constrained, sizeof *order, by_degree);
    rest = constrained - landmarks;
    out->count = constrained == 0 ? 0 : (rest + portion - 1) / portion;
    out->start = seg_alloc_zero(ctx, out->count + 1, sizeof *out->start);
    out->member = seg_alloc(ctx, out->count * landmarks + rest, sizeof *out->member);
    out->degree = seg_alloc_zero(ctx, out->count, sizeof *out->degree);
    if (!out->start || !out->member || !out->degree)
        goto done;
    for (size_t s = 0; s < out->count; s++) {
        size_t from = landmarks + s * portion, to = from + portion < constrained ? from + portion : constrained;
        for (size_t i = 0; i < landmarks; i++)
            out->member[filled++] = order[i].sample;
        for (size_t i = from; i < to; i++)
            out->member[filled++] = order[i].sample;
        out->start[s + 1] = filled;
        for (size_t i = out->start[s]; i < filled; i++)
            out->degree[s] += degree[out->member[i]];
    }
    status = SEG_OK;
done:
    free(degree);
    free(order);
    if (status)
        seg_subsets_free(out);
    return status;
}

void seg_subsets_free(seg_subsets *subsets) {
    if (!subsets)
        return;
    free(subsets->start);
    free(subsets->member);
    free(subsets->degree);
    memset(subsets, 0, sizeof *subsets);
}
