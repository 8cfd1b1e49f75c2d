#include "masks/specks.h"

#include "base/base.h"
#include "base/parallel.h"

#include <stdlib.h>
#include <string.h>

/* Pixels from .. to-1 of a row, all of one label. The runs of a piece share a root, the first of them. */
typedef struct run {
    int from, to;
    uint32_t parent, pixels; /* pixels: of the whole piece, in its root */
} run;

typedef struct rows {
    int width, height;
    size_t *first; /* height + 1: runs of each row; owned */
    run *run;      /* owned */
} rows;

static size_t count_runs(const uint8_t *label, int width) {
    size_t count = 1;
    for (int x = 1; x < width; x++)
        count += label[x] != label[x - 1];
    return count;
}

static void list_runs(const uint8_t *label, int width, uint32_t number, run *out) {
    int from = 0;
    for (int x = 1; x <= width; x++)
        if (x == width || label[x] != label[x - 1]) {
            *out++ = (run){from, x, number, (uint32_t)(x - from)};
            number++;
            from = x;
        }
}

static uint32_t root(run *runs, uint32_t r) {
    while (runs[r].parent != r)
        r = runs[r].parent = runs[runs[r].parent].parent;
    return r;
}

typedef struct finding {
    const uint8_t *label;
    rows *out;
} finding;

static void count_rows(void *arg, size_t first, size_t last, int worker) {
    const finding *f = arg;
    (void)worker;
    for (size_t y = first; y < last; y++)
        f->out->first[y + 1] = count_runs(f->label + y * (size_t)f->out->width, f->out->width);
}

static void list_rows(void *arg, size_t first, size_t last, int worker) {
    const finding *f = arg;
    const size_t *start = f->out->first;
    (void)worker;
    for (size_t y = first; y < last; y++)
        list_runs(f->label + y * (size_t)f->out->width, f->out->width, (uint32_t)start[y], f->out->run + start[y]);
}

static seg_status find_runs(seg_context *ctx, int width, int height, const uint8_t *label, rows *out) {
    out->width = width;
    out->height = height;
    out->first = seg_alloc_zero(ctx, (size_t)height + 1, sizeof *out->first);
    if (!out->first)
        return SEG_ERR_MEMORY;
    finding f = {label, out};
    seg_parallel(ctx, (size_t)height, 0, count_rows, &f);
    for (int y = 0; y < height; y++)
        out->first[y + 1] += out->first[y];
    out->run = seg_alloc(ctx, out->first[height], sizeof *out->run);
    if (!out->run)
        return SEG_ERR_MEMORY;
    seg_parallel(ctx, (size_t)height, 0, list_rows, &f);
    return SEG_OK;
}

/* Join the runs of row y with those of the row above that they touch and share a label with. */
static void join_rows(const rows *r, const uint8_t *label, int y) {
    size_t a = r->first[y - 1], b = r->first[y];
    while (a < r->first[y] && b < r->first[y + 1]) {
        run *above = &r->run[a], *here = &r->run[b];
        if (above->from < here->to && here->from < above->to &&
            label[(size_t)(y - 1) * (size_t)r->width + (size_t)above->from] ==
                label[(size_t)y * (size_t)r->width + (size_t)here->from]) {
            const uint32_t p = root(r->run, (uint32_t)a), q = root(r->run, (uint32_t)b);
            r->run[p > q ? p : q].parent = p > q ? q : p;
        }
        if (above->to < here->to)
            a++;
        else
            b++;
    }
}

/* A run of a small piece. */
typedef struct small {
    uint32_t root, number;
    int y;
    uint8_t winner;
} small;

static int by_piece(const void *a, const void *b) {
    const small *x = a, *y = b;
    if (x->root != y->root)
        return x->root < y->root ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* The runs of all pieces of fewer than `least` pixels, piece by piece. */
static seg_status list_small(seg_context *ctx, const rows *r, size_t least, small **out, size_t *count) {
    const size_t runs = r->first[r->height];
    size_t found = 0;
    for (size_t i = 0; i < runs; i++) {
        const uint32_t own = root(r->run, (uint32_t)i);
        if (own != i)
            r->run[own].pixels += r->run[i].pixels;
    }
    for (size_t i = 0; i < runs; i++)
        found += r->run[root(r->run, (uint32_t)i)].pixels < least;
    *out = seg_alloc(ctx, found, sizeof **out);
    *count = 0;
    if (!*out)
        return SEG_ERR_MEMORY;
    for (int y = 0; y < r->height; y++)
        for (size_t i = r->first[y]; i < r->first[y + 1]; i++) {
            const uint32_t own = root(r->run, (uint32_t)i);
            if (r->run[own].pixels < least)
                (*out)[(*count)++] = (small){own, (uint32_t)i, y, 0};
        }
    qsort(*out, *count, sizeof **out, by_piece);
    return SEG_OK;
}

/* Count what the pixels of a run touch. @return whether one of them is marked */
static int touch_run(const rows *r, const uint8_t *label, const seg_pixel_scribbles *scribbles, const small *s,
                     size_t touch[256]) {
    const run *own = &r->run[s->number];
    const size_t width = (size_t)r->width, row = (size_t)s->y * width;
    const uint8_t kind = label[row + (size_t)own->from];
    int marked = 0;
    if (own->from > 0)
        touch[label[row + (size_t)own->from - 1]]++;
    if (own->to < r->width)
        touch[label[row + (size_t)own->to]]++;
    for (size_t at = row + (size_t)own->from; at < row + (size_t)own->to; at++) {
        touch[s->y > 0 ? label[at - width] : kind]++;
        touch[s->y + 1 < r->height ? label[at + width] : kind]++;
        marked |= seg_mark_at(scribbles, at) >= 0;
    }
    touch[kind] = 0; /* its own inside is not a border */
    return marked;
}

/* The label that each small piece takes; its own where it is marked or has no border. */
static void decide(const rows *r, const uint8_t *label, const seg_pixel_scribbles *scribbles, small *list,
                   size_t count) {
    for (size_t first = 0, last; first < count; first = last) {
        const uint8_t own = label[(size_t)list[first].y * (size_t)r->width + (size_t)r->run[list[first].number].from];
        size_t touch[256] = {0}, most = 0;
        int marked = 0;
        uint8_t winner = own;
        for (last = first; last < count && list[last].root == list[first].root; last++)
            marked |= touch_run(r, label, scribbles, &list[last], touch);
        for (int l = 0; l < 256 && !marked; l++)
            if (touch[l] > most) {
                most = touch[l];
                winner = (uint8_t)l;
            }
        for (size_t i = first; i < last; i++)
            list[i].winner = winner;
    }
}

seg_status seg_specks_remove(seg_context *ctx, int width, int height, const seg_pixel_scribbles *scribbles,
                             size_t least, uint8_t *label) {
    rows r = {0};
    small *list = NULL;
    size_t count = 0;
    seg_status status = find_runs(ctx, width, height, label, &r);
    for (int y = 1; !status && y < height; y++)
        join_rows(&r, label, y);
    if (!status && (status = list_small(ctx, &r, least, &list, &count)) == SEG_OK) {
        decide(&r, label, scribbles, list, count);
        for (size_t i = 0; i < count; i++) {
            const run *own = &r.run[list[i].number];
            memset(label + (size_t)list[i].y * (size_t)width + (size_t)own->from, list[i].winner,
                   (size_t)(own->to - own->from));
        }
    }
    free(list);
    free(r.first);
    free(r.run);
    return status;
}

/* --- Islands: pieces that no stroke of their own label touches. --- */

enum { OPEN = 255 }; /* in place of the label of a piece that has not found another yet; no column has this number */

/* Note in its root's `pixels` that a piece holds a stroke of its own label, and in `rooted` which labels have such. */
static void find_strokes(const rows *r, const uint8_t *label, const seg_pixel_scribbles *scribbles, int rooted[256]) {
    const size_t runs = r->first[r->height];
    for (size_t i = 0; i < runs; i++)
        r->run[i].pixels = 0;
    for (int y = 0; y < r->height; y++)
        for (size_t i = r->first[y]; i < r->first[y + 1]; i++) {
            const size_t row = (size_t)y * (size_t)r->width;
            const uint8_t own = label[row + (size_t)r->run[i].from];
            for (size_t at = row + (size_t)r->run[i].from; at < row + (size_t)r->run[i].to; at++)
                if (seg_mark_at(scribbles, at) == own)
                    rooted[own] = r->run[root(r->run, (uint32_t)i)].pixels = 1;
        }
}

/* The runs of all islands, piece by piece. */
static seg_status list_islands(seg_context *ctx, const rows *r, const uint8_t *label, const int rooted[256],
                               small **out, size_t *count) {
    *count = 0;
    *out = seg_alloc(ctx, r->first[r->height], sizeof **out);
    if (!*out)
        return SEG_ERR_MEMORY;
    for (int y = 0; y < r->height; y++)
        for (size_t i = r->first[y]; i < r->first[y + 1]; i++) {
            const uint32_t own = root(r->run, (uint32_t)i);
            if (!r->run[own].pixels && rooted[label[(size_t)y * (size_t)r->width + (size_t)r->run[i].from]])
                (*out)[(*count)++] = (small){own, (uint32_t)i, y, OPEN};
        }
    qsort(*out, *count, sizeof **out, by_piece);
    return SEG_OK;
}

static void paint(const rows *r, const small *s, uint8_t value, uint8_t *label) {
    const run *own = &r->run[s->number];
    memset(label + (size_t)s->y * (size_t)r->width + (size_t)own->from, value, (size_t)(own->to - own->from));
}

/* Give the islands that touch what is settled its label, again and again: an island in an island follows it.
 * `settled` holds the labels, OPEN where they are not; the list is used up. */
static void settle(const rows *r, small *list, size_t count, uint8_t *settled, uint8_t *label) {
    static const seg_pixel_scribbles none = {NULL, {0}};
    for (size_t open = count, before = count + 1; open > 0 && open < before;) {
        before = open;
        open = 0;
        decide(r, settled, &none, list, before);
        for (size_t i = 0; i < before; i++)
            if (list[i].winner == OPEN) {
                list[open++] = list[i];
            } else {
                paint(r, &list[i], list[i].winner, settled);
                paint(r, &list[i], list[i].winner, label);
            }
    }
}

seg_status seg_islands_remove(seg_context *ctx, int width, int height, const seg_pixel_scribbles *scribbles,
                              uint8_t *label) {
    const size_t pixels = (size_t)width * (size_t)height;
    rows r = {0};
    small *list = NULL;
    uint8_t *settled = seg_alloc(ctx, pixels, 1);
    int rooted[256] = {0};
    size_t count = 0;
    seg_status status = settled ? find_runs(ctx, width, height, label, &r) : SEG_ERR_MEMORY;
    for (int y = 1; !status && y < height; y++)
        join_rows(&r, label, y);
    if (!status) {
        find_strokes(&r, label, scribbles, rooted);
        status = list_islands(ctx, &r, label, rooted, &list, &count);
    }
    if (!status && count) {
        memcpy(settled, label, pixels);
        for (size_t i = 0; i < count; i++)
            paint(&r, &list[i], OPEN, settled);
        settle(&r, list, count, settled, label);
    }
    free(settled);
    free(list);
    free(r.first);
    free(r.run);
    return status;
}
