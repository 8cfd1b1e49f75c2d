/* Connected pieces (4-neighbourhood) of equal labels, as runs in the rows: specks and islands are such pieces. */
#pragma once

#include "masks/refine.h"

/* Merge neighbouring runs of one label, and join the runs of each piece. */
void seg_pieces_join(seg_label_rows *rows);

/* The first run of the piece to which a run belongs. */
uint32_t seg_piece_root(seg_label_run *runs, uint32_t r);

/* ---- Passes over them. ---- */

/* Give every connected piece (4-neighbourhood) of fewer than `least` pixels the label that most of its border touches
 * (the smallest of equals), unless it contains a marked pixel or is the whole image. First, all pieces are judged by
 * the labels before any change. Pieces that are still small, because neighbours changed too, are judged again by the
 * pieces around them that are large enough or marked, until nothing changes. Then no such piece is left, unless none is
 * large enough or marked. At the end the runs are merged. SEG_OK, SEG_ERR_MEMORY. Cost O(runs). */
seg_status seg_specks_remove(seg_context *ctx, const seg_pixel_scribbles *scribbles, size_t least,
                             seg_label_rows *rows);

/* A column that has the largest score in some patches but has no pixel gets back the pixels of the largest connected
 * piece of these patches (4-neighbourhood, the first of equals), except marked pixels and the last pixel of another
 * column. The column and the number of pixels are logged. out: these pixels get the scores of their patch. SEG_OK,
 * SEG_ERR_MEMORY. Cost O(runs), and O(pixels) where a column is lost. */
seg_status seg_regions_keep(seg_context *ctx, const seg_patch_grid *grid, const seg_matrix *score,
                            const seg_pixel_scribbles *scribbles, const seg_pixel_scores *out, seg_label_rows *rows);

/* Islands: connected pieces of a label that none of its strokes touches. */

/* The least support of a judged island that stays, in a mask of two labels: the mean logarithm of its label's score
 * over that of the label around it (a factor of 12). Chosen on seven data sets (docs/results.md, "Islands"). */
#define SEG_ISLAND_SUPPORT 2.5

/* The treatment of the islands of a column. */
typedef enum seg_island_rule {
    SEG_ISLAND_STAYS = 0,
    SEG_ISLAND_IS_JUDGED, /* an island is removed where its support is low */
    SEG_ISLAND_GOES
} seg_island_rule;

/* The input of the decision on islands. */
typedef struct seg_island_scores {
    const seg_patch_grid *grid;
    const seg_matrix *score; /* patches x columns, rows positive with sum one */
    const int16_t *named;    /* per patch: its column where it is in a listed pair, which keeps its piece like a stroke;
                                else -1. May be NULL */
    double shift; /* of the log odds of column 0 (masks/object.c). It concerns borders, so it is subtracted before
                     islands are judged */
    int frame_is_ground; /* 1: pieces of column 1, the background, stay at the image's frame like marked ones */
} seg_island_scores;

/* Give islands (4-neighbourhood) the label that most of their border touches, the smallest of equals; borders with
 * other removed islands count only once those have new labels. rule: a seg_island_rule for each column. Labels without
 * a stroke, or without a piece that one touches, keep all their pieces. Labels are columns, below 255. Then the runs
 * are merged. changed: number of pixels with a new label. SEG_OK, SEG_ERR_MEMORY. Cost O(runs) for each level of nested
 * pieces, plus O(pixels) of the judged islands. */
seg_status seg_islands_settle(seg_context *ctx, const seg_pixel_scribbles *scribbles, const uint8_t *rule,
                              const seg_island_scores *scores, seg_label_rows *rows, size_t *changed);

/* An island of a finished mask. */
typedef struct seg_island {
    uint8_t label, around;        /* columns: its own, and the one that most of its border touches */
    int left, top, right, bottom; /* right and bottom exclusive */
    size_t pixels;
} seg_island;

/* Criteria and room for a list of islands. */
typedef struct seg_island_list {
    double support_below; /* list islands with less support than this (see SEG_ISLAND_SUPPORT) */
    size_t least;         /* and at least this many pixels */
    seg_island *found;    /* the first `room` of them, in the order of their first pixels */
    int room, count;
    uint8_t *covered; /* per patch, or NULL: set to 1 where it has a pixel of a listed island */
} seg_island_list;

/* List islands; their labels stay as they are. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_islands_list(seg_context *ctx, const seg_pixel_scribbles *scribbles, const seg_island_scores *scores,
                            seg_label_rows *rows, seg_island_list *out);
