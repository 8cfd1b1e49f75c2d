/* Normalized cuts with eigenvectors that are there already. */
#ifndef SEG_METHODS_NCUT_H
#define SEG_METHODS_NCUT_H

#include "graph/spectrum.h"

#include <segment/methods.h>

/* Normalized cuts from the first k of the problem's smoothest eigenvectors, k of them or more; out as in a method's
 * solve. */
seg_status seg_ncut_solve(seg_context *ctx, const seg_problem *problem, const seg_spectrum *spectrum,
                          seg_clustering *out);

#endif
