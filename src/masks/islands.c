#include "masks/islands.h"

#include "base/base.h"
#include "base/bytes.h"
#include "masks/pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_SCORE 1e-4

enum { OPEN = 255 }; /* in place of the label of a piece that has not found another yet; no column has this number */

/* Whether a run holds a stroke of its own label, or a patch that is named. */
static int is_held(const seg_label_run *run, int y, size_t row, uint8_t own, const seg_pixel_scribbles *scribbles,
                   const seg_island_scores *s) {
    const size_t end = row + (size_t)run->to;
    for (size_t p = row + (size_t)run->from; scribbles->label && (p = seg_next_marked(scribbles->label, p, end)) < end;
         p = seg_run_end(scribbles->label, p, end))
        if (seg_mark_at(scribbles, p) == own)
            return 1;
    for (int x = run->from; s->named && x < run->to; x++)
        if (s->named[seg_patch_of_pixel(s->grid, x, y)] == own)
            return 1;
    return 0;
}

/* Note in its root's `pixels` that a piece is held, and in `rooted` which labels have such. */
static void find_strokes(const seg_piece_rows *r, const uint8_t *label, const seg_pixel_scribbles *scribbles,
                         const seg_island_scores *s, int rooted[256]) {
    const size_t runs = r->first[r->height];
    for (size_t i = 0; i < runs; i++)
        r->run[i].pixels = 0;
    for (int y = 0; y < r->height; y++)
        for (size_t i = r->first[y]; i < r->first[y + 1]; i++) {
            const size_t row = (size_t)y * (size_t)r->width;
            const uint8_t own = label[row + (size_t)r->run[i].from];
            if (is_held(&r->run[i], y, row, own, scribbles, s))
                rooted[own] = r->run[seg_piece_root(r->run, (uint32_t)i)].pixels = 1;
        }
}

/* The runs of all islands whose label's rule is not to keep them, piece by piece. */
static seg_status list_islands(seg_context *ctx, const seg_piece_rows *r, const uint8_t *label, const int rooted[256],
                               const uint8_t *rule, seg_piece_run **out, size_t *count) {
    *count = 0;
    *out = seg_alloc(ctx, r->first[r->height], sizeof **out);
    if (!*out)
        return SEG_ERR_MEMORY;
    for (int y = 0; y < r->height; y++)
        for (size_t i = r->first[y]; i < r->first[y + 1]; i++) {
            const uint32_t own = seg_piece_root(r->run, (uint32_t)i);
            const uint8_t kind = label[(size_t)y * (size_t)r->width + (size_t)r->run[i].from];
            if (!r->run[own].pixels && rooted[kind] && rule[kind] != SEG_ISLAND_STAYS)
                (*out)[(*count)++] = (seg_piece_run){own, (uint32_t)i, y, OPEN};
        }
    qsort(*out, *count, sizeof **out, seg_piece_order);
    return SEG_OK;
}

static void paint(const seg_piece_rows *r, const seg_piece_run *s, uint8_t value, uint8_t *label) {
    const seg_label_run *own = &r->run[s->number];
    memset(label + (size_t)s->y * (size_t)r->width + (size_t)own->from, value, (size_t)(own->to - own->from));
}

/* The mean over a piece's pixels of log(score of its label / score of the label around it). */
static double support(const seg_piece_rows *r, const seg_piece_run *list, size_t count, const seg_island_scores *s,
                      uint8_t own) {
    const seg_matrix *score = s->score;
    double sum = 0, pixels = 0;
    for (size_t i = 0; i < count; i++) {
        const seg_label_run *run = &r->run[list[i].number];
        for (int x = run->from; x < run->to; x++) {
            const double *at = score->at + seg_patch_of_pixel(s->grid, x, list[i].y) * score->cols;
            sum += log((at[own] + LEAST_SCORE) / (at[list[i].winner] + LEAST_SCORE));
        }
        pixels += run->to - run->from;
    }
    return sum / pixels;
}

/* Take from the list the judged pieces whose scores speak for them. @return how many runs are left */
static size_t drop_supported(const seg_piece_rows *r, const uint8_t *label, const uint8_t *rule,
                             const seg_island_scores *s, double least, seg_piece_run *list, size_t count) {
    static const seg_pixel_scribbles none = {NULL, {0}};
    size_t left = 0;
    seg_pieces_decide(r, label, &none, list, count);
    for (size_t first = 0, last; first < count; first = last) {
        const uint8_t own = label[(size_t)list[first].y * (size_t)r->width + (size_t)r->run[list[first].number].from];
        for (last = first; last < count && list[last].root == list[first].root; last++)
            ;
        if (rule[own] == SEG_ISLAND_IS_JUDGED && support(r, list + first, last - first, s, own) >= least)
            continue;
        memmove(list + left, list + first, (last - first) * sizeof *list);
        left += last - first;
    }
    return left;
}

/* Give the islands that touch what is settled its label, again and again: an island in an island follows it.
 * `settled` holds the labels, OPEN where they are not; the list is used up. */
static void settle(const seg_piece_rows *r, seg_piece_run *list, size_t count, uint8_t *settled, uint8_t *label,
                   size_t *changed) {
    static const seg_pixel_scribbles none = {NULL, {0}};
    for (size_t open = count, before = count + 1; open > 0 && open < before;) {
        before = open;
        open = 0;
        seg_pieces_decide(r, settled, &none, list, before);
        for (size_t i = 0; i < before; i++)
            if (list[i].winner == OPEN) {
                list[open++] = list[i];
            } else {
                const seg_label_run *own = &r->run[list[i].number];
                if (label[(size_t)list[i].y * (size_t)r->width + (size_t)own->from] != list[i].winner)
                    *changed += (size_t)(own->to - own->from);
                paint(r, &list[i], list[i].winner, settled);
                paint(r, &list[i], list[i].winner, label);
            }
    }
}

seg_status seg_islands_settle(seg_context *ctx, int width, int height, const seg_pixel_scribbles *scribbles,
                              const uint8_t *rule, const seg_island_scores *scores, uint8_t *label, size_t *changed) {
    const size_t pixels = (size_t)width * (size_t)height;
    seg_piece_rows r = {0};
    seg_piece_run *list = NULL;
    uint8_t *settled = seg_alloc(ctx, pixels, 1);
    int rooted[256] = {0};
    size_t count = 0;
    seg_status status = settled ? seg_pieces_find(ctx, width, height, label, &r) : SEG_ERR_MEMORY;
    if (!status) {
        find_strokes(&r, label, scribbles, scores, rooted);
        status = list_islands(ctx, &r, label, rooted, rule, &list, &count);
    }
    if (!status && count)
        count = drop_supported(&r, label, rule, scores, SEG_ISLAND_SUPPORT, list, count);
    *changed = 0;
    if (!status && count) {
        memcpy(settled, label, pixels);
        for (size_t i = 0; i < count; i++)
            paint(&r, &list[i], OPEN, settled);
        settle(&r, list, count, settled, label, changed);
    }
    free(settled);
    free(list);
    seg_pieces_free(&r);
    return status;
}

/* What is known of the runs of one piece. */
static seg_island describe(const seg_piece_rows *r, const seg_piece_run *list, size_t count, uint8_t own) {
    seg_island island = {.label = own, .around = list[0].winner, .left = r->width, .top = list[0].y};
    for (size_t i = 0; i < count; i++) {
        const seg_label_run *run = &r->run[list[i].number];
        island.left = run->from < island.left ? run->from : island.left;
        island.right = run->to > island.right ? run->to : island.right;
        island.bottom = list[i].y + 1; /* the list goes down the rows */
        island.pixels += (size_t)(run->to - run->from);
    }
    return island;
}

static void cover(const seg_piece_rows *r, const seg_piece_run *list, size_t count, const seg_patch_grid *grid,
                  uint8_t *covered) {
    for (size_t i = 0; covered && i < count; i++)
        for (int x = r->run[list[i].number].from; x < r->run[list[i].number].to; x++)
            covered[seg_patch_of_pixel(grid, x, list[i].y)] = 1;
}

seg_status seg_islands_list(seg_context *ctx, int width, int height, const seg_pixel_scribbles *scribbles,
                            const seg_island_scores *scores, const uint8_t *label, double support_below, size_t least,
                            int room, seg_island *out, int *count, uint8_t *covered) {
    static const seg_pixel_scribbles none = {NULL, {0}};
    seg_piece_rows r = {0};
    seg_piece_run *list = NULL;
    uint8_t rule[256];
    int rooted[256] = {0};
    size_t runs = 0;
    *count = 0;
    memset(rule, SEG_ISLAND_IS_JUDGED, sizeof rule);
    seg_status status = seg_pieces_find(ctx, width, height, label, &r);
    if (!status) {
        find_strokes(&r, label, scribbles, scores, rooted);
        status = list_islands(ctx, &r, label, rooted, rule, &list, &runs);
    }
    if (!status && runs) {
        runs = drop_supported(&r, label, rule, scores, support_below, list, runs);
        seg_pieces_decide(&r, label, &none, list, runs);
    }
    for (size_t first = 0, last; !status && first < runs; first = last) {
        const size_t row = (size_t)list[first].y * (size_t)width;
        for (last = first; last < runs && list[last].root == list[first].root; last++)
            ;
        const seg_island island =
            describe(&r, list + first, last - first, label[row + (size_t)r.run[list[first].number].from]);
        if (island.pixels < least || island.around == island.label)
            continue;
        cover(&r, list + first, last - first, scores->grid, covered);
        if (*count < room)
            out[(*count)++] = island;
    }
    free(list);
    seg_pieces_free(&r);
    return status;
}
