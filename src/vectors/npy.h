/* NPY, the array format of NumPy (its enhancement proposal NEP 1). */
#ifndef SEG_VECTORS_NPY_H
#define SEG_VECTORS_NPY_H

#include <segment/matrix.h>

/* The bytes begin as NPY does. */
int seg_npy_is(const unsigned char *bytes, size_t size);

/* Decode an array of one dimension (a column) or two. Every number is finite and at most
 * SEG_LARGEST_NUMBER in magnitude.
 * SEG_OK, SEG_ERR_INPUT, SEG_ERR_MEMORY; `out` is zeroed on failure. */
seg_status seg_npy_decode(seg_context *ctx, const char *label, const unsigned char *bytes, size_t size,
                          seg_matrix *out);

/* The same from a file, block by block: the file's bytes are not all in memory at any time. Not mapped: a mapped file
 * that another process makes shorter ends this one (SIGBUS), here it is an input that is cut off. *whole is 0, and
 * nothing is read, where that cannot be: standard input, a pipe, a file that is not NPY (packed, text) or has its
 * columns side by side. stored: 1: float32 in this machine's order of bytes stays as it is. As seg_npy_decode;
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
} seg_npy_layout;

/* The layout, and where the numbers begin. Of `bytes` no more than the header is looked at; `size` is the whole file's.
 * SEG_OK, SEG_ERR_INPUT. */
seg_status seg_npy_open(seg_context *ctx, const char *label, const unsigned char *bytes, size_t size,
                        seg_npy_layout *out, size_t *data);
/* The numbers are float32 in this machine's order of bytes. */
int seg_npy_is_float(const seg_npy_layout *l);
/* One number; its place is for the message. SEG_OK, SEG_ERR_INPUT (not finite, or too large). */
seg_status seg_npy_number(seg_context *ctx, const char *label, const unsigned char *bytes, const seg_npy_layout *l,
                          size_t row, size_t column, double *out);

/* `count` numbers of an array with its rows one after the other, from the one with index `first`. As seg_npy_number. */
seg_status seg_npy_numbers(seg_context *ctx, const char *label, const unsigned char *bytes, const seg_npy_layout *l,
                           size_t first, size_t count, double *out);

/* The same where seg_npy_is_float says so, and `at` holds them already: nothing but the check. */
seg_status seg_npy_check_floats(seg_context *ctx, const char *label, const seg_npy_layout *l, size_t first,
                                size_t count, const float *at);

#define SEG_NPY_TEXT 24 /* bytes of a 64-bit whole number in decimal notation */

/* A column of 64-bit whole numbers with all its digits, which doubles round beyond 2^53: SEG_NPY_TEXT bytes per row,
 * ended by 0. The file is one that seg_npy_decode has read. *whole: 0 where its numbers are of another type, and
 * nothing is written then. SEG_OK, SEG_ERR_INPUT. */
seg_status seg_npy_whole_column(seg_context *ctx, const char *label, const unsigned char *bytes, size_t size,
                                size_t column, char *text, int *whole);

#endif
