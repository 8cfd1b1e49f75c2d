#include "image/label_rows.h"
#include "base/base.h"
#include "base/bytes.h"

/* Make room for one more row, of at most so many runs. */
static seg_status make_room(seg_context *ctx, size_t runs, seg_label_rows *out) {
    SEG_TRY(seg_extend(ctx, &out->first, (size_t)out->height + 1, sizeof *out->first));
    if (!out->height)
        out->first[0] = 0;
    return seg_extend(ctx, &out->run, out->first[out->height] + runs, sizeof *out->run);
}

seg_status seg_label_rows_append(seg_context *ctx, int width, int rows, const uint8_t *label, seg_label_rows *out) {
    const size_t wide = (size_t)width;
    out->width = width;
    for (int y = 0; y < rows; y++, label += wide) {
        SEG_TRY(make_room(ctx, wide, out));
        size_t at = out->first[out->height];
        for (size_t from = 0, to; from < wide; from = to, at++) {
            to = seg_run_end(label, from, wide);
            out->run[at] = (seg_label_run){(int)from, (int)to, (uint32_t)at, (uint32_t)(to - from), label[from]};
        }
        out->first[++out->height] = at;
    }
    return SEG_OK;
}

/* Make each run a piece of its own. */
static void reset_runs(seg_label_rows *rows, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        rows->run[i].parent = (uint32_t)i;
        rows->run[i].pixels = (uint32_t)(rows->run[i].to - rows->run[i].from);
    }
}

seg_status seg_label_rows_append_runs(seg_context *ctx, int width, const seg_label_run *run, size_t count,
                                      seg_label_rows *out) {
    SEG_TRY(make_room(ctx, count, out));
    const size_t start = out->first[out->height];
    size_t at = start;
    for (size_t i = 0; i < count; i++) {
        const int from = i ? run[i - 1].to : 0;
        if (from == run[i].to)
            continue;
        if (at > start && out->run[at - 1].label == run[i].label)
            out->run[at - 1].to = run[i].to;
        else
            out->run[at++] = (seg_label_run){from, run[i].to, 0, 0, run[i].label};
    }
    reset_runs(out, start, at);
    out->width = width;
    out->first[++out->height] = at;
    return SEG_OK;
}

void seg_label_rows_free(seg_label_rows *rows) {
    SEG_CLEAR(rows, rows->first, rows->run);
}

void seg_label_rows_merge(seg_label_rows *rows) {
    size_t at = 0;
    for (int y = 0; y < rows->height; y++) {
        const size_t begin = y ? at : 0, from = rows->first[y], to = rows->first[y + 1];
        rows->first[y] = begin; /* rows above are not read again */
        for (size_t i = from; i < to; i++)
            if (at > begin && rows->run[at - 1].label == rows->run[i].label)
                rows->run[at - 1].to = rows->run[i].to;
            else
                rows->run[at++] = rows->run[i];
    }
    if (rows->height)
        rows->first[rows->height] = at;
    reset_runs(rows, 0, at);
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

void seg_label_rows_paint(const seg_label_rows *rows, uint8_t *label) {
    for (int y = 0; y < rows->height; y++)
        seg_label_rows_read(rows, y, 0, rows->width, label + (size_t)y * (size_t)rows->width);
}
