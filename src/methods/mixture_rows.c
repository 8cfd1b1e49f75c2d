#include "methods/mixture.h"

#include "base/base.h"
#include "clustering/kmeans.h"
#include "linalg/dense.h"

#define RELATIVE_ZERO 1e-8 /* of the largest variance */
#define START_STREAM  0x7600
#define RESTARTS      5
#define ITERATIONS    100

/* ---- Principal components. ---- */

/* Subtract the means and bring the mean square to 1, so that nothing depends on the unit. */
static seg_status centred(seg_context *ctx, const seg_matrix *X, seg_matrix *out) {
    const size_t n = X->rows, d = X->cols;
    SEG_TRY(seg_matrix_create(ctx, n, d, out));
    double square = 0;
    for (size_t c = 0; c < d; c++) {
        double mean = 0;
        for (size_t i = 0; i < n; i++)
            mean += X->at[i * d + c] / (double)n;
        for (size_t i = 0; i < n; i++)
            out->at[i * d + c] = X->at[i * d + c] - mean;
    }
    for (size_t e = 0; e < n * d; e++)
        square += out->at[e] * out->at[e] / ((double)n * (double)d);
    for (size_t e = 0; square > 0 && e < n * d; e++)
        out->at[e] /= sqrt(square);
    return SEG_OK;
}

static seg_status components(seg_context *ctx, const seg_matrix *features, size_t most, seg_matrix *out) {
    SEG_RELEASED(seg_matrix_free) seg_matrix X = {0};
    SEG_RELEASED(seg_mixture_data_free) seg_mixture_data moments = {0};
    const size_t d = features->cols;
    double *value, *vector;
    size_t count = 0;
    SEG_LOCAL_ARRAYS(ctx, SEG_ARRAY(value, d), SEG_TABLE(vector, d, d));
    SEG_TRY(centred(ctx, features, &X));
    moments = (seg_mixture_data){.n = X.rows, .d = d, .Z = X.at};
    SEG_TRY(seg_mixture_prepare(ctx, &moments));
    for (size_t a = 0; a < d; a++)
        for (size_t b = 0; b < a; b++)
            moments.moments[b * d + a] = moments.moments[a * d + b];
    SEG_TRY(seg_eigen_dense(ctx, d, moments.moments, value, vector));
    while (count < d && count < most && value[d - 1 - count] > RELATIVE_ZERO * value[d - 1])
        count++;
    if (count == 0)
        return SEG_OK;
    SEG_TRY(seg_matrix_create(ctx, X.rows, count, out));
    seg_project(X.at, X.rows, d, vector, out);
    return SEG_OK;
}

/* ---- Coordinates of the graph. ---- */

/* Copy columns 1 and following of the spectrum to Z from column `at` on. */
static void put_graph(const seg_problem *problem, const seg_spectrum *spectrum, size_t at, seg_matrix *Z) {
    const size_t n = problem->n, count = (size_t)spectrum->count, d = Z->cols;
    for (size_t i = 0; i < n; i++) {
        const double degree = seg_csr_row_sum(problem->affinity, i);
        const double root = degree > 0 ? 1 / sqrt(degree) : 1;
        for (size_t c = 1; c < count; c++)
            Z->at[i * d + at + c - 1] = spectrum->vector[i * count + c] * root;
    }
    for (size_t c = 1; c < count; c++) {
        double square = 0, mean = 0;
        const double damped = fmax(1 - spectrum->value[c], 0);
        for (size_t i = 0; i < n; i++)
            square += Z->at[i * d + at + c - 1] * Z->at[i * d + at + c - 1];
        square = sqrt(square / (double)n);
        for (size_t i = 0; i < n; i++)
            mean += Z->at[i * d + at + c - 1] *= square > 0 ? damped / square : 0;
        for (size_t i = 0; i < n; i++)
            Z->at[i * d + at + c - 1] -= mean / (double)n;
    }
}

seg_status seg_mixture_rows(seg_context *ctx, const seg_problem *problem, const seg_spectrum *spectrum, size_t columns,
                            seg_matrix *Z, seg_mixture_data *data) {
    const size_t n = problem->n, coordinates = (size_t)spectrum->count - 1;
    const seg_matrix *features = problem->features;
    SEG_RELEASED(seg_matrix_free) seg_matrix part = {0};
    if (features && features->cols > SEG_MIXTURE_COLUMNS)
        seg_log(ctx, SEG_LOG_INFO, "mixture: features of %zu columns count through the graph alone", features->cols);
    else if (features && features->cols > 0)
        SEG_TRY(components(ctx, features, columns, &part));
    const size_t d = part.cols + coordinates;
    *data = (seg_mixture_data){.n = n, .k = (size_t)problem->k, .d = d};
    SEG_TRY(seg_matrix_create(ctx, n, d ? d : 1, Z));
    for (size_t i = 0; i < n && part.cols > 0; i++)
        memcpy(Z->at + i * d, part.at + i * part.cols, part.cols * sizeof *Z->at);
    put_graph(problem, spectrum, part.cols, Z);
    data->Z = Z->at;
    if (part.cols > 0)
        data->column[++data->spaces] = part.cols;
    if (coordinates > 0)
        data->column[++data->spaces] = d;
    return SEG_OK;
}

/* ---- The start from constraints. ---- */

static void add_product(const double *x, const double *y, size_t d, double weight, double *C) {
    for (size_t a = 0; a < d; a++)
        for (size_t b = 0; b < d; b++)
            C[a * d + b] += weight / 2 * (x[a] * y[b] + y[a] * x[b]);
}

/* Sums of z_i z_j' over must-links and cannot-links (d x d), and of their weights. */
typedef struct products {
    double *must, *cannot;
    double musts, cannots;
} products;

static void add_pairs(const seg_mixture_data *data, const seg_constraints *constraints, products *sums) {
    for (size_t p = 0; p < constraints->pairs; p++) {
        const seg_pair *pair = &constraints->pair[p];
        const double *x = data->Z + (size_t)pair->i * data->d, *y = data->Z + (size_t)pair->j * data->d;
        add_product(x, y, data->d, pair->weight, pair->sign > 0 ? sums->must : sums->cannot);
        *(pair->sign > 0 ? &sums->musts : &sums->cannots) += pair->weight;
    }
}

/* Add all pairs of the groups. With s_g the sum of a group's rows and s the sum of all, pairs within groups give s_g
 * s_g' less the squares of the rows, and pairs between groups give s s' less all s_g s_g'. sum: (groups + 1) x d,
 * zeros. / */
static void add_groups(const seg_mixture_data *data, const seg_constraints *constraints, double *sum, products *sums) {
    const size_t d = data->d, groups = (size_t)constraints->groups;
    size_t size[SEG_MAX_LABELS] = {0}, all = 0;
    for (size_t i = 0; i < data->n; i++) {
        const double *z = data->Z + i * d;
        if (constraints->group[i] < 0)
            continue;
        for (size_t a = 0; a < d; a++)
            sum[(size_t)constraints->group[i] * d + a] += z[a];
        add_product(z, z, d, -1, sums->must);
        size[constraints->group[i]]++;
        all++;
    }
    for (size_t g = 0; g < groups; g++)
        for (size_t a = 0; a < d; a++)
            sum[groups * d + a] += sum[g * d + a];
    add_product(sum + groups * d, sum + groups * d, d, 1, sums->cannot);
    sums->cannots += (double)all * (double)all;
    for (size_t g = 0; g < groups; g++) {
        add_product(sum + g * d, sum + g * d, d, 1, sums->must);
        add_product(sum + g * d, sum + g * d, d, -1, sums->cannot);
        sums->musts += (double)size[g] * ((double)size[g] - 1);
        sums->cannots -= (double)size[g] * (double)size[g];
    }
}

/* C = must / musts - cannot / cannots, where T + mean variance I is the identity: W'CW; W (d x d): its eigenvectors. */
static seg_status whiten(seg_context *ctx, const seg_mixture_data *data, double *value, double *W, double *C,
                         double *room) {
    const size_t d = data->d;
    double mean = 0;
    for (size_t a = 0; a < d; a++)
        for (size_t b = 0; b <= a; b++)
            room[a * d + b] = room[b * d + a] = data->moments[a * d + b] / (double)data->n;
    for (size_t a = 0; a < d; a++)
        mean += room[a * d + a] / (double)d;
    SEG_TRY(seg_eigen_dense(ctx, d, room, value, W));
    for (size_t a = 0; a < d; a++)
        for (size_t c = 0; c < d; c++)
            W[a * d + c] /= mean > 0 ? sqrt(fmax(value[c], 0) + mean) : 1;
    seg_gemm((seg_shape){0, 0, d, d, d}, 1, C, W, 0, room);
    seg_gemm((seg_shape){1, 0, d, d, d}, 1, W, room, 0, C);
    return SEG_OK;
}

seg_status seg_mixture_pair_start(seg_context *ctx, const seg_mixture_data *data, const seg_constraints *constraints,
                                  int32_t *label) {
    const size_t n = data->n, d = data->d, k = data->k, r = k - 1 < d ? k - 1 : d;
    products sums = {0};
    double *must, *W, *room, *V, *value, *sum, *centre;
    SEG_RELEASED(seg_matrix_free) seg_matrix F = {0};
    if (r == 0) {
        memset(label, 0, n * sizeof *label);
        return SEG_OK;
    }
    SEG_LOCAL_ARRAYS(ctx, SEG_TABLE(must, d, d), SEG_TABLE(sums.cannot, d, d), SEG_TABLE(W, d, d),
                     SEG_TABLE(room, d, d), SEG_TABLE(V, d, d), SEG_ARRAY(value, d),
                     SEG_TABLE(sum, (size_t)constraints->groups + 1, d), SEG_TABLE(centre, k, r));
    SEG_TRY(seg_matrix_create(ctx, n, r, &F));
    sums.must = must;
    add_pairs(data, constraints, &sums);
    if (constraints->groups > 0)
        add_groups(data, constraints, sum, &sums);
    for (size_t e = 0; e < d * d; e++)
        must[e] = (sums.musts > 0 ? must[e] / sums.musts : 0) - (sums.cannots > 0 ? sums.cannot[e] / sums.cannots : 0);
    SEG_TRY(whiten(ctx, data, value, W, must, room));
    seg_symmetrise(d, must);
    SEG_TRY(seg_eigen_dense(ctx, d, must, value, V));
    seg_gemm((seg_shape){0, 0, d, d, d}, 1, W, V, 0, room); /* directions in their columns, the largest last */
    seg_project(data->Z, n, d, room, &F);
    for (size_t e = 0; e < n * r; e++)
        F.at[e] *= sqrt(fmax(value[d - 1 - e % r], 1e-9 * fabs(value[d - 1])));
    const seg_kmeans_options options = {.k = (int)k,
                                        .restarts = RESTARTS,
                                        .iterations = ITERATIONS,
                                        .stream = START_STREAM,
                                        .group = constraints->groups ? constraints->group : NULL};
    seg_kmeans_result result;
    return seg_kmeans(ctx, &F, &options, label, centre, &result);
}
