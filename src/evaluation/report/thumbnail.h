/* Small pictures for pages, as data URIs. To be freed; NULL on failure, with the message set. */
#ifndef SEG_EVALUATION_REPORT_THUMBNAIL_H
#define SEG_EVALUATION_REPORT_THUMBNAIL_H

#include <segment/image.h>

#define SEG_THUMBNAIL_SIDE 320 /* longest side, pixels */

/* "data:TYPE;base64,..." [RFC 4648]. */
char *seg_data_uri(seg_context *ctx, const char *type, const unsigned char *bytes, size_t size);

/* JPEG. */
char *seg_thumbnail_photo(seg_context *ctx, const seg_image *photo);

#endif
