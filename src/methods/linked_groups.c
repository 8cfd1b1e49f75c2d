#include "methods/linked_groups.h"

#include "base/base.h"
#include "clustering/kmeans.h"
#include "clustering/neighbourhoods.h"
#include "graph/laplacian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STREAM      0x2100
#define STARTS      10
#define ITERATIONS  100
#define SWEEPS      50
#define ROUNDS      3    /* of the walk; more change little (docs/results.md) */
#define APART       1.0  /* cost of a broken cannot-link in squared distances on the sphere, which are 4 at most */
#define WALK_APART  3.0  /* likewise in negative log-probabilities of the walk */
#define TERMINATION 5e-4 /* of the walk, as a share of a sample's degree */
#define FLOOR       0.02 /* least share of a label in a sample's vote */
#define TOLERANCE   1e-4 /* of the walks: with 1e-6 no group differs on MSRC or on mixtures (docs/results.md) */

/* The samples that pairs name, numbered anew. */
typedef struct linked {
    size_t count;
    size_t *sample;          /* number in the problem */
    seg_neighbourhoods near; /* of these samples by their new numbers, but for near.of */
    seg_matrix rows;         /* of Z */
    double *cost;            /* count x k: of a sample in a cluster, whatever the others do */
    double *centre;          /* k x r */
    int32_t *label, *best;
    size_t *size; /* of each cluster */
} linked;

static void linked_free(linked *l) {
    seg_neighbourhoods_free(&l->near);
    seg_matrix_free(&l->rows);
    free(l->sample);
    free(l->cost);
    free(l->centre);
    free(l->label);
    free(l->best);
    free(l->size);
}

static seg_status collect(seg_context *ctx, const seg_problem *problem, const seg_matrix *Z, linked *l) {
    const seg_constraints *given = problem->constraints;
    const size_t k = (size_t)problem->k, r = Z->cols;
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
    l->size = seg_alloc(ctx, k, sizeof *l->size);
    if (!l->cost || !l->centre || !l->label || !l->best || !l->size)
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

static void count_sizes(linked *l, size_t k) {
    memset(l->size, 0, k * sizeof *l->size);
    for (size_t c = 0; c < l->count; c++)
        l->size[l->label[c]]++;
}

static int32_t label_of(const linked *l, int32_t which) {
    return l->label[l->near.member[l->near.start[which]]];
}

/* Of a neighbourhood in cluster `c`: its samples' costs, and `apart` for each cannot-link that this breaks. */
static double cost_of(const linked *l, size_t k, int32_t which, int32_t c, double apart) {
    const seg_neighbourhoods *f = &l->near;
    double sum = 0;
    for (size_t m = f->start[which]; m < f->start[which + 1]; m++)
        sum += l->cost[(size_t)f->member[m] * k + (size_t)c];
    for (size_t e = f->cannot_start[which]; e < f->cannot_start[which + 1]; e++)
        sum += label_of(l, f->cannot[e]) == c ? apart * f->apart[e] : 0;
    return sum;
}

static void put(linked *l, int32_t which, int32_t c) {
    const size_t samples = seg_neighbourhood_size(&l->near, which);
    l->size[label_of(l, which)] -= samples;
    l->size[c] += samples;
    for (size_t m = l->near.start[which]; m < l->near.start[which + 1]; m++)
        l->label[l->near.member[m]] = c;
}

/* Move each neighbourhood where it costs least, unless that leaves a cluster empty. @return whether any moved */
static int sweep(linked *l, size_t k, double apart) {
    int moved = 0;
    for (int32_t which = 0; which < l->near.count; which++) {
        const size_t samples = seg_neighbourhood_size(&l->near, which);
        const int32_t from = label_of(l, which);
        int32_t to = from;
        double least = cost_of(l, k, which, from, apart);
        for (int32_t c = 0; c < (int32_t)k && l->size[from] > samples; c++) {
            const double value = cost_of(l, k, which, c, apart);
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

/* Move two neighbourhoods with a cannot-link between them, of weight `link`, where they cost least together: where each
 * is at the other's place, neither could go alone without breaking the link. @return whether they moved */
static int move_two(linked *l, size_t k, double apart, double link, int32_t p, int32_t q) {
    const int32_t from_p = label_of(l, p), from_q = label_of(l, q);
    int32_t to_p = from_p, to_q = from_q;
    double least = INFINITY;
    for (int32_t a = 0; a < (int32_t)k; a++) {
        put(l, p, a);
        for (int32_t b = 0; b < (int32_t)k; b++) {
            put(l, q, b); /* cost_of() has the link between them in both when it is broken, and it counts once */
            const int kept = l->size[from_p] > 0 && l->size[from_q] > 0;
            const double value = cost_of(l, k, p, a, apart) + cost_of(l, k, q, b, apart) - (a == b ? apart * link : 0);
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

/* Then the two ends of each cannot-link at once. @return whether any moved */
static int sweep_all(linked *l, size_t k, double apart) {
    int moved = sweep(l, k, apart);
    for (int32_t p = 0; p < l->near.count; p++)
        for (size_t e = l->near.cannot_start[p]; e < l->near.cannot_start[p + 1]; e++)
            if (p < l->near.cannot[e])
                moved |= move_two(l, k, apart, l->near.apart[e], p, l->near.cannot[e]);
    return moved;
}

/* k-means may put samples that must link apart: the first says where they go, unless that empties a cluster. */
static void join(linked *l, size_t k) {
    count_sizes(l, k);
    for (int32_t which = 0; which < l->near.count; which++)
        for (size_t m = l->near.start[which] + 1; m < l->near.start[which + 1]; m++) {
            int32_t *label = &l->label[l->near.member[m]];
            l->size[*label]--;
            *label = label_of(l, which);
            l->size[*label]++;
        }
}

static void distances(linked *l, size_t k) {
    const size_t r = l->rows.cols;
    memset(l->centre, 0, k * r * sizeof *l->centre);
    for (size_t c = 0; c < l->count; c++)
        for (size_t t = 0; t < r; t++)
            l->centre[(size_t)l->label[c] * r + t] +=
                l->rows.at[c * r + t] / (double)(l->size[l->label[c]] ? l->size[l->label[c]] : 1);
    for (size_t c = 0; c < l->count; c++)
        for (size_t a = 0; a < k; a++) {
            double sum = 0;
            for (size_t t = 0; t < r; t++) {
                const double difference = l->rows.at[c * r + t] - l->centre[a * r + t];
                sum += difference * difference;
            }
            l->cost[c * k + a] = sum;
        }
}

/* The best of several starts by distances and broken cannot-links, each of which is met from both its ends. */
static seg_status cluster(seg_context *ctx, const seg_problem *problem, linked *l) {
    const size_t k = (size_t)problem->k;
    double least = INFINITY;
    for (int start = 0; start < STARTS; start++) {
        const seg_kmeans_options options = {.k = problem->k,
                                            .restarts = problem->restarts,
                                            .iterations = ITERATIONS,
                                            .stream = STREAM + (uint64_t)start};
        seg_kmeans_result result;
        seg_status status = seg_kmeans(ctx, &l->rows, &options, l->label, l->centre, &result);
        if (status)
            return status;
        join(l, k);
        distances(l, k);
        for (int s = 0; s < SWEEPS && sweep_all(l, k, APART); s++)
            distances(l, k);
        double total = 0;
        for (int32_t which = 0; which < l->near.count; which++)
            total += cost_of(l, k, which, label_of(l, which), APART / 2);
        if (total < least) {
            least = total;
            memcpy(l->best, l->label, l->count * sizeof *l->best);
        }
    }
    memcpy(l->label, l->best, l->count * sizeof *l->label);
    count_sizes(l, k);
    return SEG_OK;
}

/* Where walks from a sample's neighbours end, as costs. */
static void vote(const seg_problem *problem, linked *l, const double *S) {
    const seg_csr *W = problem->affinity;
    const size_t k = (size_t)problem->k;
    for (size_t c = 0; c < l->count; c++) {
        const size_t i = l->sample[c];
        double *cost = l->cost + c * k, total = 0;
        for (size_t a = 0; a < k; a++) {
            cost[a] = 0;
            for (size_t e = W->start[i]; e < W->start[i + 1]; e++)
                cost[a] += W->value[e] * fmax(0, S[(size_t)W->column[e] * k + a]);
            total += cost[a];
        }
        for (size_t a = 0; a < k; a++)
            cost[a] = total > 0 ? -log((cost[a] / total + FLOOR) / (1 + FLOOR * (double)k)) : 0;
    }
}

static seg_status walk(seg_context *ctx, const seg_problem *problem, linked *l) {
    const seg_csr *W = problem->affinity;
    const size_t n = problem->n, k = (size_t)problem->k;
    const seg_laplacian *laplacian = problem->laplacian;
    seg_laplacian *own = NULL;
    double *absorb = seg_alloc(ctx, n, sizeof *absorb), *S = seg_alloc(ctx, n * k, sizeof *S);
    seg_status status = absorb && S ? SEG_OK : SEG_ERR_MEMORY;
    if (!status && !laplacian) {
        status = seg_laplacian_create(ctx, W, &own);
        laplacian = own;
    }
    for (int round = 0, moved = 1; round < ROUNDS && moved && !status; round++) {
        for (size_t i = 0; i < n; i++) {
            double degree = 0;
            for (size_t e = W->start[i]; e < W->start[i + 1]; e++)
                degree += W->value[e];
            absorb[i] = TERMINATION * (degree > 0 ? degree : 1);
        }
        memset(S, 0, n * k * sizeof *S);
        for (size_t c = 0; c < l->count; c++) {
            absorb[l->sample[c]] = SEG_FIXED;
            S[l->sample[c] * k + (size_t)l->label[c]] = 1;
        }
        status = seg_laplacian_solve(ctx, laplacian, absorb, k, TOLERANCE, S, S, NULL);
        if (status)
            break;
        vote(problem, l, S);
        moved = 0;
        for (int s = 0; s < SWEEPS && sweep_all(l, k, WALK_APART); s++)
            moved = 1;
    }
    seg_laplacian_free(own);
    free(absorb);
    free(S);
    return status;
}

seg_status seg_linked_groups(seg_context *ctx, const seg_problem *problem, const seg_matrix *Z, seg_constraints *out) {
    linked l = {0};
    memset(out, 0, sizeof *out);
    seg_status status = collect(ctx, problem, Z, &l);
    if (!status)
        status = seg_constraints_create(ctx, problem->n, out);
    if (status || l.count < (size_t)problem->k)
        goto done;
    if ((status = cluster(ctx, problem, &l)) != SEG_OK || (status = walk(ctx, problem, &l)) != SEG_OK)
        goto done;
    for (int c = 0; c < problem->k; c++)
        if (l.size[c] == 0)
            goto done; /* must-links leave fewer neighbourhoods than clusters */
    out->groups = problem->k;
    for (size_t c = 0; c < l.count; c++)
        out->group[l.sample[c]] = (int16_t)l.label[c];
done:
    linked_free(&l);
    if (status)
        seg_constraints_free(out);
    return status;
}
