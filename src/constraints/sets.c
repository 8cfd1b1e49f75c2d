/* Constraint sets: creation, growth, release. */
#include "base/base.h"
#include "constraints/check.h"
#include "constraints/closed.h"
#include "constraints/origins.h"

#include <stdlib.h>
#include <string.h>

seg_status seg_constraints_create(seg_context *ctx, size_t n, seg_constraints *out) {
    memset(out, 0, sizeof *out);
    if (n > INT32_MAX - SEG_MAX_LABELS) /* the closure numbers the groups after the samples */
        return seg_fail(ctx, SEG_ERR_USAGE, "%zu samples are too many for constraints; at most %d are possible", n,
                        INT32_MAX - SEG_MAX_LABELS);
    out->group = seg_alloc(ctx, n, sizeof *out->group);
    if (!out->group)
        return SEG_ERR_MEMORY;
    memset(out->group, 0xff, n * sizeof *out->group); /* -1: unconstrained */
    out->n = n;
    return SEG_OK;
}

static void forget_closure(seg_constraints *constraints) {
    seg_closure_free(constraints->closure);
    free(constraints->closure);
    constraints->closure = NULL;
}

void seg_constraints_free(seg_constraints *constraints) {
    if (!constraints)
        return;
    free(constraints->group);
    free(constraints->pair);
    seg_origins_free(constraints->origins);
    forget_closure(constraints);
    memset(constraints, 0, sizeof *constraints);
}

static seg_status check_pair(seg_context *ctx, size_t n, const seg_pair *pair) {
    if (pair->i < 0 || pair->j < 0 || (size_t)pair->i >= n || (size_t)pair->j >= n)
        return seg_fail(ctx, SEG_ERR_USAGE, "the pair %d, %d names a sample outside 0..%zd", pair->i, pair->j,
                        (ssize_t)n - 1);
    if (pair->i == pair->j)
        return seg_fail(ctx, SEG_ERR_USAGE, "the pair %d, %d joins a sample with itself", pair->i, pair->j);
    if (pair->sign != 1 && pair->sign != -1)
        return seg_fail(ctx, SEG_ERR_USAGE, "the pair %d, %d has the sign %d; use 1 (must link) or -1 (cannot link)",
                        pair->i, pair->j, pair->sign);
    if (!seg_is_weight(pair->weight))
        return seg_fail(ctx, SEG_ERR_USAGE, "the pair %d, %d has the weight %g; weights are from %g to %g", pair->i,
                        pair->j, pair->weight, SEG_LEAST_WEIGHT, SEG_LARGEST_WEIGHT);
    return SEG_OK;
}

seg_status seg_constraints_add(seg_context *ctx, seg_constraints *constraints, seg_pair pair) {
    seg_status status = check_pair(ctx, constraints->n, &pair);
    if (status != SEG_OK)
        return status;
    /* Room in powers of two; asking for the size it already has costs next to nothing, and needs no capacity kept. */
    size_t room = 16;
    while (room < constraints->pairs + 1)
        room *= 2;
    seg_pair *grown = seg_realloc(ctx, constraints->pair, room, sizeof *grown);
    if (!grown)
        return SEG_ERR_MEMORY;
    constraints->pair = grown;
    constraints->pair[constraints->pairs++] = pair;
    forget_closure(constraints);
    return SEG_OK;
}

seg_status seg_constraints_append(seg_context *ctx, const seg_constraints *from, seg_constraints *out) {
    seg_status status = SEG_OK;
    if (!from)
        return SEG_OK;
    if (from->groups) {
        out->groups = from->groups;
        memcpy(out->group, from->group, out->n * sizeof *out->group);
        forget_closure(out);
    }
    for (size_t p = 0; p < from->pairs && !status; p++)
        status = seg_constraints_add(ctx, out, from->pair[p]);
    return status;
}

seg_status seg_constraints_check(seg_context *ctx, const seg_constraints *constraints) {
    if (constraints->groups < 0 || constraints->groups > SEG_MAX_LABELS)
        return seg_fail(ctx, SEG_ERR_USAGE, "the constraints have %d groups; 0..%d are possible", constraints->groups,
                        SEG_MAX_LABELS);
    for (size_t i = 0; i < constraints->n; i++)
        if (constraints->group[i] < -1 || constraints->group[i] >= constraints->groups)
            return seg_fail(ctx, SEG_ERR_USAGE, "sample %zu is in group %d, but there are %d groups (numbered from 0)",
                            i, constraints->group[i], constraints->groups);
    for (size_t p = 0; p < constraints->pairs; p++) {
        seg_status status = check_pair(ctx, constraints->n, &constraints->pair[p]);
        if (status != SEG_OK)
            return status;
    }
    return SEG_OK;
}
