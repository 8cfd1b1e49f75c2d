/* Images of up to 64 channels: grey images one below the other in one image, as the slices of a volume are. */
#pragma once

#include <segment/features.h>

#define SEG_MAX_CHANNELS  64
#define SEG_CHANNEL_SHARE 0.001 /* of a channel's pixels that are black or white to the stages */

typedef struct seg_channels {
    const seg_image *stack; /* borrowed */
    int count;
    int left, top, width, height;    /* the part of every channel that is seen */
    double low[SEG_MAX_CHANNELS];    /* the sample that is 0 */
    double scale[SEG_MAX_CHANNELS];  /* (sample - low) * scale is up to 1; 0: the channel has one value */
    double signal[SEG_MAX_CHANNELS]; /* weight times the share of the variance that is not noise */
    double weight[SEG_MAX_CHANNELS]; /* the less, the more of it is noise */
} seg_channels;

/* Set low, scale and weight; `share` of the pixels will be below 0, and above 1. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_channels_stretch(seg_context *ctx, double share, seg_channels *channels);

/* The image of three channels that stages of pixels see: up to three channels themselves, in place of noise the mean of
 * all; of more the first three principal components, of which the first is lightness. The same bytes for any number of
 * threads. Free with seg_image_free. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_NUMERIC. */
seg_status seg_channels_guide(seg_context *ctx, const seg_channels *channels, seg_image *out);

/* Append the mean and the deviation of each channel in each patch. SEG_OK, SEG_ERR_MEMORY: X is as before. */
seg_status seg_channels_append(seg_context *ctx, const seg_channels *channels, const seg_patch_grid *grid,
                               const seg_feature_spec *spec, seg_matrix *X);

/* The features of a model of several images, made here: the position as X has it, and the mean and the deviation of
 * each channel. All channels have one scale, which cancels how long the image was exposed: a channel in which an image
 * shows nothing stays dark. `spec` becomes that of the position alone. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_channels_features(seg_context *ctx, const seg_channels *channels, const seg_patch_grid *grid,
                                 seg_feature_spec *spec, const seg_matrix *X, seg_matrix *out);

/* An image whose red, green and blue are these channels, from 1 on, from the 1st to the 99th percentile; 0: black. */
seg_status seg_channels_show(seg_context *ctx, const seg_image *stack, int channels, const int which[3],
                             seg_image *out);
