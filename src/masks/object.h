/* An object and its background: the evidence of the frame, the balance between the scores, the extent. */
#pragma once

#include <segment/features.h>

/* The patches of an image with strokes of an object and its background. */
typedef struct seg_object_view {
    const seg_patch_grid *grid;
    const seg_matrix *features; /* one row per patch */
    const uint8_t *uses;        /* per column: 1 for colour and texture, 0 for position */
    const int16_t *group;       /* per patch: the column of its strokes, 0 (for the frame the object) or 1; -1: none */
    int labels;                 /* labels with strokes: 2, or 1, which is column 0 and the object */
    const seg_matrix *score;    /* patches x 2, rows positive with sum one. Labels and scores are for the balance */
} seg_object_view;

/* For each patch, the probability that a walk is absorbed there by the background, as a share of its degree. *strength
 * (one number per patch) is allocated here, freed by the caller. 0 away from the frame, at marked patches and near
 * strokes. SEG_OK, SEG_ERR_MEMORY. Cost O(patches), and while strokes are few O(patches of the frame x patches). */
seg_status seg_frame_strength(seg_context *ctx, const seg_object_view *view, double **strength);

/* The shift of the log odds of column 0: the mean of 17, from -1.6 to 1.6 by steps of 0.2, weighted by their costs.
 * object: how clearly column 0 is the object, from 1 (nothing of the image's frame) to -1 (all of it). Exchanging the
 * columns changes the signs of both. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost O(17 patches). */
seg_status seg_balance_find(seg_context *ctx, const seg_object_view *view, double *shift, double *object);

/* Add the shift to the log odds of unmarked patches; label: the column of the larger score, 0 if they are equal. */
void seg_balance_apply(const int16_t *group, double shift, seg_matrix *score, int32_t *label);

/* Strokes of an object and its background. */
typedef struct seg_extent {
    const seg_patch_grid *grid;
    const int16_t *group; /* per patch: the column of its strokes, 0 or 1; -1: unmarked. Both columns have strokes */
    double object;        /* how clearly column 0 is the object: 1; -1: column 1 is (masks/object.c) */
} seg_extent;

/* Lower the odds of the object in unmarked patches that lie farther from its strokes than the background's strokes do.
 * score: patches x 2, rows positive with sum one. label: the column of the larger score, 0 if they are equal. lowered:
 * the number of such patches. SEG_OK, SEG_ERR_MEMORY. Cost O(patches). */
seg_status seg_extent_apply(seg_context *ctx, const seg_extent *e, seg_matrix *score, int32_t *label, size_t *lowered);
