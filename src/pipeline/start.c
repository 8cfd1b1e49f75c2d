/* Correct a mask that exists, the start, by strokes. It stays where no stroke contradicts it. A stroke that does, at a
 * pixel that is R patches inside of what is wrong, lowers the start's weight in patches at a distance d to
 *
 *     w = 1 - exp(-d^2 / (2 (2 R)^2)).
 *
 * Its pixels are strokes of the method where w >= 1/2. Elsewhere the log odds of its label are w L more, and of the
 * pieces that change only those stay that a contradicting stroke touches, or that move a border. A border that is off
 * by a few pixels is so along the whole region: a thin error lowers w beside all borders likewise. If an object's start
 * is contradicted in a label that strokes have elsewhere, all w are multiplied by f^2, f their mean on the label.
 * docs/history/start.md. */
#include "pipeline/start.h"
#include "base/base.h"
#include "features/grid.h"
#include "image/mask.h"
#include "masks/distance.h"
#include "masks/pieces.h"
#include "methods/assign.h"

#define REACH      2.0
#define LEAST      2.0  /* R, in patches */
#define FINE       0.25 /* R is rounded up to a power of 2^FINE */
#define BAND       2.0  /* times R: width of what a thin error lowers beside borders, */
#define THIN       2.4  /* patches: errors that are thicker do so hardly */
#define HALF       0.5
#define TRUST      8.0 /* L */
#define CLASSES    64
#define MOVED      0.4       /* of a border, */
#define SHIFT      (4 / 3.0) /* patches or more, is the whole border's error */
#define MOST_FRAME 0.25      /* of the image's frame may be an object's */

/* Its labels; pixels without one are a region of their own, whose label follows the largest. */
static seg_status take_labels(seg_context *ctx, const seg_mask *start, const seg_mask *scribbles, seg_start *out) {
    const size_t n = (size_t)start->width * (size_t)start->height;
    int largest = start->labels, rest = 0;
    for (size_t p = 0; p < n; p++) {
        const int own = start->label[p];
        rest |= own == 0 || own == SEG_VOID;
        largest = own != SEG_VOID && own > largest ? own : largest;
    }
    if (rest && largest == SEG_MAX_LABELS)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "pixels of the start have no label, and none is left for them; use labels below %d",
                        SEG_MAX_LABELS);
    for (size_t p = 0; p < n; p++) {
        const uint8_t own = start->label[p];
        out->label[p] = own == 0 || own == SEG_VOID ? (uint8_t)(largest + 1) : own;
        out->wrong[p] =
            scribbles && scribbles->label[p] && scribbles->label[p] != SEG_VOID && scribbles->label[p] != out->label[p];
    }
    out->marks.labels = largest + rest;
    if (scribbles && scribbles->labels > out->marks.labels)
        out->marks.labels = scribbles->labels;
    return SEG_OK;
}

/* Rows of pixels of a slice; of an image all. */
static int slice_height(const seg_start *st, const seg_patch_grid *grid) {
    return st->marks.height / (grid->slices > 1 ? grid->slices : 1);
}

/* Of each patch, how far the contradicted pixels of one label in slice z are from other labels there, in patches; on
 * every step-th pixel of large images. */
static seg_status reach_of(seg_context *ctx, const seg_start *st, const seg_patch_grid *grid, int label, int z,
                           double *reach) {
    const int width = st->marks.width, height = slice_height(st, grid), step = grid->side > 5 ? grid->side / 5 : 1;
    const size_t first = (size_t)z * (size_t)width * (size_t)height;
    const int columns = (width + step - 1) / step, rows = (height + step - 1) / step;
    const size_t nodes = (size_t)columns * (size_t)rows;
    SEG_LOCAL(uint8_t, other, seg_alloc(ctx, nodes, 1));
    SEG_LOCAL(double, distance2, seg_alloc(ctx, nodes, sizeof *distance2));
    for (size_t i = 0; i < nodes; i++) {
        const int x = (int)(i % (size_t)columns) * step, y = (int)(i / (size_t)columns) * step;
        other[i] = st->label[first + (size_t)y * (size_t)width + (size_t)x] != label;
        distance2[i] = (double)width * width + (double)height * height;
    }
    if (memchr(other, 1, nodes))
        SEG_TRY(seg_distance_to(ctx, other, columns, rows, distance2));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const size_t p = first + (size_t)y * (size_t)width + (size_t)x;
            const size_t i = seg_patch_of_pixel(grid, x, z * height + y);
            if (st->wrong[p] && st->label[p] == label) {
                const size_t node = (size_t)(y / step) * (size_t)columns + (size_t)(x / step);
                reach[i] = fmax(reach[i], fmax(1, sqrt(distance2[node])) * step / grid->side);
            }
        }
    return SEG_OK;
}

/* Lower w around the marked patches. */
static seg_status lower(seg_context *ctx, const seg_patch_grid *grid, const uint8_t *marked, double scale, double *w) {
    const size_t n = (size_t)grid->columns * (size_t)grid->rows;
    SEG_LOCAL(double, distance2, seg_alloc(ctx, n, sizeof *distance2));
    if (!memchr(marked, 1, n))
        return SEG_OK;
    SEG_TRY(seg_patch_distances(ctx, marked, grid, distance2));
    for (size_t i = 0; i < n; i++)
        w[i] = fmin(w[i], 1 - exp(-distance2[i] / (2 * scale * scale)));
    return SEG_OK;
}

/* Patches of 5 pixels, the unit of what was learned with them, are as many smaller ones. */
static double unit_of(const seg_patch_grid *grid) {
    return fmax(1, (double)SEG_PATCH_SIDE / grid->side);
}

/* w where one label is contradicted, elsewhere 1. */
static seg_status contradict(seg_context *ctx, const seg_start *st, const seg_patch_grid *grid, int label,
                             double *reach, double *w) {
    const size_t n = (size_t)grid->columns * (size_t)grid->rows;
    SEG_LOCAL(uint8_t, marked, seg_alloc(ctx, n, 1));
    memset(reach, 0, n * sizeof *reach);
    for (size_t i = 0; i < n; i++)
        w[i] = 1;
    for (int z = 0; z < st->marks.height / slice_height(st, grid); z++)
        SEG_TRY(reach_of(ctx, st, grid, label, z, reach));
    for (int class = 0; class < CLASSES; class ++) {
        const double R = LEAST * unit_of(grid) * exp2(class * FINE);
        for (size_t i = 0; i < n; i++)
            marked[i] = reach[i] > 0 && reach[i] <= R && (class == 0 || reach[i] > R * exp2(-FINE));
        SEG_TRY(lower(ctx, grid, marked, REACH * R, w));
    }
    return SEG_OK;
}

/* The share of a label's pixels that w leaves; 1 where there are none. */
static double share_left(const seg_start *st, const seg_patch_grid *grid, int label, const double *w) {
    const size_t width = (size_t)st->marks.width;
    double all = 0, left = 0;
    for (size_t p = 0; p < width * (size_t)st->marks.height; p++)
        if (st->label[p] == label) {
            left += w[seg_patch_of_pixel(grid, (int)(p % width), (int)(p / width))];
            all++;
        }
    return all > 0 ? left / all : 1;
}

/* The width beside borders that errors lower which are nowhere deeper. deepest: room for a number of each patch. */
static double band_of(const seg_patch_grid *grid, const double *reach, double *deepest) {
    double band = 0;
    seg_patches_around(grid, -1, reach, deepest);
    for (size_t i = 0; i < (size_t)grid->columns * (size_t)grid->rows; i++)
        if (reach[i] > 0 && reach[i] >= deepest[i])
            band = fmax(band, BAND * reach[i] * exp(-pow(reach[i] / (THIN * unit_of(grid)), 2)));
    return band;
}

/* Another label beside a pixel, or 0. */
static int beside(const seg_start *st, int x, int y) {
    const int width = st->marks.width, height = st->marks.height;
    const uint8_t *own = st->label + (size_t)y * (size_t)width + (size_t)x;
    const int left = x > 0 ? own[-1] : *own, right = x + 1 < width ? own[1] : *own;
    const int above = y > 0 ? own[-width] : *own, below = y + 1 < height ? own[width] : *own;
    return left != *own ? left : right != *own ? right : above != *own ? above : below != *own ? below : 0;
}

static seg_status lower_at_borders(seg_context *ctx, const seg_start *st, const seg_patch_grid *grid, double band,
                                   uint8_t *marked) {
    memset(marked, 0, (size_t)grid->columns * (size_t)grid->rows);
    for (int y = 0; y < st->marks.height; y++)
        for (int x = 0; x < st->marks.width; x++)
            if (beside(st, x, y))
                marked[seg_patch_of_pixel(grid, x, y)] = 1;
    return lower(ctx, grid, marked, band, st->weight);
}

static seg_status weigh(seg_context *ctx, const seg_session *session, const seg_mask *scribbles, seg_start *st) {
    const seg_patch_grid *grid = &session->layout.grid;
    const size_t n = (size_t)grid->columns * (size_t)grid->rows;
    const size_t pixels = (size_t)st->marks.width * (size_t)st->marks.height;
    uint8_t met[256] = {0}, moved[256] = {0};
    double trust = 1;
    SEG_LOCAL(double, reach, seg_alloc_zero(ctx, n, 3 * sizeof *reach)); /* of all; of a label; room */
    SEG_LOCAL(uint8_t, marked, seg_alloc(ctx, n, 1));
    double *own = reach + n, *left = own + n;
    for (size_t i = 0; i < n; i++)
        st->weight[i] = 1;
    for (size_t p = 0; p < pixels; p++)
        if (st->wrong[p])
            met[st->label[p]] = moved[scribbles->label[p]] = 1;
    for (int l = 1; l < 256; l++) {
        if (!met[l])
            continue;
        SEG_TRY(contradict(ctx, st, grid, l, own, left));
        if (moved[l] && session->options.object)
            trust = fmin(trust, pow(share_left(st, grid, l, left), 2));
        for (size_t i = 0; i < n; i++) {
            reach[i] = fmax(reach[i], own[i]);
            st->weight[i] = fmin(st->weight[i], left[i]);
        }
    }
    for (size_t i = 0; i < n; i++)
        st->weight[i] *= trust;
    const double band = grid->slices > 1 ? 0 : band_of(grid, reach, own); /* in a volume it would reach too far */
    return band > 0 ? lower_at_borders(ctx, st, grid, band, marked) : SEG_OK;
}

/* Strokes stay, and the start where its weight is large; at least one patch of each of its labels. */
static void mark(const seg_patch_grid *grid, const seg_mask *scribbles, seg_start *st) {
    const int width = st->marks.width;
    const size_t n = (size_t)width * (size_t)st->marks.height;
    double most[256] = {0};
    uint8_t there[256] = {0};
    size_t surest[256] = {0};
    for (size_t p = 0; p < n; p++) {
        const size_t i = seg_patch_of_pixel(grid, (int)(p % (size_t)width), (int)(p / (size_t)width));
        const uint8_t own = st->label[p], stroke = scribbles ? scribbles->label[p] : 0;
        const double weight = st->weight[i];
        const int is_stroke = stroke && stroke != SEG_VOID;
        st->strokes += (size_t)is_stroke;
        st->marks.label[p] = is_stroke ? stroke : weight >= HALF ? own : 0;
        there[st->marks.label[p]] = 1;
        if (!st->wrong[p] && weight >= most[own]) {
            most[own] = weight;
            surest[own] = i;
        }
    }
    for (size_t p = 0; p < n; p++) {
        const size_t i = seg_patch_of_pixel(grid, (int)(p % (size_t)width), (int)(p / (size_t)width));
        const uint8_t own = st->label[p];
        if (!there[own] && surest[own] == i && st->marks.label[p] == 0)
            st->marks.label[p] = own;
    }
}

int seg_start_is_object(const seg_options *o) {
    const seg_mask *m = o->start;
    size_t pixels[256] = {0}, at_frame[256] = {0}, labels = 0, first = 0;
    if (!m || o->slices > 1 || o->channels > 1 || (o->method && seg_method_find(o->method) != seg_method_find(NULL)))
        return 0;
    const size_t width = (size_t)m->width, height = (size_t)m->height;
    for (size_t p = 0; p < width * height; p++) {
        const int l = m->label[p] ? m->label[p] : SEG_VOID;
        pixels[l]++;
        at_frame[l] += p % width == 0 || p % width == width - 1 || p < width || p >= width * (height - 1);
    }
    for (size_t l = SEG_VOID; l > 0; l--) {
        labels += pixels[l] > 0;
        first = pixels[l] ? l : first;
    }
    return labels == 2 && (double)at_frame[first] < MOST_FRAME * 2 * (double)(width + height);
}

seg_status seg_start_begin(seg_context *ctx, const seg_session *session, const seg_mask *scribbles, seg_start *out) {
    const seg_mask *start = session->whole ? &session->part_of_start : session->options.start;
    const seg_patch_grid *grid = &session->layout.grid;
    const size_t n = (size_t)start->width * (size_t)start->height;
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_run_check_size(ctx, "scribbles have", scribbles, session->photo));
    SEG_TRY(seg_run_check_size(ctx, "start has", start, session->photo));
    SEG_TRY(seg_mask_create(ctx, start->width, start->height, &out->marks));
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->label, n), SEG_ARRAY(out->wrong, n),
                             SEG_TABLE(out->weight, (size_t)grid->columns, (size_t)grid->rows)));
    SEG_TRY(take_labels(ctx, start, scribbles, out));
    SEG_TRY(weigh(ctx, session, scribbles, out));
    mark(grid, scribbles, out);
    memcpy(out->marks.colour, start->colour, sizeof out->marks.colour);
    for (size_t p = 0; scribbles && p < n; p++)
        if (out->wrong[p])
            memcpy(out->marks.colour[scribbles->label[p]], scribbles->colour[scribbles->label[p]], 3);
    return SEG_OK;
}

void seg_start_free(seg_start *start) {
    seg_mask_free(&start->marks);
    free(start->label);
}

seg_status seg_run_trust_start(SEG_UNUSED seg_context *ctx, seg_run *r) {
    const seg_start *st = r->session->start;
    const seg_patch_grid *grid = &r->session->layout.grid;
    const size_t k = (size_t)r->out->k;
    for (size_t i = 0; st && i < r->clustering.n; i++) {
        const int row = (int)(i / (size_t)grid->columns), column = (int)(i % (size_t)grid->columns);
        const size_t y = (size_t)seg_smaller(seg_patch_top(grid, row) + grid->side / 2, r->photo->height - 1);
        const size_t x = (size_t)seg_smaller(column * grid->side + grid->side / 2, r->photo->width - 1);
        const int own = r->scan.marks.column[st->label[y * (size_t)r->photo->width + x]];
        double *score = r->clustering.score.at + i * k;
        if (r->given.group[i] >= 0 || own < 0)
            continue;
        score[own] *= exp(TRUST * st->weight[i]);
        seg_normalise_scores(k, score);
        r->clustering.label[i] = (int32_t)seg_largest_of(k, score);
    }
    return SEG_OK;
}

/* Pixels that change to a label in pieces which no stroke touches, those that have it in the start, those beside it
 * where w < 1/2, and how many of these change. */
typedef struct untouched {
    double pixels, own, beside, moved;
    int asked; /* a stroke changes pixels to it */
} untouched;

static void count(const seg_run *r, int x, int y, int to, untouched *of) {
    const seg_start *st = r->session->start;
    const int column = r->scan.marks.column[beside(st, x, y)];
    if (to)
        of[to - 1].pixels++;
    if (column >= 0 && st->weight[seg_patch_of_pixel(&r->session->layout.grid, x, y)] < HALF) {
        of[column].beside++;
        of[column].moved += to == column + 1;
    }
}

/* If most of a border moves far where strokes ask for it, the start is off along all of it, and its pieces stay; not if
 * they are much of a label: then the method sees another object. */
static int is_shift(const seg_patch_grid *grid, size_t n, const untouched *of) {
    const double far = fmin(of->moved, of->pixels / (SHIFT * grid->side)),
                 kept = 1 - of->pixels / ((double)n - of->own);
    return of->asked && grid->slices < 2 && far * kept * kept > MOVED * of->beside;
}

seg_status seg_start_settle(seg_context *ctx, seg_run *r, SEG_UNUSED const seg_image *photo,
                            SEG_UNUSED const seg_pixel_scribbles *scribbles, uint8_t *label, size_t *changed) {
    const seg_start *st = r->session->start;
    const int width = r->rows->width, height = r->rows->height;
    const size_t n = (size_t)width * (size_t)height;
    untouched of[256] = {0};
    SEG_RELEASED(seg_label_rows_free) seg_label_rows pieces = {.slice = r->rows->slice};
    SEG_LOCAL(uint8_t, to, seg_alloc(ctx, n, 1)); /* 1 + the column of the new label */
    for (size_t p = 0; p < n; p++) {
        to[p] = r->scan.label[label[p]] == st->label[p] ? 0 : (uint8_t)(label[p] + 1);
        of[label[p]].asked |= st->wrong[p];
        if (r->scan.marks.column[st->label[p]] >= 0)
            of[r->scan.marks.column[st->label[p]]].own++;
    }
    SEG_TRY(seg_label_rows_append(ctx, width, height, to, &pieces));
    seg_pieces_join(&pieces);
    for (uint32_t i = 0; i < pieces.first[height]; i++)
        pieces.run[i].pixels = 0;
    for (int turn = 0; turn < 3; turn++) /* find the pieces that strokes touch; count the others; put them back */
        for (int y = 0; y < height; y++)
            for (size_t i = pieces.first[y]; i < pieces.first[y + 1]; i++) {
                const seg_label_run *run = &pieces.run[i];
                seg_label_run *root = &pieces.run[seg_piece_root(pieces.run, (uint32_t)i)];
                const int left = !run->label || !root->pixels;
                for (int x = run->from; x < run->to; x++) {
                    const size_t p = (size_t)y * (size_t)width + (size_t)x;
                    if (turn == 0) {
                        root->pixels |= st->wrong[p];
                    } else if (turn == 1 && left) {
                        count(r, x, y, run->label, of);
                    } else if (left && run->label && !is_shift(&r->session->layout.grid, n, &of[run->label - 1])) {
                        label[p] = (uint8_t)r->scan.marks.column[st->label[p]];
                        ++*changed;
                    }
                }
            }
    return SEG_OK;
}
