/* Images that are read tile by tile, and the two passes over them. */
#ifndef SEG_PIPELINE_TILED_H
#define SEG_PIPELINE_TILED_H

#include <segment/tiled.h>

#include "image/formats/image_tiles.h"
#include "pipeline/run.h"

/* tiled_reduce.c, the first pass: the copy that features are computed on and the view, whole-number reductions of the
 * image by the two factors. Finds black and white of 16-bit samples. SEG_OK, as seg_tiled_read. */
seg_status seg_tiled_reduce(seg_context *ctx, seg_tiled_image *image, const char *path, int factor, int view_factor,
                            seg_image *copy, seg_image *view);

/* The source of pixels for the stages. */
typedef struct seg_tile_source {
    seg_tiled_image *image;
    const seg_image *copy; /* that features are computed on */
    const seg_label_rows *scribbles;
    int low, high; /* of the image, as seg_image has them */
} seg_tile_source;

/* tiled_refine.c, the second pass: the column of each pixel, in r->rows. SEG_OK, as seg_tiled_read. */
seg_status seg_tiled_refine(seg_context *ctx, seg_run *r);

#endif
