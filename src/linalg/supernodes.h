/* Solutions with a sparse Cholesky factor kept as dense blocks of columns, for a few vectors at once. */
#ifndef SEG_LINALG_SUPERNODES_H
#define SEG_LINALG_SUPERNODES_H

#include <stddef.h>

enum { SEG_SUPERNODE_VECTORS = 4 }; /* at once: a row of them is a register */

/* L with PAP' = LL': columns super[s] .. super[s+1] - 1 have the rows row[pi[s]] .. row[pi[s+1] - 1],
 * the block's own first, and their entries by columns from x[px[s]]. Nothing is owned. */
typedef struct seg_supernodes {
    size_t n, count;
    const int *super, *pi, *px, *row;
    const double *x;
    const int *order; /* the number in A of L's row i; NULL: i */
} seg_supernodes;

/* A X = B for SEG_SUPERNODE_VECTORS vectors, one after the other in memory; B and X may be the same. work: n times as
 * many numbers. Each entry of L is read twice, for all vectors. */
void seg_supernodes_solve(const seg_supernodes *factor, const double *B, double *work, double *X);

#endif
