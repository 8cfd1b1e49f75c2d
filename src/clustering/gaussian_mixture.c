#include "clustering/gaussian_mixture.h"
#include "base/base.h"
#include "clustering/link_labels.h"
#include "linalg/dense.h"

#define LEAST_ROWS   1024 /* rows of a block, at least */
#define MOST_BLOCKS  64
#define MOST_NUMBERS ((size_t)4000000) /* in the second moments of all blocks, at most */
#define CHANGED      1e-2              /* largest change of a posterior that ends the iteration */
#define LEAST_RIDGE  1e-9              /* added to the diagonal, relative to the mean variance of a space */

static size_t grain_of(size_t n, size_t blocks) {
    return seg_larger((n + blocks - 1) / blocks, LEAST_ROWS);
}

/* ---- Second moments. ---- */

typedef struct moment_blocks {
    const seg_mixture_data *data;
    size_t grain;
    double *sum; /* one d x d matrix per block */
} moment_blocks;

static void add_moments(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const moment_blocks *m = arg;
    const size_t d = m->data->d;
    for (size_t i = first; i < last; i++)
        seg_add_outer(d, 1, m->data->Z + i * d, m->sum + first / m->grain * d * d);
}

seg_status seg_mixture_prepare(seg_context *ctx, seg_mixture_data *data) {
    const size_t d = data->d, fitting = MOST_NUMBERS / (d * d);
    const size_t most = fitting < 1 ? 1 : fitting < MOST_BLOCKS ? fitting : MOST_BLOCKS;
    const size_t grain = grain_of(data->n, most), blocks = (data->n + grain - 1) / grain;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_TABLE(data->moments, blocks, d * d)));
    seg_parallel(ctx, data->n, grain, add_moments, &(moment_blocks){data, grain, data->moments});
    for (size_t b = 1; b < blocks; b++)
        for (size_t e = 0; e < d * d; e++)
            data->moments[e] += data->moments[b * d * d + e];
    return SEG_OK;
}

void seg_mixture_data_free(seg_mixture_data *data) {
    SEG_CLEAR(data, data->moments);
}

/* ---- The fit. ---- */

typedef struct fit {
    const seg_mixture_data *data;
    const seg_neighbourhoods *near;
    double weight;
    double *moments;  /* d x d, weighted; lower triangle */
    double total;     /* sum of the weights */
    double *score;    /* n x k, membership of each sample in each cluster */
    double *mean;     /* k x d */
    double *count;    /* k */
    double *slope;    /* k x d, coefficients of the log-densities */
    double *offset;   /* k */
    double *block;    /* per block: k x (d + 1) sums, or the largest change */
    double *links;    /* neighbourhoods x k */
    double *inverse;  /* d x d */
    int32_t *of_link; /* labels of the neighbourhoods */
    int32_t *label;
    size_t grain, blocks;
} fit;

static void add_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    fit *f = arg;
    const size_t d = f->data->d, k = f->data->k;
    double *sum = f->block + first / f->grain * k * (d + 1);
    memset(sum, 0, k * (d + 1) * sizeof *sum);
    for (size_t i = first; i < last; i++) {
        const double *z = f->data->Z + i * d, weight = f->near->of[i] >= 0 ? 1 : f->weight;
        for (size_t c = 0; c < k; c++) {
            const double share = weight * f->score[i * k + c];
            double *to = sum + c * (d + 1);
            if (share < 1e-12)
                continue;
            to[d] += share;
            for (size_t a = 0; a < d; a++)
                to[a] += share * z[a];
        }
    }
}

static void take_means(seg_context *ctx, fit *f) {
    const size_t d = f->data->d, k = f->data->k, width = k * (d + 1);
    seg_parallel(ctx, f->data->n, f->grain, add_rows, f);
    for (size_t b = 1; b < f->blocks; b++)
        for (size_t e = 0; e < width; e++)
            f->block[e] += f->block[b * width + e];
    for (size_t c = 0; c < k; c++) {
        const double *sum = f->block + c * (d + 1);
        f->count[c] = sum[d] + 1e-9;
        for (size_t a = 0; a < d; a++)
            f->mean[c * d + a] = sum[a] / f->count[c];
    }
}

/* Coefficients of one space: slopes are the inverse of the shared covariance times the means; half the product of slope
 * and mean is subtracted from the offset. */
static seg_status take_space(seg_context *ctx, fit *f, int space) {
    const seg_mixture_data *data = f->data;
    const size_t from = data->column[space], w = data->column[space + 1] - from, d = data->d, k = data->k;
    double *S = f->inverse, trace = 0;
    for (size_t a = 0; a < w; a++)
        for (size_t b = 0; b <= a; b++) {
            double value = f->moments[(from + a) * d + from + b];
            for (size_t c = 0; c < k; c++)
                value -= f->count[c] * f->mean[c * d + from + a] * f->mean[c * d + from + b];
            S[a * w + b] = S[b * w + a] = value / f->total;
        }
    for (size_t a = 0; a < w; a++)
        trace += fmax(S[a * w + a], 0) / (double)w;
    if (!(trace > 0)) /* every sample at its cluster's mean */
        trace = 1;
    for (size_t a = 0; a < w; a++)
        for (size_t b = 0; b < w; b++)
            S[a * w + b] = (1 - data->shrink) * S[a * w + b] + (a == b ? (data->shrink + LEAST_RIDGE) * trace : 0);
    SEG_TRY(seg_cholesky_dense(ctx, w, S));
    for (size_t c = 0; c < k; c++) {
        double *slope = f->slope + c * d + from, product = 0;
        memcpy(slope, f->mean + c * d + from, w * sizeof *slope);
        seg_cholesky_dense_solve(w, S, slope);
        for (size_t a = 0; a < w; a++) {
            product += slope[a] * f->mean[c * d + from + a];
            slope[a] /= data->spaces;
        }
        f->offset[c] -= product / 2 / data->spaces;
    }
    return SEG_OK;
}

/* Log-densities, without terms that are the same in all clusters. */
static void take_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const fit *f = arg;
    const size_t d = f->data->d, k = f->data->k;
    double change = 0;
    for (size_t i = first; i < last; i++) {
        const double *z = f->data->Z + i * d;
        double value[SEG_MAX_LABELS + 1], largest = -INFINITY, sum = 0, *score = f->score + i * k;
        for (size_t c = 0; c < k; c++) {
            const double *slope = f->slope + c * d;
            double product = f->offset[c];
            for (size_t a = 0; a < d; a++)
                product += slope[a] * z[a];
            value[c] = product;
            largest = fmax(largest, product);
        }
        if (f->near->of[i] >= 0) { /* not normalised: summed over each neighbourhood */
            memcpy(score, value, k * sizeof *score);
            continue;
        }
        for (size_t c = 0; c < k; c++)
            sum += value[c] = exp(value[c] - largest);
        for (size_t c = 0; c < k; c++) {
            change = fmax(change, fabs(value[c] / sum - score[c]));
            score[c] = value[c] / sum;
        }
    }
    f->block[first / f->grain] = change;
}

/* Assign the neighbourhoods to clusters; *moved is 1 if one changed. */
static seg_status label_links(seg_context *ctx, fit *f, int warm, size_t *broken, int *moved) {
    const seg_neighbourhoods *near = f->near;
    const size_t k = f->data->k, count = (size_t)near->count;
    memset(f->links, 0, count * k * sizeof *f->links);
    for (size_t g = 0; g < count; g++)
        for (size_t m = near->start[g]; m < near->start[g + 1]; m++)
            for (size_t c = 0; c < k; c++)
                f->links[g * k + c] += f->score[(size_t)near->member[m] * k + c];
    SEG_TRY(seg_link_labels(ctx, &(seg_link_scores){near, k, f->links, warm}, f->of_link, broken));
    *moved = 0;
    for (size_t g = 0; g < count; g++)
        for (size_t m = near->start[g]; m < near->start[g + 1]; m++) {
            const size_t i = (size_t)near->member[m];
            *moved |= f->label[i] != f->of_link[g];
            f->label[i] = f->of_link[g];
            for (size_t c = 0; c < k; c++)
                f->score[i * k + c] = (int32_t)c == f->of_link[g];
        }
    return SEG_OK;
}

static seg_status take_densities(seg_context *ctx, fit *f) {
    const size_t k = f->data->k;
    double all = 0;
    take_means(ctx, f);
    for (size_t c = 0; c < k; c++)
        all += f->count[c] + 1;
    for (size_t c = 0; c < k; c++)
        f->offset[c] = log((f->count[c] + 1) / all);
    for (int space = 0; space < f->data->spaces; space++)
        SEG_TRY(take_space(ctx, f, space));
    return SEG_OK;
}

/* Compute the memberships from the densities; *still is 1 if they have not converged. */
static seg_status take_scores(seg_context *ctx, fit *f, int warm, size_t *broken, int *still) {
    double change = 0;
    seg_parallel(ctx, f->data->n, f->grain, take_rows, f);
    for (size_t b = 0; b < f->blocks; b++)
        change = fmax(change, f->block[b]);
    SEG_TRY(label_links(ctx, f, warm, broken, still));
    *still = *still || change >= CHANGED;
    return seg_poll(ctx);
}

static seg_status begin(seg_context *ctx, fit *f, const int32_t *label) {
    const seg_mixture_data *data = f->data;
    const size_t n = data->n, d = data->d, k = data->k, links = (size_t)f->near->count;
    f->grain = grain_of(n, MOST_BLOCKS);
    f->blocks = (n + f->grain - 1) / f->grain;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_TABLE(f->moments, d, d), SEG_TABLE(f->inverse, d, d), SEG_TABLE(f->mean, k, d),
                             SEG_TABLE(f->slope, k, d), SEG_ARRAY(f->count, k), SEG_ARRAY(f->offset, k),
                             SEG_TABLE(f->block, f->blocks, k * (d + 1)), SEG_TABLE(f->links, links, k),
                             SEG_ARRAY(f->of_link, links)));
    for (size_t e = 0; e < d * d; e++)
        f->moments[e] = f->weight * data->moments[e];
    f->total = f->weight * (double)n;
    for (size_t i = 0; i < n; i++) {
        if (f->near->of[i] >= 0) {
            seg_add_outer(d, 1 - f->weight, data->Z + i * d, f->moments);
            f->total += 1 - f->weight;
        }
        for (size_t c = 0; c < k; c++)
            f->score[i * k + c] = (int32_t)c == label[i];
    }
    return SEG_OK;
}

seg_status seg_mixture_fit(seg_context *ctx, const seg_mixture_data *data, const seg_neighbourhoods *near,
                           const seg_mixture_options *options, seg_soft_clusters to, seg_mixture_result *result) {
    fit f = {.data = data, .near = near, .weight = options->weight, .score = to.score, .label = to.label};
    int still = 1;
    memset(result, 0, sizeof *result);
    SEG_TRY(begin(ctx, &f, to.label));
    SEG_UNUSED SEG_FREED double *block = f.moments; /* of all arrays */
    for (; still && result->iterations < options->iterations; result->iterations++) {
        SEG_TRY(take_densities(ctx, &f));
        SEG_TRY(take_scores(ctx, &f, result->iterations > 0, &result->broken, &still));
    }
    result->converged = !still;
    for (size_t i = 0; i < data->n; i++)
        to.label[i] = (int32_t)seg_largest_of(data->k, to.score + i * data->k);
    return SEG_OK;
}
