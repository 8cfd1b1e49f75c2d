/* A file as bytes, unpacked where it is packed with gzip. */
#ifndef SEG_VECTORS_LOAD_H
#define SEG_VECTORS_LOAD_H

#include <segment/context.h>

/* A 0 follows the bytes; the caller frees them. Never empty. */
seg_status seg_load(seg_context *ctx, const char *path, unsigned char **bytes, size_t *size);

#endif
