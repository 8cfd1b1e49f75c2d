/* Kernel k-means: SS-Kernel-KMeans on the problem's kernel, one on its features, or its graph [kulis2009sskk]. */
#include "methods/assign.h"
#include "methods/steps.h"

#include "base/base.h"
#include "kernels/sskk.h"
#include "linalg/dense.h"

#include <float.h>

enum { NEIGHBOURS = 10 };
#define LARGEST_PENALTY 1e100

static const char *const start_choice[] = {"best", "farthest", "random", NULL};             /* of seg_sskk_start */
static const char *const cut_start_choice[] = {"best", "farthest", "random", "ncut", NULL}; /* of seg_sskk_start */
enum { LINEAR, EXPONENTIAL };
enum { KERNEL, WIDTH, WIDTH_SCALE, OTHERS }; /* the first parameters of methods with a kernel on features */

/* clang-format off */
#define KERNEL_PARAMS \
    {"kernel", EXPONENTIAL, 0, 1, 1, SEG_WORDS("linear", "exponential"), \
     "of the features, where the problem brings no kernel"}, \
    {"width", 0, 0, 1e9, 0, NULL, "of the exponential kernel; 0 = from the data"}, \
    {"width-scale", 3, 0.01, 100, 0, NULL, "width from the data: times the mean distance to ten neighbours"}
#define PENALTY {"penalty", 1, 0, 1e6, 0, NULL, "cost of a violated constraint, times the paper's n / (k C)"}
#define SHIFT \
    {"shift", 1, 0, 2, 1, SEG_WORDS("bound", "adaptive", "0"), \
     "diagonal shift: the bound that makes the kernel positive semidefinite, only as much as descent needs, or none"}
#define SWEEPS(more) {"sweeps", 50, 0, 1000, 1, NULL, "sweeps of single moves after the batch steps" more}
#define ITERATIONS {"iterations", 200, 0, 1e6, 1, NULL, "limit of batch steps, the paper's t_max; 0 = the start alone"}
/* clang-format on */

static seg_status check_finite(seg_context *ctx, const seg_matrix *A, const char *what) {
    for (size_t e = 0; e < A->rows * A->cols; e++)
        if (!(fabs(A->at[e]) <= 1e100))
            return seg_fail(ctx, SEG_ERR_USAGE, "row %zu of the %s holds a number that is not finite or beyond 1e100",
                            e / A->cols, what);
    return SEG_OK;
}

/* What the similarities of vectors borrow: the centred features (the same distances and clusters with smaller rounding
 * errors) and half their squared norms. */
typedef struct vectors {
    seg_matrix centred;
    double *half_square;
} vectors;

static void vectors_free(vectors *v) {
    seg_matrix_free(&v->centred);
    free(v->half_square);
}

static seg_status prepare_vectors(seg_context *ctx, const seg_matrix *X, vectors *v) {
    SEG_TRY(seg_matrix_create(ctx, X->rows, X->cols, &v->centred));
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(v->half_square, X->rows)));
    for (size_t t = 0; t < X->cols; t++) {
        double mean = 0;
        for (size_t e = t; e < X->rows * X->cols; e += X->cols)
            mean += X->at[e] / (double)X->rows;
        for (size_t e = t; e < X->rows * X->cols; e += X->cols) {
            v->centred.at[e] = X->at[e] - mean;
            v->half_square[e / X->cols] += 0.5 * v->centred.at[e] * v->centred.at[e];
        }
    }
    return SEG_OK;
}

/* The problem's kernel where it has one, else a kernel on its features, else its graph. gram: see seg_sskk. */
static seg_status similarities_of(seg_context *ctx, const seg_problem *problem, const double *param, vectors *v,
                                  seg_similarities *out, int *gram) {
    memset(out, 0, sizeof *out);
    out->n = problem->n;
    *gram = 1;
    if (problem->kernel) {
        out->dense = problem->kernel;
        return check_finite(ctx, problem->kernel, "kernel");
    }
    if (!problem->features) {
        out->sparse = problem->affinity;
        *gram = 0;
        return SEG_OK;
    }
    SEG_TRY(check_finite(ctx, problem->features, "features"));
    SEG_TRY(prepare_vectors(ctx, problem->features, v));
    out->features = &v->centred;
    if (param[KERNEL] == LINEAR)
        return SEG_OK;
    out->half_square = v->half_square;
    out->width = fmin(fmax(ldexp(param[WIDTH], -problem->exponent), param[WIDTH] > 0 ? DBL_MIN : 0), DBL_MAX);
    if (param[WIDTH] > 0)
        return SEG_OK;
    SEG_TRY(seg_neighbour_distance(ctx, problem->features, NEIGHBOURS, 0, &out->width));
    if (!(out->width > 0 && isfinite(out->width)))
        out->width = 1;
    out->width *= param[WIDTH_SCALE];
    return SEG_OK;
}

/* Squared distances to the centres in place of the sums, as scores [kulis2009sskk, Eq. 1]. */
static void distances(const seg_sskk_model *model, const double *sum, seg_clustering *out) {
    const size_t n = out->n, k = (size_t)out->k;
    const int32_t *label = out->label;
    double mass[SEG_MAX_LABELS] = {0}, inside[SEG_MAX_LABELS] = {0}, *distance2 = out->score.at;
    for (size_t i = 0; i < n; i++) {
        mass[label[i]] += seg_sskk_weight(model, i);
        inside[label[i]] += sum[i * k + (size_t)label[i]];
    }
    for (size_t i = 0; i < n; i++) {
        const double a = seg_sskk_weight(model, i), own = seg_similarities_diagonal(&model->B, i) / (a * a);
        for (size_t c = 0; c < k; c++)
            distance2[i * k + c] = fmax(own + (inside[c] / mass[c] - 2 * sum[i * k + c] / a) / mass[c], 0);
    }
}

/* No score is larger than that of the own cluster, and a sample's scores have the sum one. */
static void normalise(size_t k, int32_t label, double *row) {
    for (size_t c = 0; c < k; c++)
        row[label] = fmax(row[label], row[c]);
    double total = seg_sum(k, row);
    if (!(total > 0))
        total = row[label] = 1;
    for (size_t c = 0; c < k; c++)
        row[c] /= total;
}

static void gaussian_scores(size_t n, size_t k, const int32_t *label, double *score) {
    double mean = 0;
    for (size_t i = 0; i < n; i++)
        mean += score[i * k + (size_t)label[i]] / (double)n;
    const double scale = mean > 0 ? 0.5 / mean : 0;
    for (size_t i = 0; i < n; i++) {
        double *row = score + i * k, least = INFINITY;
        for (size_t c = 0; c < k; c++)
            least = fmin(least, row[c]);
        for (size_t c = 0; c < k; c++)
            row[c] = exp(-scale * (row[c] - least));
        normalise(k, label[i], row);
    }
}

/* Run on these similarities, then make scores from the sums, and names for the clusters. For inner products the scores
 * are exp(-d^2 / 2 s^2) as in seg_assign_kmeans; for a graph they are each cluster's share of the sample's affinities.
 * The objective is in units of 2^power. */
static seg_status run(seg_context *ctx, const seg_problem *problem, const seg_sskk_problem *given, int power,
                      seg_sskk_options options, seg_clustering *out) {
    const size_t n = problem->n, k = (size_t)problem->k;
    SEG_RELEASED(seg_sskk_model_free) seg_sskk_model model = {0};
    seg_sskk_result result;
    SEG_FREED double *sum = seg_alloc(ctx, n, k * sizeof *sum);
    options.k = problem->k;
    options.restarts = problem->restarts;
    SEG_TRY(sum ? seg_sskk(ctx, given, &options, (seg_sskk_found){out->label, sum, &model}, &result) : SEG_ERR_MEMORY);
    seg_clustering_solved(out, ldexp(result.objective, power), result.iterations, result.converged);
    if (given->gram) {
        distances(&model, sum, out);
        gaussian_scores(n, k, out->label, out->score.at);
    } else { /* a cluster's share of all similarities */
        for (size_t e = 0; e < n * k; e++)
            out->score.at[e] = fmax(sum[e], 0);
        for (size_t i = 0; i < n; i++)
            normalise(k, out->label[i], out->score.at + i * k);
    }
    return seg_name_clusters(ctx, problem, out);
}

/* param: KERNEL_PARAMS. On a graph the objective SEG_SSKK_WEIGHTED is the normalized cut. */
static seg_status solve_kernel(seg_context *ctx, const seg_problem *problem, const seg_constraints *constraints,
                               const double *param, seg_sskk_options options, seg_clustering *out) {
    seg_similarities S;
    seg_sskk_problem given = {.similarities = &S, .constraints = constraints};
    SEG_RELEASED(vectors_free) vectors v = {0};
    SEG_TRY(similarities_of(ctx, problem, param, &v, &S, &given.gram));
    /* Inner products are squares of the features' unit, and so is what a broken constraint costs. */
    const int power = S.features && !(S.width > 0) ? 2 * problem->exponent : 0;
    options.penalty = fmin(ldexp(options.penalty, -power), LARGEST_PENALTY);
    if (options.objective == SEG_SSKK_WEIGHTED && !given.gram)
        options.objective = SEG_SSKK_NORMALIZED_CUT;
    return run(ctx, problem, &given, power, options, out);
}

/* ---- Kernel k-means, plain and weighted [dhillon2004kernel; kulis2009sskk, Algorithm 1], k-means++ starts.
 * Constraints only name the clusters. ---- */

static const seg_param plain_params[] = {
    KERNEL_PARAMS,
    {"weights", 0, 0, 1, 1, SEG_WORDS("equal", "degree"),
     "of the samples: equal, or their similarities' sums (on a graph: the normalized cut)"},
    SWEEPS(""),
    ITERATIONS,
};

static seg_status solve_plain(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const seg_sskk_options options = {.objective = param[OTHERS] == 0 ? SEG_SSKK_ASSOCIATION : SEG_SSKK_WEIGHTED,
                                      .shift = SEG_SHIFT_ADAPTIVE,
                                      .start = SEG_SSKK_FARTHEST,
                                      .sweeps = (int)param[OTHERS + 1],
                                      .iterations = (int)param[OTHERS + 2]};
    SEG_RELEASED(seg_constraints_free) seg_constraints none = {0};
    SEG_TRY(seg_constraints_create(ctx, problem->n, &none));
    return solve_kernel(ctx, problem, &none, param, options, out);
}

const seg_method_row seg_method_kernel_kmeans = {
    {"kernel-kmeans", "kernel k-means, plain or weighted", "dhillon2004kernel; kulis2009sskk, Algorithm 1", 0,
     SEG_PARAMS(plain_params), SEG_WORDS("sweeps=0"), "moves of single samples behind the batch steps",
     SEG_PAPER_GRAPH_NONE},
    solve_plain,
};

/* ---- Kernel-HMRF-KMeans: weighted penalties by cluster size, kernel k-means on S + W [kulis2009sskk, Alg. 2]. ---- */

static const seg_param hmrf_params[] = {
    KERNEL_PARAMS,
    PENALTY,
    SHIFT,
    SWEEPS("; 0 is the paper's algorithm"),
    {"start", 0, 0, 2, 1, start_choice,
     "where the runs start: farthest-first over the must-links' components (Algorithm 3), random, or both in turn "
     "(best)"},
    ITERATIONS,
};

/* param: penalty, shift, sweeps, start, iterations. */
static seg_sskk_options options_of(seg_sskk_objective objective, const double *param) {
    return (seg_sskk_options){.objective = objective,
                              .penalty = param[0],
                              .shift = (seg_kernel_shift)param[1],
                              .sweeps = (int)param[2],
                              .start = (seg_sskk_start)param[3],
                              .iterations = (int)param[4]};
}

static seg_status solve_hmrf(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    return solve_kernel(ctx, problem, problem->constraints, param, options_of(SEG_SSKK_ASSOCIATION, param + OTHERS),
                        out);
}

const seg_method_row seg_method_kernel_hmrf_kmeans = {
    {"kernel-hmrf-kmeans", "kernel k-means with penalties for constraints", "kulis2009sskk, Algorithm 2",
     SEG_NEEDS_CONSTRAINTS | SEG_WEIGHS_PAIRS, SEG_PARAMS(hmrf_params),
     SEG_WORDS("kernel=linear", "shift=bound", "sweeps=0", "start=farthest"),
     "an exponential kernel; several starts, the best kept; no more diagonal shift than descent needs; moves of single "
     "samples",
     SEG_PAPER_GRAPH_NONE},
    solve_hmrf,
};

/* ---- SS-Kernel-KMeans on a graph: ratio association, ratio cut and normalized cut with penalties for violated
 * constraints [kulis2009sskk, Algorithm 4]. ---- */

static const seg_param cut_params[] = {
    {"objective", 2, 0, 2, 1, SEG_WORDS("association", "ratio-cut", "normalized-cut"),
     "what is optimised (the problem's kernel, where given, is the graph)"},
    PENALTY,
    SHIFT,
    SWEEPS("; 0 is the paper's algorithm"),
    {"start", 0, 0, 3, 1, cut_start_choice,
     "where the runs start: farthest-first over the must-links' components (Algorithm 3), random, from the labels of "
     "ncut, or all of these"},
    ITERATIONS,
    SEG_EXTRAS_ROW,
};

/* Labels of ncut: a descent that starts there ends no higher. */
static seg_status start_of_cuts(seg_context *ctx, const seg_problem *problem, seg_sskk_start start, int32_t **label) {
    SEG_RELEASED(seg_clustering_free) seg_clustering cuts = {0};
    seg_problem own = *problem;
    own.kernel = NULL;
    own.restarts = 1; /* the same start for any number of runs */
    SEG_TRY(seg_clustering_begin(ctx, problem, &cuts));
    seg_status status = seg_method_solve(ctx, &seg_method_ncut, &own, &cuts);
    if (!status)
        status = seg_fill_clusters(ctx, seg_method_ncut.info.name, &own, &cuts);
    *label = status ? NULL : seg_taken(&cuts.label);
    return status == SEG_ERR_NUMERIC && start == SEG_SSKK_BEST ? SEG_OK : status; /* the other starts remain */
}

static seg_status solve_cuts(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const seg_similarities A = {
        .n = problem->n, .dense = problem->kernel, .sparse = problem->kernel ? NULL : problem->affinity};
    const seg_sskk_problem given = {&A, problem->kernel != NULL, problem->constraints};
    seg_sskk_options options = options_of((seg_sskk_objective)param[0], param + 1);
    SEG_FREED int32_t *cuts = NULL;
    if (options.start == SEG_SSKK_GIVEN ||
        (options.start == SEG_SSKK_BEST && problem->constraints->groups < problem->k))
        SEG_TRY(start_of_cuts(ctx, problem, options.start, &cuts));
    options.given = cuts;
    SEG_TRY(run(ctx, problem, &given, 0, options, out));
    return seg_assign_linked(ctx, problem, NULL, param[6] == 0, out);
}

const seg_method_row seg_method_sskk = {
    {"sskk", "semi-supervised kernel k-means for graph cuts", "kulis2009sskk, Algorithm 4",
     SEG_NEEDS_GRAPH | SEG_NEEDS_CONSTRAINTS | SEG_WEIGHS_PAIRS, SEG_PARAMS(cut_params),
     SEG_WORDS("shift=0", "sweeps=0", "start=farthest", "extras=off"),
     "several starts, the best kept; a diagonal shift where descent needs one; moves of single samples; images: as "
     "ccskl",
     SEG_PAPER_GRAPH_KNN},
    solve_cuts,
};
