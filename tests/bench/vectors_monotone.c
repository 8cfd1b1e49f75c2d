/* SS-Kernel-KMeans on random problems, followed step by step: its objective, computed from the graph and the list of
 * constraints as the paper prints it [kulis2009sskk, Eqs. 7-9], must never rise. Shares nothing with the model. */
#include "vectors.h"

#include "base/random.h"
#include "kernels/sskk.h"
#include "linalg/sparse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 30, OBJECTIVES = 3, STEPS = 300 };
static const char *const names[OBJECTIVES] = {"association", "ratio cut", "normalized cut"};

typedef struct toy {
    seg_csr W;
    double dense[N * N];
    seg_constraints pairs;
    int k;
    int32_t start[N];
} toy;

/* A ring, so that nothing is isolated, with random chords; pairs of both kinds with random weights; a random start. */
static seg_status make(seg_context *ctx, uint64_t seed, toy *t) {
    size_t at = 0;
    seg_random random = seg_random_seeded(seed, 9);
    memset(t, 0, sizeof *t);
    t->k = 2 + (int)seg_random_below(&random, 4);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < i; j++)
            if (j + 1 == i || (j == 0 && i == N - 1) || seg_random_uniform(&random) < 0.25)
                t->dense[i * N + j] = t->dense[j * N + i] = 0.01 + seg_random_uniform(&random);
    seg_status status = seg_csr_create(ctx, N, N, (size_t)N * N, &t->W);
    for (size_t i = 0; i < N && !status; i++) {
        for (size_t j = 0; j < N; j++)
            if (t->dense[i * N + j] > 0) {
                t->W.column[at] = (int32_t)j;
                t->W.value[at++] = t->dense[i * N + j];
            }
        t->W.start[i + 1] = at;
    }
    if (!status)
        status = seg_constraints_create(ctx, N, &t->pairs);
    for (int p = 0; p < 20 && !status; p++) {
        seg_pair pair = {(int32_t)seg_random_below(&random, N), (int32_t)seg_random_below(&random, N), 1,
                         0.5 + seg_random_uniform(&random)};
        pair.sign = pair.i % t->k == pair.j % t->k ? 1 : -1;
        if (pair.i != pair.j)
            status = seg_constraints_add(ctx, &t->pairs, pair);
    }
    for (int i = 0; i < N; i++)
        t->start[i] = i < t->k ? i : (int32_t)seg_random_below(&random, (uint64_t)t->k);
    return status;
}

/* Eqs. 7 to 9, to be made small; every pair counts in both orders, as the edges do. */
static double objective_of(const toy *t, seg_sskk_objective kind, double unit, const int32_t *label) {
    double value = 0;
    for (int c = 0; c < t->k; c++) {
        double inside = 0, across = 0, mass = 0, constraints = 0;
        for (int i = 0; i < N; i++) {
            double degree = 0;
            for (int j = 0; label[i] == c && j < N; j++) {
                degree += t->dense[i * N + j];
                *(label[j] == c ? &inside : &across) += t->dense[i * N + j];
            }
            mass += label[i] == c ? kind == SEG_SSKK_NORMALIZED_CUT ? degree : 1 : 0;
        }
        for (size_t p = 0; p < t->pairs.pairs; p++) {
            const seg_pair *pair = &t->pairs.pair[p];
            if (label[pair->i] == c && label[pair->j] == c)
                constraints += 2 * unit * pair->sign * pair->weight;
        }
        value += ((kind == SEG_SSKK_ASSOCIATION ? -inside : across) - constraints) / mass;
    }
    return value;
}

typedef struct tally {
    int problems, steps;
    double rise, apart; /* relative to 1 + |objective| */
} tally;

/* One run after the other, each per step longer than the last: batch steps first, then sweeps of single moves. */
static seg_status follow(seg_context *ctx, const toy *t, const seg_sskk_options *options, tally *sum) {
    const seg_similarities A = {.n = N, .sparse = &t->W};
    const double unit = options->penalty * N / (options->k * (double)t->pairs.pairs);
    SCOPED(seg_sskk_model) model = {0};
    seg_kernel_kmeans_result result = {0};
    int32_t label[N];
    double before = objective_of(t, options->objective, unit, t->start), constant = 0;
    seg_status status = seg_sskk_model_create(ctx, &(seg_sskk_problem){&A, 0, &t->pairs}, options, &model);
    for (int phase = 0; phase < 2 && !status; phase++) {
        result.converged = 0;
        for (int step = 1; step < STEPS && !result.converged && !status; step++) {
            const seg_kernel_kmeans_options run = {.k = options->k,
                                                   .weight = model.weight,
                                                   .shift = model.shift,
                                                   .use = options->shift,
                                                   .iterations = phase ? STEPS : step,
                                                   .sweeps = phase ? step : 0};
            memcpy(label, t->start, sizeof label);
            status = seg_kernel_kmeans(ctx, &(seg_kernel_problem){&model.B, &model.links}, &run, label, NULL, &result);
            const double after = objective_of(t, options->objective, unit, label), size = 1 + fabs(after);
            sum->rise = fmax(sum->rise, (after - before) / size);
            before = after;
            constant = options->objective == SEG_SSKK_NORMALIZED_CUT ? options->k : 0;
            sum->apart = fmax(sum->apart, fabs(constant - result.objective - after) / size);
            sum->steps++;
        }
        if (!result.converged)
            sum->rise = INFINITY; /* not followed to the end */
    }
    sum->problems++;
    return status;
}

int bench_monotone_row(vectors_work *w) {
    const uint64_t each = w->options->small ? 20 : 1000;
    for (int objective = 0; objective < OBJECTIVES; objective++) {
        tally sum = {.rise = -INFINITY};
        seg_status status = SEG_OK;
        for (uint64_t seed = 1; seed <= each && !status; seed++) {
            toy t;
            if ((status = make(w->ctx, seed, &t)) == SEG_OK) {
                const seg_sskk_options options = {.k = t.k,
                                                  .objective = (seg_sskk_objective)objective,
                                                  .penalty = 0.3 * (double)(seed % 9),
                                                  .shift = (seg_kernel_shift)(seed % 2)};
                status = follow(w->ctx, &t, &options, &sum);
            }
            seg_csr_free(&t.W);
            seg_constraints_free(&t.pairs);
        }
        if (status)
            return bench_fail("SS-Kernel-KMeans: %s", w->ctx->message);
        printf("SS-Kernel-KMeans, %s: %d random problems, %d steps;", names[objective], sum.problems, sum.steps);
        bench_judge(w, "largest rise of the objective", sum.rise, 1e-10);
        bench_judge(w, "stated and printed objective apart", sum.apart, 1e-10);
        putchar('\n');
    }
    return 0;
}
