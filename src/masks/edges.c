#include "masks/edges.h"

#include "base/base.h"
#include "base/parallel.h"
#include "features/lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Units: CIELAB for colours; confidences relative to a patch of one colour. */
#define EDGE_SIGMA       4.0f /* colour difference at which the affinity of two pixels is a quarter */
#define SPREAD_HALF      6.0f /* colour spread in a patch that halves its confidence */
#define LEAST_CONFIDENCE 0.02f
#define TILES            4  /* per block of parallel work */
#define TILE             40 /* pixels, approximately: a tile's values stay in the second-level cache */

static int side_of(int patch_side) {
    return patch_side * (patch_side < TILE ? TILE / patch_side : 1);
}

seg_status seg_edges_create(seg_context *ctx, const seg_patch_grid *grid, seg_edges *out) {
    memset(out, 0, sizeof *out);
    out->grid = *grid;
    out->side = side_of(grid->side);
    out->columns = (grid->width + out->side - 1) / out->side;
    out->rows = (grid->height + out->side - 1) / out->side;
    out->tile = seg_alloc_zero(ctx, (size_t)out->columns * (size_t)out->rows, sizeof *out->tile);
    out->confidence = seg_alloc_zero(ctx, (size_t)grid->columns * (size_t)grid->rows, sizeof *out->confidence);
    if (out->tile && out->confidence)
        return SEG_OK;
    seg_edges_free(out);
    return SEG_ERR_MEMORY;
}

void seg_edges_forget(seg_edges *edges) {
    for (int t = 0; edges->tile && t < edges->columns * edges->rows; t++) {
        free(edges->tile[t]);
        edges->tile[t] = NULL;
    }
}

void seg_edges_free(seg_edges *edges) {
    seg_edges_forget(edges);
    free(edges->tile);
    free(edges->confidence);
    memset(edges, 0, sizeof *edges);
}

/* CIELAB of a tile and of the row and column after it, `stride` numbers per row. */
typedef struct planes {
    size_t stride;
    const float *plane[3];
} planes;

static float difference2(const planes *lab, size_t p, size_t q) {
    float sum = 0;
    for (int c = 0; c < 3; c++) {
        float d = lab->plane[c][p] - lab->plane[c][q];
        sum += d * d;
    }
    return sum;
}

/* 1 for a patch of one colour, falling with the variance of L, a, b inside it. */
static float patch_confidence(const planes *lab, int left, int right, int top, int bottom) {
    const float count = (float)((right - left) * (bottom - top));
    float variance = 0;
    for (int c = 0; c < 3; c++) {
        float sum = 0, squares = 0;
        for (int y = top; y < bottom; y++)
            for (int x = left; x < right; x++) {
                float v = lab->plane[c][(size_t)y * lab->stride + (size_t)x];
                sum += v;
                squares += v * v;
            }
        variance += fmaxf(squares / count - sum / count * (sum / count), 0);
    }
    return LEAST_CONFIDENCE + 1 / (1 + variance / (SPREAD_HALF * SPREAD_HALF));
}

/* Compute one tile. room: work space of 3 (side + 1)^2 floats. */
static void prepare_tile(const seg_image_part *part, const float *table, int t, float *room, seg_edges *e) {
    const int c = t % e->columns, r = t / e->columns, left = c * e->side, top = r * e->side;
    const int width = seg_tile_width(e, c), height = seg_tile_height(e, r), step = e->grid.side;
    const int from_left = left - part->left, from_top = top - part->top, across = part->image->width;
    const int wide = from_left + width < across ? width + 1 : width;
    const int tall = from_top + height < part->image->height ? height + 1 : height;
    const size_t side = (size_t)e->side, stride = side + 1, plane = stride * stride;
    const planes lab = {stride, {room, room + plane, room + 2 * plane}};
    const float inverse = 1 / (EDGE_SIGMA * EDGE_SIGMA);
    float *right = e->tile[t], *down = right + side * side;
    for (int y = 0; y < tall; y++) {
        const size_t at = (size_t)y * stride;
        seg_lab_pixels(part->image, table, (size_t)(from_top + y) * (size_t)across + (size_t)from_left, (size_t)wide,
                       (seg_lab){room + at, room + plane + at, room + 2 * plane + at});
    }
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const size_t p = (size_t)y * stride + (size_t)x, out = (size_t)y * side + (size_t)x;
            right[out] = x + 1 < wide ? seg_alike(difference2(&lab, p, p + 1), inverse) : 0;
            down[out] = y + 1 < tall ? seg_alike(difference2(&lab, p, p + stride), inverse) : 0;
        }
    for (int y = 0; y < height; y += step)
        for (int x = 0; x < width; x += step)
            e->confidence[(size_t)((top + y) / step) * (size_t)e->grid.columns + (size_t)((left + x) / step)] =
                patch_confidence(&lab, x, x + step < width ? x + step : width, y,
                                 y + step < height ? y + step : height);
}

typedef struct preparing {
    const seg_image_part *part;
    const float *table;
    const int32_t *missing;
    float *rooms;
    size_t room;
    seg_edges *edges;
} preparing;

static void prepare_tiles(void *arg, size_t first, size_t last, int worker) {
    const preparing *p = arg;
    for (size_t i = first; i < last; i++)
        prepare_tile(p->part, p->table, p->missing[i], p->rooms + (size_t)worker * p->room, p->edges);
}

seg_status seg_edges_prepare(seg_context *ctx, const seg_image_part *part, const int32_t *list, size_t count,
                             seg_edges *edges) {
    const size_t side = (size_t)edges->side, room = 3 * (side + 1) * (side + 1);
    const int threads = seg_threads(ctx);
    SEG_FREED float *table = seg_lab_table(ctx, part->image),
                    *rooms = seg_alloc(ctx, (size_t)threads, room * sizeof *rooms);
    SEG_FREED int32_t *missing = seg_alloc(ctx, count, sizeof *missing);
    size_t found = 0;
    seg_status status = table && rooms && missing ? SEG_OK : SEG_ERR_MEMORY;
    for (size_t i = 0; !status && i < count; i++) {
        if (edges->tile[list[i]])
            continue;
        edges->tile[list[i]] = seg_alloc(ctx, 2 * side * side, sizeof **edges->tile);
        if (!edges->tile[list[i]])
            status = SEG_ERR_MEMORY;
        else
            missing[found++] = list[i];
    }
    if (!status)
        status = seg_parallel_polled(ctx, found, TILES, prepare_tiles,
                                     &(preparing){part, table, missing, rooms, room, edges});
    for (size_t i = 0; status && i < found; i++) { /* on failure, free the tiles that were allocated but not filled */
        free(edges->tile[missing[i]]);
        edges->tile[missing[i]] = NULL;
    }
    return status;
}
