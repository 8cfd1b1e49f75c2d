/* Passes over the mask that look at the photo: outlines, padding, and thin structures. */
#pragma once

#include "masks/refine.h"

/* The slices of a volume, or an image: one. */
typedef struct seg_photo_slices {
    const seg_image *image;
    int slices;
    double spacing; /* of slices, in pixels */
} seg_photo_slices;

/* Move the borders between columns to where the colours on their sides meet. Twice: a pixel whose window of 11 x 11
 * pixels has several columns gets the one that local linear regressions of the columns on the colours say, of two the
 * linear discriminant of the window's colours [he2013guided]. In a volume four times, with windows of 5 x 5 pixels in
 * as many slices as make a cube, and colours smoothed by a pixel. Marked pixels keep theirs. label: width * height;
 * changed: 1 if a pixel got another column, else 0. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost O(pixels near
 * borders * columns there); 4 bytes per pixel, 2 of a grey image. The same bytes for any number of threads. */
seg_status seg_outline_settle(seg_context *ctx, const seg_photo_slices *photo, const seg_pixel_scribbles *scribbles,
                              uint8_t *label, size_t *changed);

/* Share of the image's pixels; smaller areas are not changed. */
#define SEG_PADDING_LEAST_SHARE 0.01

/* Images with more pixels are not changed: those read by tiles do not keep their pixels. */
#define SEG_PADDING_MOST_PIXELS 625000

/* An area of one colour has no evidence of where a border should run. Each connected area (4-neighbourhood) of pixels
 * of exactly one colour that touches the frame and has pixels of several labels, no stroke, a colour that fewer than
 * one in 100 of any label's stroke pixels have, and at least SEG_PADDING_LEAST_SHARE of the image's pixels gets the
 * label that most of its border touches, the smallest of equals; all areas are judged by the labels as passed. label:
 * columns, below 254, width * height; the strokes must be in an array if there are any. changed: pixels that got
 * another label. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost O(pixels) for each area with several labels, at most
 * 100 areas; 5 bytes per pixel. */
seg_status seg_padding_settle(seg_context *ctx, const seg_image *photo, const seg_pixel_scribbles *scribbles,
                              uint8_t *label, size_t *changed);

/* Larger images are looked at in the copy that their features are made from. */
#define SEG_THIN_MOST_PIXELS ((size_t)1 << 20)

/* Evidence of the strokes for a thin structure of one polarity and width that one of two labels marks. */
typedef struct seg_thin_evidence {
    int column;      /* the label whose strokes may be too wide; -1: the strokes cannot be judged */
    int found;       /* 1: the mask became the structure */
    int times;       /* 1 to 4: the structure is seen by a disc of 5, 9, 13 or 17 pixels of the photo */
    int bright;      /* 1: structures are brighter than the pixels beside them, 0: darker */
    double share;    /* share of its stroke pixels with a response above the bound */
    double contrast; /* their median response, divided by the bound */
    double alike; /* share of its other stroke pixels with a colour of the other label: the larger one of single pixels
                     and of means of 5 x 5 */
    double focus; /* concentration of the response on the label: the share divided by that of the pixels within 6 times
                     `times` of its strokes, minus 1; times the share in its region of the mask divided by that in the
                     other label's, at most 4; 0: another measure is too small */
    unsigned bound; /* response that 95 % of the other label's stroke pixels do not exceed */
    unsigned edge; /* the bound, or 0.14 of the response that 90 % of its stroke pixels above the bound do not exceed */
} seg_thin_evidence;

/* 1 where the strokes of one label cover both a thin structure and pixels like those that the other label marks; the
 * bounds are in docs/results.md, "Strokes wider than what they mark". */
int seg_thin_is_evident(const seg_thin_evidence *evidence);

/* The image that is looked at, a pixel of which is the mean of `factor` x `factor` of the photo; 1: the photo. */
typedef struct seg_photo_copy {
    const seg_image *image;
    int factor;
} seg_photo_copy;

/* Columns 0 and 1 have strokes; rows: the columns of the mask so far. evidence: of the label, polarity and disc with
 * the greatest contrast among those that suffice, else with the largest share; discs from 9 pixels on have at most a
 * 32nd of the photo's side, the root of its pixels, and the strokes of each label cover at least 12 squares as wide.
 * With `force`, or where the evidence suffices, the mask becomes the structure: the pixels with a response above the
 * edge, without pieces of fewer than 12 (times * factor)^2 pixels that contain no stroke pixel; all other pixels, and
 * the strokes of the other label, get the other label. The response is the closing (of the inverted image, where it is
 * bright) by a disc minus the photo, after slight smoothing, in integers, and interpolated between the pixels of a
 * copy. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost O(pixels of the photo), O(pixels of the mask) if it changes; 22
 * bytes per pixel of the photo. */
seg_status seg_thin_settle(seg_context *ctx, seg_photo_copy photo, const seg_pixel_scribbles *scribbles, int force,
                           seg_label_rows *rows, seg_thin_evidence *evidence);
