#include "constraints/held_out_pairs.h"
#include "base/base.h"
#include "constraints/closed.h"

size_t seg_constraints_cannots(const seg_constraints *constraints) {
    size_t count = 0;
    for (size_t p = 0; p < constraints->pairs; p++)
        count += constraints->pair[p].sign < 0;
    return count;
}

seg_status seg_constraints_named(seg_context *ctx, const seg_constraints *constraints, unsigned char **named,
                                 size_t *count) {
    unsigned char *of = *named = seg_alloc_zero(ctx, constraints->n, sizeof *of);
    SEG_TRY(seg_allocated(of));
    for (size_t p = 0; p < constraints->pairs; p++)
        of[constraints->pair[p].i] = of[constraints->pair[p].j] = 1;
    *count = 0;
    for (size_t i = 0; i < constraints->n; i++) {
        of[i] |= constraints->groups > 0 && constraints->group[i] >= 0;
        *count += of[i];
    }
    return SEG_OK;
}

static int by_kind(const void *x, const void *y) {
    const seg_pair *p = x, *q = y;
    SEG_ORDER_BY(q->sign, p->sign);
    SEG_ORDER_BY(p->i, q->i);
    SEG_ORDER_BY(p->j, q->j);
    return p->weight < q->weight ? -1 : p->weight > q->weight;
}

seg_status seg_pairs_in_order(seg_context *ctx, const seg_constraints *constraints, seg_constraints *out) {
    SEG_TRY(seg_constraints_create(ctx, constraints->n, out));
    for (size_t p = 0; p < constraints->pairs; p++) {
        seg_pair pair = constraints->pair[p];
        if (pair.i > pair.j)
            SEG_SWAP(int32_t, pair.i, pair.j);
        SEG_TRY(seg_constraints_add(ctx, out, pair));
    }
    if (out->pairs)
        qsort(out->pair, out->pairs, sizeof *out->pair, by_kind);
    return SEG_OK;
}

int seg_held_out_parts(size_t n, size_t pairs, int folds) {
    const size_t enough = 100;                        /* judged pairs, beyond which more add little */
    const double few = 20000.0 / (double)(n ? n : 1); /* limit of parts: all runs together have at most 20000 samples */
    int parts = folds;
    while (parts > 1 && ((size_t)(parts - 1) * pairs / (size_t)folds >= enough || parts > few))
        parts--;
    return parts;
}

seg_status seg_held_out_plan(seg_context *ctx, const seg_constraints *sorted, int folds, int parts, seg_held_out *out) {
    memset(out, 0, sizeof *out);
    out->all = sorted;
    out->parts = parts;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->part, sorted->pairs), SEG_ARRAY(out->others, (size_t)parts)));
    for (size_t p = 0, rank = 0; p < sorted->pairs; p++) {
        const seg_pair *pair = &sorted->pair[p], *last = p ? pair - 1 : NULL;
        if (last && last->sign != pair->sign)
            rank = 0;
        else if (last && (last->i != pair->i || last->j != pair->j))
            rank++;
        /* cannot-links are dealt from the last part on: few pairs are then spread over more parts */
        out->part[p] = (int)(pair->sign > 0 ? rank % (size_t)folds : (size_t)folds - 1 - rank % (size_t)folds);
    }
    for (int part = 0; part < parts; part++) {
        seg_constraints *others = &out->others[part];
        SEG_TRY(seg_constraints_create(ctx, sorted->n, others));
        for (size_t p = 0; p < sorted->pairs; p++)
            if (out->part[p] != part)
                SEG_TRY(seg_constraints_add(ctx, others, sorted->pair[p]));
        SEG_TRY(seg_constraints_close(ctx, others, SEG_CONTRADICTIONS_REFUSE));
    }
    return SEG_OK;
}

void seg_held_out_free(seg_held_out *held) {
    for (int part = 0; held->others && part < held->parts; part++)
        seg_constraints_free(&held->others[part]);
    SEG_CLEAR(held, held->part);
}

static int by_ends(const void *a, const void *b) {
    const int32_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* Whether the closure says that two components cannot link; its list is sorted. */
static int apart(const seg_closure *closure, int32_t a, int32_t b) {
    const int32_t pair[] = {a < b ? a : b, a < b ? b : a};
    return closure->cannots && bsearch(pair, closure->cannot, closure->cannots, sizeof pair, by_ends) != NULL;
}

static void judge(const seg_pair *pair, const int32_t *label, seg_judgement *judged) {
    const int together = label[pair->i] == label[pair->j];
    if (pair->sign > 0) {
        judged->must += pair->weight;
        judged->must_broken += together ? 0 : pair->weight;
    } else {
        judged->cannot += pair->weight;
        judged->cannot_broken += together ? pair->weight : 0;
    }
}

void seg_judge_pairs(const seg_constraints *constraints, const int32_t *label, seg_judgement *judged) {
    for (size_t p = 0; p < constraints->pairs; p++)
        judge(&constraints->pair[p], label, judged);
}

void seg_held_out_judge(const seg_held_out *held, int part, const int32_t *label, seg_judgement *judged) {
    const seg_closure *closure = seg_constraints_noted(&held->others[part]).closure;
    for (size_t p = 0; p < held->all->pairs; p++) {
        const seg_pair *pair = &held->all->pair[p];
        if (held->part[p] != part)
            continue;
        const int32_t a = closure->component[pair->i], b = closure->component[pair->j];
        if (a >= 0 && b >= 0 && (a == b || apart(closure, a, b)))
            continue;
        judge(pair, label, judged);
    }
}

double seg_pair_loss(double must_broken, double cannot_broken, int k) {
    const double kept = 1 - must_broken, joined = (k - 1) * cannot_broken;
    return kept > 0 ? 1 - 2 * kept / (2 * kept + joined + must_broken) : 1;
}
