/* The operator whose largest eigenvalues belong to the smoothest eigenvectors of a graph. */
#ifndef SEG_GRAPH_SPECTRUM_SMOOTH_OPERATOR_H
#define SEG_GRAPH_SPECTRUM_SMOOTH_OPERATOR_H

#include "base/base.h"
#include "graph/components.h"
#include "linalg/sparse.h"

/* With L = I - S, S = D^-1/2 W D^-1/2, and P the projection away from all that is known of L's eigenvectors:
 *     inverse  P (L + shift I)^-1 P   by a sparse Cholesky factor, or
 *     plain    P (S + 2 I) P          without one.
 * Both are zero on the known vectors, which cannot come back, and positive on the others. The inverse spreads the
 * small eigenvalues over orders of magnitude and crowds all others together, which suits Lanczos' method. */
typedef struct seg_smooth_operator {
    seg_context *ctx;
    const seg_csr *S;
    const seg_components *components;
    seg_cholesky *factor;           /* NULL: plain */
    size_t known;                   /* columns of `vector` */
    const double *vector;           /* n x known, row-major, orthonormal; not owned */
    double *along;                  /* components */
    double *share;                  /* most */
    double *work;                   /* n */
    seg_status status;              /* of the first product or solution that failed */
    char message[SEG_MESSAGE_SIZE]; /* its sentence: the solver that gave up because of it leaves another */
    seg_arena arena;
} seg_smooth_operator;

/* The plain operator, nothing known. most: the largest `known` there will be. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_smooth_operator_create(seg_context *ctx, const seg_csr *S, const seg_components *components, size_t most,
                                      seg_smooth_operator *out);
/* Make it the inverse one; where the factorisation would cost more than `operations` or its factor
 * hold more than `entries` numbers it stays plain. SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY. */
seg_status seg_smooth_operator_invert(seg_smooth_operator *op, double operations, double entries);
void seg_smooth_operator_free(seg_smooth_operator *op);

/* y = operator times x; `user` is the seg_smooth_operator (seg_operator of linalg/sparse.h). */
void seg_smooth_operator_apply(void *user, const double *x, double *y);

/* The eigenvalue of L that belongs to one of the operator. */
double seg_smooth_operator_eigenvalue(const seg_smooth_operator *op, double theta);

/* Above it lie the inverse's eigenvalues that belong to ones of L so small that they vanish beside the shift: those of
 * a graph that nearly falls apart. */
double seg_smooth_operator_crowd(void);

#endif
