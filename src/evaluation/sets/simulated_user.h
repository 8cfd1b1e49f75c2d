/* A simulated user who clicks, for accuracy against effort [sofiiuk2020fbrs]: a disc of radius 3 at the deepest point
 * of each label's region, in the order of the labels, then at the deepest point of what the mask got wrong of any
 * label. The deepest point is the pixel farthest from the border of what is wrong (beyond the image all is border); of
 * equally deep ones that of the lowest label, then the first in reading order. Nothing about it is random. */
#ifndef SEG_EVALUATION_SETS_SIMULATED_USER_H
#define SEG_EVALUATION_SETS_SIMULATED_USER_H

#include <segment/image.h>

typedef struct seg_simulation {
    const seg_mask *truth;
    int most;         /* clicks, at least one */
    int object_first; /* 1: the first click, in label 1, is answered alone; truths of two labels. 0: the first mask is
                         asked for when each label has its click */
    /* Segment with these scribbles. */
    seg_status (*segment)(seg_context *ctx, void *data, const seg_mask *scribbles, seg_mask *mask);
    void *data;
} seg_simulation;

/* mask: the last one. iou: room for `most`: IoU after 1, 2, ... clicks, of label
 * 1 where the truth has two labels, otherwise the mean over the labels, 0 while there is no mask. *clicks: how many; it
 * ends early where nothing unmarked is wrong. SEG_ERR_INPUT (fewer than two labels in the truth, more labels than
 * clicks, a first click alone in a truth of other labels than 1 and 2), and what `segment` gives. */
seg_status seg_simulated_user_run(seg_context *ctx, const seg_simulation *how, seg_mask *mask, double *iou,
                                  int *clicks);

#endif
