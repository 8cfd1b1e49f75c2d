/** @file features.h
 *  From an image to one feature vector per patch. */
#pragma once

#include <segment/image.h>
#include <segment/matrix.h>

/** @addtogroup features Patches and features
 *  @{ */

/** The patches of an image: squares of `side` pixels from the top left; those at the right and lower border may be
 *  smaller. Patch (column c, row r) has index r * columns + c. A volume is its slices one below the other, in
 *  layers of one or more slices; each layer has its own patches. */
typedef struct seg_patch_grid {
    int width;    /**< of the image, pixels */
    int height;   /**< of the image, pixels */
    int side;     /**< of a patch, pixels, >= 1 */
    int columns;  /**< patches side by side, ceil(width / side) */
    int rows;     /**< patches one below the other, ceil(height / side); for a volume those of all layers */
    int slices;   /**< slices of a volume, each with height / slices rows of pixels; 0 or 1: an image */
    double apart; /**< distance of layers in pixels; 0: 1 */
} seg_patch_grid;

/** The kinds of features. seg_option_find("features")->choices has their names. */
typedef enum seg_feature_kind {
    SEG_FEATURE_MEAN = 0,      /**< mean of L, a, b over the patch; 3 columns, in CIELAB units / 100 */
    SEG_FEATURE_SPREAD,        /**< standard deviation of L, a, b over the patch; 3 columns, units as MEAN */
    SEG_FEATURE_POSITION,      /**< centre x, y divided by the longer side; 2 columns in 0..1 */
    SEG_FEATURE_HISTOGRAM,     /**< 8 bins each of R, G, B [chen2011npkl, Sec. 5.5]; 24 columns, a channel sums to 1 */
    SEG_FEATURE_LAB_HISTOGRAM, /**< 8 bins each of L, a, b (0..100, -64..64, -64..64, clamped); 24 columns */
    SEG_FEATURE_TEXTURE, /**< log-Gabor energies of L [field1987]: mean over the patch neighbourhood, compressed by x/(x
                            + median-like constant); 4 scales x 4 orientations = 16 columns */
    SEG_FEATURE_KINDS
} seg_feature_kind;

/** Features and their weights: every column of a kind is multiplied by its weight; 0 switches it off. */
typedef struct seg_feature_spec {
    double weight[SEG_FEATURE_KINDS]; /**< each >= 0 */
} seg_feature_spec;

/** @} */
