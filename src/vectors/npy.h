/* NPY, the array format of NumPy (its enhancement proposal NEP 1). */
#ifndef SEG_VECTORS_NPY_H
#define SEG_VECTORS_NPY_H

#include "vectors/load.h"

#include <segment/matrix.h>

/* A stored number of `size` bytes. kind: 'f', 'i' or 'u'; big: most significant byte first. */
double seg_decode_number(const unsigned char *bytes, char kind, size_t size, int big);

/* The bytes begin as NPY does. */
int seg_npy_is(const unsigned char *bytes, size_t size);

/* Decode an array of one dimension (a column) or two. Every number is finite and at most
 * SEG_LARGEST_NUMBER in magnitude.
 * SEG_OK, SEG_ERR_INPUT, SEG_ERR_MEMORY; `out` is zeroed on failure. */
seg_status seg_npy_decode(seg_context *ctx, const char *label, const unsigned char *bytes, size_t size,
                          seg_matrix *out);

/* The same from a file, block by block, so that its bytes are never all in memory. The file is not mapped: if another
 * process shortened a mapped file, this one would end (SIGBUS); read like this, it is an input that is cut off. *whole
 * is 0, and nothing is read, if that is impossible: standard input, a pipe, a file that is not NPY (packed, text) or
 * has its columns side by side. stored: 1: float32 in this machine's order of bytes stays as it is. As seg_npy_decode;
 * SEG_ERR_IO. */
seg_status seg_npy_read_blocks(seg_context *ctx, const char *path, int stored, seg_matrix *out, int *whole);

/* What the header says. */
typedef struct seg_npy_layout {
    char kind;   /* 'f', 'i' or 'u' */
    size_t size; /* bytes of a number */
    int big;     /* most significant byte first */
    int fortran; /* columns side by side */
    size_t rows, cols;
    int dimensions;
    const char *label; /* of the file, for messages; borrowed */
    size_t data;       /* where the numbers begin in the file */
} seg_npy_layout;

/* The layout. Of the file's bytes only the header is read; file->size is the size of the whole file.
 * SEG_OK, SEG_ERR_INPUT. */
seg_status seg_npy_open(seg_context *ctx, const seg_loaded *file, seg_npy_layout *out);
/* The numbers are float32 in this machine's order of bytes. */
int seg_npy_is_float(const seg_npy_layout *l);
/* `count` numbers at `bytes` of an array with its rows one after the other, from the one with index `first`. SEG_OK,
 * SEG_ERR_INPUT (not finite, or too large). */
seg_status seg_npy_numbers(seg_context *ctx, const seg_npy_layout *l, const unsigned char *bytes, size_t first,
                           size_t count, double *out);

#endif
