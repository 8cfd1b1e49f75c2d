/* Whole-number reduction by averaging. */
#pragma once

#include <segment/image.h>

/* The image with `factor` x `factor` pixels averaged into one (fewer at the right and lower border): ceil(width /
 * factor) by ceil(height / factor), same depth, rounded. factor >= 1. The slices of a volume are
 * reduced by themselves; one slice is an image. SEG_OK, SEG_ERR_MEMORY. Cost O(pixels). */
typedef struct seg_stack {
    int slices, deep; /* one below the other; how many become one, their mean */
} seg_stack;
seg_status seg_image_shrink(seg_context *ctx, const seg_image *image, seg_stack stack, int factor, seg_image *out);

/* The same for an image that arrives some rows at a time. */
typedef struct seg_shrinker {
    int factor, width, height; /* of the image */
    int row;                   /* next row of the image */
    uint64_t *sum;             /* 3 per reduced pixel of the incomplete row; owned */
    seg_image out;             /* owned until the caller takes it */
} seg_shrinker;

/* SEG_OK, SEG_ERR_MEMORY; free `out` in either case. */
seg_status seg_shrinker_create(seg_context *ctx, int width, int height, int depth, int factor, seg_shrinker *out);
void seg_shrinker_free(seg_shrinker *shrinker);

/* Add the next rows of the image. After the last rows, `out` has the same pixels as from seg_image_shrink. */
void seg_shrinker_add(seg_context *ctx, const seg_image *rows, seg_shrinker *shrinker);
