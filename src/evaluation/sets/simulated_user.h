/* A simulated user, for accuracy against the number of clicks [sofiiuk2020fbrs]. A click is a disc of radius 3, first
 * at the deepest point of each label's region, in the order of the labels, then at the deepest point of the wrong
 * pixels of any one label. The deepest point is the pixel farthest from the border of these pixels (all outside the
 * image is border); of equally deep ones, that of the lowest label, then the first in reading order; no chance. */
#pragma once

#include <segment/image.h>

typedef struct seg_simulation {
    const seg_mask *truth;
    int most;         /* maximum number of clicks, at least one */
    int object_first; /* 1: segment after the first click, in label 1; truths of two labels. 0: segment first when each
                         label has its click */
    /* Segment with these scribbles. */
    seg_status (*segment)(seg_context *ctx, void *data, const seg_mask *scribbles, seg_mask *mask);
    void *data;
} seg_simulation;

/* mask: the last one. iou: room for `most`: IoU after 1, 2, ... clicks, of the lower label if the truth has two,
 * otherwise the mean over the labels; 0 before the first mask. *clicks: how many; fewer than `most` if no unmarked
 * pixel is wrong. SEG_ERR_INPUT (fewer than two labels in the truth, more labels than clicks, a first click alone in a
 * truth of other labels than 1 and 2), and what `segment` returns. */
seg_status seg_simulated_user_run(seg_context *ctx, const seg_simulation *how, seg_mask *mask, double *iou,
                                  int *clicks);
