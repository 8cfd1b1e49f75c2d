/* Answers of a person: whether two places of an image are of one region. They are kept as pixels, so that they stay
 * true whatever the side of the patches is. */
#ifndef PAINT_PAIRS_H
#define PAINT_PAIRS_H

#include "paint/document/stroke_raster.h"

#include <segment/constraints.h>

#include <jansson.h>
#include <stddef.h>

typedef struct paint_pair {
    int x[2], y[2]; /* the two places, pixels */
    int sign;       /* 1 one region, -1 not, 0 skipped */
    double weight;  /* 1, but for pairs of a file that says otherwise */
    size_t act;     /* of the drawing that it is from */
} paint_pair;

typedef struct paint_pairs {
    paint_pair *at; /* owned */
    size_t count, room;
} paint_pairs;

/* {"a": [x, y], "b": [x, y], "sign": -1, 0 or 1}. */
paint_refusal paint_pair_read(const json_t *json, int width, int height, paint_pair *out);
/* [[x, y, x, y, sign] or [x, y, x, y, sign, weight], ...]. */
paint_refusal paint_pairs_check(const json_t *list, int width, int height);

/* Append one, or such a list that was checked. @return 0 without memory */
int paint_pairs_add(paint_pairs *pairs, const paint_pair *pair, size_t act);
int paint_pairs_add_list(paint_pairs *pairs, const json_t *list, size_t act);
void paint_pairs_free(paint_pairs *pairs);

/* Whether the two say the same of the same places, in this order. */
int paint_pair_is(const paint_pair *a, const paint_pair *b);
/* How many have this sign. */
size_t paint_pairs_of_sign(const paint_pairs *pairs, int sign);

/* The file that segment --constraints and segment query read; to be freed. NULL if out of memory. */
char *paint_pairs_text(const paint_pairs *pairs, size_t *size);
/* Such a file of whoever wrote it, as an edit of the kind "answers"; a new reference. Pairs of patches by their numbers
 * are those of the grid. */
seg_status paint_pairs_from_file(seg_context *ctx, const char *path, const seg_patch_grid *grid, json_t **out);

/* The pixel in the middle of a patch. */
void paint_patch_middle(const seg_patch_grid *grid, int32_t patch, int *x, int *y);

/* Append them to constraints among the patches, skipped ones to `unknown`, which may be NULL. The rules are those of
 * seg_constraints_read: what lies within one patch needs no must-link and cannot be divided.
 * @return SEG_OK, SEG_ERR_INPUT with a sentence in `message`, SEG_ERR_MEMORY */
seg_status paint_pairs_constrain(seg_context *ctx, const paint_pairs *pairs, const seg_patch_grid *grid,
                                 seg_constraints *out, seg_constraints *unknown, char message[SEG_MESSAGE_SIZE]);

/* How many regions the constraints call for at least: groups and patches any two of which cannot link, found greedily.
 * Pairs that contradict others are refused, which gives 0, or dropped. */
int paint_least_regions(seg_context *ctx, seg_constraints *constraints, seg_contradictions policy);

#endif
