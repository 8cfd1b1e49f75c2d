/* Whole-number reduction by averaging of an image that comes some rows at a time. */
#ifndef SEG_IMAGE_SHRINK_ROWS_H
#define SEG_IMAGE_SHRINK_ROWS_H

#include <segment/image.h>

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
