/* The weight of a learned kernel's diagonal relative to the constraints. */
#ifndef SEG_KERNELS_DIAGONAL_H
#define SEG_KERNELS_DIAGONAL_H

#include <segment/constraints.h>

enum { SEG_DIAGONAL_PRINTED = 20000 };

/* The weight of each of the n terms (k_ii - 1)^2 relative to a constraint of weight 1. share 0: 1, as printed in the
 * papers. share > 0: at most 1, and so that all terms together have at most `share` times the weight of all
 * constraints. share < 0: as 0 up to SEG_DIAGONAL_PRINTED samples and as 1 beyond, where n terms of weight 1 would
 * outweigh the constraints. Without constraints: 1. */
double seg_diagonal_weight(const seg_constraints *constraints, size_t n, double share);

#endif
