#include "masks/edges.h"
#include "base/base.h"
#include "base/lanes.h"
#include "features/lab.h"

/* Units: CIELAB for colours; confidences relative to a patch of one colour. */
#define EDGE_SIGMA       4.0f /* colour difference at which the affinity of two pixels is a quarter */
#define SPREAD_HALF      6.0f /* colour spread in a patch that halves its confidence */
#define LEAST_CONFIDENCE 0.02f
#define TILES            4  /* per block of parallel work */
#define TILE             40 /* pixels, approximately: a tile's values stay in the second-level cache */

seg_status seg_edges_create(seg_context *ctx, const seg_patch_grid *grid, seg_edges *out) {
    memset(out, 0, sizeof *out);
    out->grid = *grid;
    out->side = grid->side * (grid->side < TILE ? TILE / grid->side : 1);
    out->columns = (grid->width + out->side - 1) / out->side;
    out->rows = (grid->height + out->side - 1) / out->side;
    return SEG_ALLOC_ARRAYS(ctx, SEG_TABLE(out->tile, (size_t)out->columns, (size_t)out->rows),
                            SEG_TABLE(out->confidence, (size_t)grid->columns, (size_t)grid->rows));
}

void seg_edges_forget(seg_edges *edges) {
    for (int t = 0; edges->tile && t < edges->columns * edges->rows; t++)
        free(seg_taken(&edges->tile[t]));
}

void seg_edges_free(seg_edges *edges) {
    seg_edges_forget(edges);
    SEG_CLEAR(edges, edges->tile);
}

/* CIELAB of a tile and of the row and column after it, `stride` numbers per row. */
typedef struct lab_planes {
    size_t stride;
    const float *plane[3];
} lab_planes;

static float difference2(const lab_planes *lab, size_t p, size_t q) {
    float sum = 0;
    for (int c = 0; c < 3; c++) {
        float d = lab->plane[c][p] - lab->plane[c][q];
        sum += d * d;
    }
    return sum;
}

/* 1 for a patch of one colour, falling with the variance of L, a, b inside it. */
static float patch_confidence(const lab_planes *lab, int left, int right, int top, int bottom) {
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
    const lab_planes lab = {stride, {room, room + plane, room + 2 * plane}};
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
    for (size_t i = 0; status && i < found; i++) /* on failure, free the tiles that were allocated but not filled */
        free(seg_taken(&edges->tile[missing[i]]));
    return status;
}

#define LINES 4 /* rows solved side by side, so that their divisions overlap */

seg_status seg_tile_values_create(seg_context *ctx, const seg_edges *edges, const uint8_t *chosen, int planes,
                                  seg_tile_values *out) {
    const size_t tiles = (size_t)edges->columns * (size_t)edges->rows, side = (size_t)edges->side;
    memset(out, 0, sizeof *out);
    out->edges = edges;
    out->planes = planes;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->slot, tiles), SEG_ARRAY(out->list, tiles)));
    for (size_t t = 0; t < tiles; t++) {
        out->slot[t] = chosen[t] ? (int32_t)out->count : -1;
        if (chosen[t])
            out->list[out->count++] = (int32_t)t;
    }
    out->at = seg_alloc(ctx, out->count * side * side, (size_t)planes * sizeof *out->at);
    return seg_allocated(out->at);
}

void seg_tile_values_free(seg_tile_values *values) {
    SEG_CLEAR(values, values->slot, values->at);
}

/* Neighbouring tiles that have values: first .. last-1 of a row or a column of tiles. */
typedef struct span {
    const seg_tile_values *values;
    int line, first, last;
} span;

/* Rows y .. y+lines-1 of tile row r over the tiles of columns first .. last-1, by Thomas' algorithm:
 * (1 + s(w_left + w_right)) u_x - s w_left u_x-1 - s w_right u_x+1 = f_x. `quads` and `lines` are constants in every
 * hot call, so that the inner loops unroll. ratio: room for (last - first) * side * LINES numbers. */
static inline void solve_rows(const span *of, int y, int lines, int quads, float s, float *ratio) {
    const seg_tile_values *v = of->values;
    const seg_edges *e = v->edges;
    const int r = of->line, first = of->first, last = of->last;
    const size_t side = (size_t)e->side, pixel = 4 * (size_t)quads;
    float left[LINES] = {0}, before[LINES] = {0}, *to = ratio;
    const float *previous[LINES] = {0};
    for (int c = first; c < last; c++) {
        const int t = r * e->columns + c, width = seg_tile_width(e, c);
        const float *right = e->tile[t] + (size_t)y * side;
        float *u = seg_tile_at(v, (size_t)v->slot[t]) + (size_t)y * side * pixel;
        for (int x = 0; x < width; x++, to += LINES)
            for (int j = 0; j < lines; j++) {
                float *here = u + ((size_t)j * side + (size_t)x) * pixel;
                const float next = c + 1 == last && x + 1 == width ? 0 : s * right[(size_t)j * side + (size_t)x];
                const float scale = 1 / (1 + left[j] + next - left[j] * before[j]);
                if (previous[j])
                    for (int q = 0; q < quads; q++)
                        seg_quad_store(here + 4 * q,
                                       (seg_quad_load(here + 4 * q) + left[j] * seg_quad_load(previous[j] + 4 * q)) *
                                           scale);
                else
                    for (int q = 0; q < quads; q++)
                        seg_quad_store(here + 4 * q, seg_quad_load(here + 4 * q) * scale);
                to[j] = before[j] = next * scale;
                left[j] = next;
                previous[j] = here;
            }
    }
    memset(previous, 0, sizeof previous);
    for (int c = last - 1; c >= first; c--) {
        float *u = seg_tile_at(v, (size_t)v->slot[r * e->columns + c]) + (size_t)y * side * pixel;
        for (int x = seg_tile_width(e, c) - 1; x >= 0; x--) {
            to -= LINES;
            for (int j = 0; j < lines; j++) {
                float *here = u + ((size_t)j * side + (size_t)x) * pixel;
                if (previous[j])
                    for (int q = 0; q < quads; q++)
                        seg_quad_store(here + 4 * q,
                                       seg_quad_load(here + 4 * q) + to[j] * seg_quad_load(previous[j] + 4 * q));
                previous[j] = here;
            }
        }
    }
}

/* The same down the tiles of rows first .. last-1 of tile column c, all columns of pixels side by side.
 * ratio: room for ((last - first) * side + 1) * side numbers. */
static inline void solve_columns(const span *of, int quads, float s, float *ratio) {
    const seg_tile_values *v = of->values;
    const seg_edges *e = v->edges;
    const int c = of->line, first = of->first, last = of->last, width = seg_tile_width(e, c);
    const size_t side = (size_t)e->side, pixel = 4 * (size_t)quads;
    const float *above = NULL; /* weights of the row before */
    float *previous = NULL, *to = ratio + side;
    memset(ratio, 0, side * sizeof *ratio);
    for (int r = first; r < last; r++) {
        const int t = r * e->columns + c, height = seg_tile_height(e, r);
        const float *down = e->tile[t] + side * side;
        float *u = seg_tile_at(v, (size_t)v->slot[t]);
        for (int y = 0; y < height; y++, to += side, down += side, u += side * pixel) {
            const float end = r + 1 == last && y + 1 == height ? 0 : s;
            for (int x = 0; x < width; x++) {
                const float before = above ? s * above[x] : 0, next = end * down[x];
                const float scale = 1 / (1 + before + next - before * (to - side)[x]);
                float *here = u + (size_t)x * pixel;
                to[x] = next * scale;
                if (previous)
                    for (int q = 0; q < quads; q++)
                        seg_quad_store(here + 4 * q, (seg_quad_load(here + 4 * q) +
                                                      before * seg_quad_load(previous + (size_t)x * pixel + 4 * q)) *
                                                         scale);
                else
                    for (int q = 0; q < quads; q++)
                        seg_quad_store(here + 4 * q, seg_quad_load(here + 4 * q) * scale);
            }
            above = down;
            previous = u;
        }
    }
    previous = NULL;
    for (int r = last - 1; r >= first; r--) {
        for (int y = seg_tile_height(e, r) - 1; y >= 0; y--) {
            float *u = seg_tile_at(v, (size_t)v->slot[r * e->columns + c]) + (size_t)y * side * pixel;
            to -= side;
            if (previous)
                for (int x = 0; x < width; x++)
                    for (int q = 0; q < quads; q++) {
                        const size_t at = (size_t)x * pixel + 4 * (size_t)q;
                        seg_quad_store(u + at, seg_quad_load(u + at) + to[x] * seg_quad_load(previous + at));
                    }
            previous = u;
        }
    }
}

#define FOR_QUADS(call)                                                                                                \
    do {                                                                                                               \
        if (v->planes / 4 == 1) {                                                                                      \
            enum { Q = 1 };                                                                                            \
            call;                                                                                                      \
        } else if (v->planes / 4 == 2) {                                                                               \
            enum { Q = 2 };                                                                                            \
            call;                                                                                                      \
        } else {                                                                                                       \
            const int Q = v->planes / 4;                                                                               \
            call;                                                                                                      \
        }                                                                                                              \
    } while (0)

/* Floats of work space for the longest row or column of tiles. */
static size_t ratios_of(const seg_edges *e) {
    const size_t side = (size_t)e->side, along = (size_t)e->columns * side * LINES;
    const size_t down = ((size_t)e->rows * side + 1) * side;
    return along > down ? along : down;
}

size_t seg_edge_smooth_bytes(const seg_edges *edges, int threads) {
    return (size_t)threads * ratios_of(edges) * sizeof(float);
}

typedef struct turn {
    seg_tile_values *values;
    float s;
    float *rooms;
    size_t room;
} turn;

/* Every run of neighbouring tiles in these rows of tiles. */
static void smooth_tile_rows(void *arg, size_t begin, size_t end, int worker) {
    const turn *t = arg;
    const seg_tile_values *v = t->values;
    float *ratio = t->rooms + (size_t)worker * t->room;
    for (int r = (int)begin; r < (int)end; r++)
        for (int first = 0, last; first < v->edges->columns; first = last + 1) {
            const int32_t *slot = v->slot + (size_t)r * (size_t)v->edges->columns;
            const int height = seg_tile_height(v->edges, r);
            for (last = first; last < v->edges->columns && slot[last] >= 0; last++)
                ;
            const span of = {v, r, first, last};
            int y = 0;
            for (; first < last && y + LINES <= height; y += LINES)
                FOR_QUADS(solve_rows(&of, y, LINES, Q, t->s, ratio));
            if (first < last && y < height)
                FOR_QUADS(solve_rows(&of, y, height - y, Q, t->s, ratio));
        }
}

static void smooth_tile_columns(void *arg, size_t begin, size_t end, int worker) {
    const turn *t = arg;
    const seg_tile_values *v = t->values;
    float *ratio = t->rooms + (size_t)worker * t->room;
    for (int c = (int)begin; c < (int)end; c++)
        for (int first = 0, last; first < v->edges->rows; first = last + 1) {
            for (last = first; last < v->edges->rows && v->slot[last * v->edges->columns + c] >= 0; last++)
                ;
            if (first < last)
                FOR_QUADS(solve_columns(&(span){v, c, first, last}, Q, t->s, ratio));
        }
}

seg_status seg_edge_smooth(seg_context *ctx, float strength, int turns, seg_tile_values *values) {
    const seg_edges *e = values->edges;
    const size_t room = ratios_of(e);
    SEG_LOCAL(float, rooms, seg_alloc(ctx, (size_t)seg_threads(ctx), room * sizeof *rooms));
    for (int number = 1; number <= turns; number++) {
        /* The strength falls by a factor of four each turn; the sum is that of one full solve [min2014fgs, Eq. 11]. */
        const float s = 1.5f * powf(4, (float)(turns - number)) / (powf(4, (float)turns) - 1) * strength;
        turn t = {values, s, rooms, room};
        SEG_TRY(seg_parallel_polled(ctx, (size_t)e->rows, 1, smooth_tile_rows, &t));
        SEG_TRY(seg_parallel_polled(ctx, (size_t)e->columns, 1, smooth_tile_columns, &t));
    }
    return SEG_OK;
}
