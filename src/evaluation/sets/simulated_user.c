#include "evaluation/sets/simulated_user.h"
#include "base/base.h"
#include "evaluation/sets/photo_set.h"
#include "image/mask.h"
#include "masks/distance.h"

#include <segment/metrics.h>

#define RADIUS 3 /* of a click, pixels */

/* Click at the deepest point of `wrong`, which has the true labels of pixels and 0 elsewhere, among its labels from
 * `first` to `last`: draw a disc on pixels that are not marked. *found: 0 if it has none of these. */
static seg_status click(seg_context *ctx, const uint8_t *wrong, int first, int last, seg_mask *scribbles, int *found) {
    const size_t width = (size_t)scribbles->width, pixels = width * (size_t)scribbles->height;
    double deepest = 0;
    size_t at = 0;
    SEG_LOCAL(uint8_t, inside, seg_alloc(ctx, pixels, 1));
    SEG_LOCAL(double, depth2, seg_alloc(ctx, pixels, sizeof *depth2));
    for (int label = first; label <= last; label++) {
        if (!memchr(wrong, label, pixels))
            continue;
        for (size_t p = 0; p < pixels; p++)
            inside[p] = wrong[p] == label;
        SEG_TRY(seg_distance_inside(ctx, inside, scribbles->width, scribbles->height, depth2));
        for (size_t p = 0; p < pixels; p++)
            if (depth2[p] > deepest) {
                deepest = depth2[p];
                at = p;
            }
    }
    *found = deepest > 0;
    for (size_t p = 0; p < pixels && *found; p++) {
        const double x = (double)(p % width) - (double)(at % width), y = (double)(p / width) - (double)(at / width);
        if (x * x + y * y <= RADIUS * RADIUS && (!scribbles->label[p] || p == at))
            scribbles->label[p] = wrong[at];
    }
    return SEG_OK;
}

/* Click where unmarked pixels are wrong. */
static seg_status correct(seg_context *ctx, const seg_mask *truth, const seg_mask *mask, seg_mask *scribbles,
                          int *found) {
    const size_t pixels = (size_t)truth->width * (size_t)truth->height;
    SEG_LOCAL(uint8_t, wrong, seg_alloc(ctx, pixels, 1));
    for (size_t p = 0; p < pixels; p++)
        wrong[p] = truth->label[p] == SEG_VOID || truth->label[p] == mask->label[p] || scribbles->label[p]
                       ? 0
                       : truth->label[p];
    return click(ctx, wrong, 1, SEG_MAX_LABELS, scribbles, found);
}

/* IoU of the object, the lower label, if there are two labels; otherwise the mean over the labels. */
static seg_status truth_iou(seg_context *ctx, const seg_mask *mask, const seg_mask *truth, double *iou) {
    SEG_RELEASED(seg_contingency_free) seg_contingency met = {0};
    const int classes = seg_truth_classes(truth);
    *iou = 0;
    SEG_TRY(seg_contingency_masks(ctx, mask, truth, &met));
    for (int label = 1, left = classes == 2 ? 1 : classes; label < met.cols && left; label++) {
        uint64_t of_truth = 0, of_mask = 0, both = label < met.rows ? met.count[label * met.cols + label] : 0;
        for (int row = 0; row < met.rows; row++)
            of_truth += met.count[row * met.cols + label];
        for (int col = 0; col < met.cols && label < met.rows; col++)
            of_mask += met.count[label * met.cols + col];
        if (!of_truth)
            continue;
        *iou += (double)both / (double)(of_truth + of_mask - both) / (classes == 2 ? 1 : classes);
        left--;
    }
    return SEG_OK;
}

static seg_status check(seg_context *ctx, const seg_simulation *how) {
    const int classes = seg_truth_classes(how->truth);
    if (classes < 2)
        return seg_fail(ctx, SEG_ERR_INPUT, "its truth has %d label%s; at least two are needed", classes,
                        classes == 1 ? "" : "s");
    if (how->object_first && how->truth->labels != 2)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "the first click marks the object alone, so the truth must have the labels 1, object, and 2, "
                        "rest; this one has %d labels up to %d",
                        classes, how->truth->labels);
    if (!how->object_first && classes > how->most)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "its truth has %d labels, and each of them gets a click before the first mask: allow more than "
                        "%d click%s",
                        classes, how->most, how->most == 1 ? "" : "s");
    return SEG_OK;
}

seg_status seg_simulated_user_run(seg_context *ctx, const seg_simulation *how, seg_mask *mask, double *iou,
                                  int *clicks) {
    const seg_mask *truth = how->truth;
    SEG_RELEASED(seg_mask_free) seg_mask scribbles = {0};
    int found = 1;
    *clicks = 0;
    SEG_TRY(check(ctx, how));
    SEG_TRY(seg_mask_create(ctx, truth->width, truth->height, &scribbles));
    scribbles.labels = truth->labels;
    memcpy(scribbles.colour, truth->colour, sizeof scribbles.colour);
    /* Into each label, or into the first alone. */
    for (int label = 1, there; label <= SEG_MAX_LABELS && !(how->object_first && *clicks); label++) {
        SEG_TRY(click(ctx, truth->label, label, label, &scribbles, &there));
        *clicks += there;
    }
    memset(iou, 0, (size_t)*clicks * sizeof *iou); /* no mask yet */
    while (found) {
        seg_mask_free(mask);
        SEG_TRY(how->segment(ctx, how->data, &scribbles, mask));
        SEG_TRY(truth_iou(ctx, mask, truth, &iou[*clicks - 1]));
        if (*clicks == how->most)
            break;
        SEG_TRY(correct(ctx, truth, mask, &scribbles, &found));
        *clicks += found;
    }
    return SEG_OK;
}
