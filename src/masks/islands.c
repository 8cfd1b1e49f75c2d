#include "masks/islands.h"

#include "base/base.h"
#include "features/grid.h"
#include "masks/pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_SCORE 1e-4

enum { OPEN = 255 }; /* label of a piece that has no new label yet; columns are smaller */

/* Whether a run contains a stroke of its own label, or a patch that is named for this label. */
static int is_held(const seg_label_run *run, int y, const seg_pixel_scribbles *scribbles, const seg_island_scores *s) {
    if (seg_scribbles_in_row(scribbles, y, run->from, run->to, run->label))
        return 1;
    for (int x = run->from; s->named && x < run->to; x++)
        if (s->named[seg_patch_of_pixel(s->grid, x, y)] == run->label)
            return 1;
    return 0;
}

/* Set `pixels` of the root and rooted[label] to 1 for each piece with a stroke or a named patch of its label. */
static void find_strokes(const seg_label_rows *r, const seg_pixel_scribbles *scribbles, const seg_island_scores *s,
                         int rooted[256]) {
    const size_t runs = r->first[r->height];
    for (size_t i = 0; i < runs; i++)
        r->run[i].pixels = 0;
    for (int y = 0; y < r->height; y++)
        for (size_t i = r->first[y]; i < r->first[y + 1]; i++)
            if (is_held(&r->run[i], y, scribbles, s))
                rooted[r->run[i].label] = r->run[seg_piece_root(r->run, (uint32_t)i)].pixels = 1;
}

/* List the runs of all islands, piece by piece, except those of labels whose islands stay. */
static seg_status list_islands(seg_context *ctx, const seg_label_rows *r, const int rooted[256], const uint8_t *rule,
                               seg_piece_run **out, size_t *count) {
    *count = 0;
    *out = seg_alloc(ctx, r->first[r->height], sizeof **out);
    if (!*out)
        return SEG_ERR_MEMORY;
    for (int y = 0; y < r->height; y++)
        for (size_t i = r->first[y]; i < r->first[y + 1]; i++) {
            const uint32_t own = seg_piece_root(r->run, (uint32_t)i);
            const uint8_t kind = r->run[i].label;
            if (!r->run[own].pixels && rooted[kind] && rule[kind] != SEG_ISLAND_STAYS)
                (*out)[(*count)++] = (seg_piece_run){own, (uint32_t)i, y, kind, OPEN};
        }
    qsort(*out, *count, sizeof **out, seg_piece_order);
    return SEG_OK;
}

/* The mean over a piece's pixels of log(score of its label / score of the label around it). */
static double support(const seg_label_rows *r, const seg_piece_run *list, size_t count, const seg_island_scores *s) {
    const seg_matrix *score = s->score;
    double sum = 0, pixels = 0;
    for (size_t i = 0; i < count; i++) {
        const seg_label_run *run = &r->run[list[i].number];
        const double added = s->shift * ((list[i].own == 0) - (list[i].winner == 0));
        for (int x = run->from; x < run->to; x++) {
            const double *at = score->at + seg_patch_of_pixel(s->grid, x, list[i].y) * score->cols;
            sum += log((at[list[i].own] + LEAST_SCORE) / (at[list[i].winner] + LEAST_SCORE)) - added;
        }
        pixels += run->to - run->from;
    }
    return sum / pixels;
}

/* Remove from the list the judged pieces with a support of at least `least`. @return the number of runs left */
static size_t drop_supported(const seg_label_rows *r, const uint8_t *rule, const seg_island_scores *s, double least,
                             seg_piece_run *list, size_t count) {
    size_t left = 0;
    seg_pieces_decide(r, NULL, 0, list, count);
    for (size_t first = 0, last; first < count; first = last) {
        for (last = first; last < count && list[last].root == list[first].root; last++)
            ;
        if (rule[list[first].own] == SEG_ISLAND_IS_JUDGED && support(r, list + first, last - first, s) >= least)
            continue;
        memmove(list + left, list + first, (last - first) * sizeof *list);
        left += last - first;
    }
    return left;
}

/* Repeatedly give islands that touch settled pieces a label of these, so that an island inside an island follows it.
 * Islands that never touch a settled piece keep their labels. */
static void settle(const seg_label_rows *r, seg_piece_run *list, size_t count, size_t *changed) {
    size_t open = count;
    for (size_t i = 0; i < count; i++)
        r->run[list[i].number].label = OPEN;
    for (size_t before = count + 1; open > 0 && open < before;) {
        before = open;
        open = 0;
        seg_pieces_decide(r, NULL, 0, list, before);
        for (size_t i = 0; i < before; i++)
            if (list[i].winner == OPEN) {
                list[open++] = list[i];
            } else {
                seg_label_run *own = &r->run[list[i].number];
                *changed += list[i].own != list[i].winner ? (size_t)(own->to - own->from) : 0;
                own->label = list[i].winner;
            }
    }
    for (size_t i = 0; i < open; i++)
        r->run[list[i].number].label = list[i].own;
}

seg_status seg_islands_settle(seg_context *ctx, const seg_pixel_scribbles *scribbles, const uint8_t *rule,
                              const seg_island_scores *scores, seg_label_rows *rows, size_t *changed) {
    SEG_FREED seg_piece_run *list = NULL;
    int rooted[256] = {0};
    size_t count = 0;
    *changed = 0;
    seg_pieces_join(rows);
    find_strokes(rows, scribbles, scores, rooted);
    const seg_status status = list_islands(ctx, rows, rooted, rule, &list, &count);
    if (!status && count)
        count = drop_supported(rows, rule, scores, SEG_ISLAND_SUPPORT, list, count);
    if (!status && count)
        settle(rows, list, count, changed);
    seg_label_rows_merge(rows);
    return status;
}

/* Label, bounding box and area of one piece from its runs. */
static seg_island describe(const seg_label_rows *r, const seg_piece_run *list, size_t count) {
    seg_island island = {.label = list[0].own, .around = list[0].winner, .left = r->width, .top = list[0].y};
    for (size_t i = 0; i < count; i++) {
        const seg_label_run *run = &r->run[list[i].number];
        island.left = run->from < island.left ? run->from : island.left;
        island.right = run->to > island.right ? run->to : island.right;
        island.bottom = list[i].y + 1; /* the list goes down the rows */
        island.pixels += (size_t)(run->to - run->from);
    }
    return island;
}

static void cover(const seg_label_rows *r, const seg_piece_run *list, size_t count, const seg_patch_grid *grid,
                  uint8_t *covered) {
    for (size_t i = 0; covered && i < count; i++)
        for (int x = r->run[list[i].number].from; x < r->run[list[i].number].to; x++)
            covered[seg_patch_of_pixel(grid, x, list[i].y)] = 1;
}

seg_status seg_islands_list(seg_context *ctx, const seg_pixel_scribbles *scribbles, const seg_island_scores *scores,
                            seg_label_rows *rows, seg_island_list *out) {
    SEG_FREED seg_piece_run *list = NULL;
    uint8_t rule[256];
    int rooted[256] = {0};
    size_t runs = 0;
    out->count = 0;
    memset(rule, SEG_ISLAND_IS_JUDGED, sizeof rule);
    seg_pieces_join(rows);
    find_strokes(rows, scribbles, scores, rooted);
    const seg_status status = list_islands(ctx, rows, rooted, rule, &list, &runs);
    if (!status && runs) {
        runs = drop_supported(rows, rule, scores, out->support_below, list, runs);
        seg_pieces_decide(rows, NULL, 0, list, runs);
    }
    for (size_t first = 0, last; !status && first < runs; first = last) {
        for (last = first; last < runs && list[last].root == list[first].root; last++)
            ;
        const seg_island island = describe(rows, list + first, last - first);
        if (island.pixels < out->least || island.around == island.label)
            continue;
        cover(rows, list + first, last - first, scores->grid, out->covered);
        if (out->count < out->room)
            out->found[out->count++] = island;
    }
    return status;
}
