/* From a sub-kernel to all samples: phi(x_i) = sum_j w_ij phi(x_j), j in the subset [chen2011npkl, Eqs. 30-32]. Only
 * the factor W V is formed, not W or K. */
#ifndef SEG_KERNELS_EXTENSION_H
#define SEG_KERNELS_EXTENSION_H

#include <segment/constraints.h>
#include <segment/matrix.h>

/* The rows of constrained samples: samples of the subset get their row of V; samples outside it that must link to some
 * inside get the mean of these (case 1 of Eq. 31's weights). known[i] (n entries) is set to 1 for both, else 0. F: n x
 * r zeroed matrix; member: the m samples; V: m x r. */
seg_status seg_extension_known(seg_context *ctx, const seg_constraints *constraints, const int32_t *member, size_t m,
                               const double *V, uint8_t *known, seg_matrix *F);

/* Case 2 by Eq. 30 as printed: each other row is reconstructed from its `neighbours` nearest samples of the subset in
 * feature space, without those that it cannot link to. The weights w have least squared error and sum one (local Gram
 * matrix, ridge 1e-3 of its trace [roweis2000lle]), and are divided by sqrt(w'Kw) so that the row lies on the sphere
 * (footnote 5, printed without the root). Cost O(n m d). */
seg_status seg_extension_lle(seg_context *ctx, const seg_matrix *X, const seg_constraints *constraints,
                             const int32_t *member, size_t m, int neighbours, const double *V, const uint8_t *known,
                             seg_matrix *F);

#endif
