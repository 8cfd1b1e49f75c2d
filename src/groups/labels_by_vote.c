/* Labels by the votes of the named samples that walks meet first. A sample is judged by the votes of the others alone,
 * so its own label does not come back to it, and the total of the votes can compare labels that were found in different
 * ways. From each start, labels become beliefs, as in mean field annealing, and beliefs labels. */
#include "groups/pair_labels.h"

#include "base/base.h"
#include "graph/harmonic.h"
#include "likelihood/forest.h"

#define ROUNDS   10
#define APART    5.0  /* cost of a broken cannot-link in negative log-probabilities of the votes */
#define FLOOR    0.02 /* least share of a label in a sample's vote */
#define WEIGHT   1.0  /* of appearance, relative to the votes */
#define AGAIN    2    /* times that appearance is learned */
#define LEAST    1e-3 /* of walks, see seg_first_met */
#define MOST     200  /* nodes over which the walks from a sample are followed, or */
#define NODES    1e5  /* this many over all named samples, if that is more */
#define ROUNDING 1e-6 /* of a difference of totals */
#define ENOUGH   0.1  /* of the walks must meet another named sample */

#define STEPS  40 /* of the annealing */
#define HOT    1.5
#define COLD   0.5
#define DAMP   0.5
#define SPREAD 0.3 /* share of the initial beliefs that is spread over all labels */

/* Spectral starts, by the weight of their cannot-links. */
static const double repels[] = {0.15, 0.3};
enum { REPELS = sizeof repels / sizeof *repels };

/* ---- Costs of labels by appearance. ---- */

#define FOLDS 5
#define TREES 16 /* of each fold's forest */

static void put_costs(const seg_pair_labels *l, size_t fold, const seg_matrix *P, double *cost) {
    for (size_t p = fold; p < (size_t)l->near.count; p += FOLDS)
        for (size_t m = l->near.start[p]; m < l->near.start[p + 1]; m++) {
            const size_t c = (size_t)l->near.member[m];
            for (size_t a = 0; a < l->k; a++)
                cost[c * l->k + a] = -log(P->at[c * l->k + a]);
        }
}

/* Costs of labels by appearance. cost: count x k, minus the logarithm of the share of a forest's votes [geurts2006] for
 * a label; the forest is grown on the samples and their labels, without the neighbourhood of the sample in question.
 * F: n x d features. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost: that of a forest. */
static seg_status forest_costs(seg_context *ctx, const seg_matrix *F, const seg_pair_labels *l, double *cost) {
    const seg_forest_options options = {.trees = TREES, .floor = FLOOR};
    SEG_RELEASED(seg_matrix_free) seg_matrix rows = {0};
    SEG_LOCAL(int16_t, group, seg_alloc(ctx, l->count, sizeof *group));
    SEG_TRY(seg_matrix_create(ctx, l->count, F->cols, &rows));
    for (size_t c = 0; c < l->count; c++)
        memcpy(rows.at + c * F->cols, F->at + l->sample[c] * F->cols, F->cols * sizeof *F->at);
    memset(cost, 0, l->count * l->k * sizeof *cost);
    for (size_t fold = 0; fold < FOLDS; fold++) {
        SEG_RELEASED(seg_matrix_free) seg_matrix P = {0};
        size_t learned = 0;
        for (size_t p = 0; p < (size_t)l->near.count; p++)
            for (size_t m = l->near.start[p]; m < l->near.start[p + 1]; m++) {
                const size_t c = (size_t)l->near.member[m];
                group[c] = (int16_t)(p % FOLDS == fold ? -1 : l->label[c]);
                learned += group[c] >= 0;
            }
        if (learned == 0) /* there is one neighbourhood alone */
            continue;
        SEG_TRY(seg_forest_posterior(ctx, &rows, group, (int)l->k, &options, &P));
        put_costs(l, fold, &P, cost);
    }
    return SEG_OK;
}

/* ---- The search. ---- */

typedef struct search {
    seg_pair_labels *l;
    seg_csr met;      /* count x count */
    double *all;      /* count: the sum of its row */
    int32_t *of;      /* count: neighbourhood */
    double *belief;   /* neighbourhoods x k */
    double *expected; /* neighbourhoods x k: expected cost of every label */
    double *looks;    /* count x k: cost of a label by appearance, 0 before it is learned */
} search;

/* Fill l->cost with the votes of the named samples: their beliefs, or their labels where `belief` is NULL. */
static void vote(search *s, const double *belief) {
    seg_pair_labels *l = s->l;
    const size_t k = l->k;
    for (size_t c = 0; c < l->count; c++) {
        double *cost = l->cost + c * k;
        memset(cost, 0, k * sizeof *cost);
        for (size_t e = s->met.start[c]; !belief && e < s->met.start[c + 1]; e++)
            cost[l->label[s->met.column[e]]] += s->met.value[e];
        for (size_t a = 0; belief && a < k; a += 2) { /* two labels at a time, whose sums stay in registers */
            const size_t b = a + 1 < k ? a + 1 : a;
            double first = 0, second = 0;
            for (size_t e = s->met.start[c]; e < s->met.start[c + 1]; e++) {
                const double *of = belief + (size_t)s->of[s->met.column[e]] * k;
                first += s->met.value[e] * of[a];
                second += s->met.value[e] * of[b];
            }
            cost[a] = first;
            cost[b] = second;
        }
        for (size_t a = 0; a < k; a++)
            cost[a] = (s->all[c] > 0 ? -log((cost[a] / s->all[c] + FLOOR) / (1 + FLOOR * (double)k)) : 0) +
                      WEIGHT * s->looks[c * k + a];
    }
}

/* Vote and move in rounds while labels change; keep the best of all rounds. @return their cost */
static double settle(search *s) {
    seg_pair_labels *l = s->l;
    double least = INFINITY;
    for (int round = 0, moved = 1; moved; round++) {
        vote(s, NULL);
        seg_pair_labels_note(l, seg_pair_labels_cost(l, APART), &least, l->kept);
        moved = 0;
        for (int sweep = 0; round < ROUNDS && sweep < SEG_PAIR_LABELS_SWEEPS && seg_pair_labels_move(l, APART); sweep++)
            moved = 1;
    }
    memcpy(l->label, l->kept, l->count * sizeof *l->kept);
    return least;
}

static void expect(search *s) {
    const seg_pair_labels *l = s->l;
    const seg_neighbourhoods *f = &l->near;
    const size_t k = l->k;
    for (size_t p = 0; p < (size_t)f->count; p++)
        for (size_t a = 0; a < k; a++) {
            double sum = 0;
            for (size_t m = f->start[p]; m < f->start[p + 1]; m++)
                sum += l->cost[(size_t)f->member[m] * k + a];
            for (size_t e = f->cannot_start[p]; e < f->cannot_start[p + 1]; e++)
                sum += APART * f->apart[e] * s->belief[(size_t)f->cannot[e] * k + a];
            s->expected[p * k + a] = sum;
        }
}

/* belief <- DAMP belief + (1 - DAMP) softmax(-expected / heat). `expected` is overwritten. */
static void believe(size_t rows, size_t k, double heat, double *expected, double *belief) {
    for (size_t p = 0; p < rows; p++) {
        double *share = expected + p * k, *old = belief + p * k;
        double least = INFINITY, sum = 0;
        for (size_t a = 0; a < k; a++)
            least = fmin(least, share[a]);
        for (size_t a = 0; a < k; a++) {
            share[a] = exp((least - share[a]) / heat);
            sum += share[a];
        }
        for (size_t a = 0; a < k; a++)
            old[a] = DAMP * old[a] + (1 - DAMP) * share[a] / sum;
    }
}

/* Turn labels into beliefs, cool these down, and turn them back into labels; the old ones stay if one would be lost. */
static void anneal(search *s) {
    seg_pair_labels *l = s->l;
    const size_t k = l->k, rows = (size_t)l->near.count;
    for (size_t p = 0; p < rows; p++)
        for (size_t a = 0; a < k; a++)
            s->belief[p * k + a] = SPREAD / (double)k + ((size_t)seg_pair_label(l, (int32_t)p) == a ? 1 - SPREAD : 0);
    for (int step = 0; step < STEPS; step++) {
        vote(s, s->belief);
        expect(s);
        believe(rows, k, HOT * pow(COLD / HOT, step / (STEPS - 1.0)), s->expected, s->belief);
    }
    memcpy(l->kept, l->label, l->count * sizeof *l->kept);
    for (size_t c = 0; c < l->count; c++)
        l->label[c] = (int32_t)seg_largest_of(k, s->belief + (size_t)s->of[c] * k);
    seg_pair_labels_count(l);
    for (size_t a = 0; a < k; a++)
        if (l->size[a] == 0) {
            memcpy(l->label, l->kept, l->count * sizeof *l->kept);
            seg_pair_labels_count(l);
        }
}

static seg_status search_create(seg_context *ctx, const seg_problem *problem, seg_pair_labels *l, search *s) {
    const size_t rows = (size_t)l->near.count;
    *s = (search){.l = l};
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(s->all, l->count), SEG_ARRAY(s->of, l->count),
                             SEG_TABLE(s->belief, rows, l->k), SEG_TABLE(s->expected, rows, l->k),
                             SEG_TABLE(s->looks, l->count, l->k)));
    for (size_t p = 0; p < rows; p++)
        for (size_t m = l->near.start[p]; m < l->near.start[p + 1]; m++)
            s->of[l->near.member[m]] = (int32_t)p;
    const size_t most = (size_t)fmax(MOST, NODES / (double)l->count);
    SEG_TRY(seg_first_met(ctx, problem->affinity, l->sample, l->count, (seg_first_met_options){LEAST, most}, &s->met));
    for (size_t c = 0; c < l->count; c++)
        s->all[c] = seg_csr_row_sum(&s->met, c);
    return SEG_OK;
}

static void search_free(search *s) {
    seg_csr_free(&s->met);
    free(s->all);
}

/* The mean share of the walks from a named sample that meet another one. */
static double share_met(const seg_csr *W, const search *s) {
    double sum = 0;
    for (size_t c = 0; c < s->l->count; c++) {
        const double degree = seg_csr_row_sum(W, s->l->sample[c]);
        sum += degree > 0 ? s->all[c] / degree : 0;
    }
    return sum / (double)s->l->count;
}

/* The weight of the broken cannot-links. */
static double broken(const seg_pair_labels *l) {
    return seg_pair_labels_cost(l, 1) - seg_pair_labels_cost(l, 0);
}

/* Improve the labels by appearance, unless more cannot-links are broken then: appearance misleads in that case. */
static seg_status look(seg_context *ctx, const seg_problem *problem, search *s) {
    seg_pair_labels *l = s->l;
    const double before = broken(l);
    SEG_TRY(forest_costs(ctx, problem->context ? problem->context : problem->features, l, s->looks));
    memcpy(l->best, l->label, l->count * sizeof *l->best);
    settle(s);
    if (broken(l) > before + ROUNDING)
        memcpy(l->label, l->best, l->count * sizeof *l->best);
    seg_pair_labels_count(l);
    return SEG_OK;
}

seg_status seg_labels_by_vote(seg_context *ctx, const seg_problem *problem, seg_pair_labels *l, int *found) {
    SEG_RELEASED(search_free) search s = {0};
    double least = INFINITY;
    SEG_TRY(search_create(ctx, problem, l, &s));
    *found = share_met(problem->affinity, &s) >= ENOUGH;
    if (!*found)
        return SEG_OK;
    /* A cannot-link between two neighbourhoods weighs as much as the samples of the smaller side, which must move where
     * it is broken. With the weight of one pair, classes of large neighbourhoods merge for the gain of a few votes. */
    const seg_neighbourhoods *f = &l->near;
    for (int32_t p = 0; p < f->count; p++)
        for (size_t e = f->cannot_start[p]; e < f->cannot_start[p + 1]; e++)
            f->apart[e] *= fmin((double)seg_neighbourhood_size(f, p), (double)seg_neighbourhood_size(f, f->cannot[e]));
    for (int start = -1; start < REPELS; start++) {
        SEG_TRY(start < 0 ? seg_labels_by_kernel(ctx, problem, 1, l)
                          : seg_labels_by_spectrum(ctx, problem, &s.met, s.of, repels[start], l));
        anneal(&s);
        seg_pair_labels_note(l, settle(&s), &least, l->best);
        SEG_TRY(seg_poll(ctx));
    }
    memcpy(l->label, l->best, l->count * sizeof *l->best);
    seg_pair_labels_count(l);
    for (int again = 0; again < AGAIN && problem->features; again++)
        SEG_TRY(look(ctx, problem, &s));
    return SEG_OK;
}
