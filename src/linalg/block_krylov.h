/* The largest eigenpairs of an operator by a Krylov space of several vectors at once. */
#ifndef SEG_LINALG_BLOCK_KRYLOV_H
#define SEG_LINALG_BLOCK_KRYLOV_H

#include <segment/context.h>

#include <stddef.h>

enum { SEG_KRYLOV_BLOCK = 4 }; /* vectors at once */

/* A symmetric positive semidefinite operator of n unknowns. */
typedef struct seg_block_operator {
    size_t n;
    /* Y = A X for SEG_KRYLOV_BLOCK vectors; vector v is X[v * n .. v * n + n - 1]. X and Y do not overlap. */
    seg_status (*apply)(void *user, const double *X, double *Y);
    void *user;
    int products; /* of A with one vector, counted by seg_block_krylov, also where it fails */
} seg_block_operator;

/* The most vectors of the space for `count` pairs. */
size_t seg_krylov_most(size_t count);

/* The `count` largest eigenpairs of an operator of size n >= seg_krylov_most(count), from random vectors of the
 * context's seed, which `apply` may restrict to a subspace [golub1977block]: the space grows until |A x - value x| <=
 * tolerance * value for all, and holds SEG_KRYLOV_BLOCK vectors of each eigenspace, so that no eigenvalue of a
 * multiplicity below it is missed. Several vectors at once go through a factor's memory in little more time than one.
 * value: count, descending; vector: n x count, row-major. SEG_OK, SEG_ERR_NUMERIC (few distinct eigenvalues, no
 * convergence, numbers that are not finite), SEG_ERR_MEMORY, SEG_ERR_CANCELLED, or what `apply` gives. The same bytes
 * for any number of threads. Cost: products, O(n most^2). */
seg_status seg_block_krylov(seg_context *ctx, seg_block_operator *op, size_t count, double tolerance, double *value,
                            double *vector);

#endif
