/** @file vectors.h
 *  Reading vectors, labels, graphs and kernels, and writing labels. Every file may be compressed with gzip, `-`
 *  is standard input; formats are recognised by content (NPY by its first bytes), never by name. Reading is strict:
 *  a field that is not a number is refused with file and line, so a shifted column is never read as a feature. */
#pragma once

#include <segment/matrix.h>

/** @addtogroup tables Matrices, vectors and labels in files
 *  @{ */

#define SEG_MAX_CLASSES 65535 /**< different labels in one file; the limit of seg_contingency_count */

/** Which column of a table has the labels. */
typedef enum seg_label_column {
    SEG_LABELS_NONE = 0,   /**< none: every column is a feature */
    SEG_LABELS_FIRST,      /**< the first */
    SEG_LABELS_LAST,       /**< the last */
    SEG_LABELS_NONE_STORED /**< as NONE, but a large float32 table stays in
                                single precision, for seg_problem.features: NPY in C order and native byte
                                order, in an uncompressed file of more than 128 KiB. Memory besides `out`: 1 MiB */
} seg_label_column;

/** Known classes of samples. */
typedef struct seg_labels {
    size_t n;       /**< samples */
    int classes;    /**< different labels */
    int32_t *label; /**< n entries 0..classes-1, numbered in the order of the labels' values: as numbers
                       if all are numbers below 2^53 (1 and 1.0 are equal), else by bytes; owned */
    char **name;    /**< `classes` texts as in the file; owned, one block */
    char **column;  /**< names of the features of a table with a header, else NULL; owned, one block */
} seg_labels;

/** Read a table of numbers, one sample per row: text or NPY (docs/formats.md).
 *  @param path  file to read
 *  @param column  the column of labels, if any; the others are features
 *  @param out     samples x features, all finite and of magnitude at most SEG_LARGEST_FEATURE; for NONE_STORED `single`
 *  has them if they stay in single precision, else `at`. Free with seg_matrix_free
 *  @param labels  the labels and the names of the columns; free with seg_labels_free; zeroed on failure. May be NULL
 *  without a column of labels
 *  @return SEG_OK, SEG_ERR_IO, SEG_ERR_INPUT (missing value, no number, infinite, ragged row, no row, damaged or
 *  truncated, above 1 GiB uncompressed unless it is NPY in C order; with the line's number), SEG_ERR_MEMORY.
 *  Cost O(bytes). */
SEG_API seg_status seg_vectors_read(seg_context *ctx, const char *path, seg_label_column column, seg_matrix *out,
                                    seg_labels *labels);

/** Read labels: a text or a column of NPY (docs/formats.md).
 *  @param path  file to read
 *  @param out  free with seg_labels_free; zeroed on failure
 *  @param n  samples; any other number of labels is refused
 *  @return as seg_vectors_read */
SEG_API seg_status seg_labels_read(seg_context *ctx, const char *path, size_t n, seg_labels *out);
/** Release the labels and zero them.
 *  @param labels  NULL and zeroed ones are fine */
SEG_API void seg_labels_free(seg_labels *labels);

/** Write labels by the extension: `.csv` (header and `sample,label` lines, samples from 0), `.npy` (int64), else
 *  one per line. Written as carefully as by seg_mask_write; `-` is standard output.
 *  @param path  file to write
 *  @param label  n labels
 *  @param n  samples
 *  @return SEG_OK, SEG_ERR_IO, SEG_ERR_MEMORY. */
SEG_API seg_status seg_labels_write(seg_context *ctx, const char *path, const int32_t *label, size_t n);

/** Write an array of 1 to 3 dimensions of single-precision numbers in C order as NPY, as carefully as
 *  seg_mask_write.
 *  @param path  file to write
 *  @param dimensions  1 .. 3
 *  @param shape  `dimensions` extents
 *  @param at  the numbers
 *  @return SEG_OK, SEG_ERR_IO, SEG_ERR_MEMORY. */
SEG_API seg_status seg_npy_write_floats(seg_context *ctx, const char *path, int dimensions, const size_t *shape,
                                        const float *at);

/** Write a matrix: NPY (float64, C order) if the name ends in .npy, else CSV that reproduces the
 *  doubles.
 *  @param path  file to write, - standard output
 *  @param matrix  the matrix
 *  @param squared  1: write the kernel Z Z' (n x n, row by row) of the given factor Z, such as
 *  seg_clustering.embedding. 0: write the matrix
 *  @return as seg_labels_write; SEG_ERR_CANCELLED. Cost O(n r), for a kernel O(n^2 r) */
SEG_API seg_status seg_matrix_write(seg_context *ctx, const char *path, const seg_matrix *matrix, int squared);

#define SEG_BASE_DETECT (-1) /**< nodes are counted from 0 if a 0 occurs, else from 1 */

/** Read an undirected graph: lines `i j` or `i j weight` (docs/formats.md). Edges from a node to itself are ignored
 * with a warning.
 *  @param path  file to read
 *  @param base   0 or 1, the number of the first node, or SEG_BASE_DETECT, which becomes the 0 or 1 that was found;
 * kept on failure
 *  @param nodes  number of nodes, 0 = up to the largest that occurs
 *  @param out    n x n, symmetric, no diagonal, weights above 0
 *  @return as seg_vectors_read; SEG_ERR_USAGE (base). Cost O(bytes + nodes). */
SEG_API seg_status seg_edges_read(seg_context *ctx, const char *path, int *base, size_t nodes, seg_csr *out);

/** Read a kernel matrix (a table or NPY as for seg_vectors_read): n x n similarities of magnitude up to 1e100,
 *  symmetric to 1e-8 of the largest entry (made exactly symmetric). Matrices that are obviously not positive
 *  semidefinite are refused: a negative diagonal entry, or K_ij^2 > K_ii K_jj, as in a matrix of distances.
 *  @param path  file to read
 *  @param out  free with seg_matrix_free; zeroed on failure
 *  @return as seg_vectors_read */
SEG_API seg_status seg_kernel_read(seg_context *ctx, const char *path, seg_matrix *out);

/** How the columns of a table are scaled. */
typedef enum seg_scaling {
    SEG_SCALING_NONE = 0,     /**< not scaled */
    SEG_SCALING_STANDARDISED, /**< every column shifted and scaled to mean 0 and standard deviation 1 (over n, not n -
                                 1); a constant column becomes 0, as does
                                 one whose deviation is rounding error */
    SEG_SCALING_TF_IDF        /**< for n documents x terms [salton1988weighting]: a count
                                   tf of a term in df documents becomes tf log(n / df), and each row is then scaled
                                   to length one (docs/formats.md) */
} seg_scaling;

/** Scale the columns of a table. Cost O(rows * cols).
 *  @param scaling  the scaling
 *  @param matrix  changed in place (by TF_IDF also on failure)
 *  @return SEG_OK, SEG_ERR_USAGE (no such scaling), SEG_ERR_INPUT (TF_IDF: a negative or infinite number;
 *  all weights are 0, as with one document), SEG_ERR_MEMORY */
SEG_API seg_status seg_scale(seg_context *ctx, seg_scaling scaling, seg_matrix *matrix);

/** @} */
