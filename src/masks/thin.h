/* Thin structures with strokes wider than the structure: vessels, wires, cracks. */
#ifndef SEG_MASKS_THIN_H
#define SEG_MASKS_THIN_H

#include "masks/pixel_scribbles.h"

#include <segment/image.h>

/* In larger images, structures of up to 4 pixels are too thin to be what strokes mark. */
#define SEG_THIN_MOST_PIXELS ((size_t)1 << 20)

/* Evidence of the strokes for a thin structure of one polarity that one of two labels marks. */
typedef struct seg_thin_evidence {
    int column;      /* the label whose strokes may be too wide; -1: the strokes cannot be judged */
    int found;       /* 1: the mask became the structure */
    int bright;      /* 1: structures are brighter than the pixels beside them, 0: darker */
    double share;    /* share of its stroke pixels with a response above the bound */
    double contrast; /* their median response, divided by the bound */
    double alike; /* share of its other stroke pixels with a colour of the other label: the larger one of single pixels
                     and of means of 5 x 5 */
    double focus; /* concentration of the response on the label: the share divided by that of the pixels within 6 of its
                     strokes, minus 1; times the share in its region of the mask divided by that in the other label's,
                     at most 4 */
    unsigned bound; /* response that 95 % of the other label's stroke pixels do not exceed */
} seg_thin_evidence;

/* 1 where the strokes of one label cover both a thin structure and pixels like those that the other label marks; the
 * bounds are in docs/results.md, "Strokes wider than what they mark". */
int seg_thin_is_evident(const seg_thin_evidence *evidence);

/* Columns 0 and 1 have strokes, in an array; label (columns, width * height) is the mask so far. evidence: of the label
 * and polarity with the largest share. With `force`, or where the evidence suffices, label becomes the structure: the
 * pixels with a response above the bound, without pieces of fewer than 12 pixels that contain no stroke pixel; all
 * other pixels, and the strokes of the other label, get the other label. The response is the closing (of the inverted
 * image, where it is bright) by a disc of 5 pixels minus the image, after slight smoothing, in integers. SEG_OK,
 * SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost O(pixels). */
seg_status seg_thin_settle(seg_context *ctx, const seg_image *photo, const seg_pixel_scribbles *scribbles, int force,
                           uint8_t *label, seg_thin_evidence *evidence);

#endif
