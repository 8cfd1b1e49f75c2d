/* A simulated user, for accuracy against effort. Nothing about it is random.
 * Strokes [kohli2012interactive]: first one in each region, then again and again one in the middle of the largest error
 * of the current mask. Clicks [sofiiuk2020fbrs]: a disc of radius 3 at the deepest point of each label's region,
 * in the order of the labels, then at the deepest point of what the mask got wrong of any label. The deepest point is
 * the pixel farthest from the border of what is wrong (beyond the image all is border); of equally deep ones that of
 * the lowest label, then the first in reading order. */
#ifndef SEG_EVALUATION_SETS_SIMULATED_USER_H
#define SEG_EVALUATION_SETS_SIMULATED_USER_H

#include <segment/image.h>

typedef enum seg_simulated_user {
    SEG_USER_STROKES = 0,
    SEG_USER_CLICKS,       /* the first mask is asked for when each label has its click */
    SEG_USER_CLICKS_OBJECT /* the first click, in label 1, is answered alone; truths of two labels */
} seg_simulated_user;

/* One stroke or click into each label of the truth (SEG_USER_CLICKS_OBJECT: into the first alone). *strokes: how many.
 * out->labels is the truth's. SEG_OK or SEG_ERR_MEMORY. */
seg_status seg_simulated_user_begin(seg_context *ctx, seg_simulated_user user, const seg_mask *truth, seg_mask *out,
                                    int *strokes);

/* Add one stroke, of the true label, in the middle of the largest connected piece of pixels of one true label that the
 * mask got wrong; or one click, where unmarked pixels are wrong. *found is 0, and nothing drawn, where there are none.
 */
seg_status seg_simulated_user_correct(seg_context *ctx, seg_simulated_user user, const seg_mask *mask,
                                      const seg_mask *truth, seg_mask *scribbles, int *found);

typedef struct seg_simulation {
    seg_simulated_user user;
    const seg_mask *truth;
    int most; /* corrections by strokes; or clicks, those of the begin included */
    /* Segment with these scribbles. *accuracy: of the mask, the measure of strokes; clicks are measured by IoU. */
    seg_status (*segment)(seg_context *ctx, void *data, const seg_mask *scribbles, seg_mask *mask, double *accuracy);
    void *data;
} seg_simulation;

/* The whole effort. mask: the last one. *strokes: of the begin. curve: room for most + 1 values; strokes: the accuracy
 * after 0, 1, ... corrections; clicks: IoU after 1, 2, ... clicks, of label 1 where the truth has two labels, otherwise
 * the mean over the labels, 0 while there is no mask; it ends early where nothing unmarked is wrong. *count: how many.
 * SEG_ERR_INPUT (fewer than two labels in the truth, more labels than clicks, a first click alone in a truth of other
 * labels than 1 and 2), and what `segment` gives. */
seg_status seg_simulated_user_run(seg_context *ctx, const seg_simulation *how, seg_mask *mask, int *strokes,
                                  double *curve, int *count);

#endif
