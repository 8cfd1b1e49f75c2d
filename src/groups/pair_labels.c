/* Groups from listed pairs: labels of the samples that pairs name, by a learned kernel and by walks on the graph. */
#include "groups/groups.h"

#include "base/base.h"
#include "clustering/kmeans.h"
#include "clustering/linked_samples.h"
#include "graph/harmonic.h"
#include "likelihood/forest.h"
#include "linalg/dense.h"
#include "linalg/sparse.h"

#define ITERATIONS 100 /* of k-means */
#define SWEEPS     50

/* The samples that pairs name, with indices 0 .. count-1 of their own. */
typedef struct named_samples {
    size_t count, k;
    size_t *sample;          /* index in the problem */
    seg_neighbourhoods near; /* of these samples by their own indices, except near.of */
    seg_matrix rows;         /* of Z, count x r */
    double *cost;            /* count x k: of a sample in a cluster, without its pairs */
    double *centre;          /* k x r */
    int32_t *label, *best, *kept;
    size_t *size; /* of each cluster */
} named_samples;

static void pair_labels_free(named_samples *l) {
    seg_neighbourhoods_free(&l->near);
    seg_matrix_free(&l->rows);
    free(l->sample);
    free(l->cost);
}

/* Z: n x r, rows of a learned kernel's factor. Free it whatever is returned. */
static seg_status pair_labels_create(seg_context *ctx, const seg_problem *problem, const seg_matrix *Z,
                                     named_samples *l) {
    const seg_constraints *given = problem->constraints;
    const size_t k = (size_t)problem->k, r = Z->cols;
    memset(l, 0, sizeof *l);
    l->k = k;
    int32_t *number;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(l->sample, problem->n), SEG_ARRAY(number, problem->n)));
    for (size_t p = 0; p < given->pairs; p++)
        number[given->pair[p].i] = number[given->pair[p].j] = 1;
    for (size_t i = 0; i < problem->n; i++)
        if (number[i]) {
            number[i] = (int32_t)l->count;
            l->sample[l->count++] = i;
        }
    const size_t count = l->count;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_TABLE(l->cost, count, k), SEG_TABLE(l->centre, k, r), SEG_ARRAY(l->size, k),
                             SEG_ARRAY(l->label, count), SEG_ARRAY(l->best, count), SEG_ARRAY(l->kept, count)));
    SEG_TRY(seg_matrix_create(ctx, count, r, &l->rows));
    SEG_TRY(seg_neighbourhoods_create(ctx, given, &l->near));
    for (size_t c = 0; c < l->count; c++)
        memcpy(l->rows.at + c * r, Z->at + l->sample[c] * r, r * sizeof *Z->at);
    seg_rows_to_sphere(count, r, l->rows.at);
    for (size_t m = 0; m < l->near.start[l->near.count]; m++)
        l->near.member[m] = number[l->near.member[m]];
    return SEG_OK;
}

/* Count the samples of each cluster again. */
static void pair_labels_count(named_samples *l) {
    memset(l->size, 0, l->k * sizeof *l->size);
    for (size_t c = 0; c < l->count; c++)
        l->size[l->label[c]]++;
}

/* The label of a neighbourhood. */
static int32_t pair_label(const named_samples *l, int32_t which) {
    return l->label[l->near.member[l->near.start[which]]];
}

/* The cost of a neighbourhood in cluster `c`: its samples' costs, and `apart` for each cannot-link that this breaks. */
static double cost_in(const named_samples *l, int32_t which, int32_t c, double apart) {
    const seg_neighbourhoods *f = &l->near;
    double sum = 0;
    for (size_t m = f->start[which]; m < f->start[which + 1]; m++)
        sum += l->cost[(size_t)f->member[m] * l->k + (size_t)c];
    for (size_t e = f->cannot_start[which]; e < f->cannot_start[which + 1]; e++)
        sum += pair_label(l, f->cannot[e]) == c ? apart * f->apart[e] : 0;
    return sum;
}

static void put(named_samples *l, int32_t which, int32_t c) {
    const size_t samples = seg_neighbourhood_size(&l->near, which);
    l->size[pair_label(l, which)] -= samples;
    l->size[c] += samples;
    for (size_t m = l->near.start[which]; m < l->near.start[which + 1]; m++)
        l->label[l->near.member[m]] = c;
}

/* Move each neighbourhood to where it costs least, unless that leaves a cluster empty. @return whether any moved */
static int sweep(named_samples *l, double apart) {
    int moved = 0;
    for (int32_t which = 0; which < l->near.count; which++) {
        const size_t samples = seg_neighbourhood_size(&l->near, which);
        const int32_t from = pair_label(l, which);
        int32_t to = from;
        double least = cost_in(l, which, from, apart);
        for (int32_t c = 0; c < (int32_t)l->k && l->size[from] > samples; c++) {
            const double value = cost_in(l, which, c, apart);
            if (value < least) {
                least = value;
                to = c;
            }
        }
        put(l, which, to);
        moved |= to != from;
    }
    return moved;
}

/* Move two neighbourhoods, with a cannot-link of weight `link` between them, to where they cost least together. If each
 * has the label of the other, neither can move alone without breaking the link. @return whether they moved */
static int move_two(named_samples *l, double apart, double link, int32_t p, int32_t q) {
    const int32_t from_p = pair_label(l, p), from_q = pair_label(l, q);
    int32_t to_p = from_p, to_q = from_q;
    double least = INFINITY;
    for (int32_t a = 0; a < (int32_t)l->k; a++) {
        put(l, p, a);
        for (int32_t b = 0; b < (int32_t)l->k; b++) {
            put(l, q, b); /* a broken link is in both costs, and must count once */
            const int kept = l->size[from_p] > 0 && l->size[from_q] > 0;
            const double value = cost_in(l, p, a, apart) + cost_in(l, q, b, apart) - (a == b ? apart * link : 0);
            if (kept && (value < least || (value == least && a == from_p && b == from_q))) {
                least = value;
                to_p = a;
                to_q = b;
            }
        }
    }
    put(l, p, to_p);
    put(l, q, to_q);
    return to_p != from_p || to_q != from_q;
}

/* The cost of all samples with their labels. Each broken cannot-link counts once. */
static double pair_labels_cost(const named_samples *l, double apart) {
    double total = 0;
    for (int32_t which = 0; which < l->near.count; which++) /* both ends count a broken link */
        total += cost_in(l, which, pair_label(l, which), apart / 2);
    return total;
}

/* Move each neighbourhood to where it costs least, then the two ends of each cannot-link at once; no cluster is left
 * empty. @return whether any moved */
static int pair_labels_move(named_samples *l, double apart) {
    int moved = sweep(l, apart);
    for (int32_t p = 0; p < l->near.count; p++)
        for (size_t e = l->near.cannot_start[p]; e < l->near.cannot_start[p + 1]; e++)
            if (p < l->near.cannot[e])
                moved |= move_two(l, apart, l->near.apart[e], p, l->near.cannot[e]);
    return moved;
}

/* ---- Labels by a kernel: k-means on its rows, then neighbourhoods move as in [basu2004active, Sec. 3]. ---- */

#define KERNEL_STREAM 0x2100
#define KERNEL_APART  1.0 /* cost of a broken cannot-link in squared distances on the sphere, which are 4 at most */

/* k-means may separate samples that must link: all of them get the label of the first. */
static void join(named_samples *l) {
    for (int32_t which = 0; which < l->near.count; which++)
        for (size_t m = l->near.start[which] + 1; m < l->near.start[which + 1]; m++)
            l->label[l->near.member[m]] = pair_label(l, which);
    pair_labels_count(l);
}

static void distances(named_samples *l) {
    const size_t k = l->k, r = l->rows.cols;
    memset(l->centre, 0, k * r * sizeof *l->centre);
    for (size_t c = 0; c < l->count; c++)
        for (size_t t = 0; t < r; t++)
            l->centre[(size_t)l->label[c] * r + t] +=
                l->rows.at[c * r + t] / (double)(l->size[l->label[c]] ? l->size[l->label[c]] : 1);
    for (size_t c = 0; c < l->count; c++)
        for (size_t a = 0; a < k; a++)
            l->cost[c * k + a] = seg_distance2(r, l->rows.at + c * r, l->centre + a * r);
}

/* Labels by the kernel: the start with the least sum of distances and costs of broken cannot-links. */
static seg_status labels_by_kernel(seg_context *ctx, const seg_problem *problem, int starts, named_samples *l) {
    double least = INFINITY;
    for (int start = 0; start < starts; start++) {
        const seg_kmeans_options options = {.k = problem->k,
                                            .restarts = problem->restarts,
                                            .iterations = ITERATIONS,
                                            .stream = KERNEL_STREAM + (uint64_t)start};
        seg_kmeans_result result;
        SEG_TRY(seg_kmeans(ctx, &l->rows, &options, l->label, l->centre, &result));
        join(l);
        distances(l);
        for (int s = 0; s < SWEEPS && pair_labels_move(l, KERNEL_APART); s++)
            distances(l);
        const double total = pair_labels_cost(l, KERNEL_APART);
        if (total < least) {
            least = total;
            memcpy(l->best, l->label, l->count * sizeof *l->best);
        }
    }
    memcpy(l->label, l->best, l->count * sizeof *l->label);
    pair_labels_count(l);
    return SEG_OK;
}

/* ---- Labels by the votes of the named samples that walks meet first. A sample is judged by the votes of the others
 * alone, so its own label does not come back to it, and the total of the votes can compare labels that were found in
 * different ways. From each start, labels become beliefs, as in mean field annealing, and beliefs labels. ---- */

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

static void put_costs(const named_samples *l, size_t fold, const seg_matrix *P, double *cost) {
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
static seg_status forest_costs(seg_context *ctx, const seg_matrix *F, const named_samples *l, double *cost) {
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

/* ---- Spectral starts. ---- */

#define SPECTRAL_STREAM 0x2180
#define TOLERANCE       1e-6

typedef struct signed_graph {
    const named_samples *l;
    const seg_csr *met;
    const int32_t *of;
    double repel;
    double *met_scale, *apart_scale; /* of each neighbourhood: 1 / sqrt(degree), 0 where that is 0 */
} signed_graph;

static void times(void *user, const double *x, double *y) {
    const signed_graph *g = user;
    const seg_neighbourhoods *f = &g->l->near;
    for (int32_t p = 0; p < f->count; p++) {
        double met = 0, apart = 0;
        for (size_t m = f->start[p]; m < f->start[p + 1]; m++) {
            const size_t c = (size_t)f->member[m];
            for (size_t e = g->met->start[c]; e < g->met->start[c + 1]; e++) {
                const int32_t q = g->of[g->met->column[e]];
                met += q == p ? 0 : g->met->value[e] * g->met_scale[q] * x[q];
            }
        }
        for (size_t e = f->cannot_start[p]; e < f->cannot_start[p + 1]; e++)
            apart += f->apart[e] * g->apart_scale[f->cannot[e]] * x[f->cannot[e]];
        y[p] = g->met_scale[p] * met - g->repel * g->apart_scale[p] * apart;
    }
}

static void find_scales(signed_graph *g) {
    const seg_neighbourhoods *f = &g->l->near;
    for (int32_t p = 0; p < f->count; p++) {
        double met = 0, apart = 0;
        for (size_t m = f->start[p]; m < f->start[p + 1]; m++) {
            const size_t c = (size_t)f->member[m];
            for (size_t e = g->met->start[c]; e < g->met->start[c + 1]; e++)
                met += g->of[g->met->column[e]] == p ? 0 : g->met->value[e];
        }
        for (size_t e = f->cannot_start[p]; e < f->cannot_start[p + 1]; e++)
            apart += f->apart[e];
        g->met_scale[p] = met > 0 ? 1 / sqrt(met) : 0;
        g->apart_scale[p] = apart > 0 ? 1 / sqrt(apart) : 0;
    }
}

/* Labels by k-means on the rows, scaled to norm one, of the k largest eigenvectors of a signed graph of the
 * neighbourhoods, as [ng2002spectral] does without signs: D^(-1/2) M D^(-1/2) - repel E^(-1/2) C E^(-1/2), M the sums
 * of `met`, C the cannot-links, D and E their degrees. met: of the samples; of: the neighbourhood of each. The labels
 * stay where there are too few neighbourhoods for that, or the eigenvectors are not found. SEG_OK, SEG_ERR_MEMORY,
 * SEG_ERR_CANCELLED. */
static seg_status spectral_start(seg_context *ctx, const seg_problem *problem, const seg_csr *met, const int32_t *of,
                                 double repel, named_samples *l) {
    const size_t rows = (size_t)l->near.count, k = l->k;
    SEG_FREED double *value = NULL;
    signed_graph g = {.l = l, .met = met, .of = of, .repel = repel};
    const seg_lanczos_options lanczos = {.count = (int)k, .largest = 1, .tolerance = TOLERANCE};
    const seg_kmeans_options options = {
        .k = problem->k, .restarts = problem->restarts, .iterations = ITERATIONS, .stream = SPECTRAL_STREAM};
    SEG_RELEASED(seg_matrix_free) seg_matrix vectors = {0};
    seg_kmeans_result result;
    double *centre;
    int32_t *label;
    if (rows <= k + 1)
        return SEG_OK;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(value, k), SEG_TABLE(centre, k, k), SEG_ARRAY(label, rows),
                             SEG_ARRAY(g.met_scale, rows), SEG_ARRAY(g.apart_scale, rows)));
    SEG_TRY(seg_matrix_create(ctx, rows, k, &vectors));
    find_scales(&g);
    const seg_status status = seg_lanczos(ctx, &(seg_operator){rows, times, &g}, &lanczos, value, vectors.at, NULL);
    if (status)
        return status == SEG_ERR_NUMERIC ? SEG_OK : status; /* this start is left out */
    seg_rows_to_sphere(rows, k, vectors.at);
    SEG_TRY(seg_kmeans(ctx, &vectors, &options, label, centre, &result));
    for (size_t c = 0; c < l->count; c++)
        l->label[c] = label[of[c]];
    pair_labels_count(l);
    return SEG_OK;
}

/* ---- The search. ---- */

typedef struct search {
    named_samples *l;
    seg_csr met;      /* count x count */
    double *all;      /* count: the sum of its row */
    int32_t *of;      /* count: neighbourhood */
    double *belief;   /* neighbourhoods x k */
    double *expected; /* neighbourhoods x k: expected cost of every label */
    double *looks;    /* count x k: cost of a label by appearance, 0 before it is learned */
} search;

/* Fill l->cost with the votes of the named samples: their beliefs, or their labels where `belief` is NULL. */
static void vote(search *s, const double *belief) {
    named_samples *l = s->l;
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
    named_samples *l = s->l;
    double least = INFINITY;
    for (int round = 0, moved = 1; moved; round++) {
        vote(s, NULL);
        const double total = pair_labels_cost(l, APART);
        if (total < least) {
            least = total;
            memcpy(l->kept, l->label, l->count * sizeof *l->kept);
        }
        moved = 0;
        for (int sweep = 0; round < ROUNDS && sweep < SWEEPS && pair_labels_move(l, APART); sweep++)
            moved = 1;
    }
    memcpy(l->label, l->kept, l->count * sizeof *l->kept);
    return least;
}

static void expect(search *s) {
    const named_samples *l = s->l;
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
    named_samples *l = s->l;
    const size_t k = l->k, rows = (size_t)l->near.count;
    for (size_t p = 0; p < rows; p++)
        for (size_t a = 0; a < k; a++)
            s->belief[p * k + a] = SPREAD / (double)k + ((size_t)pair_label(l, (int32_t)p) == a ? 1 - SPREAD : 0);
    for (int step = 0; step < STEPS; step++) {
        vote(s, s->belief);
        expect(s);
        believe(rows, k, HOT * pow(COLD / HOT, step / (STEPS - 1.0)), s->expected, s->belief);
    }
    memcpy(l->kept, l->label, l->count * sizeof *l->kept);
    for (size_t c = 0; c < l->count; c++)
        l->label[c] = (int32_t)seg_largest_of(k, s->belief + (size_t)s->of[c] * k);
    pair_labels_count(l);
    for (size_t a = 0; a < k; a++)
        if (l->size[a] == 0) {
            memcpy(l->label, l->kept, l->count * sizeof *l->kept);
            pair_labels_count(l);
        }
}

/* A cannot-link between two neighbourhoods weighs as much as the samples of the smaller side, which must
 * move where it is broken. With the weight of one pair, classes of large neighbourhoods merge for the
 * gain of a few votes. */
static void weigh_links(seg_neighbourhoods *f) {
    for (int32_t p = 0; p < f->count; p++)
        for (size_t e = f->cannot_start[p]; e < f->cannot_start[p + 1]; e++)
            f->apart[e] *= fmin((double)seg_neighbourhood_size(f, p), (double)seg_neighbourhood_size(f, f->cannot[e]));
}

static seg_status search_create(seg_context *ctx, const seg_problem *problem, named_samples *l, search *s) {
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
static double broken(const named_samples *l) {
    return pair_labels_cost(l, 1) - pair_labels_cost(l, 0);
}

/* Improve the labels by appearance, unless more cannot-links are broken then: appearance misleads in that case. */
static seg_status look(seg_context *ctx, const seg_problem *problem, search *s) {
    named_samples *l = s->l;
    const double before = broken(l);
    SEG_TRY(forest_costs(ctx, problem->context ? problem->context : problem->features, l, s->looks));
    memcpy(l->best, l->label, l->count * sizeof *l->best);
    settle(s);
    if (broken(l) > before + ROUNDING)
        memcpy(l->label, l->best, l->count * sizeof *l->best);
    pair_labels_count(l);
    return SEG_OK;
}

/* Labels by the votes of the named samples that walks meet first, and by appearance. *found: 0, and nothing is done,
 * where walks from the samples seldom meet others. */
static seg_status labels_by_vote(seg_context *ctx, const seg_problem *problem, named_samples *l, int *found) {
    SEG_RELEASED(search_free) search s = {0};
    double least = INFINITY;
    SEG_TRY(search_create(ctx, problem, l, &s));
    *found = share_met(problem->affinity, &s) >= ENOUGH;
    if (!*found)
        return SEG_OK;
    weigh_links(&l->near);
    for (int start = -1; start < REPELS; start++) {
        SEG_TRY(start < 0 ? labels_by_kernel(ctx, problem, 1, l)
                          : spectral_start(ctx, problem, &s.met, s.of, repels[start], l));
        anneal(&s);
        const double total = settle(&s);
        if (total < least) {
            least = total;
            memcpy(l->best, l->label, l->count * sizeof *l->best);
        }
        SEG_TRY(seg_poll(ctx));
    }
    memcpy(l->label, l->best, l->count * sizeof *l->best);
    pair_labels_count(l);
    for (int again = 0; again < AGAIN && problem->features; again++)
        SEG_TRY(look(ctx, problem, &s));
    return SEG_OK;
}

/* ---- The groups. ---- */

#define STARTS 10

seg_status seg_groups_from_pairs(seg_context *ctx, const seg_problem *problem, const seg_matrix *Z,
                                 seg_constraints *out) {
    SEG_RELEASED(pair_labels_free) named_samples l = {0};
    int found = 0;
    memset(out, 0, sizeof *out);
    SEG_TRY(pair_labels_create(ctx, problem, Z, &l));
    SEG_TRY(seg_constraints_create(ctx, problem->n, out));
    if (l.count < (size_t)problem->k)
        return SEG_OK;
    SEG_TRY(labels_by_vote(ctx, problem, &l, &found));
    if (!found)
        SEG_TRY(labels_by_kernel(ctx, problem, STARTS, &l));
    for (int c = 0; c < problem->k; c++)
        if (l.size[c] == 0)
            return SEG_OK; /* must-links leave fewer neighbourhoods than clusters */
    out->groups = problem->k;
    for (size_t c = 0; c < l.count; c++)
        out->group[l.sample[c]] = (int16_t)l.label[c];
    return SEG_OK;
}
