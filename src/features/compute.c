/* Computes the columns of all kinds of features. */
#include "base/base.h"
#include "features/columns.h"
#include "features/context_features.h"
#include "features/grid.h"
#include "features/lab.h"
#include "features/spec.h"
#include "image/shown.h"

static seg_status check_grid(seg_context *ctx, const seg_image *image, const seg_patch_grid *grid) {
    seg_patch_grid wanted = seg_patch_grid_stack(image->width, image->height, seg_patch_layers(grid), 1, grid->side);
    if (!image->data || (image->depth != 8 && image->depth != 16) || wanted.columns < 1)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "features: the image must have pixels of 8 or 16 bits per sample and the patches a side of at "
                        "least 1");
    if (grid->width != wanted.width || grid->height != wanted.height || grid->columns != wanted.columns ||
        grid->rows != wanted.rows)
        return seg_fail(
            ctx, SEG_ERR_USAGE,
            "features: the patch grid does not match the image; make it with seg_patch_grid_make(%d, %d, %d)",
            image->width, image->height, grid->side);
    return SEG_OK;
}

/* A strip is a row of patches, the unit of parallel work of all features except texture. Each kind has one function
 * that writes its columns for the strip's patches; its first column of patch c is out[c * stride]. */
typedef struct strip {
    const seg_image *image;
    const seg_patch_grid *grid;
    int row;         /* of patches */
    int top, bottom; /* rows of pixels top .. bottom-1 */
    seg_lab lab;     /* of these rows, width floats per row; NULL where no kind needs them */
} strip;

#define LAB_UNIT 100.0 /* colours are in CIELAB units / 100, a range comparable to positions in 0..1 */
#define BINS     8     /* per channel [chen2011npkl, Sec. 5.5] */
#define COLUMNS  (3 * BINS)

typedef struct moments {
    double mean, spread;
} moments;

/* Differences from the patch's first pixel: one colour has a spread of exactly 0, without cancellation. */
static moments patch_moments(const float *plane, size_t width, int left, int right, int rows) {
    const double first = plane[left], count = (double)(right - left) * rows;
    double sum = 0, squares = 0;
    for (int y = 0; y < rows; y++, plane += width)
        for (int x = left; x < right; x++) {
            double t = plane[x] - first;
            sum += t;
            squares += t * t;
        }
    const double mean = sum / count, variance = squares / count - mean * mean;
    return (moments){first + mean, variance > 0 ? sqrt(variance) : 0};
}

/* Mean and standard deviation of L, a, b; NULL for the one that is not wanted. */
static void fill_moments(const strip *s, double mean_weight, double *mean, double spread_weight, double *spread,
                         size_t stride) {
    const seg_patch_grid *grid = s->grid;
    const float *planes[3] = {s->lab.L, s->lab.a, s->lab.b};
    for (int c = 0; c < grid->columns; c++)
        for (int channel = 0; channel < 3; channel++) {
            moments m = patch_moments(planes[channel], (size_t)grid->width, seg_patch_left(grid, c),
                                      seg_patch_right(grid, c), s->bottom - s->top);
            size_t at = (size_t)c * stride + (size_t)channel;
            if (mean)
                mean[at] = mean_weight * (m.mean / LAB_UNIT);
            if (spread)
                spread[at] = spread_weight * (m.spread / LAB_UNIT);
        }
}

/* The position of each patch in units of the longer side of the image. */
static void fill_position(const strip *s, double weight, double *out, size_t stride) {
    const seg_patch_grid *grid = s->grid;
    const int height = grid->height / seg_patch_layers(grid), above = s->top / height * height;
    double longer = grid->width > height ? grid->width : height;
    double y = weight * (0.5 * (s->top + s->bottom - 2 * above) / longer);
    for (int c = 0; c < grid->columns; c++, out += stride) {
        out[0] = weight * (0.5 * (seg_patch_left(grid, c) + seg_patch_right(grid, c)) / longer);
        out[1] = y;
    }
}

/* The bin of a sample: the range from black to white in equal parts. */
static inline unsigned bin_of_sample(int sample, int black, int white) {
    const int v = sample < black ? black : sample > white ? white : sample;
    return (unsigned)(v - black) * BINS / (unsigned)(white - black + 1);
}

static void write_shares(const unsigned count[COLUMNS], double pixels, double weight, double *out) {
    for (int i = 0; i < COLUMNS; i++)
        out[i] = weight * (count[i] / pixels);
}

static void fill_histogram(const strip *s, double weight, double *out, size_t stride) {
    const seg_patch_grid *grid = s->grid;
    const int rows = s->bottom - s->top;
    int black, white;
    seg_image_ends(s->image, &black, &white);
    for (int c = 0; c < grid->columns; c++, out += stride) {
        const int left = seg_patch_left(grid, c), right = seg_patch_right(grid, c);
        unsigned count[COLUMNS] = {0};
        for (int y = s->top; y < s->bottom; y++) {
            const size_t first = 3 * ((size_t)y * (size_t)grid->width + (size_t)left);
            for (size_t i = 0; i < 3 * (size_t)(right - left); i++)
                count[i % 3 * BINS + bin_of_sample((int)seg_image_sample(s->image, first + i), black, white)]++;
        }
        write_shares(count, (double)(right - left) * rows, weight, out);
    }
}

/* Bin of a value in low .. low + BINS / scale; values outside fall into the first or last bin. */
static inline int bin_of(float value, float low, float scale) {
    float t = (value - low) * scale;
    t = t > 0 ? t : 0;
    t = t < BINS - 1 ? t : BINS - 1;
    return (int)t;
}

static void fill_lab_histogram(const strip *s, double weight, double *out, size_t stride) {
    const seg_patch_grid *grid = s->grid;
    const int rows = s->bottom - s->top;
    for (int c = 0; c < grid->columns; c++, out += stride) {
        const int left = seg_patch_left(grid, c), right = seg_patch_right(grid, c);
        unsigned count[COLUMNS] = {0};
        for (int y = 0; y < rows; y++) {
            const size_t line = (size_t)y * (size_t)grid->width;
            for (size_t i = line + (size_t)left; i < line + (size_t)right; i++) {
                count[bin_of(s->lab.L[i], 0, BINS / 100.0f)]++;
                count[BINS + bin_of(s->lab.a[i], -64, BINS / 128.0f)]++;
                count[2 * BINS + bin_of(s->lab.b[i], -64, BINS / 128.0f)]++;
            }
        }
        write_shares(count, (double)(right - left) * rows, weight, out);
    }
}

/* The kinds that are computed from one row of patches at a time. */
static void fill_strip(const strip *s, const seg_feature_spec *spec, const size_t column[SEG_FEATURE_KINDS],
                       seg_matrix *out) {
    static void (*const fill[SEG_FEATURE_KINDS])(const strip *s, double weight, double *out,
                                                 size_t stride) = {[SEG_FEATURE_POSITION] = fill_position,
                                                                   [SEG_FEATURE_HISTOGRAM] = fill_histogram,
                                                                   [SEG_FEATURE_LAB_HISTOGRAM] = fill_lab_histogram};
    const double *weight = spec->weight, mean = weight[SEG_FEATURE_MEAN], spread = weight[SEG_FEATURE_SPREAD];
    double *row = out->at + (size_t)s->row * (size_t)s->grid->columns * out->cols;
    if (mean > 0 || spread > 0) /* together: they need the same sums */
        fill_moments(s, mean, mean > 0 ? row + column[SEG_FEATURE_MEAN] : NULL, spread,
                     spread > 0 ? row + column[SEG_FEATURE_SPREAD] : NULL, out->cols);
    for (int kind = 0; kind < SEG_FEATURE_KINDS; kind++)
        if (fill[kind] && weight[kind] > 0)
            fill[kind](s, weight[kind], row + column[kind], out->cols);
}

typedef struct strips {
    const seg_image *image;
    const seg_patch_grid *grid;
    const seg_feature_spec *spec;
    const size_t *column;
    seg_matrix *out;
    const float *table; /* of seg_lab_table; NULL if CIELAB is not needed */
    float *lab;         /* three planes per worker */
    size_t plane;
} strips;

static void make_strips(void *arg, size_t first, size_t last, int worker) {
    const strips *s = arg;
    const seg_patch_grid *grid = s->grid;
    const size_t width = (size_t)s->image->width, plane = s->plane;
    for (int row = (int)first; row < (int)last; row++) {
        strip own = {s->image, grid, row, seg_patch_top(grid, row), seg_patch_bottom(grid, row), {NULL, NULL, NULL}};
        if (s->table) {
            float *L = s->lab + 3 * (size_t)worker * plane;
            own.lab = (seg_lab){L, L + plane, L + 2 * plane};
            seg_lab_pixels(s->image, s->table, (size_t)own.top * width, (size_t)(own.bottom - own.top) * width,
                           own.lab);
        }
        fill_strip(&own, s->spec, s->column, s->out);
    }
}

static seg_status fill_strips(seg_context *ctx, const seg_image *image, const seg_patch_grid *grid,
                              const seg_feature_spec *spec, const size_t column[SEG_FEATURE_KINDS], seg_matrix *out) {
    const int needs_lab = spec->weight[SEG_FEATURE_MEAN] > 0 || spec->weight[SEG_FEATURE_SPREAD] > 0 ||
                          spec->weight[SEG_FEATURE_LAB_HISTOGRAM] > 0;
    const int threads = seg_threads(ctx) < grid->rows ? seg_threads(ctx) : grid->rows;
    const size_t plane = (size_t)image->width * (size_t)(grid->side < grid->height ? grid->side : grid->height);
    /* CIELAB is computed strip by strip: the planes of a strip stay in the cache; those of the image are not stored. */
    SEG_FREED float *table = needs_lab ? seg_lab_table(ctx, image) : NULL;
    SEG_FREED float *lab = needs_lab ? seg_alloc(ctx, 3 * (size_t)threads * plane, sizeof *lab) : NULL;
    if (needs_lab && (!table || !lab))
        return SEG_ERR_MEMORY;
    return seg_parallel_polled(ctx, (size_t)grid->rows, 1, make_strips,
                               &(strips){image, grid, spec, column, out, table, lab, plane});
}

seg_status seg_features_compute(seg_context *ctx, const seg_image *image, const seg_patch_grid *grid,
                                const seg_feature_spec *spec, seg_matrix *out) {
    size_t column[SEG_FEATURE_KINDS] = {0}, columns = 0;
    SEG_RELEASED(seg_matrix_free) seg_matrix X = {0};
    memset(out, 0, sizeof *out);
    SEG_TRY(check_grid(ctx, image, grid));
    SEG_TRY(seg_feature_spec_check(ctx, spec));
    for (int kind = 0; kind < SEG_FEATURE_KINDS; kind++)
        if (spec->weight[kind] > 0) {
            column[kind] = columns;
            columns += seg_feature_columns((seg_feature_kind)kind);
        }
    SEG_TRY(seg_matrix_create(ctx, (size_t)grid->columns * (size_t)grid->rows, columns, &X));
    SEG_TRY(fill_strips(ctx, image, grid, spec, column, &X));
    if (spec->weight[SEG_FEATURE_TEXTURE] > 0)
        SEG_TRY(seg_texture_columns(ctx, image, grid, spec->weight[SEG_FEATURE_TEXTURE],
                                    X.at + column[SEG_FEATURE_TEXTURE], columns));
    if (seg_patch_layers(grid) > 1) /* a patch of one slice has few pixels, and noise differs from slice to slice */
        return seg_slices_smooth(ctx, grid, SEG_SLICES_DEVIATION, &X, out);
    return SEG_HANDED_OVER(out, X);
}
