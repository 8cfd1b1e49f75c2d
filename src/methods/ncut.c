/* Multiclass normalized cuts: the k smoothest eigenvectors, discretised by the nearest rotation; of several starts, the
 * one with the least cut [yu2003multiclass]. Constraints only name the clusters. In an image a weak edge cuts off a few
 * patches, which are nobody's region: further cuts are made until k clusters are larger. */
#include "methods/steps.h"

#include "base/base.h"
#include "clustering/discretise.h"
#include "linalg/dense.h"
#include "methods/assign.h"

#define DISCRETISE_STREAM 0x3000
#define FURTHER           8       /* clusters at most, beside k */
static const double SAME = 1e-12; /* cuts closer than this are equal */

/* The normalized cut, sum over the clusters of (1 - inside / degree) [yu2003multiclass, Eq. 3]; a cluster without
 * edges, an empty one too, counts 1, the maximum. */
static double cut_of(const seg_problem *problem, const int32_t *label) {
    const seg_csr *W = problem->affinity;
    const size_t k = (size_t)problem->k;
    double inside[SEG_MAX_LABELS] = {0}, degree[SEG_MAX_LABELS] = {0}, value = (double)k;
    for (size_t i = 0; i < problem->n; i++)
        for (size_t e = W->start[i]; e < W->start[i + 1]; e++) {
            degree[label[i]] += W->value[e];
            inside[label[i]] += label[W->column[e]] == label[i] ? W->value[e] : 0;
        }
    for (size_t j = 0; j < k; j++)
        value -= degree[j] > 0 ? inside[j] / degree[j] : 0;
    return value;
}

/* The discretisation with the least cut of several starts, the first of equals. */
static seg_status discretise(seg_context *ctx, const seg_problem *problem, seg_clustering *out) {
    const size_t n = problem->n, k = (size_t)problem->k;
    const int restarts = k > 1 ? problem->restarts : 1;
    SEG_LOCAL(int32_t, label, seg_alloc(ctx, n, sizeof *label));
    SEG_LOCAL(double, score, seg_alloc(ctx, n, k * sizeof *score));
    SEG_TRY(seg_discretise(ctx, &out->embedding, DISCRETISE_STREAM, out->label, out->score.at, &out->iterations));
    out->objective = cut_of(problem, out->label);
    for (int r = 1; r < restarts; r++) {
        int iterations;
        SEG_TRY(seg_poll(ctx));
        SEG_TRY(seg_discretise(ctx, &out->embedding, DISCRETISE_STREAM + (uint64_t)r, label, score, &iterations));
        const double value = cut_of(problem, label);
        if (value < out->objective - SAME) {
            memcpy(out->label, label, n * sizeof *label);
            memcpy(out->score.at, score, n * k * sizeof *score);
            out->objective = value;
            out->iterations = iterations;
        }
    }
    return SEG_OK;
}

static seg_status cut(seg_context *ctx, const seg_problem *problem, const seg_spectrum *spectrum, seg_clustering *out) {
    const size_t n = problem->n, k = (size_t)problem->k, count = (size_t)spectrum->count;
    SEG_TRY(seg_matrix_create(ctx, n, k, &out->embedding));
    for (size_t i = 0; i < n; i++)
        memcpy(out->embedding.at + i * k, spectrum->vector + i * count, k * sizeof *spectrum->vector);
    out->objective_bound = seg_sum(k, spectrum->value); /* the relaxed cut */
    SEG_TRY(discretise(ctx, problem, out));
    for (size_t i = 0; i < n; i++) { /* rotated rows are close to indicators: set negative entries to 0, normalise */
        double *score = out->score.at + i * k;
        for (size_t c = 0; c < k; c++)
            score[c] = fmax(score[c], 0);
        seg_normalise_scores(k, score);
    }
    return SEG_OK;
}

seg_status seg_ncut_solve(seg_context *ctx, const seg_problem *problem, const seg_spectrum *spectrum,
                          seg_clustering *out) {
    SEG_TRY(cut(ctx, problem, spectrum, out));
    return seg_name_clusters(ctx, problem, out);
}

/* ---- Clusters that are too small. ---- */

/* Number the k largest clusters of at least `least` samples: place[c] is the number of cluster c, -1 for the others.
 * @return how many are as large */
static int number_large(const seg_clustering *found, double least, int k, int32_t *place) {
    seg_ranked rank[SEG_MAX_LABELS];
    int large = 0;
    for (int c = 0; c < found->k; c++)
        rank[c] = (seg_ranked){0, 0, c};
    for (size_t i = 0; i < found->n; i++)
        rank[found->label[i]].size++;
    qsort(rank, (size_t)found->k, sizeof *rank, seg_by_rank);
    for (int r = 0; r < found->k; r++) {
        const int counts = rank[r].size >= least;
        place[rank[r].which] = counts && r < k ? r : -1;
        large += counts;
    }
    return large;
}

/* Samples of the small clusters go to the cluster that they have the largest affinity to, from its border inwards. */
static void take_large(const seg_problem *problem, const seg_clustering *found, const int32_t *place,
                       seg_clustering *out) {
    const seg_csr *W = problem->affinity;
    const size_t k = (size_t)problem->k;
    for (size_t i = 0; i < problem->n; i++) {
        out->label[i] = place[found->label[i]];
        for (int c = 0; c < found->k; c++)
            if (place[c] >= 0)
                out->score.at[i * k + (size_t)place[c]] = found->score.at[i * (size_t)found->k + (size_t)c];
    }
    for (int moved = 1, rest = 0; moved || rest; rest = !moved && !rest) { /* at last those that touch nothing */
        moved = 0;
        for (size_t i = 0; i < problem->n; i++) {
            double sum[SEG_MAX_LABELS] = {0}, all = rest;
            for (size_t e = W->start[i]; out->label[i] < 0 && e < W->start[i + 1]; e++)
                if (out->label[W->column[e]] >= 0) {
                    sum[out->label[W->column[e]]] += W->value[e];
                    all += W->value[e];
                }
            if (out->label[i] >= 0 || !(all > 0))
                continue;
            out->label[i] = (int32_t)seg_largest_of(k, sum);
            memset(out->score.at + i * k, 0, k * sizeof *out->score.at);
            out->score.at[i * k + (size_t)out->label[i]] = 1;
            moved = 1;
        }
    }
    for (size_t i = 0; i < problem->n; i++)
        seg_normalise_scores(k, out->score.at + i * k);
    out->objective = cut_of(problem, out->label);
}

/* Cut further where clusters are too small; where that does not help, `out` stays. */
static seg_status cut_further(seg_context *ctx, const seg_problem *problem, double least, seg_clustering *out) {
    SEG_RELEASED(seg_spectrum_free) seg_spectrum spectrum = {0};
    int32_t place[SEG_MAX_LABELS];
    seg_problem more = *problem;
    const int most = (int)fmin(fmin(problem->k + FURTHER, SEG_MAX_LABELS), (double)problem->n);
    if (number_large(out, least, problem->k, place) >= problem->k)
        return SEG_OK;
    SEG_TRY(seg_smoothest(ctx, problem, most, &spectrum));
    while (++more.k <= most) {
        SEG_RELEASED(seg_clustering_free) seg_clustering found = {0};
        SEG_TRY(seg_clustering_begin(ctx, &more, &found));
        SEG_TRY(cut(ctx, &more, &spectrum, &found));
        if (number_large(&found, least, problem->k, place) < problem->k)
            continue;
        take_large(problem, &found, place, out);
        return SEG_OK;
    }
    return SEG_OK;
}

static const seg_param params[] = {
    {"least", 0.002, 0, 0.5, 0, NULL,
     "of an image's patches in each cluster: smaller ones join others, and more cuts are made; 0: as printed"},
};

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    SEG_RELEASED(seg_spectrum_free) seg_spectrum spectrum = {0};
    SEG_TRY(seg_smoothest(ctx, problem, problem->k, &spectrum));
    SEG_TRY(cut(ctx, problem, &spectrum, out));
    if (problem->patches && param[0] > 0)
        SEG_TRY(cut_further(ctx, problem, param[0] * (double)problem->n, out));
    return seg_name_clusters(ctx, problem, out);
}

const seg_method_row seg_method_ncut = {
    {"ncut", "multiclass normalized cuts", "yu2003multiclass", SEG_NEEDS_GRAPH | SEG_EIGENVECTORS_ONLY,
     SEG_PARAMS(params), SEG_WORDS("least=0"), "in an image clusters of a few patches do not count",
     SEG_PAPER_GRAPH_KNN},
    solve,
};
