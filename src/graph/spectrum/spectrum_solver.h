/* The part of a graph's spectrum that must be computed. */
#ifndef SEG_GRAPH_SPECTRUM_SPECTRUM_SOLVER_H
#define SEG_GRAPH_SPECTRUM_SPECTRUM_SOLVER_H

#include "graph/components.h"
#include "linalg/sparse.h"

#include <segment/graph.h>

struct seg_spectrum; /* graph/spectrum/spectrum.h */

/* The `count` smallest eigenvalues of I - S, ascending, beyond those of the null vectors (`root` restricted to each
 * component, norm one), and their eigenvectors (n x count, row-major), orthogonal to the null vectors. S = D^-1/2 W
 * D^-1/2. count <= n - components. iterations: products with the operator, 0 on the dense path. SEG_OK,
 * SEG_ERR_NUMERIC, SEG_ERR_MEMORY. */
seg_status seg_spectrum_solve(seg_context *ctx, const seg_symmetric *S, const seg_components *components,
                              const double *root, int count, double *value, double *vector, int *iterations);

/* Column c of a spectrum: the entry of largest magnitude, the first of equals, is made positive. */
void seg_spectrum_fix_sign(struct seg_spectrum *spectrum, size_t c);

#endif
