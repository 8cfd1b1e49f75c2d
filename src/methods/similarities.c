#include "methods/similarities.h"

#include "base/base.h"
#include "graph/neighbours/nearest.h"
#include "methods/assign.h"
#include "methods/method.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEIGHBOURS = 10 };
#define LARGEST_PENALTY 1e100

const char *const seg_kernel_names[] = {"linear", "exponential", NULL};
const char *const seg_starts_choice[] = {"best", "farthest", "random", NULL};

static seg_status centre(seg_context *ctx, const seg_matrix *X, seg_matrix *out) {
    seg_status status = seg_matrix_create(ctx, X->rows, X->cols, out);
    for (size_t t = 0; !status && t < X->cols; t++) {
        double mean = 0;
        for (size_t i = 0; i < X->rows; i++)
            mean += X->at[i * X->cols + t] / (double)X->rows;
        for (size_t i = 0; i < X->rows; i++)
            out->at[i * X->cols + t] = X->at[i * X->cols + t] - mean;
    }
    return status;
}

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

static seg_status prepare_vectors(seg_context *ctx, const seg_matrix *X, vectors *v) {
    seg_status status = centre(ctx, X, &v->centred);
    v->half_square = seg_alloc_zero(ctx, X->rows, sizeof *v->half_square);
    if (!status && !v->half_square)
        status = SEG_ERR_MEMORY;
    for (size_t e = 0; !status && e < X->rows * X->cols; e++)
        v->half_square[e / X->cols] += 0.5 * v->centred.at[e] * v->centred.at[e];
    return status;
}

/* The problem's kernel where it has one, else a kernel on its features, else its graph. gram: see seg_sskk. */
static seg_status similarities_of(seg_context *ctx, const seg_problem *problem, const seg_kernel_choice *choice,
                                  vectors *v, seg_similarities *out, int *gram) {
    seg_status status;
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
    if ((status = check_finite(ctx, problem->features, "features")) != SEG_OK)
        return status;
    if ((status = prepare_vectors(ctx, problem->features, v)) != SEG_OK)
        return status;
    out->features = &v->centred;
    if (choice->kernel == SEG_KERNEL_LINEAR)
        return SEG_OK;
    out->half_square = v->half_square;
    out->width = fmin(fmax(ldexp(choice->width, -problem->exponent), choice->width > 0 ? DBL_MIN : 0), DBL_MAX);
    if (choice->width > 0)
        return SEG_OK;
    status = seg_neighbour_distance(ctx, problem->features, NEIGHBOURS, 0, &out->width);
    if (!(out->width > 0 && isfinite(out->width)))
        out->width = 1;
    out->width *= choice->width_scale;
    return status;
}

static double weight_of(const seg_sskk_model *model, size_t i) {
    return model->weight ? model->weight[i] : 1;
}

/* Squared distances to the centres in place of the sums [kulis2009sskk, Eq. 1]. */
static seg_status distances(seg_context *ctx, const seg_sskk_model *model, size_t n, size_t k, const int32_t *label,
                            const double *sum, double *distance2) {
    double *mass = seg_alloc_zero(ctx, k, 2 * sizeof *mass);
    if (!mass)
        return SEG_ERR_MEMORY;
    double *inside = mass + k;
    for (size_t i = 0; i < n; i++) {
        mass[label[i]] += weight_of(model, i);
        inside[label[i]] += sum[i * k + (size_t)label[i]];
    }
    for (size_t i = 0; i < n; i++) {
        const double a = weight_of(model, i), own = seg_similarities_diagonal(&model->B, i) / (a * a);
        for (size_t c = 0; c < k; c++)
            distance2[i * k + c] = fmax(own + (inside[c] / mass[c] - 2 * sum[i * k + c] / a) / mass[c], 0);
    }
    free(mass);
    return SEG_OK;
}

static void gaussian_scores(size_t n, size_t k, const int32_t *label, double *score) {
    double mean = 0;
    for (size_t i = 0; i < n; i++)
        mean += score[i * k + (size_t)label[i]] / (double)n;
    const double scale = mean > 0 ? 0.5 / mean : 0;
    for (size_t i = 0; i < n; i++) {
        double *row = score + i * k, least = INFINITY, sum = 0;
        for (size_t c = 0; c < k; c++)
            least = fmin(least, row[c]);
        for (size_t c = 0; c < k; c++)
            row[c] = exp(-scale * (row[c] - least));
        for (size_t c = 0; c < k; c++)
            row[label[i]] = fmax(row[label[i]], row[c]);
        for (size_t c = 0; c < k; c++)
            sum += row[c];
        for (size_t c = 0; c < k; c++)
            row[c] /= sum;
    }
}

static void share_scores(size_t n, size_t k, const int32_t *label, const double *sum, double *score) {
    for (size_t i = 0; i < n; i++) {
        double *row = score + i * k, total = 0;
        for (size_t c = 0; c < k; c++)
            row[c] = fmax(sum[i * k + c], 0);
        for (size_t c = 0; c < k; c++)
            row[label[i]] = fmax(row[label[i]], row[c]);
        for (size_t c = 0; c < k; c++)
            total += row[c];
        if (!(total > 0))
            total = row[label[i]] = 1;
        for (size_t c = 0; c < k; c++)
            row[c] /= total;
    }
}

seg_status seg_assign_sums(seg_context *ctx, const seg_problem *problem, const seg_sskk_model *model, int gram,
                           const double *sum, seg_clustering *out) {
    const size_t n = problem->n, k = (size_t)problem->k;
    if (gram) {
        seg_status status = distances(ctx, model, n, k, out->label, sum, out->score.at);
        if (status)
            return status;
        gaussian_scores(n, k, out->label, out->score.at);
    } else
        share_scores(n, k, out->label, sum, out->score.at);
    return seg_name_clusters(ctx, problem, out);
}

seg_status seg_solve_kernel(seg_context *ctx, const seg_problem *problem, const seg_constraints *constraints,
                            const seg_kernel_choice *choice, seg_sskk_options options, seg_clustering *out) {
    seg_similarities S;
    vectors v = {0};
    seg_sskk_model model = {0};
    seg_sskk_result result;
    int gram;
    double *sum = seg_alloc(ctx, problem->n, (size_t)problem->k * sizeof *sum);
    seg_status status = sum ? similarities_of(ctx, problem, choice, &v, &S, &gram) : SEG_ERR_MEMORY;
    if (status)
        goto done;
    /* Inner products are squares of the features' unit, and so is what a broken constraint costs. */
    const int power = S.features && !(S.width > 0) ? 2 * problem->exponent : 0;
    options.penalty = fmin(ldexp(options.penalty, -power), LARGEST_PENALTY);
    options.k = problem->k;
    options.restarts = problem->restarts;
    if (options.objective == SEG_SSKK_WEIGHTED && !gram)
        options.objective = SEG_SSKK_NORMALIZED_CUT;
    if ((status = seg_sskk(ctx, &S, gram, constraints, &options, out->label, sum, &model, &result)) != SEG_OK)
        goto done;
    out->objective = ldexp(result.objective, power);
    out->iterations = result.iterations;
    out->converged = result.converged;
    status = seg_assign_sums(ctx, problem, &model, gram, sum, out);
done:
    seg_sskk_model_free(&model);
    seg_matrix_free(&v.centred);
    free(v.half_square);
    free(sum);
    return status;
}
