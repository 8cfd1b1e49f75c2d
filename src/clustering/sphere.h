/* Rows as directions: what spherical k-means [dhillon2001concept] clusters. */
#ifndef SEG_CLUSTERING_SPHERE_H
#define SEG_CLUSTERING_SPHERE_H

#include "linalg/wide_rows.h"

/* The rows of X, each brought to length one; a row times a power of two gives the same bytes. Between such rows and
 * centres |x - c|^2 = 2 (1 - cos), so that k-means' steps serve with centres that are brought to length one, too.
 * SEG_OK, SEG_ERR_USAGE (a row of zeros has no direction), SEG_ERR_MEMORY; `out` is zeroed on failure. Cost O(n d). */
seg_status seg_sphere_create(seg_context *ctx, const seg_matrix *X, seg_matrix *out);

/* Bring a centre to length one. 0 where it is zero, and stays it. */
int seg_sphere_centre(size_t d, double *centre);

#endif
