/** @file graph.h
 *  Affinity graphs of feature vectors and their smoothest eigenvectors. */
#ifndef SEGMENT_GRAPH_H
#define SEGMENT_GRAPH_H

#include <segment/features.h>
#include <segment/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup graphs Graphs and their spectra
 *  @{ */

/** Which nodes are joined. */
typedef enum seg_graph_kind {
    SEG_GRAPH_KNN = 1,  /**< i ~ j where either is (`mutual`: both are) among the other's nearest neighbours */
    SEG_GRAPH_GRID = 2, /**< i ~ j where the patches touch (4-neighbourhood) */
    SEG_GRAPH_BOTH = 3, /**< union of the two edge sets */
    SEG_GRAPH_FULL = 4  /**< every pair of nodes [chen2011npkl, Eq. 15] */
} seg_graph_kind;

#define SEG_MORE_SIGMAS 15 /**< widths beyond the first */

/** How nearest neighbours are found. */
typedef enum seg_neighbour_search {
    SEG_SEARCH_AUTO = 0,  /**< exactly up to SEG_EXACT_ROWS rows or SEG_EXACT_COLUMNS columns, approximately beyond */
    SEG_SEARCH_EXACT = 1, /**< seg_nearest_neighbours */
    SEG_SEARCH_APPROXIMATE = 2 /**< seg_nearest_neighbours_approximate */
} seg_neighbour_search;

/** Rows up to which SEG_SEARCH_AUTO is exact. */
#define SEG_EXACT_ROWS 20000
/** Columns up to which SEG_SEARCH_AUTO is exact: a k-d tree is as fast there. */
#define SEG_EXACT_COLUMNS 5

/** Edges and weights of a graph. */
typedef struct seg_graph_spec {
    seg_graph_kind kind; /**< which nodes are joined */
    int neighbours;      /**< of the nearest-neighbour graph, >= 1 */
    double sigma; /**< Gaussian width in w_ij = exp(-|x_i - x_j|^2 / (2 sigma^2)); 0 = from the data: sigma_scale times
                     the mean distance to the neighbours ([li2009ccskl, Sec. 5.2] takes multiples of that to the
                     20th), or with FULL the mean distance of all
                     pairs [chen2011npkl, Sec. 5] */
    double sigma_scale; /**< > 0, used where sigma is 0 */
    int mutual; /**< 1: neighbours are joined only where each is among the other's nearest; grid edges stay. A node may
                   be left without an edge */
    int local_scaling; /**< 0, or which neighbour's distance is the scale s_i of a node (7 in the paper), and
                          w_ij = exp(-|x_i - x_j|^2 / (s_i s_j)) [zelnik2004selftuning, Eq. 1]; sigma is 0 then */
    int more_sigmas;   /**< further widths, 0 .. SEG_MORE_SIGMAS: w_ij is the mean of the Gaussians of all widths, one
                          graph for those who cannot choose among candidates. sigma > 0 then */
    double more_sigma[SEG_MORE_SIGMAS]; /**< > 0 */
    seg_neighbour_search search;        /**< of the neighbours, and of those that local scaling takes its scales from */
    int32_t reserved_too;               /**< zero */
    int64_t reserved[7];                /**< zeros: room for fields of later versions, of which 0 is the default */
} seg_graph_spec;

/** The `count` nearest other rows of every row of X (n x d), Euclidean distance, nearest first, equal distances by
 *  number.
 *  @param ctx  the call's context
 *  @param X  n x d, finite
 *  @param count  1 .. n - 1
 *  @param neighbour  n x count row numbers, filled; the caller's own
 *  @param distance2  n x count squared distances, filled; the caller's own
 *  @return SEG_OK, SEG_ERR_USAGE (count < 1 or >= n), SEG_ERR_MEMORY.
 *  Cost: a k-d tree for d <= 32, about O(n log n); O(n^2 d) beyond, by products of matrices in single precision that
 *  find the candidates, without an n x n matrix; the distances returned are those of double precision, summed in the
 *  order of the columns. */
SEG_API seg_status seg_nearest_neighbours(seg_context *ctx, const seg_matrix *X, int count, int32_t *neighbour,
                                          double *distance2);

/** Nearest rows found approximately, for many rows: cells of rows that lie together, all distances within and between
 *  near cells in single precision, then neighbours of neighbours [dong2011nndescent]. Another row may stand where a
 *  nearer one was missed; the distances returned are those of double precision, as seg_nearest_neighbours computes
 *  them, nearest first, equal ones by number. How far the search goes follows from some 500 rows whose neighbours are
 *  found exactly, and the recall is measured on them: it is 0.965 or more, unless eight rounds or a round without gain
 *  end the search before. Rows whose distances are below about a millionth of the extent of all are not told apart.
 *  The same bytes for any number of threads; another processor may find others.
 *  @param ctx  the call's context; what was found is told to its log, and the recall is in seg_context_recall()
 *  @param X  n x d, finite
 *  @param count  1 .. n - 1
 *  @param neighbour  n x count row numbers, filled; the caller's own
 *  @param distance2  n x count squared distances, filled; the caller's own
 *  @param recall  the share of the sample's exact neighbours that were found, 0 to 1; may be NULL
 *  @return SEG_OK, SEG_ERR_USAGE (count < 1 or >= n; a number that is not finite), SEG_ERR_MEMORY, SEG_ERR_CANCELLED.
 *  Cost: about O(n log n); memory 8 d + 20 count bytes a row while it runs. */
SEG_API seg_status seg_nearest_neighbours_approximate(seg_context *ctx, const seg_matrix *X, int count,
                                                      int32_t *neighbour, double *distance2, double *recall);

/** Nodes whose complete graph seg_graph_build lists weight by weight. */
#define SEG_FULL_LISTED 2000
/** Columns that fast sums can do with. */
#define SEG_FULL_COLUMNS 3
/** Nodes whose complete graph seg_full_graph keeps as a dense matrix (763 MiB) where it cannot do without. */
#define SEG_FULL_DENSE 10000

/** Build the affinity graph. SEG_GRAPH_FULL is for up to SEG_FULL_LISTED nodes; seg_full_graph does without a list.
 *  @param ctx  the call's context
 *  @param X  n x d feature vectors
 *  @param spec  edges and weights
 *  @param grid  patch grid (needed by GRID and BOTH, rows of X are its patches), else NULL
 *  @param out   n x n, symmetric, no diagonal, weights in (0, 1]
 *  @param sigma the width that was used (of several the first, of local scaling the mean s_i); may be NULL
 *  Fewer than neighbours + 1 rows: all others are neighbours.
 *  @return SEG_OK, SEG_ERR_USAGE (spec out of range, no grid, too many nodes for FULL), SEG_ERR_MEMORY,
 * SEG_ERR_CANCELLED */
SEG_API seg_status seg_graph_build(seg_context *ctx, const seg_matrix *X, const seg_patch_grid *grid,
                                   const seg_graph_spec *spec, seg_csr *out, double *sigma);

/** The affinity graph of the nodes that a kernel K (n x n, symmetric, positive semidefinite) compares: each node's
 *  spec->neighbours most similar ones, w_ij = max(0, K_ij) / sqrt(K_ii K_jj), the cosine of their angle; spec->mutual
 * as above, the rest of spec is not used. Equal similarities by number; no edge where the angle is not acute.
 *  @param ctx  the call's context
 *  @param K  n x n similarities
 *  @param spec  neighbours and mutual are used
 *  @param out  as above
 *  @return SEG_OK, SEG_ERR_USAGE (K not square or with a number that is not finite; neighbours < 1), SEG_ERR_MEMORY.
 *  Cost O(n^2 log neighbours). */
SEG_API seg_status seg_graph_of_kernel(seg_context *ctx, const seg_matrix *K, const seg_graph_spec *spec, seg_csr *out);

/** Eigenvectors of the normalized Laplacian I - D^-1/2 W D^-1/2. */
typedef struct seg_spectrum {
    size_t n;       /**< nodes */
    int count;      /**< eigenpairs, ascending */
    double *value;  /**< count eigenvalues in 0..2; owned */
    double *vector; /**< n x count, row-major: column c is the c-th smoothest eigenvector, norm one, sign fixed
                         (the entry of largest magnitude, the first of equals, is positive); owned */
    int iterations; /**< products of ARPACK's operator with a vector, 0 where the dense path was taken */
} seg_spectrum;

/** The `count` smoothest eigenvectors of the normalized Laplacian L of the affinity graph W (symmetric, weights >= 0).
 *  Isolated nodes count as degree one. The null vectors of the connected components are set, not computed. The others
 *  come from ARPACK's implicitly restarted Lanczos method, start vectors drawn from the context's seed, on the inverse
 *  of L + 1e-6 I through a sparse Cholesky factor, or on L itself where that factor would take over 2 * 10^11
 *  operations (10^10 where nodes have more than 24 edges on the mean) or 10^8 numbers; larger factors are tried where
 *  that does not converge. Where nodes have more than 24 edges on the mean, there are more than 5,000 of them and no
 *  cheap factor, subspace iteration with Chebyshev polynomials [zhou2006chebyshev] comes before L itself: from random
 *  vectors drawn from the context's seed, at least 8 more than pairs are asked for, so that it needs no second search;
 *  from 200,000 nodes on it works on a copy of the graph, 12 bytes an entry, with the nodes in an order of its own.
 * In the other cases ARPACK runs again, from another start vector, on what is left, and what it finds below the last
 * pair is put in, until it finds nothing: no multiplicity is missed. Eigenvalues that differ by less than a millionth
 * may stand for each other. LAPACK's dense solver where n <= 200 or count > n / 3. Residuals |L v - value v| are at
 * most 1e-6, the vectors orthonormal to 1e-10. The same bytes for any number of threads.
 *  @param ctx  the call's context
 *  @param W  n x n affinity graph
 *  @param count  1 .. n
 *  @param out  free with seg_spectrum_free; zeroed on failure
 *  @return SEG_OK, SEG_ERR_USAGE (count < 1 or > n), SEG_ERR_NUMERIC (ARPACK's or LAPACK's code in words; a larger
 *  residual; a search without end), SEG_ERR_MEMORY, SEG_ERR_CANCELLED.
 *  Cost: one factorisation and some 2 count + 30 solutions with it, or products of the graph with a block of vectors,
 *  some 200 a pair where eigenvalues crowd; memory then 16 (count + 8..23) + 128 bytes per node and 8 per edge. */
SEG_API seg_status seg_spectrum_compute(seg_context *ctx, const seg_csr *W, int count, seg_spectrum *out);
/** A complete Gaussian graph [chen2011npkl, Eq. 15] that is known by its products, w_ij = exp(-|x_i - x_j|^2 / (2
 *  sigma^2)), w_ii = 0. */
typedef struct seg_full_graph seg_full_graph;

/** Prepare products with the complete graph of the rows of X (n x d, n >= 2).
 *  One to SEG_FULL_COLUMNS columns: fast summation on a grid [alfke2018nfft], no n x n matrix.
 *  How fine the grid is follows from a check of 48 rows against their exact sums. Nodes so far from all others that
 *  their degrees are small beside its error get their weights listed, and so do all nodes where sigma is narrow and n
 *  at most 31,000. More columns, or few nodes for the grid that sigma asks for: a dense matrix, for up to
 * SEG_FULL_DENSE nodes. Products agree with the exact ones to 1e-6 of the largest, degrees to 1e-6 each.
 *  @param ctx  the call's context
 *  @param X  n x d feature vectors
 *  @param spec  sigma and sigma_scale of it are used
 *  @param out   free with seg_full_graph_free; NULL on failure
 *  @return SEG_OK, SEG_ERR_USAGE (n, d, sigma; a number that is not finite; too many nodes for their columns; sigma
 * too narrow for so many nodes), SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost: some products; memory about 250 bytes a
 * node and 8 a cell of the grid, which has at most 2^24. */
SEG_API seg_status seg_full_graph_create(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec,
                                         seg_full_graph **out);
/** Y = W X, both n x cols, row-major, distinct. The same bytes for any number of threads. The graph holds what the
 *  product needs in between: not by two threads at once.
 *  @param ctx  the call's context
 *  @param graph  W
 *  @param cols  of X and Y, >= 1
 *  @param X  n x cols numbers
 *  @param Y  n x cols numbers, filled
 *  @return SEG_OK, SEG_ERR_CANCELLED. Cost: O(n) and the transform of the grid a column; n^2 where it is dense. */
SEG_API seg_status seg_full_graph_multiply(seg_context *ctx, seg_full_graph *graph, size_t cols, const double *X,
                                           double *Y);
/** How many nodes the graph joins.
 *  @param graph  the graph
 *  @return n */
SEG_API size_t seg_full_graph_size(const seg_full_graph *graph);
/** The width that is used.
 *  @param graph  the graph
 *  @return sigma */
SEG_API double seg_full_graph_sigma(const seg_full_graph *graph);
/** n sums of rows, >= 0; owned by the graph.
 *  @param graph  the graph
 *  @return n numbers */
SEG_API const double *seg_full_graph_degrees(const seg_full_graph *graph);
/** Release the graph.
 *  @param graph  NULL is fine */
SEG_API void seg_full_graph_free(seg_full_graph *graph);

/** seg_spectrum_compute for a complete graph: Lanczos' method on its products, never an inverse. Eigenvalues within
 *  1e-6 of those of the exact weights where degrees are not tiny.
 *  @param ctx  the call's context
 *  @param graph  the graph
 *  @param count  1 .. n
 *  @param out  free with seg_spectrum_free; zeroed on failure
 *  @return as seg_spectrum_compute; SEG_ERR_USAGE also where count > n / 3 of more than 4000 nodes; SEG_ERR_CANCELLED.
 *  Cost: some hundred products; thousands where sigma is so narrow that the graph nearly falls into more parts than
 *  `count`. */
SEG_API seg_status seg_spectrum_compute_full(seg_context *ctx, seg_full_graph *graph, int count, seg_spectrum *out);
/** Release what the spectrum owns and zero it.
 *  @param spectrum  NULL and zeroed ones are fine */
SEG_API void seg_spectrum_free(seg_spectrum *spectrum);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
