/** @file matrix.h
 *  The matrix types of the library. Dense matrices are row-major; row i of an n x d matrix is the i-th sample. */
#pragma once

#include <segment/context.h>

/** @addtogroup tables Matrices, vectors and labels in files
 *  @{ */

/** The largest magnitude of a number in feature vectors. Larger ones are refused; down to the
 *  smallest normal numbers, results do not depend on the unit of the vectors. */
#define SEG_LARGEST_FEATURE 1e200

/** Dense, row-major: entry (i, j) is at[i * cols + j]. For features in memory, call seg_matrix_create()
 *  and fill `at`; or, if they are doubles in this order, set `at` to their address: calls borrow const arguments,
 *  and memory that the library did not allocate must not be given to seg_matrix_free().
 *
 *  seg_problem.features may be in single precision, like a float32 table: then `at` is NULL and `single`
 *  has the numbers, in half the memory. Other calls take doubles. The struct keeps its size. */
typedef struct seg_matrix {
    size_t rows;   /**< samples */
    size_t cols;   /**< numbers per sample */
    double *at;    /**< rows * cols numbers; owned */
    float *single; /**< the numbers if `at` is NULL; owned */
} seg_matrix;

/** Compressed sparse rows: the entries of row i are start[i] .. start[i+1]-1, columns ascending, without duplicates. */
typedef struct seg_csr {
    size_t rows;     /**< 0 or more */
    size_t cols;     /**< 0 or more */
    size_t *start;   /**< rows + 1 offsets; owned */
    int32_t *column; /**< start[rows] column numbers; owned */
    double *value;   /**< start[rows] numbers; owned */
} seg_csr;

/** Allocate a matrix of zeros.
 *  @param rows  0 or more
 *  @param cols  0 or more
 *  @param out  free with seg_matrix_free; zeroed on failure
 *  @return SEG_OK, SEG_ERR_USAGE (rows*cols overflows), SEG_ERR_MEMORY. */
SEG_API seg_status seg_matrix_create(seg_context *ctx, size_t rows, size_t cols, seg_matrix *out);
/** Release what the matrix owns and zero it.
 *  @param matrix  NULL and zeroed ones are fine */
SEG_API void seg_matrix_free(seg_matrix *matrix);
/** Release what the matrix owns and zero it.
 *  @param matrix  NULL and zeroed ones are fine */
SEG_API void seg_csr_free(seg_csr *matrix);

/** @} */
