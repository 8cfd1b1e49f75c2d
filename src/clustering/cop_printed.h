/* COP-KMeans as printed [wagstaff2001cop, Table 1]: it fails where it fails. */
#ifndef SEG_CLUSTERING_COP_PRINTED_H
#define SEG_CLUSTERING_COP_PRINTED_H

#include "clustering/pckmeans.h"

/* X: doubles. Starts at k drawn rows. In every step each row, in the order of the table, goes to the nearest centre
 * where it breaks no constraint (of the closure) with the rows that are placed already; where there is none, the run
 * has failed. Of options k, restarts, iterations, stream, distortion and cosine are used: the best of the runs that do
 * not fail. result->objective: distortion times the sum of squared distances. SEG_OK, SEG_ERR_USAGE (all runs fail:
 * other options help), SEG_ERR_CONTRADICTION, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost of a step O(n k d). */
seg_status seg_cop_printed(seg_context *ctx, const seg_matrix *X, const seg_constraints *constraints,
                           const seg_pckmeans_options *options, int32_t *label, double *centre,
                           seg_pckmeans_result *result);

#endif
