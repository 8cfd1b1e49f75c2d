/* The first pass over an image that is read by tiles. */
#include "pipeline/tiled.h"

#include "base/base.h"
#include "base/parallel.h"
#include "image/raster.h"
#include "image/shrink.h"

#include <stdlib.h>
#include <string.h>

#define STRIP ((size_t)1 << 23) /* pixels read at a time, approximately; a row of tiles may have more */

typedef struct ends {
    uint16_t low, high;
} ends;

typedef struct looking {
    const seg_image *rows;
    ends *found; /* of each worker */
} looking;

static void look_at_rows(void *arg, size_t first, size_t last, int worker) {
    const looking *l = arg;
    const size_t line = 3 * (size_t)l->rows->width;
    const uint16_t *sample = l->rows->data;
    ends *e = &l->found[worker];
    for (size_t i = first * line; i < last * line; i++) {
        e->low = sample[i] < e->low ? sample[i] : e->low;
        e->high = sample[i] > e->high ? sample[i] : e->high;
    }
}

static seg_status look(seg_context *ctx, const seg_image *rows, ends *all) {
    const int threads = seg_threads(ctx);
    ends *found = seg_alloc(ctx, (size_t)threads, sizeof *found);
    if (!found)
        return SEG_ERR_MEMORY;
    for (int t = 0; t < threads; t++)
        found[t] = *all;
    seg_parallel(ctx, (size_t)rows->height, 0, look_at_rows, &(looking){rows, found});
    for (int t = 0; t < threads; t++) {
        all->low = found[t].low < all->low ? found[t].low : all->low;
        all->high = found[t].high > all->high ? found[t].high : all->high;
    }
    free(found);
    return SEG_OK;
}

/* Whole rows of tiles, as many as fit. */
static int rows_at_once(const seg_tiled_about *about) {
    const size_t tiles = STRIP / (size_t)about->width / (size_t)about->block_height;
    const int64_t rows = (int64_t)(tiles ? tiles : 1) * about->block_height;
    return rows < about->height ? (int)rows : about->height;
}

seg_status seg_tiled_reduce(seg_context *ctx, seg_tiled_image *image, const char *path, int factor, int view_factor,
                            seg_image *copy, seg_image *view) {
    const seg_tiled_about *a = seg_tiled_about_of(image);
    const int step = rows_at_once(a);
    seg_shrinker one = {0}, other = {0};
    ends found = {UINT16_MAX, 0};
    seg_status status = seg_shrinker_create(ctx, a->width, a->height, a->depth, factor, &one);
    if (!status)
        status = seg_shrinker_create(ctx, a->width, a->height, a->depth, view_factor, &other);
    for (int top = 0; !status && top < a->height; top += step) {
        const int rows = a->height - top < step ? a->height - top : step;
        seg_image strip = {0};
        status = seg_progress(ctx, (double)top / a->height, "features");
        if (!status)
            status = seg_tiled_read(ctx, image, &(seg_area){0, top, a->width, top + rows}, NULL, NULL, &strip);
        if (!status && a->depth == 16)
            status = look(ctx, &strip, &found);
        if (!status) {
            seg_shrinker_add(ctx, &strip, &one);
            seg_shrinker_add(ctx, &strip, &other);
        }
        seg_image_free(&strip);
    }
    if (!status && a->depth == 16) {
        seg_image_set_ends(ctx, path, found.low, found.high, &one.out);
        other.out.low = one.out.low;
        other.out.high = one.out.high;
    }
    if (!status) {
        *copy = one.out;
        *view = other.out;
        memset(&one.out, 0, sizeof one.out);
        memset(&other.out, 0, sizeof other.out);
    }
    seg_shrinker_free(&one);
    seg_shrinker_free(&other);
    return status;
}
