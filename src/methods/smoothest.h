/* The graph's part in the spectral methods. */
#ifndef SEG_METHODS_SMOOTHEST_H
#define SEG_METHODS_SMOOTHEST_H

#include "graph/spectrum.h"

#include <segment/methods.h>

/* The smoothest eigenvectors of the problem's graph, listed or complete; errors of seg_spectrum_compute and
 * seg_spectrum_compute_full. A method that needs no more of the graph has SEG_TAKES_FULL. */
seg_status seg_smoothest(seg_context *ctx, const seg_problem *problem, int count, seg_spectrum *out);

/* How many of them ncut, ccskl and ccsr ask for, of n samples in k clusters; 0 for other methods: not known before. */
int seg_smoothest_columns(const seg_method *method, const seg_params *params, size_t n, int k);

#endif
