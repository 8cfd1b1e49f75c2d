/* Computes the columns of all kinds of features. */
#include "base/base.h"
#include "base/parallel.h"
#include "features/columns.h"
#include "features/grid.h"
#include "features/lab.h"
#include "features/spec.h"
#include "features/strip.h"

#include <string.h>

static seg_status check_grid(seg_context *ctx, const seg_image *image, const seg_patch_grid *grid) {
    seg_patch_grid wanted = seg_patch_grid_make(image->width, image->height, grid->side);
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

/* The kinds that are computed from one row of patches at a time. */
static void fill_strip(const seg_strip *strip, const seg_feature_spec *spec, const size_t column[SEG_FEATURE_KINDS],
                       seg_matrix *out) {
    static void (*const fill[SEG_FEATURE_KINDS])(const seg_strip *strip, double weight, double *out, size_t stride) = {
        [SEG_FEATURE_POSITION] = seg_strip_position,
        [SEG_FEATURE_HISTOGRAM] = seg_strip_histogram,
        [SEG_FEATURE_LAB_HISTOGRAM] = seg_strip_lab_histogram};
    const double *weight = spec->weight, mean = weight[SEG_FEATURE_MEAN], spread = weight[SEG_FEATURE_SPREAD];
    double *row = out->at + (size_t)strip->row * (size_t)strip->grid->columns * out->cols;
    if (mean > 0 || spread > 0) /* together: they need the same sums */
        seg_strip_moments(strip, mean, mean > 0 ? row + column[SEG_FEATURE_MEAN] : NULL, spread,
                          spread > 0 ? row + column[SEG_FEATURE_SPREAD] : NULL, out->cols);
    for (int kind = 0; kind < SEG_FEATURE_KINDS; kind++)
        if (fill[kind] && weight[kind] > 0)
            fill[kind](strip, weight[kind], row + column[kind], out->cols);
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
        seg_strip strip = {s->image, grid, row, row * grid->side, 0, NULL, NULL, NULL};
        strip.bottom = grid->side < grid->height - strip.top ? strip.top + grid->side : grid->height;
        if (s->table) {
            float *L = s->lab + 3 * (size_t)worker * plane;
            strip.L = L;
            strip.a = L + plane;
            strip.b = L + 2 * plane;
            seg_lab_pixels(s->image, s->table, (size_t)strip.top * width, (size_t)(strip.bottom - strip.top) * width,
                           (seg_lab){L, L + plane, L + 2 * plane});
        }
        fill_strip(&strip, s->spec, s->column, s->out);
    }
}

static seg_status fill_strips(seg_context *ctx, const seg_image *image, const seg_patch_grid *grid,
                              const seg_feature_spec *spec, const size_t column[SEG_FEATURE_KINDS], seg_matrix *out) {
    const int needs_lab = spec->weight[SEG_FEATURE_MEAN] > 0 || spec->weight[SEG_FEATURE_SPREAD] > 0 ||
                          spec->weight[SEG_FEATURE_LAB_HISTOGRAM] > 0;
    const int threads = seg_threads(ctx) < grid->rows ? seg_threads(ctx) : grid->rows;
    const size_t width = (size_t)image->width;
    const size_t plane = width * (size_t)(grid->side < grid->height ? grid->side : grid->height);
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
    *out = X;
    X = (seg_matrix){0};
    return SEG_OK;
}
