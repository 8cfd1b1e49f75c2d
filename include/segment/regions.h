/** @file regions.h
 *  Measurements of the regions of a mask. Coordinates are corners of pixels, as in exports.h: the middle of the
 *  top left pixel is (0.5, 0.5). */
#pragma once

#include <segment/image.h>

/** @addtogroup images Images, strokes, masks
 *  @{ */

/** The region of one label, all pieces together; for a volume in all slices. Without pixels every field but
 *  the label is 0, and undefined ones are NAN. */
typedef struct seg_region {
    int label;           /**< 1..254 */
    int left;            /**< of the box, pixels */
    int top;             /**< likewise */
    int right;           /**< just beyond it */
    int bottom;          /**< just beyond it */
    size_t pixels;       /**< area */
    double share;        /**< of the mask's area, 0..1 */
    double x;            /**< centroid, pixels; NAN without pixels */
    double y;            /**< likewise */
    double outline;      /**< pixels: length of its outlines along the borders of pixels, holes and the
                              image's border included; the length of the polygons of seg_export_write() */
    double perimeter;    /**< pixels: the same for a smooth contour, from crossings in four directions (Cauchy-Crofton
                              formula) [legland2007]; within 2 % of 2 pi r for a disc of radius 20 or more */
    double colour[3];    /**< mean red, green and blue, 0..255, as in an overlay; NAN without an image or pixels */
    double probability;  /**< mean probability of the label, 0..1; NAN without probabilities or pixels */
    double z;            /**< centroid in slices, 0.5 in the middle of the first; NAN without pixels */
    int first;           /**< first slice, 0 for an image; x, y, box, outline and perimeter are within slices */
    int last;            /**< just beyond it */
    int64_t reserved[2]; /**< zeros: room for fields of later versions */
} seg_region;

/** Scores of the pixels, as in seg_result. */
typedef struct seg_region_scores {
    const float *probability;    /**< width * height * columns, the scores of a pixel side by side */
    const uint8_t *column_label; /**< label of each column */
    int columns;                 /**< 1..254 */
} seg_region_scores;

/** Measure every label of a mask.
 *  @param mask    labels 1..254, of an image or a volume; outline and perimeter of a volume are sums over its slices;
 *  pixels of 0 and SEG_VOID belong to no region
 *  @param image   of the mask's size, 8 or 16 bits per sample, for the colours; may be NULL
 *  @param scores  for the probabilities; may be NULL. Labels without a column have none
 *  @param out     SEG_MAX_LABELS regions, label l in out[l - 1]; every field is set
 *  @return SEG_OK, SEG_ERR_INPUT (sizes differ), SEG_ERR_CANCELLED. Cost O(pixels), no memory. */
SEG_API seg_status seg_regions_measure(seg_context *ctx, const seg_mask *mask, const seg_image *image,
                                       const seg_region_scores *scores, seg_region *out);

/** @} */
