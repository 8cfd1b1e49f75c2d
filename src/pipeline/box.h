/* A box around an object in place of strokes. What lies outside of it is background. Which patches inside it are the
 * object's is found in turns, each from the mask of the one before: the patches that it is surest of are marked. */
#pragma once

#include "pipeline/run.h"

typedef struct seg_box_marks {
    seg_mask mask;         /* strokes, the outside, and the patches of the object */
    seg_box box;           /* in the session's photo */
    const uint8_t *stroke; /* labels of the strokes; NULL: none. Borrowed */
    uint8_t object, ground;
    double *rank; /* of each patch: larger ones are the object's rather; -INFINITY outside of the box */
    double share; /* of the patches in the box that are marked */
    size_t inside;
} seg_box_marks;

/* The first marks: of the patches in the box, those in the middle of it that resemble least what lies outside. The
 * session has features. The object is label 1 and its background 2, unless strokes have other labels: then the smaller
 * one is the object's. SEG_OK; SEG_ERR_USAGE (no such box in this image), SEG_ERR_INPUT (labels), SEG_ERR_MEMORY. Cost
 * O(pixels + patches x features). */
seg_status seg_box_begin(seg_context *ctx, const seg_session *session, const seg_mask *scribbles, seg_box_marks *out);

/* The next marks, from the scores of the patches, the object's in column 0: a part of the patches that are the object's
 * by them, the likeliest, and of those that were marked the deepest inside the object. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_box_go_on(seg_context *ctx, const seg_session *session, const seg_matrix *score, seg_box_marks *marks);

void seg_box_free(seg_box_marks *marks);
