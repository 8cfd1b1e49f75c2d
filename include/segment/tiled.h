/** @file tiled.h
 *  Segmentation of images that do not fit into memory: libvips reads a TIFF file tile by tile, once for the
 *  features of the patches and once for the borders between regions, and the mask is written as a tiled TIFF. */
#pragma once

#include <segment/photo.h>

/** @addtogroup main_job From image to mask
 *  @{ */

/** A job. */
typedef struct seg_tiled_job {
    const char *image;          /**< TIFF file */
    const char *scribbles;      /**< file of scribbles, or NULL: an image or array with the same aspect
                                   ratio, or shapes (GeoJSON, labelme, COCO) in its coordinates */
    const seg_labelmap *map;    /**< for colour strokes and names of shapes, or NULL */
    const seg_options *options; /**< patch, reduce, probability, uncertainty 0, model NULL, not SEG_GRAPH_FULL */
    const char *mask;           /**< tiled TIFF to write, as seg_mask_write() does with SEG_MASK_TIFF, or NULL */
    int64_t reserved[8];        /**< zeros: room for fields of later versions, of which 0 is the default */
} seg_tiled_job;

/** Segment an image by tiles. The mask has the same bytes as that of seg_segment_photo() for the same image,
 *  scribbles, options and seed without a memory limit, except that thin structures are detected in a reduced copy of
 *  images of 0.6 to 1 megapixels.
 *  @param job  what to do
 *  @param view  the image reduced by averaging squares of pixels; to be freed with seg_image_free(); NULL: none
 *  @param out  as in seg_segment_photo(), without arrays; its mask has, per pixel of the view, the label in
 *  the middle of its square; to be freed with seg_result_free(); NULL on failure
 *  @return SEG_OK, SEG_ERR_USAGE (options that tiles do not allow: the message names them), SEG_ERR_IO, SEG_ERR_INPUT,
 *  SEG_ERR_CONTRADICTION, SEG_ERR_MEMORY, SEG_ERR_LIMIT, SEG_ERR_CANCELLED; on failure no mask is written. Cost: each
 *  tile is decoded once, those near borders twice or, at the edges of windows of 2048 pixels, up to four times
 *  more. Memory: about a hundred megabytes; 20 bytes per run of equal labels in the rows of mask and scribbles; rows
 *  of tiles, 2048 x width bytes; for strips 2048 x width pixels. The same bytes for any number of threads. */
SEG_API seg_status seg_segment_tiled(seg_context *ctx, const seg_tiled_job *job, seg_image *view, seg_result **out);
/** @} */
