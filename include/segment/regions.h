/** @file regions.h
 *  What can be measured of the regions of a mask. Coordinates are corners of pixels, as in exports.h: the middle of the
 *  top left pixel is (0.5, 0.5). */
#pragma once

#include <segment/image.h>

/** @addtogroup images Images, strokes, masks
 *  @{ */

/** One label's region, all pieces together; of a volume in all slices. Without a pixel every field but the label is 0,
 * and those that are then undefined are NAN. */
typedef struct seg_region {
    int label;        /**< 1..254 */
    int left;         /**< of the box, pixels */
    int top;          /**< likewise */
    int right;        /**< just beyond it */
    int bottom;       /**< just beyond it */
    size_t pixels;    /**< area */
    double share;     /**< of the mask's area, 0..1 */
    double x;         /**< centroid, pixels; NAN without a pixel */
    double y;         /**< likewise */
    double outline;   /**< pixels: length of its outlines along the borders of pixels, holes and the image's border
                           included, which is the length of what seg_export_write() traces */
    double perimeter; /**< pixels: the same of a smooth contour, from the borders crossed in four directions (Cauchy and
                           Crofton's formula) [legland2007]; of a disc of radius 20 or more within 2 % of 2 pi r */
    double
        colour[3]; /**< mean red, green and blue, 0..255, as an overlay shows them; NAN without an image or a pixel */
    double probability;  /**< mean of the label's own probability, 0..1; NAN without probabilities or a pixel */
    double z;            /**< centroid in slices, 0.5 in the middle of the first; NAN without a pixel */
    int first;           /**< slice, 0 of an image; x and y, the box, outline and perimeter are in the slices */
    int last;            /**< just beyond it */
    int64_t reserved[2]; /**< zeros: room for fields of later versions */
} seg_region;

/** Scores of the pixels, as seg_result has them. */
typedef struct seg_region_scores {
    const float *probability;    /**< width * height * columns, the scores of a pixel side by side */
    const uint8_t *column_label; /**< label of each column */
    int columns;                 /**< 1..254 */
} seg_region_scores;

/** Measure every label of a mask.
 *  @param mask    labels 1..254, of an image or a volume; outline and perimeter of a volume are sums over its slices;
 * pixels of 0 and SEG_VOID are in no region
 *  @param image   of the mask's size, 8 or 16 bits per sample, for the colours; may be NULL
 *  @param scores  for the probabilities; may be NULL. Labels without a column have none
 *  @param out     SEG_MAX_LABELS regions, that of label l in out[l - 1]; every field is set
 *  @return SEG_OK, SEG_ERR_INPUT (sizes differ), SEG_ERR_CANCELLED. Cost O(pixels), no memory. */
SEG_API seg_status seg_regions_measure(seg_context *ctx, const seg_mask *mask, const seg_image *image,
                                       const seg_region_scores *scores, seg_region *out);

/** @} */
