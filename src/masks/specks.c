#include "masks/pieces.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

static uint32_t least_of(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* The runs of all pieces of fewer than `least` pixels, piece by piece. */
static seg_status list_small(seg_context *ctx, const seg_label_rows *r, size_t least, seg_piece_run **out,
                             size_t *count) {
    const size_t runs = r->first[r->height];
    size_t found = 0;
    for (size_t i = 0; i < runs; i++) {
        const uint32_t own = seg_piece_root(r->run, (uint32_t)i);
        if (own != i) /* saturates instead of overflowing */
            r->run[own].pixels += least_of(r->run[i].pixels, UINT32_MAX - r->run[own].pixels);
    }
    for (size_t i = 0; i < runs; i++)
        found += r->run[seg_piece_root(r->run, (uint32_t)i)].pixels < least;
    *out = seg_alloc(ctx, found, sizeof **out);
    *count = 0;
    if (!*out)
        return SEG_ERR_MEMORY;
    for (int y = 0; y < r->height; y++)
        for (size_t i = r->first[y]; i < r->first[y + 1]; i++) {
            const uint32_t own = seg_piece_root(r->run, (uint32_t)i);
            if (r->run[own].pixels < least)
                (*out)[(*count)++] = (seg_piece_run){own, (uint32_t)i, y, r->run[i].label, 0};
        }
    qsort(*out, *count, sizeof **out, seg_piece_order);
    return SEG_OK;
}

/* Set the size of small pieces with a marked pixel to the largest number, so that they stay. */
static void keep_marked(const seg_label_rows *r, const seg_pixel_scribbles *scribbles, const seg_piece_run *list,
                        size_t count) {
    for (size_t i = 0; i < count; i++) {
        const seg_label_run *own = &r->run[list[i].number];
        if (seg_scribbles_in_row(scribbles, list[i].y, own->from, own->to, -1))
            r->run[list[i].root].pixels = UINT32_MAX;
    }
}

/* Set the labels of the runs of small pieces; the runs are joined. The first time all neighbours of a piece count, with
 * `again` only those that stay: each piece that changes then joins one of these, so that the repetition ends. changed:
 * 1 where any label changed */
static seg_status settle(seg_context *ctx, const seg_pixel_scribbles *scribbles, size_t least, int again,
                         seg_label_rows *r, int *changed) {
    SEG_FREED seg_piece_run *list = NULL;
    size_t count = 0;
    const seg_status status = list_small(ctx, r, least, &list, &count);
    *changed = 0;
    if (!status && again)
        keep_marked(r, scribbles, list, count);
    if (!status)
        seg_pieces_decide(r, scribbles, again ? least : 0, list, count);
    for (size_t i = 0; !status && i < count; i++) {
        *changed |= list[i].winner != r->run[list[i].number].label;
        r->run[list[i].number].label = list[i].winner;
    }
    return status;
}

/* The label around a small piece may have changed too: if the piece is still small, it is judged again. */
seg_status seg_specks_remove(seg_context *ctx, const seg_pixel_scribbles *scribbles, size_t least,
                             seg_label_rows *rows) {
    int changed;
    seg_pieces_join(rows);
    seg_status status = settle(ctx, scribbles, least, 0, rows, &changed);
    while (!status && changed) {
        seg_pieces_join(rows);
        status = settle(ctx, scribbles, least, 1, rows, &changed);
    }
    seg_label_rows_merge(rows);
    return status;
}
