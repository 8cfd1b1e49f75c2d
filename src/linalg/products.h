/* Inner products of four rows with a block of columns, for loops that run on several threads. BLAS is not used there:
 * OpenBLAS built without threads, as in Debian's serial package, may give wrong products when two threads call it. */
#pragma once

#include <stddef.h>

enum { SEG_PRODUCT_ROWS = 4, SEG_SINGLE_LANES = 16, SEG_DOUBLE_LANES = 8 };

/* out[r * LANES + l] = sum over c < d of x[r][c] y[c * LANES + l], the four pointers not necessarily different. Summed
 * in the order of c, by fused multiply-add where the processor has it: the error is at most about d times the unit
 * roundoff times the two norms. */
void seg_products_single(size_t d, const float *const x[SEG_PRODUCT_ROWS], const float *y,
                         float out[SEG_PRODUCT_ROWS * SEG_SINGLE_LANES]);
void seg_products_double(size_t d, const double *const x[SEG_PRODUCT_ROWS], const double *y,
                         double out[SEG_PRODUCT_ROWS * SEG_DOUBLE_LANES]);
