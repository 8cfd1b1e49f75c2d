/* Bytes as text in a page. */
#ifndef SEG_EVALUATION_SETS_BASE64_H
#define SEG_EVALUATION_SETS_BASE64_H

#include <segment/context.h>

/* "data:TYPE;base64,..."; to be freed, NULL if out of memory. [RFC 4648] */
char *seg_data_uri(seg_context *ctx, const char *type, const unsigned char *bytes, size_t size);

#endif
