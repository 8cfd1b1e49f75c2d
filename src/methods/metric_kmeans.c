/* MPCK-Means [bilenko2004mpck]: PCKMeans that learns how much each column counts. With one diagonal metric A it lowers
 *
 *   J = sum over i of |x_i - m_c(i)|^2 - n log det A + prior (trace A - log det A)      squared lengths are of A
 *     + w times the sum over broken pairs of v_ij |x_i - x_j|^2 for must-links, v_ij (R - |x_i - x_j|^2) for
 * cannot-links
 *
 * with v_ij the pair's own weight, by turns of a step of PCKMeans on columns times the root of A, where a pair costs
 * what J says, and of the best A; a turn that does not lower J ends the run. In the paper R is the squared distance of
 * the two samples that are farthest apart under A; it changes with A, and J may rise. Here it is that of opposite
 * corners of the box around the data. The term with `prior`, which the paper lacks, keeps A finite. Columns are
 * standardised first, so that their units do not matter. Pairs of groups cost w and do not change A. */
#include "methods/assign.h"
#include "methods/method.h"

#include "base/base.h"
#include "clustering/pckmeans.h"
#include "linalg/dense.h"

#include <segment/vectors.h>

#define STREAM 0x4d00

static const seg_param params[] = {
    {"w", 1, 0, 1e12, 0, NULL, "cost of a broken pair, in units of squared distances under the metric"},
    {"prior", 1, 1e-6, 1e6, 0, NULL, "so many more samples with the variance of all data count in the metric"},
    {"pairs", 1, 0, 1, 1, SEG_WORDS("listed", "closure"),
     "that cost: the listed ones, or all that the closure implies"},
    {"iterations", 100, 0, 1e6, 1, NULL, "limit of one run"},
};

typedef struct fit {
    size_t k;
    seg_matrix X, Z;       /* standardised; the same times the root of the metric */
    seg_constraints pairs; /* as given, with the weights of J; its pairs are owned */
    double *box, *metric;  /* d: squared extent of each column; A */
    double *centre;        /* k x d, means of X */
    int32_t *label, *next;
} fit;

static void fit_free(fit *f) {
    seg_matrix_free(&f->X);
    seg_matrix_free(&f->Z);
    SEG_CLEAR(f, f->pairs.pair, f->box);
}

static seg_status begin(seg_context *ctx, const seg_problem *problem, fit *f) {
    const size_t n = problem->n, d = problem->features->cols;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(f->box, d), SEG_ARRAY(f->metric, d),
                             SEG_TABLE(f->centre, (size_t)problem->k, d), SEG_ARRAY(f->label, n),
                             SEG_ARRAY(f->next, n)));
    SEG_TRY(seg_matrix_create(ctx, n, d, &f->X));
    SEG_TRY(seg_matrix_create(ctx, n, d, &f->Z));
    for (size_t e = 0; e < n * d; e++)
        f->X.at[e] = seg_rows_number(problem->features, e);
    SEG_TRY(seg_scale(ctx, SEG_SCALING_STANDARDISED, &f->X));
    for (size_t t = 0; t < d; t++) {
        double least = 0, most = 0;
        for (size_t i = 0; i < n; i++) {
            least = fmin(least, f->X.at[i * d + t]);
            most = fmax(most, f->X.at[i * d + t]);
        }
        f->box[t] = (most - least) * (most - least);
    }
    f->pairs = *problem->constraints;
    f->pairs.pair = seg_alloc(ctx, f->pairs.pairs, sizeof *f->pairs.pair);
    return seg_allocated(f->pairs.pair);
}

/* Scale Z and the weights of the pairs by the metric. */
static void use_metric(const seg_constraints *given, fit *f) {
    const size_t n = f->X.rows, d = f->X.cols;
    double extent = 0;
    for (size_t t = 0; t < d; t++) {
        const double root = sqrt(f->metric[t]);
        extent += f->metric[t] * f->box[t];
        for (size_t i = 0; i < n; i++)
            f->Z.at[i * d + t] = f->X.at[i * d + t] * root;
    }
    for (size_t p = 0; p < given->pairs; p++) {
        seg_pair pair = given->pair[p];
        const double square = seg_distance2(d, f->Z.at + (size_t)pair.i * d, f->Z.at + (size_t)pair.j * d);
        pair.weight *= pair.sign > 0 ? square : fmax(extent - square, 0);
        f->pairs.pair[p] = pair;
    }
}

/* The best metric for the labels. @return J */
static double learn_metric(const seg_constraints *given, const double *param, const int32_t *label, fit *f) {
    const double w = param[0], prior = param[1];
    const size_t n = f->X.rows, d = f->X.cols, k = f->k;
    double *sum = f->metric, J = 0, size[SEG_MAX_LABELS] = {0};
    memset(f->centre, 0, k * d * sizeof *f->centre);
    memset(sum, 0, d * sizeof *sum);
    for (size_t e = 0; e < n * d; e++)
        f->centre[(size_t)label[e / d] * d + e % d] += f->X.at[e];
    for (size_t i = 0; i < n; i++)
        size[label[i]]++;
    for (size_t e = 0; e < k * d; e++)
        f->centre[e] /= fmax(size[e / d], 1);
    for (size_t e = 0; e < n * d; e++) {
        const double x = f->X.at[e] - f->centre[(size_t)label[e / d] * d + e % d];
        sum[e % d] += x * x;
    }
    for (size_t p = 0; p < given->pairs; p++) {
        const seg_pair *pair = &given->pair[p];
        const double *x = f->X.at + (size_t)pair->i * d, *y = f->X.at + (size_t)pair->j * d;
        for (size_t t = 0; (label[pair->i] == label[pair->j]) != (pair->sign > 0) && t < d; t++) {
            const double square = (x[t] - y[t]) * (x[t] - y[t]);
            sum[t] += w * pair->weight * (pair->sign > 0 ? square : f->box[t] - square);
        }
    }
    for (size_t t = 0; t < d; t++) {
        f->metric[t] = ((double)n + prior) / (sum[t] + prior);
        J += ((double)n + prior) * (1 - log(f->metric[t]));
    }
    return J;
}

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const seg_constraints *given = problem->constraints;
    const size_t n = problem->n, k = (size_t)problem->k;
    seg_kmeans_result unused;
    SEG_RELEASED(fit_free) fit f = {.k = k};
    SEG_TRY(begin(ctx, problem, &f));
    for (int run = 0; run < problem->restarts; run++) {
        seg_pckmeans_options step = {.kind = SEG_PCKMEANS_SEEDED, .k = problem->k, .restarts = 1, .iterations = 1};
        int turns = 0, done = 0;
        step.stream = STREAM + ((uint64_t)run << 32);
        SEG_TRY(seg_pckmeans(ctx, &f.X, given, &step, (seg_clusters){f.label, f.centre}, &unused));
        double J = learn_metric(given, param, f.label, &f);
        step.kind = SEG_PCKMEANS_SOFT;
        step.label = f.label;
        step.w = param[0];
        step.distortion = 1;
        step.closure = step.whole = param[2] == 1;
        for (; !done && turns < (int)param[3]; turns++) {
            use_metric(given, &f);
            SEG_TRY(seg_pckmeans(ctx, &f.Z, &f.pairs, &step, (seg_clusters){f.next, f.centre}, &unused));
            const double now = learn_metric(given, param, f.next, &f);
            done = !(now < J);
            if (!done) {
                J = now;
                memcpy(f.label, f.next, n * sizeof *f.label);
            }
        }
        if (run > 0 && !(J < out->objective))
            continue;
        seg_clustering_solved(out, learn_metric(given, param, f.label, &f), turns, done);
        memcpy(out->label, f.label, n * sizeof *f.label);
        use_metric(given, &f);
        for (size_t e = 0; e < k * f.X.cols; e++)
            f.centre[e] *= sqrt(f.metric[e % f.X.cols]);
        SEG_TRY(seg_score_by_distance(ctx, &f.Z, f.centre, 0.5, out->label, &out->score));
    }
    return seg_name_clusters(ctx, problem, out);
}

const seg_method_row seg_method_mpck_means = {
    {"mpck-means", "PCKMeans that learns a diagonal metric", "bilenko2004mpck", SEG_NEEDS_FEATURES, SEG_PARAMS(params),
     NULL, NULL, SEG_PAPER_GRAPH_NONE},
    solve,
};
