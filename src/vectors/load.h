/* A file in memory, decompressed if it is a gzip file. */
#pragma once

#include <segment/context.h>

#include <stdlib.h>

typedef struct seg_loaded {
    const char *label; /* for messages; borrowed */
    unsigned char *at; /* the bytes, followed by a 0; owned */
    size_t size;       /* > 0 */
} seg_loaded;

static inline void seg_loaded_free(seg_loaded *file) {
    free(file->at);
    file->at = NULL;
}

/* Decompress gzip; to: empty but for its label. Returns as seg_load. */
seg_status seg_unpack(seg_context *ctx, const unsigned char *packed, size_t packed_size, seg_loaded *to);

/* Read a file. The caller frees `out`, empty after a failure. SEG_OK, SEG_ERR_IO, SEG_ERR_INPUT, SEG_ERR_MEMORY. */
seg_status seg_load(seg_context *ctx, const char *path, seg_loaded *out);
