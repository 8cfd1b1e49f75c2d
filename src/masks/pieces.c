#include "masks/pieces.h"

#include "base/base.h"

uint32_t seg_piece_root(seg_label_run *runs, uint32_t r) {
    while (runs[r].parent != r)
        r = runs[r].parent = runs[runs[r].parent].parent;
    return r;
}

/* Join the runs of row y with those of the row above that they touch and share a label with. */
static void join_rows(const seg_label_rows *r, int y) {
    size_t a = r->first[y - 1], b = r->first[y];
    while (a < r->first[y] && b < r->first[y + 1]) {
        const seg_label_run *above = &r->run[a], *here = &r->run[b];
        if (above->from < here->to && here->from < above->to && above->label == here->label) {
            const uint32_t p = seg_piece_root(r->run, (uint32_t)a), q = seg_piece_root(r->run, (uint32_t)b);
            r->run[p > q ? p : q].parent = p > q ? q : p;
        }
        if (above->to < here->to)
            a++;
        else
            b++;
    }
}

void seg_pieces_join(seg_label_rows *rows) {
    seg_label_rows_merge(rows);
    for (int y = 1; y < rows->height; y++)
        join_rows(rows, y);
}

int seg_piece_order(const void *a, const void *b) {
    const seg_piece_run *x = a, *y = b;
    if (x->root != y->root)
        return x->root < y->root ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Count `pixels` border pixels for the label of a run, if its piece is large enough. */
static void touch_one(const seg_label_rows *r, size_t run, size_t least, int pixels, size_t touch[256]) {
    if (least == 0 || r->run[seg_piece_root(r->run, (uint32_t)run)].pixels >= least)
        touch[r->run[run].label] += (size_t)pixels;
}

/* Count the labels of pixels from .. to-1 of row y. */
static void touch_row(const seg_label_rows *r, int y, int from, int to, size_t least, size_t touch[256]) {
    for (size_t i = seg_label_rows_at(r, from, y); from < to; i++) {
        const int end = r->run[i].to < to ? r->run[i].to : to;
        touch_one(r, i, least, end - from, touch);
        from = end;
    }
}

/* Count the labels that the pixels of a run touch. @return whether one of its pixels is marked */
static int touch_run(const seg_label_rows *r, const seg_pixel_scribbles *scribbles, size_t least,
                     const seg_piece_run *s, size_t touch[256]) {
    const seg_label_run *own = &r->run[s->number];
    if (own->from > 0)
        touch_one(r, s->number - 1, least, 1, touch);
    if (own->to < r->width)
        touch_one(r, s->number + 1, least, 1, touch);
    if (s->y > 0)
        touch_row(r, s->y - 1, own->from, own->to, least, touch);
    if (s->y + 1 < r->height)
        touch_row(r, s->y + 1, own->from, own->to, least, touch);
    touch[own->label] = 0; /* its own inside is not a border */
    return seg_scribbles_in_row(scribbles, s->y, own->from, own->to, -1);
}

void seg_pieces_decide(const seg_label_rows *r, const seg_pixel_scribbles *scribbles, size_t least, seg_piece_run *list,
                       size_t count) {
    for (size_t first = 0, last; first < count; first = last) {
        size_t touch[256] = {0}, most = 0;
        int marked = 0;
        uint8_t winner = r->run[list[first].number].label;
        for (last = first; last < count && list[last].root == list[first].root; last++)
            marked |= touch_run(r, scribbles, least, &list[last], touch);
        for (int l = 0; l < 256 && !marked; l++)
            if (touch[l] > most) {
                most = touch[l];
                winner = (uint8_t)l;
            }
        for (size_t i = first; i < last; i++)
            list[i].winner = winner;
    }
}

int seg_scribbles_in_row(const seg_pixel_scribbles *scribbles, int y, int from, int to, int column) {
    const seg_label_rows *rows = scribbles ? scribbles->rows : NULL;
    for (size_t i = rows ? seg_label_rows_at(rows, from, y) : 0; rows && from < to; i++) {
        const int mark = scribbles->column[rows->run[i].label];
        if (mark >= 0 && (column < 0 || mark == column))
            return 1;
        from = rows->run[i].to;
    }
    return 0;
}
