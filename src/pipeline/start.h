/* A mask that exists is corrected by strokes. */
#pragma once

#include "pipeline/run.h"

/* What the method is given in place of the strokes, and what its result is held to. */
typedef struct seg_start {
    seg_mask marks; /* the strokes, and the start where they leave it */
    uint8_t *label; /* of each pixel, by the start; never 0 or SEG_VOID */
    uint8_t *wrong; /* of each pixel: 1 where a stroke contradicts the start */
    double *weight; /* of the start in each patch, 0 .. 1 */
    size_t strokes; /* their pixels */
} seg_start;

/* Whether a start of two labels is an object, the lower label, and its background, which has most of the frame; not in
 * volumes and with channels. It is then corrected as one, by what says where objects are. Cost O(pixels). */
int seg_start_is_object(const seg_options *options);

/* Make it; free with seg_start_free, also after an error. SEG_OK, SEG_ERR_INPUT (sizes, labels), SEG_ERR_MEMORY. */
seg_status seg_start_begin(seg_context *ctx, const seg_session *session, const seg_mask *scribbles, seg_start *out);
void seg_start_free(seg_start *start);

/* Passes: the start in the scores of the patches; its pixels where nothing contradicts it. */
seg_status seg_run_trust_start(seg_context *ctx, seg_run *r);
seg_status seg_start_settle(seg_context *ctx, seg_run *r, const seg_image *photo, const seg_pixel_scribbles *scribbles,
                            uint8_t *label, size_t *changed);
