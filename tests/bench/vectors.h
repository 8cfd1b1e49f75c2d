/* What the parts of `segment_bench vectors` share. */
#ifndef BENCH_VECTORS_H
#define BENCH_VECTORS_H

#include "bench.h"

#include "optim/sdp.h"

typedef struct vectors_work {
    seg_context *ctx;
    const bench_options *options;
    seg_matrix X;          /* the table, standardised */
    seg_csr W, S;          /* its graph, the normalized Laplacian */
    seg_constraints pairs; /* drawn from the classes */
    seg_matrix F20, F15;   /* its smoothest eigenvectors */
    double *H, *b, *out;   /* of the spectral kernels' programs */
    seg_matrix large;      /* PCKMeans' table and constraints */
    seg_constraints two;
    seg_sdp_residuals residuals; /* of the last semidefinite program */
    struct bench_subkernel *sub; /* ENPAKL's */
    double objective, diagonal, least;
    int steps, broken;
    int missed; /* 1: a solution is not as good as asked for */
} vectors_work;

/* Time one part, a warm-up first where there are several runs, and print the start of its row, with a judgement of the
 * median processor time where most_ms is not 0 and the problems are not the small ones. 0, or 1 after a message. */
int bench_row(vectors_work *w, int runs, const char *name, size_t size, double most_ms,
              seg_status (*solve)(vectors_work *));
/* Print a figure of quality and whether it is met; keeps in mind where not. */
void bench_judge(vectors_work *w, const char *what, double value, double most);

/* TRAGEK, PCP and ENPAKL's sub-kernel. 0, or 1 after a message. */
int bench_kernel_rows(vectors_work *w);
/* CCSR's program [li2009ccsr, Eq. 20] by DSDP: the least of 1/2 x'Hx + b'x over svec's cone of side m. */
seg_status bench_ccsr_dsdp(seg_context *ctx, size_t m, const double *H, const double *b, double *objective);
/* SS-Kernel-KMeans step by step on random problems. 0, or 1 after a message. */
int bench_monotone_row(vectors_work *w);

#endif
