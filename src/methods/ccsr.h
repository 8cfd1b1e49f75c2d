/* CCSR with eigenvectors that are there already. */
#ifndef SEG_METHODS_CCSR_H
#define SEG_METHODS_CCSR_H

#include "graph/spectrum.h"

#include <segment/methods.h>

/* How many eigenvectors CCSR takes by default. */
int seg_ccsr_columns(const seg_problem *problem);

/* CCSR with all eigenvectors of `spectrum`, which are the problem's smoothest; share: the parameter `diagonal`; out as
 * in a method's solve. */
seg_status seg_ccsr_solve(seg_context *ctx, const seg_problem *problem, const seg_spectrum *spectrum, double share,
                          seg_clustering *out);

#endif
