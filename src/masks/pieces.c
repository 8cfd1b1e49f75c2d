#include "masks/pieces.h"

#include "base/base.h"
#include "base/bytes.h"
#include "base/parallel.h"

#include <stdlib.h>

static size_t count_runs(const uint8_t *label, int width) {
    size_t count = 0;
    for (size_t x = 0; x < (size_t)width; x = seg_run_end(label, x, (size_t)width))
        count++;
    return count;
}

static void list_runs(const uint8_t *label, int width, uint32_t number, seg_label_run *out) {
    for (int from = 0, to; from < width; from = to) {
        to = (int)seg_run_end(label, (size_t)from, (size_t)width);
        *out++ = (seg_label_run){from, to, number, (uint32_t)(to - from)};
        number++;
    }
}

uint32_t seg_piece_root(seg_label_run *runs, uint32_t r) {
    while (runs[r].parent != r)
        r = runs[r].parent = runs[runs[r].parent].parent;
    return r;
}

typedef struct finding {
    const uint8_t *label;
    seg_piece_rows *out;
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

static seg_status find_runs(seg_context *ctx, int width, int height, const uint8_t *label, seg_piece_rows *out) {
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
static void join_rows(const seg_piece_rows *r, const uint8_t *label, int y) {
    size_t a = r->first[y - 1], b = r->first[y];
    while (a < r->first[y] && b < r->first[y + 1]) {
        seg_label_run *above = &r->run[a], *here = &r->run[b];
        if (above->from < here->to && here->from < above->to &&
            label[(size_t)(y - 1) * (size_t)r->width + (size_t)above->from] ==
                label[(size_t)y * (size_t)r->width + (size_t)here->from]) {
            const uint32_t p = seg_piece_root(r->run, (uint32_t)a), q = seg_piece_root(r->run, (uint32_t)b);
            r->run[p > q ? p : q].parent = p > q ? q : p;
        }
        if (above->to < here->to)
            a++;
        else
            b++;
    }
}

seg_status seg_pieces_find(seg_context *ctx, int width, int height, const uint8_t *label, seg_piece_rows *out) {
    const seg_status status = find_runs(ctx, width, height, label, out);
    for (int y = 1; !status && y < height; y++)
        join_rows(out, label, y);
    return status;
}

void seg_pieces_free(seg_piece_rows *rows) {
    free(rows->first);
    free(rows->run);
}

int seg_piece_order(const void *a, const void *b) {
    const seg_piece_run *x = a, *y = b;
    if (x->root != y->root)
        return x->root < y->root ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Count what the pixels of a run touch. @return whether one of them is marked */
static int touch_run(const seg_piece_rows *r, const uint8_t *label, const seg_pixel_scribbles *scribbles,
                     const seg_piece_run *s, size_t touch[256]) {
    const seg_label_run *own = &r->run[s->number];
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

void seg_pieces_decide(const seg_piece_rows *r, const uint8_t *label, const seg_pixel_scribbles *scribbles,
                       seg_piece_run *list, size_t count) {
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
