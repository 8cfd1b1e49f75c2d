/* A file as bytes, unpacked where it is packed with gzip. */
#ifndef SEG_VECTORS_LOAD_H
#define SEG_VECTORS_LOAD_H

#include <segment/context.h>

/* A 0 follows the bytes; the caller frees them. Never empty. */
seg_status seg_load(seg_context *ctx, const char *path, unsigned char **bytes, size_t *size);

/* What zlib packed, without a file around it; at most 1 GiB. The caller frees it. SEG_OK, SEG_ERR_INPUT,
 * SEG_ERR_MEMORY; *bytes is NULL on failure. */
seg_status seg_unpack(seg_context *ctx, const char *label, const unsigned char *packed, size_t packed_size,
                      unsigned char **bytes, size_t *size);

#endif
