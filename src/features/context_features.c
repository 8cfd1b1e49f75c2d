#include "features/context_features.h"
#include "base/base.h"
#include "base/lanes.h"
#include "features/grid.h"
#include "features/spec.h"

#define SCALES 2
static const double deviations[SCALES] = {1.5, 4};
#define MOST_DEVIATION 4.0
#define REACH_MOST     16 /* patches on each side: four of the largest deviation */

static int make_window(double sigma, double *weight) {
    const int reach = (int)(4 * sigma + 0.5);
    for (int i = 0; i <= reach; i++)
        weight[i] = exp(-0.5 * (i / sigma) * (i / sigma));
    return reach;
}

/* The mean of d columns along a line of `length` patches, weighted by the window, which is truncated at the ends. */
SEG_WIDER_TOO static void smooth_line(int length, size_t step, size_t d, int reach, const double *weight,
                                      const double *restrict from, double *restrict to) {
    for (int i = 0; i < length; i++) {
        double *out = to + (size_t)i * step, total = 0;
        const int first = i - reach < 0 ? 0 : i - reach, last = i + reach >= length ? length - 1 : i + reach;
        memset(out, 0, d * sizeof *out);
        for (int j = first; j <= last; j++) {
            const double w = weight[abs(i - j)], *in = from + (size_t)j * step;
            total += w;
            for (size_t c = 0; c < d; c++)
                out[c] += w * in[c];
        }
        for (size_t c = 0; c < d; c++)
            out[c] /= total;
    }
}

typedef struct smoothing {
    const seg_patch_grid *grid;
    size_t d;
    int reach;
    const double *weight, *own;
    double *rows, *out;
} smoothing;

static void smooth_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const smoothing *s = arg;
    const size_t stride = (size_t)s->grid->columns * s->d;
    for (size_t r = first; r < last; r++)
        smooth_line(s->grid->columns, s->d, s->d, s->reach, s->weight, s->own + r * stride, s->rows + r * stride);
}

static void smooth_columns(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const smoothing *s = arg;
    const int slices = seg_patch_layers(s->grid), rows = s->grid->rows / slices;
    const size_t stride = (size_t)s->grid->columns * s->d, slice = (size_t)rows * stride;
    for (size_t c = first; c < last; c++)
        for (size_t at = c * s->d; at < (size_t)slices * slice; at += slice)
            smooth_line(rows, stride, s->d, s->reach, s->weight, s->rows + at, s->out + at);
}

static void smooth_slices(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const smoothing *s = arg;
    const int slices = seg_patch_layers(s->grid);
    const size_t rows = (size_t)(s->grid->rows / slices), line = (size_t)s->grid->columns * s->d;
    for (size_t r = first; r < last; r++)
        smooth_line(slices, rows * line, line, s->reach, s->weight, s->own + r * line, s->out + r * line);
}

/* A Gaussian of `pixels`, at most MOST_DEVIATION slices. */
static void along_slices(seg_context *ctx, const seg_patch_grid *grid, size_t d, double pixels, const double *from,
                         double *to) {
    double weight[REACH_MOST + 1];
    const int reach = make_window(fmin(pixels / (grid->apart > 0 ? grid->apart : 1), MOST_DEVIATION), weight);
    smoothing s = {grid, d, reach, weight, from, NULL, to};
    seg_parallel(ctx, (size_t)(grid->rows / seg_patch_layers(grid)), 0, smooth_slices, &s);
}

seg_status seg_slices_smooth(seg_context *ctx, const seg_patch_grid *grid, double pixels, const seg_matrix *X,
                             seg_matrix *out) {
    SEG_TRY(seg_matrix_create(ctx, X->rows, X->cols, out));
    along_slices(ctx, grid, X->cols, pixels, X->at, out->at);
    return SEG_OK;
}

size_t seg_position_columns(const seg_feature_spec *spec, size_t *first) {
    *first = (spec->weight[SEG_FEATURE_MEAN] > 0 ? 3u : 0u) + (spec->weight[SEG_FEATURE_SPREAD] > 0 ? 3u : 0u);
    return spec->weight[SEG_FEATURE_POSITION] > 0 ? 2 : 0;
}

/* The columns without the position, their means at each scale, and the position if `with_position` is set. */
static seg_status means_at_scales(seg_context *ctx, const seg_matrix *X, const seg_patch_grid *grid,
                                  const seg_feature_spec *spec, int with_position, seg_matrix *out) {
    size_t first, position = seg_position_columns(spec, &first), left_out = position;
    if (left_out == X->cols) {
        left_out = 0;
        with_position = 0;
    }
    const size_t n = X->rows, d = X->cols - left_out, means = (1 + SCALES) * d;
    const int slices = seg_patch_layers(grid);
    SEG_LOCAL(double, own, seg_alloc(ctx, n, 3 * d * sizeof *own));
    SEG_TRY(seg_matrix_create(ctx, n, means + (with_position ? position : 0), out));
    for (size_t i = 0; i < n; i++) {
        double *row = out->at + i * out->cols;
        for (size_t c = 0; c < d; c++)
            row[c] = own[i * d + c] = X->at[i * X->cols + (c < first ? c : c + left_out)];
        if (with_position)
            memcpy(row + means, X->at + i * X->cols + first, position * sizeof *row);
    }
    for (int scale = 0; scale < SCALES; scale++) {
        double weight[REACH_MOST + 1];
        const int reach = make_window(deviations[scale], weight);
        smoothing s = {grid, d, reach, weight, own, own + n * d, own + 2 * n * d};
        seg_parallel(ctx, (size_t)grid->rows, 0, smooth_rows, &s);
        seg_parallel(ctx, (size_t)grid->columns, 0, smooth_columns, &s);
        if (slices > 1)
            along_slices(ctx, grid, d, deviations[scale] * grid->side, s.out, s.rows);
        const double *mean = slices > 1 ? s.rows : s.out;
        for (size_t i = 0; i < n; i++)
            memcpy(out->at + i * out->cols + (size_t)(1 + scale) * d, mean + i * d, d * sizeof *mean);
    }
    return SEG_OK;
}

seg_status seg_context_features(seg_context *ctx, const seg_matrix *X, const seg_patch_grid *grid,
                                const seg_feature_spec *spec, seg_matrix *out) {
    return means_at_scales(ctx, X, grid, spec, 0, out);
}

seg_status seg_series_features(seg_context *ctx, const seg_matrix *X, const seg_patch_grid *grid,
                               const seg_feature_spec *spec, seg_matrix *out) {
    return means_at_scales(ctx, X, grid, spec, 1, out);
}

size_t seg_series_columns(const seg_feature_spec *spec, int channels) {
    size_t first, position = seg_position_columns(spec, &first),
                  all = channels > 1 ? 2 * (size_t)channels + position : 0;
    for (int kind = 0; kind < SEG_FEATURE_KINDS && channels == 1; kind++)
        all += spec->weight[kind] > 0 ? seg_feature_columns((seg_feature_kind)kind) : 0;
    return all == position ? (1 + SCALES) * all : (1 + SCALES) * (all - position) + position;
}
