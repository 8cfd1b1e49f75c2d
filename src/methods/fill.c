#include "methods/assign.h"

#include "base/base.h"
#include "clustering/linked_samples.h"

#include <stdlib.h>
#include <string.h>

#define APART 1e-9 /* relative amount by which one of two equal scores is raised */

/* Parts 0 .. parts-1 are sets of samples that must link, and single samples; the groups come first. */
typedef struct filling {
    const seg_problem *problem;
    seg_clustering *out;
    size_t parts, groups;
    size_t *start;   /* parts + 1 */
    int32_t *member; /* of part p: member[start[p]] .. member[start[p + 1] - 1] */
    size_t *size;    /* of each cluster */
    size_t *own;     /* of one part's samples in each cluster, zero in between */
} filling;

static void count_sizes(filling *f) {
    memset(f->size, 0, (size_t)f->out->k * sizeof *f->size);
    for (size_t i = 0; i < f->out->n; i++)
        f->size[f->out->label[i]]++;
}

static seg_status list_parts(seg_context *ctx, filling *f) {
    const size_t n = f->problem->n;
    SEG_RELEASED(seg_neighbourhoods_free) seg_neighbourhoods near = {0};
    SEG_TRY(seg_neighbourhoods_create(ctx, f->problem->constraints, &near));
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(f->start, n + 2), SEG_ARRAY(f->member, n),
                             SEG_ARRAY(f->size, (size_t)f->out->k), SEG_ARRAY(f->own, (size_t)f->out->k)));
    f->groups = (size_t)near.groups;
    f->parts = (size_t)near.count;
    memcpy(f->start, near.start, (f->parts + 1) * sizeof *f->start);
    size_t at = near.start[near.count];
    if (at)
        memcpy(f->member, near.member, at * sizeof *f->member);
    for (size_t i = 0; i < n; i++)
        if (near.of[i] < 0) {
            f->member[at++] = (int32_t)i;
            f->start[++f->parts] = at;
        }
    count_sizes(f);
    return SEG_OK;
}

static void filling_free(filling *f) {
    free(f->start);
}

/* Count a part's samples in each cluster (step 1) or reset the counts (step 0). */
static void count_own(filling *f, size_t part, int step) {
    for (size_t m = f->start[part]; m < f->start[part + 1]; m++) {
        size_t *own = &f->own[f->out->label[f->member[m]]];
        *own = step ? *own + 1 : 0;
    }
}

/* Whether every cluster that has samples of the part has others too. fit: the part's mean score. */
static int may_move(filling *f, size_t part, double *fit) {
    const size_t count = f->start[part + 1] - f->start[part];
    int may = count > 0;
    *fit = 0;
    count_own(f, part, 1);
    for (size_t m = f->start[part]; m < f->start[part + 1]; m++) {
        const size_t i = (size_t)f->member[m], label = (size_t)f->out->label[i];
        may &= f->size[label] > f->own[label];
        *fit += f->out->score.at[i * (size_t)f->out->k + label] / (double)count;
    }
    count_own(f, part, 0);
    return may;
}

/* The part with the least fit, of equals the one in the largest cluster, then the first; `parts` if none may move. */
static size_t worst_part(filling *f) {
    size_t best = f->parts, largest = 0;
    double least = 0;
    for (size_t p = f->groups; p < f->parts; p++) {
        double fit;
        if (!may_move(f, p, &fit))
            continue;
        const size_t size = f->size[f->out->label[f->member[f->start[p]]]];
        if (best == f->parts || fit < least || (fit == least && size > largest)) {
            best = p;
            least = fit;
            largest = size;
        }
    }
    return best;
}

/* If the largest score, the first of equals, is not that of the label, swap the two; of equal ones raise the label's.
 */
static void agree(size_t k, int32_t label, double *score) {
    const size_t best = seg_largest_of(k, score);
    if (best == (size_t)label)
        return;
    const double most = score[best];
    score[best] = score[label];
    score[label] = most;
    if (score[best] == most) {
        score[label] = most * (1 + APART);
        for (size_t c = 0; c < k; c++)
            score[c] /= 1 + most * APART;
    }
}

static void move_sample(filling *f, size_t i, int32_t to) {
    f->size[f->out->label[i]]--;
    f->out->label[i] = to;
    f->size[to]++;
    agree((size_t)f->out->k, to, f->out->score.at + i * (size_t)f->out->k);
}

/* Put a part that is in several clusters into the one that has most of it. @return whether it was in several */
static int join_part(filling *f, size_t p) {
    int32_t most = f->out->label[f->member[f->start[p]]];
    int split = 0;
    count_own(f, p, 1);
    for (size_t m = f->start[p]; m < f->start[p + 1]; m++) {
        const int32_t label = f->out->label[f->member[m]];
        split |= label != f->out->label[f->member[f->start[p]]];
        if (f->own[label] > f->own[most])
            most = label;
    }
    count_own(f, p, 0);
    for (size_t m = f->start[p]; split && m < f->start[p + 1]; m++)
        if (f->out->label[f->member[m]] != most)
            move_sample(f, (size_t)f->member[m], most);
    return split;
}

/* Do so for the first such part. @return whether there was one */
static int join_one(filling *f) {
    for (size_t p = f->groups; p < f->parts; p++)
        if (f->start[p] < f->start[p + 1] && join_part(f, p))
            return 1;
    return 0;
}

static int first_empty(const filling *f) {
    int c = 0;
    while (c < f->out->k && f->size[c] > 0)
        c++;
    return c;
}

seg_status seg_join_linked(seg_context *ctx, const char *method, const seg_problem *problem, seg_clustering *out) {
    SEG_RELEASED(filling_free) filling f = {.problem = problem, .out = out};
    SEG_TRY(list_parts(ctx, &f));
    for (size_t p = f.groups; p < f.parts; p++)
        join_part(&f, p);
    return seg_fill_clusters(ctx, method, problem, out);
}

seg_status seg_fill_clusters(seg_context *ctx, const char *method, const seg_problem *problem, seg_clustering *out) {
    SEG_RELEASED(filling_free) filling f = {.problem = problem, .out = out};
    size_t members[SEG_MAX_LABELS] = {0};
    int empty = 0;
    for (size_t i = 0; i < out->n; i++)
        members[out->label[i]]++;
    for (int c = 0; c < out->k; c++)
        empty += members[c] == 0;
    for (size_t i = 0; i < out->n; i++)
        agree((size_t)out->k, out->label[i], out->score.at + i * (size_t)out->k);
    if (empty == 0)
        return SEG_OK;
    SEG_TRY(list_parts(ctx, &f));
    for (int c; (c = first_empty(&f)) < out->k;) {
        const size_t part = worst_part(&f);
        if (part < f.parts)
            for (size_t m = f.start[part]; m < f.start[part + 1]; m++)
                move_sample(&f, (size_t)f.member[m], (int32_t)c);
        else if (!join_one(&f))
            return seg_fail(ctx, SEG_ERR_NUMERIC, "%s left %d of %d clusters empty and no sample may move there",
                            method, empty, out->k);
    }
    seg_log(ctx, SEG_LOG_WARNING,
            "%s left %d of %d clusters empty; each was given the samples that fit their own cluster least", method,
            empty, out->k);
    return SEG_OK;
}
