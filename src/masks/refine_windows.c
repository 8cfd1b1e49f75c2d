#include "masks/refine_windows.h"

#include "base/base.h"
#include "base/bytes.h"
#include "base/parallel.h"
#include "features/grid.h"
#include "masks/edge_smoother.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TURNS        3
#define TILES        4    /* a block */
#define WINDOW       2048 /* pixels, about: what is smoothed at once, so that memory follows it and not the image */
#define HALO         128  /* pixels beyond it, at least, that are smoothed with it */
#define SMALL_BLOCKS ((size_t)2 << 20)

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

/* Marks that differ from their patch's label, of pixel rows top .. bottom-1. */
static void find_marks(const bordering *b, int top, int bottom) {
    const seg_patch_grid *grid = b->grid;
    const seg_pixel_scribbles *scribbles = b->scribbles;
    const seg_label_rows *rows = scribbles->rows;
    const size_t width = (size_t)grid->width, end = width * (size_t)bottom;
    for (size_t p = width * (size_t)top; scribbles->label && (p = seg_next_marked(scribbles->label, p, end)) < end;
         p++) {
        const size_t patch = seg_patch_of_pixel(grid, (int)(p % width), (int)(p / width));
        const int mark = seg_mark_at(scribbles, p);
        if (mark >= 0 && mark != b->best[patch])
            b->border[patch] = 1;
    }
    for (int y = top; rows && y < bottom; y++)
        for (size_t i = rows->first[y]; i < rows->first[y + 1]; i++) {
            const int mark = scribbles->column[rows->run[i].label];
            for (int x = rows->run[i].from; mark >= 0 && x < rows->run[i].to; x = (x / grid->side + 1) * grid->side) {
                const size_t patch = seg_patch_of_pixel(grid, x, y);
                if (mark != b->best[patch])
                    b->border[patch] = 1;
            }
        }
}

/* border[patch] = 1 where its label differs from a neighbour's or from a mark in it. */
static void find_borders(void *arg, size_t first, size_t last, int worker) {
    const bordering *b = arg;
    const seg_patch_grid *grid = b->grid;
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
    find_marks(b, (int)first * grid->side, least((int)last * grid->side, grid->height));
}

/* Choose the tiles that come within `reach` pixels of two patches of different labels, or of a mark that differs from
 * its patch's. What is within half a patch of a border lies in the patches on its two sides. */
static void choose_tiles(seg_context *ctx, const seg_patch_grid *grid, const seg_pixel_scribbles *scribbles, int reach,
                         uint8_t *border, seg_refine_tiles *t) {
    const int near = 2 * reach <= grid->side;
    reach = near ? 0 : reach;
    seg_parallel(ctx, (size_t)grid->rows, 0, find_borders, &(bordering){grid, t->best, scribbles, near, border});
    for (int r = 0; r < grid->rows; r++)
        for (int c = 0; c < grid->columns; c++) {
            const area a = patch_area(grid, c, r);
            if (!border[(size_t)r * (size_t)grid->columns + (size_t)c])
                continue;
            const int left = a.left > reach ? (a.left - reach) / t->side : 0;
            const int top = a.top > reach ? (a.top - reach) / t->side : 0;
            const int right = least((a.right - 1 + reach) / t->side, t->columns - 1);
            const int bottom = least((a.bottom - 1 + reach) / t->side, t->rows - 1);
            for (int v = top; v <= bottom; v++)
                memset(t->chosen + (size_t)v * (size_t)t->columns + (size_t)left, 1, (size_t)(right - left + 1));
        }
}

seg_status seg_refine_choose(seg_context *ctx, const seg_patch_grid *grid, const seg_matrix *score,
                             const seg_pixel_scribbles *scribbles, int reach, seg_refine_tiles *out) {
    memset(out, 0, sizeof *out);
    out->side = seg_edges_side(grid->side);
    out->columns = (grid->width + out->side - 1) / out->side;
    out->rows = (grid->height + out->side - 1) / out->side;
    out->best = seg_alloc(ctx, score->rows, 1);
    out->chosen = seg_alloc_zero(ctx, (size_t)out->columns * (size_t)out->rows, 1);
    uint8_t *border = seg_alloc(ctx, score->rows, 1);
    const seg_status status = out->best && out->chosen && border ? SEG_OK : SEG_ERR_MEMORY;
    for (size_t i = 0; !status && i < score->rows; i++)
        out->best[i] = (uint8_t)seg_largest_score(score->cols, score->at + i * score->cols);
    if (!status)
        choose_tiles(ctx, grid, scribbles, reach, border, out);
    free(border);
    return status;
}

void seg_refine_tiles_free(seg_refine_tiles *tiles) {
    free(tiles->best);
    free(tiles->chosen);
    memset(tiles, 0, sizeof *tiles);
}

int seg_refine_window(const seg_refine_tiles *t, int number, seg_tile_window *out) {
    const int step = WINDOW > t->side ? WINDOW / t->side : 1, halo = (HALO + t->side - 1) / t->side;
    const int across = (t->columns + step - 1) / step, down = (t->rows + step - 1) / step;
    if (number >= across * down)
        return 0;
    const int left = number % across * step, top = number / across * step;
    const int right = least(left + step, t->columns), bottom = least(top + step, t->rows);
    out->core = (seg_tile_range){left, right, top, bottom};
    out->all = (seg_tile_range){left > halo ? left - halo : 0, least(right + halo, t->columns),
                                top > halo ? top - halo : 0, least(bottom + halo, t->rows)};
    return 1;
}

int seg_refine_chosen(const seg_refine_tiles *t, const seg_tile_range *range) {
    for (int r = range->top; r < range->bottom; r++)
        if (memchr(t->chosen + (size_t)r * (size_t)t->columns + (size_t)range->left, 1,
                   (size_t)(range->right - range->left)))
            return 1;
    return 0;
}

typedef struct tile_job {
    const seg_refining *of;
    int planes; /* k, in whole vectors */
    const seg_tile_values *values;
    const uint8_t *best;
    seg_tile_range range; /* of what is read */
} tile_job;

/* u: k - 1 scores times confidence, then the confidence; the last score follows from the sum of one. */
static void fill(const tile_job *j, int32_t tile, float *at) {
    const seg_edges *e = j->of->edges;
    const seg_patch_grid *grid = &e->grid;
    const seg_matrix *score = j->of->score;
    const size_t planes = (size_t)j->planes;
    const area a = tile_area(e, tile);
    const size_t k = score->cols;
    for (int y = a.top; y < a.bottom; y++) {
        size_t patch = seg_patch_of_pixel(grid, a.left, y);
        for (int x = a.left, next = (a.left / grid->side + 1) * grid->side; x < a.right; x++) {
            if (x == next) {
                patch++;
                next += grid->side;
            }
            float *u = at + ((size_t)(y - a.top) * (size_t)e->side + (size_t)(x - a.left)) * planes;
            const int mark = seg_mark_at(j->of->scribbles, (size_t)y * (size_t)grid->width + (size_t)x);
            const double *own = score->at + patch * k;
            const float weight = mark >= 0 ? SEG_REFINE_SCRIBBLE_CONFIDENCE : e->confidence[patch];
            for (size_t l = 0; l + 1 < k; l++)
                u[l] = weight * (mark >= 0 ? (float)((size_t)mark == l) : (float)own[l]);
            u[k - 1] = weight;
            for (size_t l = k; l < planes; l++)
                u[l] = 0;
        }
    }
}

static void pick(const tile_job *j, int32_t tile, const float *at) {
    const seg_edges *e = j->of->edges;
    const seg_pixel_scores *out = j->of->out;
    const size_t k = j->of->score->cols;
    const area a = tile_area(e, tile);
    for (int y = a.top; y < a.bottom; y++)
        for (int x = a.left; x < a.right; x++) {
            const size_t p = (size_t)y * (size_t)e->grid.width + (size_t)x;
            const float *u = at + ((size_t)(y - a.top) * (size_t)e->side + (size_t)(x - a.left)) * (size_t)j->planes;
            const int mark = seg_mark_at(j->of->scribbles, p);
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
            if (!seg_wants_scores(out))
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
static void leave(const tile_job *j, int32_t tile) {
    const seg_edges *e = j->of->edges;
    const seg_patch_grid *grid = &e->grid;
    const seg_matrix *score = j->of->score;
    const seg_pixel_scribbles *scribbles = j->of->scribbles;
    const seg_pixel_scores *out = j->of->out;
    const area a = tile_area(e, tile);
    const size_t k = score->cols;
    for (int y = a.top; y < a.bottom; y++) {
        const size_t row = (size_t)y * (size_t)grid->width;
        const uint8_t *own = j->best + (size_t)(y / grid->side) * (size_t)grid->columns;
        for (int x = a.left, to, c = a.left / grid->side; x < a.right; x = to, c++) {
            to = least((c + 1) * grid->side, a.right);
            memset(out->label + row + (size_t)x, own[c], (size_t)(to - x));
        }
        const size_t end = row + (size_t)a.right;
        for (size_t p = row + (size_t)a.left; scribbles->label && (p = seg_next_marked(scribbles->label, p, end)) < end;
             p++) /* they differ from their patch only where nothing is smoothed */
            if (seg_mark_at(scribbles, p) >= 0)
                out->label[p] = (uint8_t)seg_mark_at(scribbles, p);
        for (int x = a.left; seg_wants_scores(out) && x < a.right; x++) {
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

/* Bytes of the chosen tiles: the planes of values; a slot and a place in two lists for every tile; rows of the smoother
 * and what is left for blocks too small to count (edges.c's tables and tiles, stacks). Or, without planes, the ties of
 * their pixels to the right and below, where they are not there yet. */
static size_t bytes_of(const seg_edges *e, const uint8_t *chosen, size_t planes, int threads) {
    const size_t tiles = (size_t)e->columns * (size_t)e->rows, pixels = (size_t)e->side * (size_t)e->side;
    size_t bytes = planes ? SMALL_BLOCKS + tiles * 3 * sizeof(int32_t) + seg_edge_smooth_bytes(e, threads) : 0;
    for (size_t t = 0; t < tiles; t++)
        if (chosen[t] && (planes || !e->tile[t]))
            bytes += pixels * sizeof(float) * (planes ? planes : 2);
    return bytes;
}

static void fill_tiles(void *arg, size_t first, size_t last, int worker) {
    const tile_job *j = arg;
    (void)worker;
    for (size_t i = first; i < last; i++)
        fill(j, j->values->list[i], seg_tile_at(j->values, i));
}

static void read_tiles(void *arg, size_t first, size_t last, int worker) {
    const tile_job *j = arg;
    const size_t across = (size_t)(j->range.right - j->range.left);
    (void)worker;
    for (size_t i = first; i < last; i++) {
        const int t = (j->range.top + (int)(i / across)) * j->of->edges->columns + j->range.left + (int)(i % across);
        if (j->values->slot && j->values->slot[t] >= 0)
            pick(j, t, seg_tile_at(j->values, (size_t)j->values->slot[t]));
        else
            leave(j, t);
    }
}

static int planes_of(size_t k) {
    return (int)(k + 3) / 4 * 4; /* whole vectors */
}

seg_status seg_refine_part(seg_context *ctx, const seg_refining *of, const uint8_t *best, const uint8_t *chosen,
                           const seg_tile_range *range) {
    const size_t tiles = (size_t)(range->right - range->left) * (size_t)(range->bottom - range->top);
    seg_tile_values values = {0};
    tile_job j = {of, planes_of(of->score->cols), &values, best, *range};
    seg_status status = chosen ? seg_tile_values_create(ctx, of->edges, chosen, j.planes, &values) : SEG_OK;
    if (!status && chosen)
        status = seg_edges_prepare(ctx, of->image, values.list, values.count, of->edges);
    if (!status && chosen)
        status = seg_parallel_polled(ctx, values.count, TILES, fill_tiles, &j);
    if (!status && chosen)
        status = seg_edge_smooth(ctx, SEG_REFINE_STRENGTH, TURNS, &values);
    if (!status)
        status = seg_parallel_polled(ctx, tiles, TILES, read_tiles, &j);
    seg_tile_values_free(&values);
    return status;
}

/* chosen of `from`, within the range. */
static void take_range(const seg_refine_tiles *from, const seg_tile_range *range, uint8_t *chosen) {
    memset(chosen, 0, (size_t)from->columns * (size_t)from->rows);
    for (int r = range->top; r < range->bottom; r++) {
        const size_t at = (size_t)r * (size_t)from->columns + (size_t)range->left;
        memcpy(chosen + at, from->chosen + at, (size_t)(range->right - range->left));
    }
}

seg_status seg_refine_fast(seg_context *ctx, const seg_refining *of, int reach, size_t *bytes) {
    const seg_edges *edges = of->edges;
    const size_t tiles = (size_t)edges->columns * (size_t)edges->rows, planes = (size_t)planes_of(of->score->cols);
    uint8_t *chosen = seg_alloc(ctx, tiles, 1);
    seg_refine_tiles all = {0};
    seg_tile_window window;
    size_t most = 0;
    seg_status status =
        chosen ? seg_refine_choose(ctx, &edges->grid, of->score, of->scribbles, reach, &all) : SEG_ERR_MEMORY;
    for (int w = 0; !status && seg_refine_window(&all, w, &window); w++) {
        take_range(&all, &window.all, chosen);
        most = seg_larger(most, bytes_of(edges, chosen, planes, seg_threads(ctx)));
    }
    if (!status) {
        *bytes = most + bytes_of(edges, all.chosen, 0, 0);
        status = seg_reserve(ctx, *bytes, "refining the borders");
    }
    for (int w = 0; !status && seg_refine_window(&all, w, &window); w++) {
        const int any = seg_refine_chosen(&all, &window.core);
        if (any)
            take_range(&all, &window.all, chosen);
        status = seg_refine_part(ctx, of, all.best, any ? chosen : NULL, &window.core);
    }
    seg_refine_tiles_free(&all);
    free(chosen);
    return status;
}
