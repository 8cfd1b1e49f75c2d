/** @file graph.h
 *  Affinity graphs of feature vectors and their smoothest eigenvectors. */
#pragma once

#include <segment/features.h>
#include <segment/matrix.h>

/** @addtogroup graphs Graphs and their spectra
 *  @{ */

/** Which nodes are connected. */
typedef enum seg_graph_kind {
    SEG_GRAPH_KNN = 1,   /**< i ~ j if either is among the other's nearest neighbours */
    SEG_GRAPH_GRID = 2,  /**< i ~ j if the patches touch (4-neighbourhood) */
    SEG_GRAPH_BOTH = 3,  /**< union of the two edge sets */
    SEG_GRAPH_FULL = 4,  /**< every pair of nodes [chen2011npkl, Eq. 15] */
    SEG_GRAPH_KERNEL = 5 /**< from a kernel K (n x n, symmetric, positive semidefinite):
                            the most similar nodes of each, w_ij = max(0, K_ij) / sqrt(K_ii K_jj), the cosine
                            of their angle. Ties by index; no edge if the angle is not acute. Only
                            `neighbours` of the spec is used */
} seg_graph_kind;

/** How nearest neighbours are found. */
typedef enum seg_neighbour_search {
    SEG_SEARCH_AUTO = 0,  /**< exactly up to SEG_EXACT_ROWS rows or SEG_EXACT_COLUMNS columns, approximately beyond */
    SEG_SEARCH_EXACT = 1, /**< a k-d tree up to 32 columns, about O(n log n); O(n^2 d) beyond */
    SEG_SEARCH_APPROXIMATE = 2 /**< searches the nearest cells of nearby rows. It may miss
                                  neighbours and return farther rows; the distances are in double precision. The recall
                                  on some 500 rows (seg_context_info.recall) is 0.965 or more. The same bytes for any
                                  number of threads; results may differ on another processor */
} seg_neighbour_search;

/** Rows up to which SEG_SEARCH_AUTO is exact. */
#define SEG_EXACT_ROWS 20000
/** Columns up to which SEG_SEARCH_AUTO is exact: a k-d tree is as fast there. */
#define SEG_EXACT_COLUMNS 5

/** Edges and weights of a graph. */
typedef struct seg_graph_spec {
    seg_graph_kind kind; /**< which nodes are connected */
    int neighbours;      /**< of the nearest-neighbour graph, >= 1 */
    double sigma;        /**< Gaussian width in w_ij = exp(-|x_i - x_j|^2 / (2 sigma^2)); 0 = from the data: sigma_scale
                            times the mean distance to the neighbours ([li2009ccskl, Sec. 5.2] uses multiples
                            of that to the 20th), or with FULL the mean distance
                            of all pairs [chen2011npkl, Sec. 5] */
    double sigma_scale;  /**< > 0, used where sigma is 0 */
    seg_neighbour_search search; /**< of the neighbours */
    int32_t reserved_too;        /**< zero */
    double touching_scale;       /**< edges between touching patches of one layer have their own width, this many
                                    times their mean length, if it is larger; 0: the width of all edges */
    int64_t reserved[6];         /**< zeros: room for fields of later versions, of which 0 is the default */
} seg_graph_spec;

/** Maximum of nodes of a complete graph, whose weights take 12 bytes per ordered pair (470 MiB). */
#define SEG_FULL_NODES 6400

/** Build the affinity graph. SEG_GRAPH_FULL is for up to SEG_FULL_NODES nodes.
 *  @param X  n x d feature vectors, finite; for SEG_GRAPH_KERNEL the kernel
 *  @param spec  edges and weights
 *  @param grid  patch grid (needed by GRID and BOTH, rows of X are its patches), else NULL
 *  @param out   n x n, symmetric, no diagonal, weights in (0, 1]
 *  @param sigma  the width used; may be NULL
 *  Fewer than neighbours + 1 rows: all others are neighbours.
 *  @return SEG_OK, SEG_ERR_USAGE (spec out of range, no grid, too many nodes for FULL, a kernel that is not square),
 * SEG_ERR_MEMORY, SEG_ERR_CANCELLED */
SEG_API seg_status seg_graph_build(seg_context *ctx, const seg_matrix *X, const seg_patch_grid *grid,
                                   const seg_graph_spec *spec, seg_csr *out, double *sigma);

/** @} */
