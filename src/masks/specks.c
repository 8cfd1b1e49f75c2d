#include "masks/specks.h"

#include "base/base.h"
#include "masks/pieces.h"

#include <stdlib.h>
#include <string.h>

/* The runs of all pieces of fewer than `least` pixels, piece by piece. */
static seg_status list_small(seg_context *ctx, const seg_label_rows *r, size_t least, seg_piece_run **out,
                             size_t *count) {
    const size_t runs = r->first[r->height];
    size_t found = 0;
    for (size_t i = 0; i < runs; i++) {
        const uint32_t own = seg_piece_root(r->run, (uint32_t)i);
        if (own != i)
            r->run[own].pixels += r->run[i].pixels;
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

/* The labels of the runs of small pieces; the runs are joined. */
static seg_status settle(seg_context *ctx, const seg_pixel_scribbles *scribbles, size_t least, seg_label_rows *r,
                         seg_piece_run **list, size_t *count) {
    const seg_status status = list_small(ctx, r, least, list, count);
    if (status)
        return status;
    seg_pieces_decide(r, scribbles, *list, *count);
    for (size_t i = 0; i < *count; i++)
        r->run[(*list)[i].number].label = (*list)[i].winner;
    return SEG_OK;
}

seg_status seg_specks_remove(seg_context *ctx, int width, int height, const seg_pixel_scribbles *scribbles,
                             size_t least, uint8_t *label) {
    seg_label_rows r = {0};
    seg_piece_run *list = NULL;
    size_t count = 0;
    seg_status status = seg_pieces_find(ctx, width, height, label, &r);
    if (!status)
        status = settle(ctx, scribbles, least, &r, &list, &count);
    for (size_t i = 0; !status && i < count; i++) {
        const seg_label_run *own = &r.run[list[i].number];
        memset(label + (size_t)list[i].y * (size_t)width + (size_t)own->from, list[i].winner,
               (size_t)(own->to - own->from));
    }
    free(list);
    seg_label_rows_free(&r);
    return status;
}

seg_status seg_specks_remove_rows(seg_context *ctx, const seg_pixel_scribbles *scribbles, size_t least,
                                  seg_label_rows *rows) {
    seg_piece_run *list = NULL;
    size_t count = 0;
    seg_label_rows_merge(rows);
    seg_pieces_join(rows);
    const seg_status status = settle(ctx, scribbles, least, rows, &list, &count);
    free(list);
    seg_label_rows_merge(rows);
    return status;
}
