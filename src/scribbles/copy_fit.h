/* How a changed copy of the image (desaturated, brightened, darkened, faded, of fewer colours) follows from it. */
#ifndef SEG_SCRIBBLES_COPY_FIT_H
#define SEG_SCRIBBLES_COPY_FIT_H

#include "scribbles/scribbles.h"

#define SEG_COPY_TERMS 5 /* red, green, blue, their largest, their smallest */
#define SEG_COPY_KNOTS 129
#define SEG_COPY_SPAN  4 /* values between two knots */

/* Per channel: a weighted sum of the terms, then a curve. The sum is a mixture of the channel and of a grey as programs
 * make it (luma, mean, value, lightness): a change of saturation. The curve is brightness, contrast, gamma and what is
 * cut off at black and white. */
typedef struct seg_copy_fit {
    double weight[3][SEG_COPY_TERMS];
    double shift[3][SEG_COPY_KNOTS]; /* of the curve at -128 + SEG_COPY_SPAN * knot */
} seg_copy_fit;

/* The colour that the copy has where the image has this one. */
uint32_t seg_copy_colour(const seg_copy_fit *fit, uint32_t colour);

/* A raster beside the image of the same size that it may be a copy of. */
typedef struct seg_copy_pair {
    const seg_raster *raster;
    const seg_image *photo;
    unsigned least; /* opacity from which a pixel counts */
    uint32_t apart; /* a colour that does not count, UINT32_MAX: none */
    int apart_near; /* nor those that are as near to it */
} seg_copy_pair;

static inline int seg_copy_counts(const seg_copy_pair *pair, size_t pixel) {
    return seg_raster_visible(pair->raster, pixel, pair->least) &&
           (pair->apart == UINT32_MAX ||
            seg_colour_distance(seg_raster_colour(pair->raster, pixel), pair->apart) > pair->apart_near);
}

/* Fit the raster to the image, by medians over a sample of the pixels that count, so that strokes of up to two pixels
 * in five do not matter: for each grey and several saturations the curve, and of these the fit that most of the sample
 * is nearest to.
 * @param noise  the median distance of the sample from the fit, of the largest channel
 * @param explained  the share of the variance of that part that the fit explains, 0..1; 0 for a negative of the image
 */
seg_status seg_copy_fit_find(seg_context *ctx, const seg_copy_pair *pair, seg_copy_fit *out, double *noise,
                             double *explained);

#endif
