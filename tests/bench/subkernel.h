/* ENPAKL's sub-kernel over chosen samples, by both of its solvers. */
#ifndef BENCH_SUBKERNEL_H
#define BENCH_SUBKERNEL_H

#include "bench.h"

#include "kernels/sub_kernels.h"

enum { BENCH_RANK = 12 }; /* ENPAKL's default */

typedef struct bench_subkernel {
    double lambda, guard, sigma_scale; /* its other settings, to be given */
    seg_links links;
    seg_csr S;
    double *V, *K; /* m x BENCH_RANK, m x m */
} bench_subkernel;

/* Of the rows of X that are `in`. 0, or 1 after a message. */
int bench_subkernel_make(seg_context *ctx, const seg_matrix *X, const seg_constraints *c, const uint8_t *in,
                         bench_subkernel *sub);
void bench_subkernel_free(bench_subkernel *sub);
/* The method's solver, to V. */
seg_status bench_subkernel_descend(seg_context *ctx, bench_subkernel *sub, double *objective, int *steps);
/* Algorithm 2 as printed, from the same start, to K. */
seg_status bench_subkernel_project(seg_context *ctx, bench_subkernel *sub, double *objective, int *steps);

#endif
