#include "features/channels.h"
#include "base/base.h"
#include "features/context_features.h"
#include "features/grid.h"
#include "image/slices.h"
#include "linalg/dense.h"

#include <float.h>

#define VALUES      65536
#define SAMPLES     65536 /* pixels that the principal components are of, about */
#define SHOWN_SHARE 0.01
#define NOISE       0.02  /* of a channel from 0 to 1: less counts as this much */
#define MEDIAN      0.954 /* of the difference of two samples whose noise has the deviation 1 */
#define LEAST       0.01  /* signal of a channel of noise: where all are, they still count alike */
#define COLUMNS     2.0   /* weight of the columns beside those of colours: docs/history/channels.md */

static int sample_of(const seg_channels *c, int channel, int x, int y) {
    const size_t row = (size_t)(channel * (c->stack->height / c->count) + c->top + y);
    return (int)seg_image_sample(c->stack, 3 * (row * (size_t)c->stack->width + (size_t)(c->left + x)));
}

static double value_of(const seg_channels *c, int channel, int x, int y) {
    return fmin(fmax((sample_of(c, channel, x, y) - c->low[channel]) * c->scale[channel], 0), 1);
}

/* The least value that more than `below` samples do not pass. */
static int rank_value(const size_t *count, double below) {
    int v = 0;
    for (size_t sum = count[0]; (double)sum <= below && v + 1 < VALUES; sum += count[v])
        v++;
    return v;
}

static void stretch(seg_channels *c, int i, double share, size_t *count) {
    size_t *differences = count + VALUES; /* to the sample at the left */
    const double pixels = (double)c->width * c->height;
    memset(count, 0, 2 * VALUES * sizeof *count);
    for (int y = 0; y < c->height; y++)
        for (int x = 0; x < c->width; x++) {
            count[sample_of(c, i, x, y)]++;
            differences[abs(sample_of(c, i, x, y) - sample_of(c, i, x ? x - 1 : x, y))]++;
        }
    int low = rank_value(count, share * pixels), high = rank_value(count, (1 - share) * pixels);
    if (low == high) { /* few pixels differ: all count */
        low = rank_value(count, 0);
        high = rank_value(count, pixels - 1);
    }
    c->low[i] = low;
    c->scale[i] = high > low ? 1.0 / (high - low) : 0;
    double sum = 0, squares = 0;
    for (int v = 0; v < VALUES; v++) {
        sum += (double)v * (double)count[v];
        squares += (double)v * v * (double)count[v];
    }
    const double noise = rank_value(differences, pixels / 2) / MEDIAN, mean = sum / pixels;
    const double signal = fmax(1 - noise * noise / fmax(squares / pixels - mean * mean, DBL_MIN), LEAST);
    c->weight[i] = high > low ? 1 / hypot(noise * c->scale[i], NOISE) : 0;
    c->signal[i] = signal * c->weight[i];
}

seg_status seg_channels_stretch(seg_context *ctx, double share, seg_channels *c) {
    SEG_LOCAL(size_t, count, seg_alloc(ctx, 2 * VALUES, sizeof *count));
    for (int i = 0; i < c->count; i++)
        stretch(c, i, share, count);
    const double length = sqrt(seg_dot((size_t)c->count, c->weight, c->weight) / c->count);
    for (int i = 0; i < c->count && length > 0; i++)
        c->weight[i] /= length;
    return SEG_OK;
}

/* A colour is offset + the sum of mix[channel] * value. */
typedef struct drawing {
    const seg_channels *c;
    double mix[SEG_MAX_CHANNELS][3], offset[3];
    seg_image *out;
} drawing;

static void draw_rows(void *arg, size_t top, size_t bottom, SEG_UNUSED int worker) {
    const drawing *d = arg;
    for (size_t y = top; y < bottom; y++)
        for (int x = 0; x < d->c->width; x++) {
            const size_t at = 3 * (y * (size_t)d->c->width + (size_t)x);
            double colour[3] = {d->offset[0], d->offset[1], d->offset[2]};
            for (int i = 0; i < d->c->count; i++) {
                const double v = value_of(d->c, i, x, (int)y);
                for (int k = 0; k < 3; k++)
                    colour[k] += d->mix[i][k] * v;
            }
            for (size_t k = 0; k < 3; k++)
                ((uint8_t *)d->out->data)[at + k] = (uint8_t)(255 * fmin(fmax(colour[k], 0), 1) + 0.5);
        }
}

static seg_status draw(seg_context *ctx, drawing *d, seg_image *out) {
    const seg_channels *c = d->c;
    *out = (seg_image){.width = c->width, .height = c->height, .depth = 8};
    SEG_TRY(seg_allocated(out->data = seg_alloc(ctx, (size_t)c->width * (size_t)c->height, 3)));
    d->out = out;
    seg_parallel(ctx, (size_t)c->height, 0, draw_rows, d);
    return SEG_OK;
}

seg_status seg_channels_show(seg_context *ctx, const seg_image *stack, int channels, const int which[3],
                             seg_image *out) {
    seg_channels c = {stack, channels, 0, 0, stack->width, stack->height / channels};
    drawing d = {.c = &c};
    if (!stack->grey)
        return seg_fail(ctx, SEG_ERR_INPUT, "a channel is a grey image, and these have colours: save each in grey");
    if (channels > SEG_MAX_CHANNELS)
        return seg_fail(ctx, SEG_ERR_INPUT, "an image of %d channels; there may be %d", channels, SEG_MAX_CHANNELS);
    if (stack->height % channels)
        return seg_fail(ctx, SEG_ERR_INPUT, "%d rows of pixels are not %d channels of equal height", stack->height,
                        channels);
    for (int k = 0; k < 3; k++)
        if (which[k] > 0)
            d.mix[which[k] - 1][k] = 1;
    SEG_TRY(seg_channels_stretch(ctx, SHOWN_SHARE, &c));
    return draw(ctx, &d, out);
}

/* The mix of principal components: lightness is the first, the two directions of colour the next ones, all in the same
 * unit, in which the first fills the scale. */
static seg_status mix_components(seg_context *ctx, drawing *d) {
    static const double axes[3][3] = {{1, 1, 1}, {1.2247, -1.2247, 0}, {0.7071, 0.7071, -1.4142}};
    const seg_channels *c = d->c;
    const size_t m = (size_t)c->count, width = (size_t)c->width, pixels = width * (size_t)c->height;
    const size_t step = pixels / SAMPLES | 1, n = (pixels + step - 1) / step;
    SEG_LOCAL(double, value, seg_alloc(ctx, n * m, sizeof *value));
    SEG_LOCAL(double, matrix, seg_alloc_zero(ctx, m * (2 * m + 2), sizeof *matrix));
    double *vector = matrix + m * m, *eigenvalue = vector + m * m, *mean = eigenvalue + m;
    for (size_t i = 0; i < n * m; i++) {
        const size_t at = i / m * step;
        value[i] = c->signal[i % m] * value_of(c, (int)(i % m), (int)(at % width), (int)(at / width));
        mean[i % m] += value[i] / (double)n;
    }
    for (size_t i = 0; i < n * m; i++)
        value[i] -= mean[i % m];
    seg_gemm((seg_shape){1, 0, m, m, n}, 1.0 / (double)n, value, value, 0, matrix);
    SEG_TRY(seg_eigen_dense(ctx, m, matrix, eigenvalue, vector));
    double low = 0, high = 0;
    for (size_t i = 0; i < n; i++) {
        double first = 0;
        for (size_t k = 0; k < m; k++)
            first += value[i * m + k] * vector[k * m + m - 1];
        low = fmin(low, first);
        high = fmax(high, first);
    }
    const double unit = high > low ? 1 / (high - low) : 0;
    for (size_t k = 0; k < 3; k++) {
        d->offset[k] = -low * unit;
        for (size_t i = 0; i < m; i++) {
            double part = 0;
            for (size_t axis = 0; axis < 3; axis++)
                part += unit * axes[axis][k] * vector[i * m + m - 1 - axis];
            d->mix[i][k] = c->signal[i] * part;
            d->offset[k] -= part * mean[i];
        }
    }
    return SEG_OK;
}

/* Each channel is a colour. The mean of all stands in for one that is missing, and for noise in proportion. */
static void mix_colours(drawing *d) {
    const double *signal = d->c->signal;
    const size_t m = (size_t)d->c->count;
    double most = DBL_MIN, sum = DBL_MIN;
    for (size_t i = 0; i < m; i++) {
        most = fmax(most, signal[i]);
        sum += signal[i];
    }
    for (size_t k = 0; k < 3; k++) {
        const double own = k < m ? signal[k] / most : 0;
        for (size_t i = 0; i < m; i++)
            d->mix[i][k] = (i == k ? own : 0) + (1 - own) * signal[i] / sum;
    }
}

seg_status seg_channels_guide(seg_context *ctx, const seg_channels *c, seg_image *out) {
    drawing d = {.c = c};
    for (int i = 0; i < c->count; i++)
        if (c->scale[i] == 0)
            seg_log(ctx, SEG_LOG_WARNING, "channel %d of %d has one value everywhere and tells nothing", i + 1,
                    c->count);
    if (c->count > 3)
        SEG_TRY(mix_components(ctx, &d));
    else
        mix_colours(&d);
    return draw(ctx, &d, out);
}

typedef struct appending {
    const seg_channels *c;
    const seg_patch_grid *grid;
    const seg_feature_spec *spec;
    seg_matrix *out;
} appending;

static void append_rows(void *arg, size_t top, size_t bottom, SEG_UNUSED int worker) {
    const appending *a = arg;
    const double *weight = a->spec->weight;
    const int columns = a->grid->columns, count = a->c->count;
    for (int p = (int)top * columns; p < (int)bottom * columns; p++) {
        double *to = a->out->at + ((size_t)p + 1) * a->out->cols - 2 * count;
        for (int i = 0; i < count; i++) {
            double sum = 0, squares = 0, n = 0;
            for (int y = seg_patch_top(a->grid, p / columns); y < a->grid->height;
                 y = seg_patch_row_after(a->grid, p / columns, y))
                for (int x = seg_patch_left(a->grid, p % columns); x < seg_patch_right(a->grid, p % columns); x++) {
                    const double v = value_of(a->c, i, x, y);
                    sum += v;
                    squares += v * v;
                    n++;
                }
            *to++ = COLUMNS * a->c->weight[i] * weight[SEG_FEATURE_MEAN] * sum / n;
            *to++ =
                COLUMNS * a->c->weight[i] * weight[SEG_FEATURE_SPREAD] * sqrt(fmax(squares / n - sum / n * sum / n, 0));
        }
    }
}

seg_status seg_channels_append(seg_context *ctx, const seg_channels *c, const seg_patch_grid *grid,
                               const seg_feature_spec *spec, seg_matrix *X) {
    SEG_TRY(seg_matrix_widen(ctx, 2 * (size_t)c->count, X));
    seg_parallel(ctx, (size_t)grid->rows, 0, append_rows, &(appending){c, grid, spec, X});
    return SEG_OK;
}

seg_status seg_channels_features(seg_context *ctx, const seg_channels *c, const seg_patch_grid *grid,
                                 seg_feature_spec *spec, const seg_matrix *X, seg_matrix *out) {
    const seg_feature_spec all = *spec;
    size_t first, place = seg_position_columns(spec, &first);
    seg_channels alike = *c;
    double ranges = 0;
    SEG_RELEASED(seg_matrix_free) seg_matrix own = {0};
    for (int i = 0; i < c->count; i++)
        ranges += c->scale[i] > 0 ? 1 / c->scale[i] : 0;
    for (int i = 0; i < c->count; i++) {
        alike.scale[i] = ranges > 0 ? 1 / ranges : 0;
        alike.weight[i] = 1;
    }
    SEG_TRY(seg_matrix_create(ctx, X->rows, place, &own));
    for (size_t i = 0; i < place * X->rows; i++)
        own.at[i] = X->at[i / 2 * X->cols + first + i % 2];
    memset(spec, 0, sizeof *spec);
    spec->weight[SEG_FEATURE_POSITION] = all.weight[SEG_FEATURE_POSITION];
    SEG_TRY(seg_channels_append(ctx, &alike, grid, &all, &own));
    return SEG_HANDED_OVER(out, own);
}
