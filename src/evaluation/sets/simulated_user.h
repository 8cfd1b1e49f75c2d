/* A simulated user, for accuracy against effort [kohli2012interactive]: first one stroke in each region, then again and
 * again one stroke in the middle of the largest error of the current mask. Nothing about it is random. */
#ifndef SEG_EVALUATION_SETS_SIMULATED_USER_H
#define SEG_EVALUATION_SETS_SIMULATED_USER_H

#include <segment/image.h>

/* One stroke into each label of the truth, in the middle of its largest part. *strokes: how many. out->labels is the
 * truth's. SEG_OK or SEG_ERR_MEMORY. */
seg_status seg_simulated_user_begin(seg_context *ctx, const seg_mask *truth, seg_mask *out, int *strokes);

/* Add one stroke: the true label, in the middle of the largest connected piece of pixels of one true label that the
 * mask got wrong. *found is 0, and nothing drawn, where no scored pixel is wrong. */
seg_status seg_simulated_user_correct(seg_context *ctx, const seg_mask *mask, const seg_mask *truth,
                                      seg_mask *scribbles, int *found);

#endif
