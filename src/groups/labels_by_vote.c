/* Labels by the votes of the named samples that walks meet first. A sample is judged by the votes of the others alone,
 * so its own label does not come back to it, and the total of the votes can compare labels that were found in different
 * ways. From each start, labels become beliefs, as in mean field annealing, and beliefs labels. */
#include "groups/pair_labels.h"

#include "base/base.h"
#include "graph/first_met.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SWEEPS 50
#define ROUNDS 10
#define APART  5.0  /* cost of a broken cannot-link in negative log-probabilities of the votes */
#define FLOOR  0.02 /* least share of a label in a sample's vote */
#define WEIGHT 1.0  /* of appearance, relative to the votes */
#define AGAIN  2    /* times that appearance is learned */
#define LEAST  1e-3 /* of walks, see seg_first_met */
#define MOST   200  /* nodes over which the walks from a sample are followed, or */
#define NODES  1e5  /* this many over all named samples, if that is more */
#define ENOUGH 0.1  /* of the walks must meet another named sample */

#define STEPS  40 /* of the annealing */
#define HOT    1.5
#define COLD   0.5
#define DAMP   0.5
#define SPREAD 0.3 /* share of the initial beliefs that is spread over all labels */

/* Spectral starts, by the weight of their cannot-links. */
static const double repel[] = {0.15, 0.3};
enum { REPELS = sizeof repel / sizeof *repel };

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
        for (size_t e = s->met.start[c]; e < s->met.start[c + 1]; e++) {
            const size_t other = (size_t)s->met.column[e];
            if (belief)
                for (size_t a = 0; a < k; a++)
                    cost[a] += s->met.value[e] * belief[(size_t)s->of[other] * k + a];
            else
                cost[l->label[other]] += s->met.value[e];
        }
        for (size_t a = 0; a < k; a++)
            cost[a] = s->all[c] > 0 ? -log((cost[a] / s->all[c] + FLOOR) / (1 + FLOOR * (double)k)) : 0;
        for (size_t a = 0; a < k; a++)
            cost[a] += WEIGHT * s->looks[c * k + a];
    }
}

/* Vote and move in rounds while labels change, and keep the best labels of all rounds. @return their total cost */
static double settle(search *s) {
    seg_pair_labels *l = s->l;
    double least = INFINITY;
    for (int round = 0, moved = 1; moved; round++) {
        vote(s, NULL);
        const double total = seg_pair_labels_total(l, APART);
        if (total < least) {
            least = total;
            memcpy(l->kept, l->label, l->count * sizeof *l->kept);
        }
        moved = 0;
        for (int sweep = 0; round < ROUNDS && sweep < SWEEPS && seg_pair_labels_move(l, APART); sweep++)
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

/* Turn labels into beliefs, cool these down, and turn them into labels again; the old labels stay if one would be lost.
 */
static void anneal(search *s) {
    seg_pair_labels *l = s->l;
    const size_t k = l->k, rows = (size_t)l->near.count;
    for (size_t p = 0; p < rows; p++)
        for (size_t a = 0; a < k; a++)
            s->belief[p * k + a] =
                SPREAD / (double)k + ((size_t)seg_pair_labels_of(l, (int32_t)p) == a ? 1 - SPREAD : 0);
    for (int step = 0; step < STEPS; step++) {
        vote(s, s->belief);
        expect(s);
        believe(rows, k, HOT * pow(COLD / HOT, step / (STEPS - 1.0)), s->expected, s->belief);
    }
    memcpy(l->kept, l->label, l->count * sizeof *l->kept);
    for (size_t c = 0; c < l->count; c++) {
        const double *belief = s->belief + (size_t)s->of[c] * k;
        size_t most = 0;
        for (size_t a = 1; a < k; a++)
            if (belief[a] > belief[most])
                most = a;
        l->label[c] = (int32_t)most;
    }
    seg_pair_labels_count_sizes(l);
    for (size_t a = 0; a < k; a++)
        if (l->size[a] == 0) {
            memcpy(l->label, l->kept, l->count * sizeof *l->kept);
            seg_pair_labels_count_sizes(l);
        }
}

static void search_free(search *s) {
    seg_csr_free(&s->met);
    free(s->all);
    free(s->of);
    free(s->belief);
    free(s->expected);
    free(s->looks);
}

static seg_status search_create(seg_context *ctx, const seg_problem *problem, seg_pair_labels *l, search *s) {
    const size_t rows = (size_t)l->near.count;
    *s = (search){.l = l};
    s->all = seg_alloc_zero(ctx, l->count, sizeof *s->all);
    s->of = seg_alloc(ctx, l->count, sizeof *s->of);
    s->belief = seg_alloc(ctx, rows * l->k, sizeof *s->belief);
    s->expected = seg_alloc(ctx, rows * l->k, sizeof *s->expected);
    s->looks = seg_alloc_zero(ctx, l->count * l->k, sizeof *s->looks);
    if (!s->all || !s->of || !s->belief || !s->expected || !s->looks)
        return SEG_ERR_MEMORY;
    for (size_t p = 0; p < rows; p++)
        for (size_t m = l->near.start[p]; m < l->near.start[p + 1]; m++)
            s->of[l->near.member[m]] = (int32_t)p;
    const size_t most = (size_t)fmax(MOST, NODES / (double)l->count);
    const seg_status status =
        seg_first_met(ctx, problem->affinity, l->sample, l->count, (seg_first_met_options){LEAST, most}, &s->met);
    for (size_t c = 0; c < l->count && !status; c++)
        for (size_t e = s->met.start[c]; e < s->met.start[c + 1]; e++)
            s->all[c] += s->met.value[e];
    return status;
}

/* The mean share of the walks from a named sample that meet another one. */
static double share_met(const seg_csr *W, const search *s) {
    double sum = 0;
    for (size_t c = 0; c < s->l->count; c++) {
        double degree = 0;
        for (size_t e = W->start[s->l->sample[c]]; e < W->start[s->l->sample[c] + 1]; e++)
            degree += W->value[e];
        sum += degree > 0 ? s->all[c] / degree : 0;
    }
    return sum / (double)s->l->count;
}

/* The weight of the broken cannot-links. */
static double broken(const seg_pair_labels *l) {
    const seg_neighbourhoods *f = &l->near;
    double sum = 0;
    for (int32_t p = 0; p < f->count; p++)
        for (size_t e = f->cannot_start[p]; e < f->cannot_start[p + 1]; e++)
            sum += seg_pair_labels_of(l, p) == seg_pair_labels_of(l, f->cannot[e]) ? f->apart[e] / 2 : 0;
    return sum;
}

/* Improve the labels by appearance, unless more cannot-links are broken then: appearance misleads in that case. */
static seg_status look(seg_context *ctx, const seg_problem *problem, search *s) {
    seg_pair_labels *l = s->l;
    const double before = broken(l);
    const seg_status status =
        seg_forest_costs(ctx, problem->context ? problem->context : problem->features, l, s->looks);
    if (status)
        return status;
    memcpy(l->best, l->label, l->count * sizeof *l->best);
    settle(s);
    if (broken(l) > before)
        memcpy(l->label, l->best, l->count * sizeof *l->best);
    seg_pair_labels_count_sizes(l);
    return SEG_OK;
}

seg_status seg_labels_by_vote(seg_context *ctx, const seg_problem *problem, seg_pair_labels *l, int *found) {
    search s;
    double least = INFINITY;
    *found = 0;
    seg_status status = search_create(ctx, problem, l, &s);
    if (status || share_met(problem->affinity, &s) < ENOUGH)
        goto done;
    *found = 1;
    for (int start = -1; start < REPELS && !status; start++) {
        status = start < 0 ? seg_labels_by_kernel(ctx, problem, 1, l)
                           : seg_labels_by_spectrum(ctx, problem, &s.met, s.of, repel[start], l);
        if (status)
            break;
        anneal(&s);
        const double total = settle(&s);
        if (total < least) {
            least = total;
            memcpy(l->best, l->label, l->count * sizeof *l->best);
        }
        status = seg_poll(ctx);
    }
    if (status)
        goto done;
    memcpy(l->label, l->best, l->count * sizeof *l->best);
    seg_pair_labels_count_sizes(l);
    for (int again = 0; again < AGAIN && problem->features && !status; again++)
        status = look(ctx, problem, &s);
done:
    search_free(&s);
    return status;
}
