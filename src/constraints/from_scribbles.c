/* Scribbled pixels to groups of patches. */
#include "constraints/from_scribbles.h"
#include "base/base.h"
#include "base/bytes.h"
#include "base/parallel.h"

#include <segment/constraints.h>

#include <string.h>

/* The label most of a patch's marked pixels have, the smaller of equals; 0 where none is marked.
 * `count` holds 256 zeros and is left so; `total` is added to. */
static int patch_label(const uint8_t *label, size_t stride, int width, int height, uint32_t *count, uint32_t *total) {
    int marked = 0, best = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint8_t l = label[(size_t)y * stride + (size_t)x];
            if (l != 0 && l != SEG_VOID) {
                count[l]++;
                marked = 1;
            }
        }
    if (!marked)
        return 0;
    for (int l = 1; l <= SEG_MAX_LABELS; l++) {
        total[l] += count[l];
        if (count[l] > count[best])
            best = l; /* count[0] stays 0 */
    }
    memset(count, 0, 256 * sizeof *count);
    return best;
}

typedef struct reading {
    const seg_mask *scribbles;
    const seg_patch_grid *grid;
    seg_constraints *out;
    size_t *pixels; /* of each label; added to atomically: whole numbers, in any order */
} reading;

static void read_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    reading *r = arg;
    const seg_patch_grid *grid = r->grid;
    const size_t stride = (size_t)r->scribbles->width;
    uint32_t total[256] = {0};
    for (int row = (int)first; row < (int)last; row++) {
        uint32_t count[256] = {0};
        const int top = row * grid->side;
        const int height = grid->height - top < grid->side ? grid->height - top : grid->side;
        const size_t first_pixel = (size_t)top * stride, end = (size_t)(top + height) * stride;
        if (seg_next_marked(r->scribbles->label, first_pixel, end) == end) /* most rows of patches have no stroke */
            continue;
        for (int column = 0; column < grid->columns; column++) {
            const int left = column * grid->side;
            const int width = grid->width - left < grid->side ? grid->width - left : grid->side;
            const uint8_t *corner = r->scribbles->label + (size_t)top * stride + (size_t)left;
            r->out->group[(size_t)row * (size_t)grid->columns + (size_t)column] =
                (int16_t)(patch_label(corner, stride, width, height, count, total) - 1);
        }
    }
    for (int l = 1; l <= SEG_MAX_LABELS; l++)
        if (total[l])
            __atomic_fetch_add(&r->pixels[l], total[l], __ATOMIC_RELAXED);
}

seg_status seg_scribbles_read_patches(seg_context *ctx, const seg_mask *scribbles, const seg_patch_grid *grid,
                                      size_t pixels[256], seg_constraints *out) {
    memset(out, 0, sizeof *out);
    if (scribbles->width != grid->width || scribbles->height != grid->height)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "the scribbles have %d x %d pixels, but the image has %d x %d; paint them on a copy of it",
                        scribbles->width, scribbles->height, grid->width, grid->height);
    if (scribbles->labels < 0 || scribbles->labels > SEG_MAX_LABELS)
        return seg_fail(ctx, SEG_ERR_INPUT, "the scribbles have %d labels; 0..%d are possible", scribbles->labels,
                        SEG_MAX_LABELS);
    seg_status status = seg_constraints_create(ctx, (size_t)grid->columns * (size_t)grid->rows, out);
    if (status != SEG_OK)
        return status;
    out->groups = scribbles->labels;
    reading r = {scribbles, grid, out, pixels};
    seg_parallel(ctx, (size_t)grid->rows, 0, read_rows, &r);
    for (int l = SEG_MAX_LABELS; l > scribbles->labels; l--)
        if (pixels[l]) {
            seg_constraints_free(out);
            return seg_fail(ctx, SEG_ERR_INPUT, "the scribbles contain the label %d, but declare %d labels", l,
                            scribbles->labels);
        }
    return SEG_OK;
}

seg_status seg_constraints_from_scribbles(seg_context *ctx, const seg_mask *scribbles, const seg_patch_grid *grid,
                                          seg_constraints *out) {
    size_t pixels[256] = {0};
    return seg_scribbles_read_patches(ctx, scribbles, grid, pixels, out);
}
