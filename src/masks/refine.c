/* The image is refined window by window, each with a margin: read in parts or from memory, it gets the same labels. */
#include "masks/refine.h"
#include "base/base.h"
#include "features/grid.h"

#define TURNS        3
#define TILES        4    /* per block of parallel work */
#define WINDOW       2048 /* approximate side of a window in pixels; bounds the memory for smoothing */
#define HALO         128  /* least margin in pixels that is smoothed with a window */
#define SMALL_BLOCKS ((size_t)2 << 20)

/* Which tiles of an image are near borders. */
typedef struct near_borders {
    const seg_edges *edges;
    uint8_t *best;   /* column of each patch; owned */
    uint8_t *chosen; /* of each tile: 1 where it is near a border; in the same block */
} near_borders;

static void near_borders_free(near_borders *t) {
    SEG_CLEAR(t, t->best);
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

static seg_area tile_area(const seg_edges *e, int32_t tile) {
    const int left = tile % e->columns * e->side, top = tile / e->columns * e->side;
    return (seg_area){left, top, seg_smaller(left + e->side, e->grid.width),
                      seg_smaller(top + e->side, e->grid.height)};
}

typedef struct bordering {
    const seg_patch_grid *grid;
    const uint8_t *best;
    const seg_pixel_scribbles *scribbles;
    int near;
    uint8_t *border;
} bordering;

/* Set border[patch] = 1 for marks that differ from their patch's label, in pixel rows top .. bottom-1. */
static void find_marks(const bordering *b, int top, int bottom) {
    const seg_patch_grid *grid = b->grid;
    const seg_pixel_scribbles *scribbles = b->scribbles;
    const seg_label_rows *rows = scribbles->rows;
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
static void find_borders(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const bordering *b = arg;
    const seg_patch_grid *grid = b->grid;
    const uint8_t *best = b->best;
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
    find_marks(b, (int)first * grid->side, seg_smaller((int)last * grid->side, grid->height));
}

/* Choose the tiles that come within `reach` pixels of two patches of different labels, or of a mark that differs from
 * its patch's. Pixels within half a patch of a border lie in the patches on its two sides. */
static void choose_tiles(seg_context *ctx, const seg_patch_grid *grid, const seg_pixel_scribbles *scribbles, int reach,
                         uint8_t *border, near_borders *t) {
    const int near = 2 * reach <= grid->side;
    reach = near ? 0 : reach;
    seg_parallel(ctx, (size_t)grid->rows, 0, find_borders, &(bordering){grid, t->best, scribbles, near, border});
    for (int r = 0; r < grid->rows; r++)
        for (int c = 0; c < grid->columns; c++) {
            const seg_area a = {c * grid->side, r * grid->side, seg_smaller((c + 1) * grid->side, grid->width),
                                seg_smaller((r + 1) * grid->side, grid->height)};
            if (!border[(size_t)r * (size_t)grid->columns + (size_t)c])
                continue;
            const int left = a.left > reach ? (a.left - reach) / t->edges->side : 0;
            const int top = a.top > reach ? (a.top - reach) / t->edges->side : 0;
            const int right = seg_smaller((a.right - 1 + reach) / t->edges->side, t->edges->columns - 1);
            const int bottom = seg_smaller((a.bottom - 1 + reach) / t->edges->side, t->edges->rows - 1);
            for (int v = top; v <= bottom; v++)
                memset(t->chosen + (size_t)v * (size_t)t->edges->columns + (size_t)left, 1, (size_t)(right - left + 1));
        }
}

static seg_status choose(seg_context *ctx, const seg_refining *of, near_borders *out) {
    const seg_patch_grid *grid = &of->edges->grid;
    const seg_matrix *score = of->score;
    out->edges = of->edges;
    SEG_LOCAL(uint8_t, border, seg_alloc(ctx, score->rows, 1));
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->best, score->rows),
                             SEG_TABLE(out->chosen, (size_t)of->edges->columns, (size_t)of->edges->rows)));
    for (size_t i = 0; i < score->rows; i++)
        out->best[i] = (uint8_t)seg_largest_of(score->cols, score->at + i * score->cols);
    if (of->reach)
        choose_tiles(ctx, grid, of->scribbles, of->reach, border, out);
    return SEG_OK;
}

/* Windows have the numbers 0, 1, 2 ... from the top left, row by row. The labels of the tiles in `core` are computed;
 * the tiles in `all` are smoothed together. An image of up to about 2000 x 2000 pixels is one window. */
typedef struct window {
    seg_area core, all;
} window;

/* @return 0 if there are fewer windows */
static int window_at(const near_borders *t, int number, window *out) {
    const int step = WINDOW > t->edges->side ? WINDOW / t->edges->side : 1,
              halo = (HALO + t->edges->side - 1) / t->edges->side;
    const int across = (t->edges->columns + step - 1) / step, down = (t->edges->rows + step - 1) / step;
    if (number >= across * down)
        return 0;
    const int left = number % across * step, top = number / across * step;
    const int right = seg_smaller(left + step, t->edges->columns), bottom = seg_smaller(top + step, t->edges->rows);
    out->core = (seg_area){left, top, right, bottom};
    out->all = (seg_area){left > halo ? left - halo : 0, top > halo ? top - halo : 0,
                          seg_smaller(right + halo, t->edges->columns), seg_smaller(bottom + halo, t->edges->rows)};
    return 1;
}

/* Whether any tile of the range is chosen. */
static int any_chosen(const near_borders *t, const seg_area *range) {
    for (int r = range->top; r < range->bottom; r++)
        if (memchr(t->chosen + (size_t)r * (size_t)t->edges->columns + (size_t)range->left, 1,
                   (size_t)(range->right - range->left)))
            return 1;
    return 0;
}

typedef struct tile_job {
    const seg_refining *of;
    int planes;             /* k, rounded up to whole vectors */
    seg_tile_values values; /* of one window */
    const uint8_t *best;
    seg_area range; /* tiles that are read */
    uint8_t *label; /* of whole rows of pixels, from row `top` on */
    int top;
} tile_job;

/* The columns of the strokes at the pixels of a tile's row, -1 where unmarked. */
static void read_marks(const tile_job *j, const seg_area *a, int y, int16_t *mark) {
    const seg_pixel_scribbles *scribbles = j->of->scribbles;
    const seg_label_rows *rows = scribbles->rows;
    for (int x = a->left; x < a->right; x++)
        mark[x - a->left] = -1;
    for (size_t i = rows ? seg_label_rows_at(rows, a->left, y) : 0;
         rows && i < rows->first[y + 1] && rows->run[i].from < a->right; i++) {
        const seg_label_run *run = &rows->run[i];
        const int16_t column = scribbles->column[run->label];
        for (int x = run->from > a->left ? run->from : a->left; column >= 0 && x < seg_smaller(run->to, a->right); x++)
            mark[x - a->left] = column;
    }
}

/* Per pixel: k - 1 scores times the confidence, then the confidence; the last score follows, as they sum to one. */
static void fill(const tile_job *j, int32_t tile, float *at) {
    const seg_edges *e = j->of->edges;
    const seg_patch_grid *grid = &e->grid;
    const seg_matrix *score = j->of->score;
    const size_t planes = (size_t)j->planes;
    const seg_area a = tile_area(e, tile);
    const size_t k = score->cols;
    int16_t marks[SEG_EDGES_MOST_SIDE];
    for (int y = a.top; y < a.bottom; y++) {
        size_t patch = seg_patch_of_pixel(grid, a.left, y);
        read_marks(j, &a, y, marks);
        for (int x = a.left, next = (a.left / grid->side + 1) * grid->side; x < a.right; x++) {
            if (x == next) {
                patch++;
                next += grid->side;
            }
            float *u = at + ((size_t)(y - a.top) * (size_t)e->side + (size_t)(x - a.left)) * planes;
            const int mark = marks[x - a.left];
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
    const seg_pixel_scores *out = &j->of->out;
    const size_t k = j->of->score->cols, width = (size_t)e->grid.width;
    const seg_area a = tile_area(e, tile);
    int16_t marks[SEG_EDGES_MOST_SIDE];
    for (int y = a.top; y < a.bottom; y++) {
        uint8_t *label = j->label + (size_t)(y - j->top) * width;
        read_marks(j, &a, y, marks);
        for (int x = a.left; x < a.right; x++) {
            const float *u = at + ((size_t)(y - a.top) * (size_t)e->side + (size_t)(x - a.left)) * (size_t)j->planes;
            const int mark = marks[x - a.left];
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
            label[x] = (uint8_t)(mark >= 0 ? mark : (int)winner);
            if (!seg_wants_scores(out))
                continue;
            float sum = fmaxf(rest, 0);
            single[k - 1] = sum;
            for (size_t l = 0; l + 1 < k; l++)
                sum += single[l] = fmaxf(u[l], 0);
            for (size_t l = 0; l < k; l++)
                single[l] = mark >= 0 ? (float)((size_t)mark == l) : single[l] / sum;
            seg_pixel_scores_put(out, (size_t)y * width + (size_t)x, k, single);
        }
    }
}

/* Tiles far from every border: pixels get the label of their patch. Scores are interpolated between the centres of four
 * patches with the same label, or are those of the patch where nothing is smoothed. */
static void leave(const tile_job *j, int32_t tile) {
    const seg_edges *e = j->of->edges;
    const seg_patch_grid *grid = &e->grid;
    const seg_matrix *score = j->of->score;
    const seg_pixel_scores *out = &j->of->out;
    const seg_area a = tile_area(e, tile);
    const size_t k = score->cols;
    const float offset = j->of->reach ? 0.5f : 0;
    int16_t marks[SEG_EDGES_MOST_SIDE];
    for (int y = a.top; y < a.bottom; y++) {
        uint8_t *label = j->label + (size_t)(y - j->top) * (size_t)grid->width;
        const uint8_t *own = j->best + (size_t)(y / grid->side) * (size_t)grid->columns;
        read_marks(j, &a, y, marks);
        for (int x = a.left; x < a.right; x++) {
            const int mark = marks[x - a.left];
            label[x] = mark >= 0 ? (uint8_t)mark : own[x / grid->side];
            if (!seg_wants_scores(out))
                continue;
            const float across = fmaxf(((float)x + 0.5f) / (float)grid->side - offset, 0);
            const float down = fmaxf(((float)y + 0.5f) / (float)grid->side - offset, 0);
            const int c = seg_smaller(offset > 0 ? (int)across : x / grid->side, grid->columns - 1);
            const int r = seg_smaller(offset > 0 ? (int)down : y / grid->side, grid->rows - 1);
            const int right = seg_smaller(c + 1, grid->columns - 1), below = seg_smaller(r + 1, grid->rows - 1);
            const double u = offset > 0 ? fminf(across - (float)c, 1) : 0,
                         v = offset > 0 ? fminf(down - (float)r, 1) : 0;
            const double *corner[4] = {score->at + ((size_t)r * (size_t)grid->columns + (size_t)c) * k,
                                       score->at + ((size_t)r * (size_t)grid->columns + (size_t)right) * k,
                                       score->at + ((size_t)below * (size_t)grid->columns + (size_t)c) * k,
                                       score->at + ((size_t)below * (size_t)grid->columns + (size_t)right) * k};
            float single[SEG_MAX_LABELS];
            for (size_t l = 0; l < k; l++)
                single[l] = mark >= 0 ? (float)((size_t)mark == l)
                                      : (float)((1 - v) * ((1 - u) * corner[0][l] + u * corner[1][l]) +
                                                v * ((1 - u) * corner[2][l] + u * corner[3][l]));
            seg_pixel_scores_put(out, (size_t)y * (size_t)grid->width + (size_t)x, k, single);
        }
    }
}

/* Bytes for the chosen tiles: the planes of values, a slot and an entry in two lists for every tile, the smoother's
 * work space, and an allowance for small blocks (edges.c's tables and tiles, stacks). Without planes: the affinities of
 * their pixels to the right and below, where these are not computed yet. */
static size_t bytes_of(const seg_edges *e, const uint8_t *chosen, size_t planes, int threads) {
    const size_t tiles = (size_t)e->columns * (size_t)e->rows, pixels = (size_t)e->side * (size_t)e->side;
    size_t bytes = planes ? SMALL_BLOCKS + tiles * 3 * sizeof(int32_t) + seg_edge_smooth_bytes(e, threads) : 0;
    for (size_t t = 0; t < tiles; t++)
        if (chosen[t] && (planes || !e->tile[t]))
            bytes += pixels * sizeof(float) * (planes ? planes : 2);
    return bytes;
}

static void fill_tiles(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const tile_job *j = arg;
    for (size_t i = first; i < last; i++)
        fill(j, j->values.list[i], seg_tile_at(&j->values, i));
}

static void read_tiles(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const tile_job *j = arg;
    const size_t across = (size_t)(j->range.right - j->range.left);
    for (size_t i = first; i < last; i++) {
        const int t = (j->range.top + (int)(i / across)) * j->of->edges->columns + j->range.left + (int)(i % across);
        if (j->values.slot && j->values.slot[t] >= 0)
            pick(j, t, seg_tile_at(&j->values, (size_t)j->values.slot[t]));
        else
            leave(j, t);
    }
}

static int planes_of(size_t k) {
    return (int)(k + 3) / 4 * 4; /* whole vectors */
}

static int is_wanted(const void *user, const seg_area *a) {
    const near_borders *s = user;
    const int side = s->edges->side;
    for (int r = a->top / side; r <= (a->bottom - 1) / side; r++)
        for (int c = a->left / side; c <= (a->right - 1) / side; c++)
            if (s->chosen[r * s->edges->columns + c])
                return 1;
    return 0;
}

/* Compute the affinities of a window. From a file, only the window's pixels are read; earlier affinities are freed. */
static seg_status prepare_edges(seg_context *ctx, const seg_refining *of, const near_borders *s, const seg_area *tiles,
                                const seg_tile_values *values) {
    const seg_edges *e = of->edges;
    const seg_area a = {tiles->left * e->side, tiles->top * e->side, seg_smaller(tiles->right * e->side, e->grid.width),
                        seg_smaller(tiles->bottom * e->side, e->grid.height)};
    SEG_RELEASED(seg_image_free) seg_image read = {0};
    if (!of->file)
        return seg_edges_prepare(ctx, &(seg_image_part){of->image, 0, 0}, values->list, values->count, of->edges);
    seg_edges_forget(of->edges);
    SEG_TRY(seg_tiled_read(ctx, of->file, &a, is_wanted, s, &read));
    read.low = of->image->low;
    read.high = of->image->high;
    return seg_edges_prepare(ctx, &(seg_image_part){&read, a.left, a.top}, values->list, values->count, of->edges);
}

/* Compute the labels of a window's core. */
static seg_status refine_window(seg_context *ctx, tile_job *j, uint8_t *chosen, const window *w) {
    const seg_refining *of = j->of;
    const int side = of->edges->grid.side;
    const size_t tiles = (size_t)(w->core.right - w->core.left) * (size_t)(w->core.bottom - w->core.top);
    SEG_RELEASED(seg_tile_values_free) seg_tile_values values = {0};
    j->range = w->core;
    if (chosen)
        SEG_TRY(seg_tile_values_create(ctx, of->edges, chosen, j->planes, &values));
    j->values = values;
    if (chosen) {
        SEG_TRY(prepare_edges(ctx, of, &(near_borders){of->edges, NULL, chosen}, &w->all, &values));
        SEG_TRY(seg_parallel_polled(ctx, values.count, TILES, fill_tiles, j));
        SEG_TRY(seg_edge_smooth(ctx, fminf(SEG_REFINE_STRENGTH, 4 * (float)(side * side)), TURNS, &values));
    }
    return seg_parallel_polled(ctx, tiles, TILES, read_tiles, j);
}

/* Copy `chosen` of `from` within the range; 0 elsewhere. */
static void take_range(const near_borders *from, const seg_area *range, uint8_t *chosen) {
    memset(chosen, 0, (size_t)from->edges->columns * (size_t)from->edges->rows);
    for (int r = range->top; r < range->bottom; r++) {
        const size_t at = (size_t)r * (size_t)from->edges->columns + (size_t)range->left;
        memcpy(chosen + at, from->chosen + at, (size_t)(range->right - range->left));
    }
}

/* Reserve memory for the largest window and, for an image in memory, the affinities of all tiles, which are kept. */
static seg_status reserve(seg_context *ctx, const seg_refining *of, const near_borders *all, uint8_t *chosen,
                          size_t *bytes) {
    const size_t planes = (size_t)planes_of(of->score->cols);
    window w;
    *bytes = 0;
    for (int i = 0; window_at(all, i, &w); i++) {
        take_range(all, &w.all, chosen);
        const size_t ties = of->file ? bytes_of(of->edges, chosen, 0, 0) : 0;
        *bytes = seg_larger(*bytes, ties + bytes_of(of->edges, chosen, planes, seg_threads(ctx)));
    }
    *bytes += of->file ? 0 : bytes_of(of->edges, all->chosen, 0, 0);
    return seg_reserve(ctx, *bytes, "refining the borders");
}

seg_status seg_refine_pixels(seg_context *ctx, const seg_refining *of, size_t *bytes, seg_label_rows *rows) {
    const seg_patch_grid *grid = &of->edges->grid;
    SEG_LOCAL(uint8_t, chosen, seg_alloc(ctx, (size_t)of->edges->columns * (size_t)of->edges->rows, 1));
    SEG_FREED uint8_t *label = NULL;
    SEG_RELEASED(near_borders_free) near_borders all = {0};
    window w;
    SEG_TRY(choose(ctx, of, &all));
    SEG_TRY(reserve(ctx, of, &all, chosen, bytes));
    tile_job j = {.of = of, .planes = planes_of(of->score->cols), .best = all.best};
    for (int i = 0; window_at(&all, i, &w); i++) {
        const int any = any_chosen(&all, &w.core), bottom = seg_smaller(w.core.bottom * of->edges->side, grid->height);
        j.top = w.core.top * of->edges->side;
        if (!label && !(j.label = label = seg_alloc(ctx, (size_t)grid->width, (size_t)(bottom - j.top))))
            return SEG_ERR_MEMORY;
        SEG_TRY(seg_progress(ctx, (double)j.top / grid->height, "mask"));
        if (any)
            take_range(&all, &w.all, chosen);
        SEG_TRY(refine_window(ctx, &j, any ? chosen : NULL, &w));
        if (rows && w.core.right == of->edges->columns)
            SEG_TRY(seg_label_rows_append(ctx, grid->width, bottom - j.top, label, rows));
    }
    return SEG_OK;
}
