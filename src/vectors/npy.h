/* NPY, the array format of NumPy (its enhancement proposal NEP 1). */
#pragma once

#include "vectors/load.h"

#include <segment/matrix.h>

/* 1 if the bytes begin with the magic string of NPY. */
int seg_npy_is(const unsigned char *bytes, size_t size);

/* nrrd.c: if the bytes are a file of NRRD, raw or gzip, they become one of NPY, allocated by the context; others stay.
 * *apart, if not NULL: the distance of slices in units of that of columns, 1 where it is not stated. SEG_OK,
 * SEG_ERR_INPUT, SEG_ERR_MEMORY. */
seg_status seg_nrrd_to_npy(seg_context *ctx, const char *label, unsigned char **bytes, size_t *size, double *apart);

/* Decode an array of one dimension (a column) or two. Every number is finite and at most SEG_LARGEST_NUMBER in
 * magnitude. SEG_OK, SEG_ERR_INPUT, SEG_ERR_MEMORY; `out` is zeroed on failure. */
seg_status seg_npy_decode(seg_context *ctx, const char *label, const unsigned char *bytes, size_t size,
                          seg_matrix *out);

/* The same from a file, block by block, so that its bytes are never all in memory. The file is not mapped: if another
 * process truncated a mapped file, SIGBUS would end this one; here, truncation is an input error. *whole is 0, and
 * nothing is read, if that is impossible: standard input, a pipe, a file that is small, not NPY (gzip, text) or in
 * Fortran order. stored: 1: float32 in native byte order stays float32. Returns as seg_npy_decode, or SEG_ERR_IO. */
seg_status seg_npy_read_blocks(seg_context *ctx, const char *path, int stored, seg_matrix *out, int *whole);

/* The contents of the header. */
typedef struct seg_npy_layout {
    char kind;   /* 'f', 'i', 'u', or 'b': false and true are 0 and 1 */
    size_t size; /* bytes per number */
    int big;     /* most significant byte first */
    int fortran; /* 1: Fortran order (column by column) */
    size_t rows, cols;
    int dimensions;
    size_t slices;     /* of four dimensions the first, which multiplies rows; else 1 */
    size_t planes;     /* of three or four dimensions the last, which multiplies cols; else 1 */
    const char *label; /* of the file, for messages; borrowed */
    size_t data;       /* offset of the numbers in the file, bytes */
} seg_npy_layout;

/* As seg_npy_decode, an array of three or four dimensions, `most` at most; its layout says what out's rows are. */
seg_status seg_npy_decode_planes(seg_context *ctx, const seg_loaded *file, int most, seg_matrix *out,
                                 seg_npy_layout *layout);

/* Read the layout of an array of up to `most` dimensions, 4 at most. Only the header needs to be in memory; file->size
 * is the size of the whole file. SEG_OK, SEG_ERR_INPUT. */
seg_status seg_npy_open(seg_context *ctx, const seg_loaded *file, int most, seg_npy_layout *out);

/* A number of the array, in the file's memory: SEG_ERR_INPUT, with a message, if it is not finite or too large. */
seg_status seg_npy_number(seg_context *ctx, const seg_npy_layout *layout, const unsigned char *file, const size_t at[3],
                          double *out);
