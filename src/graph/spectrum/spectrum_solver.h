/* The part of a graph's spectrum that must be computed. */
#ifndef SEG_GRAPH_SPECTRUM_SPECTRUM_SOLVER_H
#define SEG_GRAPH_SPECTRUM_SPECTRUM_SOLVER_H

#include "graph/components.h"
#include "graph/spectrum/spectrum.h"
#include "linalg/sparse.h"

/* The out->count smallest eigenvalues of I - S, ascending, beyond those of the null vectors, and their eigenvectors,
 * orthogonal to the null vectors. S = D^-1/2 W D^-1/2. out: n = S->n, count <= n - components, and room for values and
 * vectors. out->iterations: products with the operator, 0 on the dense path. SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY.
 */
seg_status seg_spectrum_solve(seg_context *ctx, const seg_symmetric *S, const seg_components *components,
                              seg_spectrum *out);

#endif
