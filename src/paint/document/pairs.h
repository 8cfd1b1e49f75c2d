/* Answers of the user: whether two pixels belong to one region. They are stored as pixels, so that they remain valid
 * for any patch size. */
#ifndef PAINT_PAIRS_H
#define PAINT_PAIRS_H

#include "paint/document/stroke_raster.h"

#include <segment/constraints.h>

#include <jansson.h>
#include <stddef.h>

typedef struct paint_pair {
    int x[2], y[2]; /* the two pixels */
    int sign;       /* 1: one region, -1: two regions, 0: skipped */
    double weight;  /* 1 unless a file sets another */
    size_t act;     /* number of the act that it is from */
} paint_pair;

typedef struct paint_pairs {
    paint_pair *at; /* owned */
    size_t count, room;
} paint_pairs;

/* {"a": [x, y], "b": [x, y], "sign": -1, 0 or 1}. */
paint_refusal paint_pair_read(const json_t *json, int width, int height, paint_pair *out);
/* [[x, y, x, y, sign] or [x, y, x, y, sign, weight], ...]. */
paint_refusal paint_pairs_check(const json_t *list, int width, int height);

/* Append a pair, or a list that paint_pairs_check accepted. @return 0 if out of memory */
int paint_pairs_add(paint_pairs *pairs, const paint_pair *pair, size_t act);
int paint_pairs_add_list(paint_pairs *pairs, const json_t *list, size_t act);
void paint_pairs_free(paint_pairs *pairs);

/* Whether both have the same pixels in the same order, and the same sign. */
int paint_pair_is(const paint_pair *a, const paint_pair *b);
/* The number of pairs with this sign. */
size_t paint_pairs_of_sign(const paint_pairs *pairs, int sign);

/* The pairs as a file for segment --constraints and segment query; free it. NULL if out of memory. */
char *paint_pairs_text(const paint_pairs *pairs, size_t *size);
/* Read such a file, whoever wrote it, as an edit {"answers": ...}; a new reference. Patch numbers in the file refer to
 * the grid. */
seg_status paint_pairs_from_file(seg_context *ctx, const char *path, const seg_patch_grid *grid, json_t **out);

/* The pixel in the middle of a patch. */
void paint_patch_middle(const seg_patch_grid *grid, int32_t patch, int *x, int *y);

/* Append the pairs to constraints between patches, skipped ones to `unknown`, which may be NULL. As in
 * seg_constraints_read, a must-link within a patch is ignored, and a cannot-link within a patch is an error. @return
 * SEG_OK, SEG_ERR_INPUT with a sentence in `message`, SEG_ERR_MEMORY */
seg_status paint_pairs_constrain(seg_context *ctx, const paint_pairs *pairs, const seg_patch_grid *grid,
                                 seg_constraints *out, seg_constraints *unknown, char message[SEG_MESSAGE_SIZE]);

/* A lower bound on the number of regions: a set of components, found greedily, of which any two cannot link.
 * Contradictions are dropped or give 0, depending on the policy. */
int paint_least_regions(seg_context *ctx, seg_constraints *constraints, seg_contradictions policy);

#endif
