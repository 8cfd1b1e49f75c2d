/* Rows of pixels in a caller's memory. */
#ifndef SEG_IMAGE_ROWS_H
#define SEG_IMAGE_ROWS_H

#include <segment/image.h>

/* Check a caller's rows of `row_bytes` each and resolve *stride, where 0 says that rows touch. Row y begins at byte
 * y * *stride of `first`. SEG_OK or SEG_ERR_USAGE; `what` begins the sentence. */
seg_status seg_rows_check(seg_context *ctx, const char *what, const void *first, size_t row_bytes, int height,
                          ptrdiff_t *stride);

#endif
