/* How much the diagonal of a learned kernel counts beside the constraints. */
#ifndef SEG_KERNELS_DIAGONAL_H
#define SEG_KERNELS_DIAGONAL_H

#include <segment/constraints.h>

enum { SEG_DIAGONAL_PRINTED = 20000 };

/* Weight of each of the n terms (k_ii - 1)^2 beside a constraint's of weight 1: 1 where share is 0, as printed
 * in the papers; else so that all of them together count at most `share` times as much as all constraints, and none
 * more than 1. Below 0: 0 up to SEG_DIAGONAL_PRINTED samples, 1 beyond, where n terms of weight 1 would leave the
 * constraints no say. 1 where there are no constraints. */
double seg_diagonal_weight(const seg_constraints *constraints, size_t n, double share);

#endif
