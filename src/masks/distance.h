/* Distance transforms: to marked pixels, and to the border of a region. */
#pragma once

#include <segment/features.h>

/* Squared Euclidean distance, in pixels, from each pixel to the nearest one with marked[p] != 0; at least one pixel
 * must be marked. Two exact passes of lower envelopes of parabolas [felzenszwalb2012distance, Alg. 1]. SEG_OK or
 * SEG_ERR_MEMORY. Cost O(pixels). */
seg_status seg_distance_to(seg_context *ctx, const uint8_t *marked, int width, int height, double *distance2);

/* Likewise from each pixel with inside[p] != 0 to the nearest pixel outside; everything beyond the image is outside.
 * The distance is 0 outside. */
seg_status seg_distance_inside(seg_context *ctx, const uint8_t *inside, int width, int height, double *distance2);

/* seg_distance_to of patches, in units of a patch's side: within the slices of a volume and between them. */
seg_status seg_patch_distances(seg_context *ctx, const uint8_t *marked, const seg_patch_grid *grid, double *distance2);
