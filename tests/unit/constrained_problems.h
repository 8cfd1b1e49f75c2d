/* Random problems of constrained k-means, and every constraint of one written down, for slow twins. */
#ifndef TESTS_CONSTRAINED_PROBLEMS_H
#define TESTS_CONSTRAINED_PROBLEMS_H

#include "toy.h"

typedef struct random_problem {
    seg_matrix X;
    seg_constraints constraints;
    int32_t *truth;
    int k;
} random_problem;

static inline int32_t *random_truth(seg_random *random, size_t n, int k) {
    int32_t *truth = malloc(n * sizeof *truth);
    for (size_t i = 0; i < n; i++)
        truth[i] = i < (size_t)k ? (int32_t)i : (int32_t)seg_random_below(random, (uint64_t)k);
    return truth;
}

/* n rows around k overlapping centres; `pairs` pairs that the hidden labels answer, with weights; the first `groups`
 * classes partly marked. */
static inline random_problem problem_make(seg_context *ctx, uint64_t seed, size_t n, size_t d, int k, size_t pairs,
                                          int groups, int weighted) {
    random_problem p = {.k = k};
    seg_random random = seg_random_seeded(seed, 7);
    AUTOFREE double *middle = malloc((size_t)k * d * sizeof *middle);
    for (size_t e = 0; e < (size_t)k * d; e++)
        middle[e] = 2 * seg_random_normal(&random);
    p.truth = random_truth(&random, n, k);
    p.X = new_matrix(ctx, n, d);
    for (size_t i = 0; i < n; i++)
        for (size_t t = 0; t < d; t++)
            p.X.at[i * d + t] = middle[(size_t)p.truth[i] * d + t] + seg_random_normal(&random);
    p.constraints = new_constraints(ctx, n);
    p.constraints.groups = groups;
    for (size_t i = 0; i < n; i++)
        if (p.truth[i] < groups && (i < (size_t)groups || seg_random_below(&random, 4) == 0))
            p.constraints.group[i] = (int16_t)p.truth[i];
    for (size_t e = 0; e < pairs; e++) {
        int32_t i = (int32_t)seg_random_below(&random, n), j = (int32_t)seg_random_below(&random, n);
        double weight = weighted ? 0.25 + 2 * seg_random_uniform(&random) : 1;
        seg_pair pair = {i, j, p.truth[i] == p.truth[j] ? 1 : -1, weight};
        if (i != j)
            assert_ok(ctx, seg_constraints_add(ctx, &p.constraints, pair));
    }
    return p;
}

static inline void random_problem_free(random_problem *p) {
    seg_matrix_free(&p->X);
    seg_constraints_free(&p->constraints);
    free(p->truth);
}

/* n x n weights, must-links positive, cannot-links negative: the groups' and the listed pairs. */
static inline double *weights_listed(const seg_constraints *c) {
    double *W = calloc(c->n * c->n, sizeof *W);
    for (size_t i = 0; i < c->n; i++)
        for (size_t j = 0; j < c->n; j++)
            if (i != j && c->groups && c->group[i] >= 0 && c->group[j] >= 0)
                W[i * c->n + j] = c->group[i] == c->group[j] ? 1 : -1;
    for (size_t p = 0; p < c->pairs; p++) {
        const seg_pair *pair = &c->pair[p];
        W[(size_t)pair->i * c->n + (size_t)pair->j] += pair->sign * pair->weight;
        W[(size_t)pair->j * c->n + (size_t)pair->i] += pair->sign * pair->weight;
    }
    return W;
}

/* The same with all that the closure implies, for unweighted constraints: by repetition until nothing is new. */
static inline double *weights_closed(const seg_constraints *c) {
    const size_t n = c->n;
    double *W = weights_listed(c);
    for (int more = 1; more;) {
        more = 0;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                for (size_t l = 0; l < n && W[i * n + j] > 0; l++)
                    if (l != i && W[j * n + l] != 0 && W[i * n + l] == 0) {
                        W[i * n + l] = W[l * n + i] = W[j * n + l] > 0 ? 1 : -1;
                        more = 1;
                    }
    }
    for (size_t e = 0; e < n * n; e++)
        W[e] = W[e] > 0 ? 1 : W[e] < 0 ? -1 : 0;
    return W;
}

static inline double broken_weight(const double *W, size_t n, const int32_t *label) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double weight = W[i * n + j];
            if ((weight > 0 && label[i] != label[j]) || (weight < 0 && label[i] == label[j]))
                sum += fabs(weight);
        }
    return sum;
}

#endif
