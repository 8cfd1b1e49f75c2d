/* Whole-number reduction by averaging. */
#ifndef SEG_IMAGE_SHRINK_H
#define SEG_IMAGE_SHRINK_H

#include <segment/image.h>

/* The image with `factor` x `factor` pixels averaged into one (fewer at the right and lower border): ceil(width /
 * factor) by ceil(height / factor), same depth, rounded. factor >= 1. SEG_OK, SEG_ERR_MEMORY. Cost O(pixels). */
seg_status seg_image_shrink(seg_context *ctx, const seg_image *image, int factor, seg_image *out);

/* The same of an image that comes some rows at a time. */
typedef struct seg_shrinker {
    int factor, width, height; /* of the image */
    int row;                   /* the next one of the image */
    uint64_t *sum;             /* of each reduced pixel of the row that is not complete; owned */
    seg_image out;             /* owned until the caller takes it */
} seg_shrinker;

/* SEG_OK, SEG_ERR_MEMORY; free `out` in either case. */
seg_status seg_shrinker_create(seg_context *ctx, int width, int height, int depth, int factor, seg_shrinker *out);
void seg_shrinker_free(seg_shrinker *shrinker);

/* The next rows of the image. What seg_image_shrink makes of the whole is in `out` after the last of them. */
void seg_shrinker_add(seg_context *ctx, const seg_image *rows, seg_shrinker *shrinker);

#endif
