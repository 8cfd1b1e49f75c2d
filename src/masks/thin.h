/* Thin structures whose strokes are wider than they are: vessels, wires, cracks. */
#ifndef SEG_MASKS_THIN_H
#define SEG_MASKS_THIN_H

#include "masks/pixel_scribbles.h"

#include <segment/image.h>

/* Beyond this, structures of up to 4 pixels are nothing that strokes mark. */
#define SEG_THIN_MOST_PIXELS ((size_t)1 << 20)

/* What the strokes tell of structures of one polarity that one of two labels marks. */
typedef struct seg_thin_evidence {
    int column;      /* the label whose strokes may be too wide; -1: there are none to tell by */
    int found;       /* 1: the mask became the structure */
    int bright;      /* 1: brighter than what is beside them, 0: darker */
    double share;    /* of its stroke pixels with a response above the bound */
    double contrast; /* their median response, divided by the bound */
    double alike;    /* share of its other stroke pixels whose colour is one of the other label's: of the pixels, or of
                        5 x 5 around them, the larger */
    double focus;   /* how far the response keeps to the label: the share, divided by that of the pixels within 6 of its
                       strokes, less 1; times the share in its region of the mask, divided by that in the other
                       label's, at most 4 */
    unsigned bound; /* that 95 % of the other label's stroke pixels do not pass */
} seg_thin_evidence;

/* 1 where the strokes of one label are a mixture of a thin structure and of what the other label marks; the bounds are
 * in docs/results.md, "Strokes wider than what they mark". */
int seg_thin_is_evident(const seg_thin_evidence *evidence);

/* Columns 0 and 1 have strokes, in an array; label (columns, width * height) is the mask so far. evidence: of the label
 * and polarity with the largest share. With `force`, or where that is evident, label becomes the structure: pixels
 * whose response passes the bound, pieces of fewer than 12 pixels without a stroke pixel removed, and the other label
 * everywhere else, the other label's strokes included. The response is the closing (of the
 * inverted image, where it is bright) by a disc of 5 pixels less the image, after slight smoothing, in whole numbers.
 * SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost O(pixels). */
seg_status seg_thin_settle(seg_context *ctx, const seg_image *photo, const seg_pixel_scribbles *scribbles, int force,
                           uint8_t *label, seg_thin_evidence *evidence);

#endif
