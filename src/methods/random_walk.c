#include "methods/random_walk.h"

#include "base/base.h"
#include "base/parallel.h"
#include "graph/laplacian.h"
#include "likelihood/forest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FLOOR     1e-3 /* the least vote of the forest */
#define OWN_SHARE 0.5  /* weight of an image's own marked samples beside the prior */
#define RARER     0.1  /* factor of the probability of an end in the prior where there are marked samples */
#define TOLERANCE 1e-6 /* on images/ no label differs from those of 1e-8, no score by more than 1e-3 */

/* (L + diag(absorb)) S = diag(prior * degree) P, S given at the marked samples. */
static seg_status walk(seg_context *ctx, const seg_problem *problem, const seg_matrix *P, double prior,
                       double termination, double tolerance, seg_matrix *S, int *steps) {
    const seg_csr *W = problem->affinity;
    const size_t n = problem->n, k = S->cols;
    const seg_laplacian *laplacian = problem->laplacian;
    seg_laplacian *own = NULL;
    double *absorb = seg_alloc(ctx, n, sizeof *absorb);
    seg_status status = absorb ? SEG_OK : SEG_ERR_MEMORY;
    if (!status && !laplacian) {
        status = seg_laplacian_create(ctx, W, &own);
        laplacian = own;
    }
    for (size_t i = 0; !status && i < n; i++) {
        const int g = problem->constraints->groups ? problem->constraints->group[i] : -1;
        double degree = 0, *s = S->at + i * k;
        for (size_t e = W->start[i]; e < W->start[i + 1]; e++)
            degree += W->value[e];
        if (degree <= 0) /* isolated in the graph: the forest decides */
            degree = 1;
        absorb[i] = g >= 0 ? SEG_FIXED : (prior + termination) * degree;
        for (size_t c = 0; c < k; c++)
            s[c] = g >= 0 ? (double)((size_t)g == c) : prior * degree * P->at[i * k + c];
    }
    if (!status)
        status =
            seg_laplacian_solve(ctx, laplacian, &(seg_laplacian_system){absorb, k, tolerance, S->at, S->at, steps});
    seg_laplacian_free(own);
    free(absorb);
    return status;
}

typedef struct combining {
    const seg_problem *problem;
    const seg_matrix *P;
    double blend;
    seg_clustering *out;
} combining;

/* Where no walk ends at a label, the forest alone decides. */
static void combine_rows(void *arg, size_t first, size_t last, int worker) {
    const combining *j = arg;
    const int16_t *group = j->problem->constraints->group;
    const int any = j->problem->constraints->groups > 0;
    const size_t k = j->P->cols;
    (void)worker;
    for (size_t i = first; i < last; i++) {
        double *s = j->out->score.at + i * k, sum = 0, total = 0;
        const double *p = j->P->at + i * k;
        size_t best = 0;
        if (any && group[i] >= 0) {
            j->out->label[i] = group[i];
            continue;
        }
        for (size_t c = 0; c < k; c++)
            sum += s[c] = fmax(s[c], 0);
        for (size_t c = 0; c < k; c++)
            total += s[c] = sum > 0 ? pow(s[c] / sum, 1 - j->blend) * pow(p[c], j->blend) : p[c];
        for (size_t c = 0; c < k; c++) {
            s[c] /= total;
            if (s[c] > s[best])
                best = c;
        }
        j->out->label[i] = (int32_t)best;
    }
}

/* One sample of a label shows nothing of how its samples differ, and a few show little: the forest's votes are taken
 * with a share of 1 - 1 / m^2, m the samples of the label that has fewest. */
static void shrink(const seg_problem *problem, seg_matrix *P) {
    size_t members[SEG_MAX_LABELS] = {0}, fewest = problem->n;
    for (size_t i = 0; i < problem->n; i++)
        if (problem->constraints->group[i] >= 0)
            members[problem->constraints->group[i]]++;
    for (int g = 0; g < problem->constraints->groups; g++)
        fewest = members[g] < fewest ? members[g] : fewest;
    const double share = 1 - 1 / ((double)fewest * (double)fewest), rest = (1 - share) / (double)P->cols;
    for (size_t e = 0; e < P->rows * P->cols; e++)
        P->at[e] = share * P->at[e] + rest;
}

/* Without features or trees only the graph is known, and every group is equally likely. */
static seg_status votes(seg_context *ctx, const seg_problem *problem, int trees, seg_matrix *P) {
    const seg_forest_options options = {.trees = trees, .floor = FLOOR};
    const seg_matrix *appearance = problem->context ? problem->context : problem->features;
    if (appearance && trees > 0) {
        const seg_status grown =
            seg_forest_posterior(ctx, appearance, problem->constraints->group, problem->k, &options, P);
        if (!grown)
            shrink(problem, P);
        return grown;
    }
    seg_status status = seg_matrix_create(ctx, problem->n, (size_t)problem->k, P);
    for (size_t e = 0; !status && e < P->rows * P->cols; e++)
        P->at[e] = 1.0 / problem->k;
    return status;
}

seg_status seg_random_walk(seg_context *ctx, const seg_problem *problem, const seg_random_walk_options *options,
                           seg_clustering *out) {
    const double tolerance = options->tolerance > 0 ? options->tolerance : TOLERANCE;
    seg_matrix P = {0};
    if (problem->constraints->groups != problem->k)
        return seg_fail(ctx, SEG_ERR_USAGE, "internal: %d groups for %d clusters", problem->constraints->groups,
                        problem->k);
    seg_status status = votes(ctx, problem, options->trees, &P);
    if (!status)
        status = walk(ctx, problem, &P, options->prior, options->termination, tolerance, &out->score, &out->iterations);
    if (!status)
        seg_parallel(ctx, problem->n, 0, combine_rows, &(combining){problem, &P, options->blend, out});
    seg_matrix_free(&P);
    return status;
}

/* What the prior knows of the clusters. */
typedef struct prior_knowledge {
    char of[SEG_MAX_LABELS]; /* 1 where it knows a cluster */
    double *taken; /* k x k: the share that a new cluster may take from a known one, from the prior of the new one's
                      marked samples, scaled so that the largest is 1 */
} prior_knowledge;

static seg_status look_at_prior(seg_context *ctx, const seg_problem *problem, prior_knowledge *out) {
    const seg_matrix *prior = problem->prior;
    const size_t k = prior->cols;
    memset(out, 0, sizeof *out);
    out->taken = seg_alloc_zero(ctx, k, k * sizeof *out->taken);
    if (!out->taken)
        return SEG_ERR_MEMORY;
    for (size_t e = 0; e < prior->rows * k; e++)
        out->of[e % k] |= prior->at[e] > 0;
    for (size_t i = 0; i < prior->rows; i++)
        for (size_t c = 0; problem->constraints->group[i] >= 0 && c < k; c++)
            out->taken[(size_t)problem->constraints->group[i] * k + c] += prior->at[i * k + c];
    for (size_t g = 0; g < k; g++) {
        double most = 0, *row = out->taken + g * k;
        for (size_t c = 0; c < k; c++)
            most = fmax(most, row[c]);
        for (size_t c = 0; c < k; c++)
            row[c] = most > 0 ? row[c] / most : 1;
    }
    return SEG_OK;
}

/* Combine votes and prior. Only clusters with a group have votes: they divide the sum of their priors by the geometric
 * mean of both. A new cluster, which the prior does not know, takes the share of its votes from the clusters to which
 * the prior assigned its marked samples. */
static void join_rows(const seg_problem *problem, const prior_knowledge *known, double own, seg_matrix *P) {
    const size_t k = P->cols, marked = (size_t)problem->constraints->groups;
    for (size_t i = 0; i < P->rows; i++) {
        const double *p = problem->prior->at + i * k;
        double *v = P->at + i * k, left[SEG_MAX_LABELS], held = 0, votes = 0, sum = 0;
        memcpy(left, p, k * sizeof *left);
        for (size_t g = 0; g < marked; g++)
            for (size_t c = 0; !known->of[g] && c < k; c++) {
                const double moved = known->of[c] ? left[c] * v[g] * known->taken[g * k + c] : 0;
                left[c] -= moved;
                left[g] += moved;
            }
        for (size_t g = 0; g < marked; g++)
            if (known->of[g]) {
                held += left[g];
                votes += v[g];
            }
        for (size_t c = 0; c < k; c++) {
            const double before = fmax(left[c], 0.1 * FLOOR);
            if (c < marked && known->of[c] && votes > 0)
                v[c] = pow(before, 1 - own) * pow(fmax(held * v[c] / votes, 0.1 * FLOOR), own);
            else
                v[c] = before;
            sum += v[c];
        }
        for (size_t c = 0; c < k; c++)
            v[c] /= sum;
    }
}

seg_status seg_walk_with_prior(seg_context *ctx, const seg_problem *problem, const seg_random_walk_options *options,
                               seg_clustering *out) {
    const int marked = problem->constraints->groups;
    const double strength = marked ? options->prior * RARER : options->prior;
    seg_matrix P = {0};
    prior_knowledge known = {.taken = NULL};
    seg_status status = SEG_OK;
    if (marked) {
        if ((status = look_at_prior(ctx, problem, &known)) == SEG_OK &&
            (status = votes(ctx, problem, options->trees, &P)) == SEG_OK)
            join_rows(problem, &known, OWN_SHARE, &P);
        free(known.taken);
    } else if ((status = seg_matrix_create(ctx, problem->n, (size_t)problem->k, &P)) == SEG_OK)
        memcpy(P.at, problem->prior->at, P.rows * P.cols * sizeof *P.at);
    if (!status)
        status = walk(ctx, problem, &P, strength, 0, TOLERANCE, &out->score, &out->iterations);
    if (!status)
        seg_parallel(ctx, problem->n, 0, combine_rows, &(combining){problem, &P, 0, out});
    seg_matrix_free(&P);
    return status;
}
