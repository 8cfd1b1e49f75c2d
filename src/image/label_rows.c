#include "image/label_rows.h"

#include "base/base.h"
#include "base/bytes.h"
#include "base/parallel.h"

#include <stdlib.h>
#include <string.h>

typedef struct appending {
    const uint8_t *label;
    int top; /* rows that were there before */
    seg_label_rows *out;
} appending;

static size_t count_runs(const uint8_t *label, int width) {
    size_t count = 0;
    for (size_t x = 0; x < (size_t)width; x = seg_run_end(label, x, (size_t)width))
        count++;
    return count;
}

static void list_runs(const uint8_t *label, int width, uint32_t number, seg_label_run *out) {
    for (int from = 0, to; from < width; from = to) {
        to = (int)seg_run_end(label, (size_t)from, (size_t)width);
        *out++ = (seg_label_run){from, to, number, (uint32_t)(to - from), label[from]};
        number++;
    }
}

static void count_rows(void *arg, size_t first, size_t last, int worker) {
    const appending *a = arg;
    (void)worker;
    for (size_t y = first; y < last; y++)
        a->out->first[(size_t)a->top + y + 1] = count_runs(a->label + y * (size_t)a->out->width, a->out->width);
}

static void list_rows(void *arg, size_t first, size_t last, int worker) {
    const appending *a = arg;
    const size_t *start = a->out->first + a->top;
    (void)worker;
    for (size_t y = first; y < last; y++)
        list_runs(a->label + y * (size_t)a->out->width, a->out->width, (uint32_t)start[y], a->out->run + start[y]);
}

/* Room for so many rows and runs in all; of a map that grows, half as much again. */
static seg_status make_room(seg_context *ctx, size_t rows, size_t runs, seg_label_rows *out) {
    if (rows + 1 > out->row_room) {
        const size_t room = out->row_room ? rows + rows / 2 + 1 : rows + 1;
        size_t *grown = seg_realloc(ctx, out->first, room, sizeof *grown);
        if (!grown)
            return SEG_ERR_MEMORY;
        if (!out->first)
            grown[0] = 0;
        out->first = grown;
        out->row_room = room;
    }
    if (runs > out->run_room || !out->run) {
        const size_t room = out->run_room ? runs + runs / 2 : runs;
        seg_label_run *grown = seg_realloc(ctx, out->run, room, sizeof *grown);
        if (!grown)
            return SEG_ERR_MEMORY;
        out->run = grown;
        out->run_room = room;
    }
    return SEG_OK;
}

seg_status seg_label_rows_append(seg_context *ctx, int width, int rows, const uint8_t *label, seg_label_rows *out) {
    const size_t top = (size_t)out->height, all = top + (size_t)rows;
    seg_status status = make_room(ctx, all, out->height ? out->first[top] : 0, out);
    if (status)
        return status;
    out->width = width;
    appending a = {label, out->height, out};
    seg_parallel(ctx, (size_t)rows, 0, count_rows, &a);
    for (size_t y = top; y < all; y++)
        out->first[y + 1] += out->first[y];
    if ((status = make_room(ctx, all, out->first[all], out)) != SEG_OK)
        return status;
    seg_parallel(ctx, (size_t)rows, 0, list_rows, &a);
    out->height = (int)all;
    return SEG_OK;
}

seg_status seg_label_rows_append_runs(seg_context *ctx, int width, const seg_label_run *run, size_t count,
                                      seg_label_rows *out) {
    const size_t top = (size_t)out->height, start = out->height ? out->first[top] : 0;
    const seg_status status = make_room(ctx, top + 1, start + count, out);
    size_t at = start;
    if (status)
        return status;
    for (size_t i = 0; i < count; i++) {
        const int from = i ? run[i - 1].to : 0;
        if (from == run[i].to)
            continue;
        if (at > start && out->run[at - 1].label == run[i].label)
            out->run[at - 1].to = run[i].to;
        else
            out->run[at++] = (seg_label_run){from, run[i].to, 0, 0, run[i].label};
    }
    for (size_t i = start; i < at; i++) {
        out->run[i].parent = (uint32_t)i;
        out->run[i].pixels = (uint32_t)(out->run[i].to - out->run[i].from);
    }
    out->width = width;
    out->first[top + 1] = at;
    out->height++;
    return SEG_OK;
}

void seg_label_rows_free(seg_label_rows *rows) {
    free(rows->first);
    free(rows->run);
    memset(rows, 0, sizeof *rows);
}

void seg_label_rows_merge(seg_label_rows *rows) {
    size_t at = 0;
    for (int y = 0; y < rows->height; y++) {
        const size_t begin = y ? at : 0, from = rows->first[y], to = rows->first[y + 1];
        rows->first[y] = begin; /* what is behind is not looked at any more */
        for (size_t i = from; i < to; i++)
            if (at > begin && rows->run[at - 1].label == rows->run[i].label)
                rows->run[at - 1].to = rows->run[i].to;
            else
                rows->run[at++] = rows->run[i];
    }
    if (rows->height)
        rows->first[rows->height] = at;
    for (size_t i = 0; i < at; i++) {
        rows->run[i].parent = (uint32_t)i;
        rows->run[i].pixels = (uint32_t)(rows->run[i].to - rows->run[i].from);
    }
}

size_t seg_label_rows_at(const seg_label_rows *rows, int x, int y) {
    size_t low = rows->first[y], high = rows->first[y + 1] - 1;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (rows->run[middle].to > x)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void seg_label_rows_read(const seg_label_rows *rows, int y, int left, int right, uint8_t *label) {
    if (left >= right)
        return;
    for (size_t i = seg_label_rows_at(rows, left, y); left < right; i++) {
        const int to = rows->run[i].to < right ? rows->run[i].to : right;
        memset(label, rows->run[i].label, (size_t)(to - left));
        label += to - left;
        left = to;
    }
}

typedef struct painting {
    const seg_label_rows *rows;
    uint8_t *label;
} painting;

static void paint_rows(void *arg, size_t first, size_t last, int worker) {
    const painting *p = arg;
    (void)worker;
    for (size_t y = first; y < last; y++)
        seg_label_rows_read(p->rows, (int)y, 0, p->rows->width, p->label + y * (size_t)p->rows->width);
}

void seg_label_rows_paint(seg_context *ctx, const seg_label_rows *rows, uint8_t *label) {
    seg_parallel(ctx, (size_t)rows->height, 0, paint_rows, &(painting){rows, label});
}
