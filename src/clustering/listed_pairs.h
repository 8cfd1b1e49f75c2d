/* Listed constraints by sample. */
#ifndef SEG_CLUSTERING_LISTED_PAIRS_H
#define SEG_CLUSTERING_LISTED_PAIRS_H

#include <segment/constraints.h>
#include <segment/matrix.h>

/* out (n x n, symmetric): weight * unit for a must-link, -weight * unit for a cannot-link; columns of a row ascend, and
 * a pair that is listed twice has two entries. The same for any order of the list. SEG_OK, SEG_ERR_MEMORY. Cost O(n +
 * pairs log pairs). */
seg_status seg_pairs_by_sample(seg_context *ctx, const seg_constraints *constraints, double unit, seg_csr *out);

#endif
