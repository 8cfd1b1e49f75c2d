/* Allocation of masks, and checks of rows of pixels in a caller's memory. */
#ifndef SEG_IMAGE_MASK_H
#define SEG_IMAGE_MASK_H

#include <segment/image.h>

/* Allocate a mask of zeros with the default colours (seg_mask_default_colours). @return SEG_OK, SEG_ERR_USAGE (size
 * outside the limits), SEG_ERR_MEMORY. */
seg_status seg_mask_create(seg_context *ctx, int width, int height, seg_mask *out);

/* Check a caller's rows of `row_bytes` each and resolve *stride: 0 means that rows are contiguous. Row y begins at byte
 * y * *stride of `first`. SEG_OK or SEG_ERR_USAGE; `what` begins the message. */
seg_status seg_rows_check(seg_context *ctx, const char *what, const void *first, size_t row_bytes, int height,
                          ptrdiff_t *stride);

#endif
