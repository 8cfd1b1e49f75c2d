/* Islands: connected pieces of a label that none of its strokes touches. */
#ifndef SEG_MASKS_ISLANDS_H
#define SEG_MASKS_ISLANDS_H

#include "image/label_rows.h"
#include "masks/refine.h"

/* What the scores must say for an island of two labels: 12 times the score of what surrounds it, mean of the
 * logarithms. By evidence over seven data sets (docs/results.md, "Islands"). */
#define SEG_ISLAND_SUPPORT 2.5

/* What becomes of the islands of a column. */
typedef enum seg_island_rule {
    SEG_ISLAND_STAYS = 0,
    SEG_ISLAND_IS_JUDGED, /* it goes where its scores do not stand out from what surrounds it */
    SEG_ISLAND_GOES
} seg_island_rule;

/* What islands are judged by. */
typedef struct seg_island_scores {
    const seg_patch_grid *grid;
    const seg_matrix *score; /* patches x columns, rows positive with sum one */
    const int16_t *named;    /* column of each patch that holds its piece as a stroke does, else -1; NULL: none does */
    double shift; /* of the log odds of column 0 (masks/balance.h), which is about borders: islands are judged without
                     it */
} seg_island_scores;

/* Give islands (4-neighbourhood) the label that most of their border touches, the smaller of equals; borders with other
 * islands that go do not count until those have theirs. rule: a seg_island_rule for each column. Labels without a
 * stroke, or without a piece that one touches, keep all their pieces. Labels are columns, below 255. The runs are
 * merged then. changed: pixels that joined another label. SEG_OK, SEG_ERR_MEMORY. Cost O(runs) for each level of pieces
 * within pieces, and O(pixels) of what is judged. */
seg_status seg_islands_settle(seg_context *ctx, const seg_pixel_scribbles *scribbles, const uint8_t *rule,
                              const seg_island_scores *scores, seg_label_rows *rows, size_t *changed);

/* An island of a finished mask. */
typedef struct seg_island {
    uint8_t label, around;        /* columns: its own, and the one that most of its border touches */
    int left, top, right, bottom; /* right and bottom just beyond */
    size_t pixels;
} seg_island;

/* Which islands are listed, and where. */
typedef struct seg_island_list {
    double support_below; /* those whose label's score, divided by that of the label around, has a smaller mean
                             logarithm */
    size_t least;         /* of so many pixels at least */
    seg_island *found;    /* the first `room` of them, in the order of their first pixels */
    int room, count;
    uint8_t *covered; /* of each patch, or NULL: becomes 1 where a pixel of one of them lies */
} seg_island_list;

/* List islands; their labels stay as they are. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_islands_list(seg_context *ctx, const seg_pixel_scribbles *scribbles, const seg_island_scores *scores,
                            seg_label_rows *rows, seg_island_list *out);

#endif
