/* Edge-aware smoothing of many planes at once: the fast global smoother [min2014fgs]. */
#ifndef SEG_MASKS_EDGE_SMOOTHER_H
#define SEG_MASKS_EDGE_SMOOTHER_H

#include <segment/context.h>

/* How alike neighbours are: right[p] between pixel p and the next in its row, down[p] and the one below; in 0..1. */
typedef struct seg_edge_weights {
    int width, height;
    float *right, *down; /* width * height each; owned */
} seg_edge_weights;

/* From colour planes (CIELAB, width * height each): w = 1 / (1 + (difference / sigma)^2)^2, which needs neither root
 * nor exponential. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_edge_weights_create(seg_context *ctx, int width, int height, const float *L, const float *a,
                                   const float *b, float sigma, seg_edge_weights *out);
void seg_edge_weights_free(seg_edge_weights *weights);

/* Smooth `planes` (multiple of 4) values a pixel, U: width*height*planes interleaved: an approximation of minimising
 * sum |u - f|^2 + strength * sum w |u_p - u_q|^2 by alternate one-dimensional solves along rows and columns, `turns`
 * times with falling strength. Constants stay constant. O(pixels * planes * turns). The same bytes for any number of
 * threads. */
seg_status seg_edge_smooth(seg_context *ctx, const seg_edge_weights *weights, int planes, float strength, int turns,
                           float *U);

#endif
