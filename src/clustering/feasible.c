#include "clustering/link_labels.h"

#include "base/base.h"

#define MOST_WORK 500000000.0 /* steps after which the search is given up, about a second */

typedef struct search {
    seg_context *ctx;
    const seg_neighbourhoods *f;
    size_t k;
    const double *cost;
    int32_t *label;
    char *aside;       /* count: 1 if it can be coloured last */
    int32_t *last;     /* those set aside, in that order */
    int32_t *core;     /* the other neighbourhoods that are not groups */
    int32_t *blocked;  /* count x k: number of neighbours of each colour */
    int32_t *left;     /* count: number of colours left */
    size_t *degree;    /* count: number of neighbours that are not set aside */
    int32_t *used;     /* k: number of groups and core neighbourhoods of each colour */
    int32_t *sequence; /* depth x k: colours by cost */
    size_t *next;      /* depth: the next colour to try */
    char *tried_new;   /* depth: an unused colour was tried; all of these are equivalent */
    size_t lasts, cores;
} search;

/* The cheapest colour that no coloured neighbour has, -1 if there is none. */
static int32_t cheapest(const search *s, int32_t which, char *taken) {
    const seg_neighbourhoods *f = s->f;
    int32_t best = -1;
    memset(taken, 0, s->k);
    for (size_t e = f->cannot_start[which]; e < f->cannot_start[which + 1]; e++)
        if (s->label[f->cannot[e]] >= 0)
            taken[s->label[f->cannot[e]]] = 1;
    for (size_t h = 0; h < s->k; h++)
        if (!taken[h] && (best < 0 || s->cost[(size_t)which * s->k + h] < s->cost[(size_t)which * s->k + (size_t)best]))
            best = (int32_t)h;
    return best;
}

static int greedy(search *s, const int32_t *order, char *taken) {
    for (int32_t a = 0; a < s->f->count; a++)
        s->label[a] = a < s->f->groups ? a : -1;
    for (int32_t e = 0; e < s->f->count; e++)
        if (order[e] >= s->f->groups && (s->label[order[e]] = cheapest(s, order[e], taken)) < 0)
            return 0;
    return 1;
}

/* Repeatedly set aside neighbourhoods that have fewer than k neighbours left. */
static void peel(search *s) {
    const seg_neighbourhoods *f = s->f;
    size_t *degree = s->degree;
    for (int32_t a = 0; a < f->count; a++) {
        degree[a] = f->cannot_start[a + 1] - f->cannot_start[a];
        if (a >= f->groups && degree[a] < s->k) {
            s->aside[a] = 1;
            s->last[s->lasts++] = a;
        }
    }
    for (size_t at = 0; at < s->lasts; at++)
        for (size_t e = f->cannot_start[s->last[at]]; e < f->cannot_start[s->last[at] + 1]; e++) {
            const int32_t other = f->cannot[e];
            if (other >= f->groups && !s->aside[other] && --degree[other] < s->k) {
                s->aside[other] = 1;
                s->last[s->lasts++] = other;
            }
        }
    for (int32_t a = f->groups; a < f->count; a++)
        if (!s->aside[a])
            s->core[s->cores++] = a;
}

/* Colour a neighbourhood (step 1), or remove its colour (step -1). */
static void paint(search *s, int32_t which, int32_t colour, int step) {
    const seg_neighbourhoods *f = s->f;
    s->label[which] = step > 0 ? colour : -1;
    s->used[colour] += step;
    for (size_t e = f->cannot_start[which]; e < f->cannot_start[which + 1]; e++) {
        int32_t *blocked = &s->blocked[(size_t)f->cannot[e] * s->k + (size_t)colour];
        *blocked += step;
        if (*blocked == (step > 0))
            s->left[f->cannot[e]] -= step;
    }
}

/* Move the core neighbourhood with the fewest colours left (the first of equals) to `depth`; sort these by cost. */
static void descend(search *s, size_t depth) {
    size_t best = depth;
    for (size_t e = depth + 1; e < s->cores; e++)
        if (s->left[s->core[e]] < s->left[s->core[best]] ||
            (s->left[s->core[e]] == s->left[s->core[best]] && s->core[e] < s->core[best]))
            best = e;
    SEG_SWAP(int32_t, s->core[best], s->core[depth]);
    int32_t *colour = s->sequence + depth * s->k;
    const double *cost = s->cost + (size_t)s->core[depth] * s->k;
    for (size_t h = 0; h < s->k; h++) {
        size_t at = h;
        for (; at > 0 && cost[colour[at - 1]] > cost[h]; at--)
            colour[at] = colour[at - 1];
        colour[at] = (int32_t)h;
    }
    s->next[depth] = 0;
    s->tried_new[depth] = 0;
}

/* Colour the core by backtracking. @return 1 if done, 0 if impossible, -1 if given up or cancelled */
static int colour_core(search *s, seg_status *status) {
    double work = 0, polled = 0;
    size_t depth = 0;
    if (s->cores == 0)
        return 1;
    descend(s, 0);
    for (;;) {
        const int32_t which = s->core[depth];
        if (s->label[which] >= 0)
            paint(s, which, s->label[which], -1); /* back from a dead end */
        int32_t colour = -1;
        while (colour < 0 && s->next[depth] < s->k) {
            int32_t h = s->sequence[depth * s->k + s->next[depth]++];
            if (s->blocked[(size_t)which * s->k + (size_t)h] || (s->used[h] == 0 && s->tried_new[depth]))
                continue;
            if (s->used[h] == 0)
                s->tried_new[depth] = 1;
            colour = h;
        }
        work += (double)(s->cores - depth + s->k + s->f->cannot_start[which + 1] - s->f->cannot_start[which]);
        if (work - polled > 1e6) {
            polled = work;
            if (work > MOST_WORK || (*status = seg_poll(s->ctx)) != SEG_OK)
                return -1;
        }
        if (colour < 0) {
            if (depth == 0)
                return 0;
            depth--;
            continue;
        }
        paint(s, which, colour, 1);
        if (++depth == s->cores)
            return 1;
        descend(s, depth);
    }
}

static seg_status exhaust(search *s, char *taken) {
    const size_t all = (size_t)s->f->count;
    seg_status status = SEG_OK;
    SEG_LOCAL_ARRAYS(s->ctx, SEG_ARRAY(s->aside, all), SEG_ARRAY(s->last, all), SEG_ARRAY(s->core, all),
                     SEG_ARRAY(s->left, all), SEG_ARRAY(s->degree, all), SEG_TABLE(s->blocked, all, s->k),
                     SEG_ARRAY(s->used, s->k));
    peel(s);
    SEG_TRY(SEG_ALLOC_ARRAYS(s->ctx, SEG_TABLE(s->sequence, s->cores, s->k), SEG_ARRAY(s->next, s->cores),
                             SEG_ARRAY(s->tried_new, s->cores)));
    SEG_UNUSED SEG_FREED int32_t *others = s->sequence;
    for (int32_t a = 0; a < s->f->count; a++) {
        s->label[a] = -1;
        s->left[a] = (int32_t)s->k;
    }
    for (int32_t g = 0; g < s->f->groups; g++)
        paint(s, g, g, 1);
    const int found = colour_core(s, &status);
    while (found > 0 && s->lasts > 0) {
        s->lasts--;
        s->label[s->last[s->lasts]] = cheapest(s, s->last[s->lasts], taken);
    }
    if (status != SEG_OK || found > 0)
        return status;
    return seg_fail(s->ctx, found == 0 ? SEG_ERR_CONTRADICTION : SEG_ERR_NUMERIC,
                    "no assignment to %zu clusters %s: ask for more, or use a method that may break constraints "
                    "(pckmeans)",
                    s->k,
                    found == 0 ? "keeps every cannot-link" : "that keeps every cannot-link was found in a long search");
}

seg_status seg_feasible_labels(seg_context *ctx, const seg_neighbourhoods *neighbourhoods, int k, const double *cost,
                               const int32_t *order, int32_t *label) {
    search s = {.ctx = ctx, .f = neighbourhoods, .k = (size_t)k, .cost = cost, .label = label};
    SEG_LOCAL(char, taken, seg_alloc(ctx, s.k, 1));
    return greedy(&s, order, taken) ? SEG_OK : exhaust(&s, taken);
}
