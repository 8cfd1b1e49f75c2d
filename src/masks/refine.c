#include "masks/refine.h"

#include "base/base.h"
#include "base/bytes.h"
#include "base/parallel.h"
#include "masks/edge_smoother.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TURNS        3
#define TILES        4 /* a block */
#define SMALL_BLOCKS ((size_t)2 << 20)

static size_t largest(size_t k, const double *score) {
    size_t best = 0;
    for (size_t c = 1; c < k; c++)
        if (score[c] > score[best])
            best = c;
    return best;
}

void seg_pixel_scores_put(const seg_pixel_scores *out, size_t p, size_t k, const float *score) {
    float best = 0, second = 0;
    if (out->probability)
        memcpy(out->probability + p * k, score, k * sizeof *score);
    for (size_t c = 0; c < k; c++) {
        if (score[c] > best) {
            second = best;
            best = score[c];
        } else if (score[c] > second)
            second = score[c];
    }
    if (out->uncertainty)
        out->uncertainty[p] = (uint8_t)lrintf(255 * fminf(fmaxf(1 - (best - second), 0), 1));
}

static int wants_scores(const seg_pixel_scores *out) {
    return out->probability || out->uncertainty;
}

typedef struct spreading {
    const seg_patch_grid *grid;
    const seg_matrix *score;
    const seg_pixel_scores *out;
} spreading;

static void spread_rows(void *arg, size_t first, size_t last, int worker) {
    const spreading *j = arg;
    const seg_patch_grid *grid = j->grid;
    const seg_matrix *score = j->score;
    const seg_pixel_scores *out = j->out;
    const size_t k = score->cols;
    (void)worker;
    for (int y = (int)first; y < (int)last; y++)
        for (int x = 0; x < grid->width; x++) {
            const size_t p = (size_t)y * (size_t)grid->width + (size_t)x;
            const double *own = score->at + seg_patch_of_pixel(grid, x, y) * k;
            float single[SEG_MAX_LABELS];
            out->label[p] = x % grid->side ? out->label[p - 1] : (uint8_t)largest(k, own);
            if (!wants_scores(out))
                continue;
            for (size_t c = 0; c < k; c++)
                single[c] = (float)own[c];
            seg_pixel_scores_put(out, p, k, single);
        }
}

void seg_refine_none(seg_context *ctx, const seg_patch_grid *grid, const seg_matrix *score,
                     const seg_pixel_scores *out) {
    seg_parallel(ctx, (size_t)grid->height, 0, spread_rows, &(spreading){grid, score, out});
}

/* Pixels of a patch or a tile: columns left .. right-1 of rows top .. bottom-1. */
typedef struct area {
    int left, right, top, bottom;
} area;

static int least(int a, int b) {
    return a < b ? a : b;
}

static area patch_area(const seg_patch_grid *grid, int c, int r) {
    return (area){c * grid->side, least((c + 1) * grid->side, grid->width), r * grid->side,
                  least((r + 1) * grid->side, grid->height)};
}

static area tile_area(const seg_edges *e, int32_t tile) {
    const int left = tile % e->columns * e->side, top = tile / e->columns * e->side;
    return (area){left, least(left + e->side, e->grid.width), top, least(top + e->side, e->grid.height)};
}

typedef struct bordering {
    const seg_patch_grid *grid;
    const uint8_t *best;
    const seg_pixel_scribbles *scribbles;
    int near;
    uint8_t *border;
} bordering;

/* border[patch] = 1 where its label differs from a neighbour's or from a mark in it. */
static void find_borders(void *arg, size_t first, size_t last, int worker) {
    const bordering *b = arg;
    const seg_patch_grid *grid = b->grid;
    const seg_pixel_scribbles *scribbles = b->scribbles;
    const uint8_t *best = b->best;
    (void)worker;
    for (int r = (int)first; r < (int)last; r++)
        for (int c = 0; c < grid->columns; c++) {
            const size_t patch = (size_t)r * (size_t)grid->columns + (size_t)c;
            int differs = (c + 1 < grid->columns && best[patch] != best[patch + 1]) ||
                          (r + 1 < grid->rows && best[patch] != best[patch + (size_t)grid->columns]);
            if (b->near)
                differs |= (c > 0 && best[patch] != best[patch - 1]) ||
                           (r > 0 && best[patch] != best[patch - (size_t)grid->columns]);
            b->border[patch] = (uint8_t)differs;
        }
    const size_t width = (size_t)grid->width, end = width * (size_t)least((int)last * grid->side, grid->height);
    for (size_t p = width * first * (size_t)grid->side;
         scribbles->label && (p = seg_next_marked(scribbles->label, p, end)) < end; p++) {
        const size_t patch = seg_patch_of_pixel(grid, (int)(p % width), (int)(p / width));
        const int mark = seg_mark_at(scribbles, p);
        if (mark >= 0 && mark != best[patch])
            b->border[patch] = 1;
    }
}

/* chosen[t] = 1 for the tiles that come within `reach` pixels of two patches of different labels, or of a mark that
 * differs from its patch's. What is within half a patch of a border lies in the patches on its two sides. best: of each
 * patch. */
static void choose_tiles(seg_context *ctx, const seg_edges *e, const uint8_t *best,
                         const seg_pixel_scribbles *scribbles, int reach, uint8_t *border, uint8_t *chosen) {
    const seg_patch_grid *grid = &e->grid;
    const int near = 2 * reach <= grid->side;
    reach = near ? 0 : reach;
    seg_parallel(ctx, (size_t)grid->rows, 0, find_borders, &(bordering){grid, best, scribbles, near, border});
    for (int r = 0; r < grid->rows; r++)
        for (int c = 0; c < grid->columns; c++) {
            const area a = patch_area(grid, c, r);
            if (!border[(size_t)r * (size_t)grid->columns + (size_t)c])
                continue;
            const int left = a.left > reach ? (a.left - reach) / e->side : 0;
            const int top = a.top > reach ? (a.top - reach) / e->side : 0;
            const int right = least((a.right - 1 + reach) / e->side, e->columns - 1);
            const int bottom = least((a.bottom - 1 + reach) / e->side, e->rows - 1);
            for (int v = top; v <= bottom; v++)
                memset(chosen + (size_t)v * (size_t)e->columns + (size_t)left, 1, (size_t)(right - left + 1));
        }
}

/* u: k - 1 scores times confidence, then the confidence; the last score follows from the sum of one. */
static void fill(const seg_edges *e, int32_t tile, const seg_matrix *score, const seg_pixel_scribbles *scribbles,
                 int planes, float *at) {
    const seg_patch_grid *grid = &e->grid;
    const area a = tile_area(e, tile);
    const size_t k = score->cols;
    for (int y = a.top; y < a.bottom; y++) {
        size_t patch = seg_patch_of_pixel(grid, a.left, y);
        for (int x = a.left, next = (a.left / grid->side + 1) * grid->side; x < a.right; x++) {
            if (x == next) {
                patch++;
                next += grid->side;
            }
            float *u = at + ((size_t)(y - a.top) * (size_t)e->side + (size_t)(x - a.left)) * (size_t)planes;
            const int mark = seg_mark_at(scribbles, (size_t)y * (size_t)grid->width + (size_t)x);
            const double *own = score->at + patch * k;
            const float weight = mark >= 0 ? SEG_REFINE_SCRIBBLE_CONFIDENCE : e->confidence[patch];
            for (size_t l = 0; l + 1 < k; l++)
                u[l] = weight * (mark >= 0 ? (float)((size_t)mark == l) : (float)own[l]);
            u[k - 1] = weight;
            for (size_t l = k; l < (size_t)planes; l++)
                u[l] = 0;
        }
    }
}

static void pick(const seg_edges *e, int32_t tile, size_t k, const seg_pixel_scribbles *scribbles, int planes,
                 const float *at, const seg_pixel_scores *out) {
    const area a = tile_area(e, tile);
    for (int y = a.top; y < a.bottom; y++)
        for (int x = a.left; x < a.right; x++) {
            const size_t p = (size_t)y * (size_t)e->grid.width + (size_t)x;
            const float *u = at + ((size_t)(y - a.top) * (size_t)e->side + (size_t)(x - a.left)) * (size_t)planes;
            const int mark = seg_mark_at(scribbles, p);
            float rest = u[k - 1], best = -1, single[SEG_MAX_LABELS];
            size_t winner = 0;
            for (size_t l = 0; l + 1 < k; l++) {
                rest -= u[l];
                if (u[l] > best) {
                    best = u[l];
                    winner = l;
                }
            }
            if (rest > best)
                winner = k - 1;
            out->label[p] = (uint8_t)(mark >= 0 ? mark : (int)winner);
            if (!wants_scores(out))
                continue;
            float sum = fmaxf(rest, 0);
            single[k - 1] = sum;
            for (size_t l = 0; l + 1 < k; l++)
                sum += single[l] = fmaxf(u[l], 0);
            for (size_t l = 0; l < k; l++)
                single[l] = mark >= 0 ? (float)((size_t)mark == l) : single[l] / sum;
            seg_pixel_scores_put(out, p, k, single);
        }
}

/* Far from every border: the label of the patch; scores between the centres of four patches, which agree in it. */
static void leave(const seg_edges *e, int32_t tile, const seg_matrix *score, const uint8_t *patch_label,
                  const seg_pixel_scribbles *scribbles, const seg_pixel_scores *out) {
    const seg_patch_grid *grid = &e->grid;
    const area a = tile_area(e, tile);
    const size_t k = score->cols;
    for (int y = a.top; y < a.bottom; y++) {
        const size_t row = (size_t)y * (size_t)grid->width;
        const uint8_t *own = patch_label + (size_t)(y / grid->side) * (size_t)grid->columns;
        for (int x = a.left, to, c = a.left / grid->side; x < a.right; x = to, c++) {
            to = least((c + 1) * grid->side, a.right);
            memset(out->label + row + (size_t)x, own[c], (size_t)(to - x));
        }
        for (int x = a.left; wants_scores(out) && x < a.right; x++) {
            const float across = fmaxf(((float)x + 0.5f) / (float)grid->side - 0.5f, 0);
            const float down = fmaxf(((float)y + 0.5f) / (float)grid->side - 0.5f, 0);
            const int c = least((int)across, grid->columns - 1), r = least((int)down, grid->rows - 1);
            const int right = least(c + 1, grid->columns - 1), below = least(r + 1, grid->rows - 1);
            const double u = fminf(across - (float)c, 1), v = fminf(down - (float)r, 1);
            const double *corner[4] = {score->at + ((size_t)r * (size_t)grid->columns + (size_t)c) * k,
                                       score->at + ((size_t)r * (size_t)grid->columns + (size_t)right) * k,
                                       score->at + ((size_t)below * (size_t)grid->columns + (size_t)c) * k,
                                       score->at + ((size_t)below * (size_t)grid->columns + (size_t)right) * k};
            const int mark = seg_mark_at(scribbles, row + (size_t)x);
            float single[SEG_MAX_LABELS];
            for (size_t l = 0; l < k; l++)
                single[l] = mark >= 0 ? (float)((size_t)mark == l)
                                      : (float)((1 - v) * ((1 - u) * corner[0][l] + u * corner[1][l]) +
                                                v * ((1 - u) * corner[2][l] + u * corner[3][l]));
            seg_pixel_scores_put(out, row + (size_t)x, k, single);
        }
    }
}

/* Of the chosen tiles: the planes of values, and the ties of the pixels to the right and below where they are not there
 * yet; a slot and a place in two lists for every tile; rows of the smoother and what is left for blocks too small to
 * count (edges.c's tables and tiles, stacks). */
static size_t bytes_of_tiles(const seg_edges *e, const uint8_t *chosen, size_t planes, int threads) {
    const size_t tiles = (size_t)e->columns * (size_t)e->rows, pixels = (size_t)e->side * (size_t)e->side;
    size_t bytes = SMALL_BLOCKS + tiles * 3 * sizeof(int32_t) + seg_edge_smooth_bytes(e, threads);
    for (size_t t = 0; t < tiles; t++)
        if (chosen[t])
            bytes += pixels * sizeof(float) * (planes + (e->tile[t] ? 0 : 2));
    return bytes;
}

typedef struct tile_job {
    const seg_edges *edges;
    const seg_matrix *score;
    const seg_pixel_scribbles *scribbles;
    int planes;
    const seg_tile_values *values;
    const uint8_t *best;
    const seg_pixel_scores *out;
} tile_job;

static void fill_tiles(void *arg, size_t first, size_t last, int worker) {
    const tile_job *j = arg;
    (void)worker;
    for (size_t i = first; i < last; i++)
        fill(j->edges, j->values->list[i], j->score, j->scribbles, j->planes, seg_tile_at(j->values, i));
}

static void read_tiles(void *arg, size_t first, size_t last, int worker) {
    const tile_job *j = arg;
    (void)worker;
    for (size_t t = first; t < last; t++)
        if (j->values->slot[t] >= 0)
            pick(j->edges, (int32_t)t, j->score->cols, j->scribbles, j->planes,
                 seg_tile_at(j->values, (size_t)j->values->slot[t]), j->out);
        else
            leave(j->edges, (int32_t)t, j->score, j->best, j->scribbles, j->out);
}

seg_status seg_refine_fast(seg_context *ctx, const seg_image *image, seg_edges *edges, const seg_matrix *score,
                           const seg_pixel_scribbles *scribbles, int reach, const seg_pixel_scores *out,
                           size_t *bytes) {
    const size_t tiles = (size_t)edges->columns * (size_t)edges->rows, k = score->cols;
    const int planes = (int)(k + 3) / 4 * 4; /* whole vectors */
    seg_tile_values values = {0};
    uint8_t *best = seg_alloc(ctx, score->rows, 1), *border = seg_alloc(ctx, score->rows, 1);
    uint8_t *chosen = seg_alloc_zero(ctx, tiles, 1);
    seg_status status = best && border && chosen ? SEG_OK : SEG_ERR_MEMORY;
    if (status)
        goto done;
    for (size_t i = 0; i < score->rows; i++)
        best[i] = (uint8_t)largest(k, score->at + i * k);
    choose_tiles(ctx, edges, best, scribbles, reach, border, chosen);
    *bytes = bytes_of_tiles(edges, chosen, (size_t)planes, seg_threads(ctx));
    if ((status = seg_reserve(ctx, *bytes, "refining the borders")) != SEG_OK)
        goto done;
    if ((status = seg_tile_values_create(ctx, edges, chosen, planes, &values)) != SEG_OK ||
        (status = seg_edges_prepare(ctx, image, values.list, values.count, edges)) != SEG_OK)
        goto done;
    tile_job j = {edges, score, scribbles, planes, &values, best, out};
    if ((status = seg_parallel_polled(ctx, values.count, TILES, fill_tiles, &j)) != SEG_OK ||
        (status = seg_edge_smooth(ctx, SEG_REFINE_STRENGTH, TURNS, &values)) != SEG_OK)
        goto done;
    status = seg_parallel_polled(ctx, tiles, TILES, read_tiles, &j);
done:
    seg_tile_values_free(&values);
    free(best);
    free(border);
    free(chosen);
    return status;
}
