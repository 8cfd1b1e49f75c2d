/* Normalised point-based uncertainty [xiong2014npu, Sec. 3.2]: the sample whose place among the neighbourhoods N_p is
 * least certain for the questions that it takes to find it.
 *
 *   p_p(x) = mean over y in N_p of S(x, y), divided by its sum over the neighbourhoods
 *   x      = argmax over samples in no neighbourhood of H(x) / E(x), where H(x) is the entropy of the p_p(x), and
 *            E(x) = sum over j of j times the j-th largest p_p(x) is the expected number of questions
 *
 * It is then compared with the neighbourhoods in the order of p_p(x), largest first, until it must link to one. With
 * fewer than two neighbourhoods nothing is uncertain, and the sample is drawn at random.
 *
 * The paper's S is the share of a random forest's trees in which both are in one leaf; the forest learns the current
 * clusters. Here nothing is clustered between questions: S(x, y) = exp(-|x - y|^2 / 2 s^2). Its sums are kept as
 * logarithms, so that they do not vanish far from all neighbourhoods. */
#include "active/selector.h"

#include "base/base.h"
#include "linalg/dense.h"

#define WIDTH 0.1 /* s^2 as a share of the mean squared distance to the samples' mean */

seg_status seg_npu_start(seg_context *ctx, seg_active *active, size_t hood) {
    const seg_matrix *X = active->spec.features;
    const size_t n = active->spec.n;
    SEG_TRY(seg_extend(ctx, &active->similarity, hood, n * sizeof *active->similarity));
    for (size_t i = 0; i < n; i++)
        active->similarity[hood * n + i] = -INFINITY;
    if (hood == 0) {
        SEG_LOCAL(double, mean, seg_alloc(ctx, X->cols, sizeof *mean));
        const double scatter = seg_rows_scatter(X, NULL, mean);
        active->inverse_width = scatter > 0 ? (double)n / (2 * WIDTH * scatter) : 0; /* 0: all samples are equal */
    }
    return SEG_OK;
}

typedef struct joining {
    const seg_active *active;
    const double *member;
    double *similarity; /* of the neighbourhood */
} joining;

static void add_member(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const joining *a = arg;
    const seg_matrix *X = a->active->spec.features;
    for (size_t i = first; i < last; i++) {
        const double own = -a->active->inverse_width * seg_distance2(X->cols, X->at + i * X->cols, a->member);
        const double larger = fmax(own, a->similarity[i]), smaller = fmin(own, a->similarity[i]);
        a->similarity[i] = larger + log1p(exp(smaller - larger));
    }
}

void seg_npu_join(seg_context *ctx, seg_active *active, int32_t sample, size_t hood) {
    const size_t n = active->spec.n;
    const seg_matrix *X = active->spec.features;
    joining all = {active, X->at + (size_t)sample * X->cols, active->similarity + hood * n};
    seg_parallel_on(ctx, n > 4096 ? seg_threads(ctx) : 1, n, 0, add_member, &all);
}

double seg_npu_similarity(const seg_active *active, int32_t sample, size_t hood) {
    return active->similarity[hood * active->spec.n + (size_t)sample] - log((double)active->hoods[hood].size);
}

/* H(x) / E(x) over the neighbourhoods that the sample may belong to; p: room for all. */
static double uncertainty(seg_active *active, int32_t sample, double *p) {
    size_t open = 0;
    double most = -INFINITY, sum = 0, entropy = 0, questions = 0;
    for (size_t h = 0; h < active->hood_count; h++)
        if (seg_relations_between(&active->relations, sample, active->hoods[h].member) >= 0) {
            p[open] = seg_npu_similarity(active, sample, h);
            most = fmax(most, p[open++]);
        }
    for (size_t h = 0; h < open; h++)
        sum += p[h] = exp(p[h] - most);
    qsort(p, open, sizeof *p, seg_by_value); /* ascending */
    for (size_t h = 0; h < open; h++) {
        const double share = p[h] / sum;
        entropy -= share > 0 ? share * log2(share) : 0;
        questions += (double)(open - h) * share;
    }
    return open > 1 ? entropy / questions : 0;
}

seg_status seg_npu_choose(seg_context *ctx, seg_active *active, int32_t *out) {
    double best = 0;
    *out = -1;
    SEG_LOCAL(double, p, seg_alloc(ctx, active->hood_count, sizeof *p));
    SEG_TRY(seg_poll(ctx));
    for (size_t i = 0; i < active->spec.n && active->hood_count > 1; i++) {
        const double found = seg_active_is_free(active, i) ? uncertainty(active, (int32_t)i, p) : 0;
        if (found > best) {
            best = found;
            *out = (int32_t)i;
        }
    }
    return SEG_OK;
}
