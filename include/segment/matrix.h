/** @file matrix.h
 *  The two matrix types of the library. Dense matrices are row-major; row i of an n x d matrix is the i-th thing.
 */
#ifndef SEGMENT_MATRIX_H
#define SEGMENT_MATRIX_H

#include <segment/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Dense, row-major: entry (i, j) is at[i * cols + j]. */
typedef struct seg_matrix {
    size_t rows, cols;
    double *at; /**< rows * cols numbers; owned */
} seg_matrix;

/** Compressed sparse rows: the entries of row i are start[i] .. start[i+1]-1, columns ascending, none twice. */
typedef struct seg_csr {
    size_t rows, cols;
    size_t *start;   /**< rows + 1 offsets; owned */
    int32_t *column; /**< start[rows] column numbers; owned */
    double *value;   /**< start[rows] numbers; owned */
} seg_csr;

/** Allocate a matrix of zeros. @return SEG_OK, SEG_ERR_USAGE (rows*cols overflows), SEG_ERR_MEMORY. */
SEG_API seg_status seg_matrix_create(seg_context *ctx, size_t rows, size_t cols, seg_matrix *out);
/** Release what the matrix owns and zero it. */
SEG_API void seg_matrix_free(seg_matrix *matrix);
/** Allocate a sparse matrix with room for `entries` (start all zero). @return as seg_matrix_create. */
SEG_API seg_status seg_csr_create(seg_context *ctx, size_t rows, size_t cols, size_t entries, seg_csr *out);
/** Release what the matrix owns and zero it. */
SEG_API void seg_csr_free(seg_csr *matrix);

#ifdef __cplusplus
}
#endif
#endif
