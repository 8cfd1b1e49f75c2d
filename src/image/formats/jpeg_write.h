/* Images as JPEG, for reports: small, and nothing is measured on them. */
#ifndef SEG_IMAGE_FORMATS_JPEG_WRITE_H
#define SEG_IMAGE_FORMATS_JPEG_WRITE_H

#include <segment/image.h>

/* Encode an 8-bit image, quality 1..100; *bytes is the caller's (free). SEG_OK, SEG_ERR_USAGE (16 bits),
 * SEG_ERR_MEMORY. The same bytes for the same pixels. */
seg_status seg_jpeg_encode(seg_context *ctx, const seg_image *image, int quality, unsigned char **bytes, size_t *size);

#endif
