/* Fast sums of Gaussians over points with one to three coordinates [alfke2018nfft, Sec. 3]:
 *     y_i = sum_j exp(-|x_i - x_j|^2 / 2) v_j
 * The Gaussian is expanded in a Fourier series on a torus that is so wide that images beyond its seam weigh nothing,
 *     exp(-|x - y|^2 / 2) = sum_k b_k exp(2 pi i k'(x - y) / P),
 * and the two sums over points, which are nonequispaced Fourier transforms, go through a regular grid: every v_j is
 * spread over w^d cells by a Kaiser-Bessel window, the grid is transformed, multiplied by b_k over the square of the
 * window's transform, transformed back and read by the same window. The high modes of a Gaussian weigh next to nothing,
 * so that what the window makes of them does not matter, and the grid need not be finer than the series. */
#ifndef SEG_GRAPH_FULL_FAST_SUM_H
#define SEG_GRAPH_FULL_FAST_SUM_H

#include "base/base.h"
#include "graph/full/gaussian.h"
#include "linalg/fft.h"

#define SEG_FAST_LEVELS 3                 /* of accuracy: entries of the matrix within about 1e-8, 1e-10, 3e-12 */
#define SEG_FAST_CELLS  ((size_t)1 << 24) /* of a grid, at most: 128 MiB */

typedef struct seg_fast_sum {
    size_t n, d;    /* points in the sum, coordinates */
    int width;      /* w */
    int32_t *point; /* n: their numbers, in the order of their cells */
    int32_t *cell;  /* n x 3: first cell under the window */
    size_t *plane;  /* size[0] + 1: first point whose window begins in the plane or behind it */
    size_t stride;  /* of a window: w filled up to whole lanes of four */
    double *window; /* n x d x stride, zeros behind w */
    double *factor[3];
    double *value; /* n: of the points in their order */
    seg_grid_fft grid;
    seg_arena arena;
} seg_fast_sum;

/* The cells that the grid of a level would have for these points; INFINITY-safe. */
double seg_fast_sum_cells(const seg_gaussian *points, int level);

/* Prepare sums over the `count` points `member`, ascending. level: 0 .. SEG_FAST_LEVELS - 1. The points must have 1 to
 * 3 coordinates and seg_fast_sum_cells at most SEG_FAST_CELLS. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_fast_sum_create(seg_context *ctx, const seg_gaussian *points, const int32_t *member, size_t count,
                               int level, seg_fast_sum *out);

/* y_i for the members, j = i included; other entries of y are left alone, other entries of v not read. Same bytes for
 * any number of threads: every cell takes its points in one order. Not by two threads at once. */
void seg_fast_sum_apply(const seg_context *ctx, seg_fast_sum *sum, const double *v, double *y);

void seg_fast_sum_free(seg_fast_sum *sum);

/* The Kaiser-Bessel window phi(u) = I0(beta sqrt(1 - u^2)) / I0(beta), |u| <= 1 [kaiser1980], that carries points to
 * a grid and back, and how fine the grid is for an accuracy. */
enum {
    SEG_WINDOW_MOST = 12, /* cells under the widest window */
    SEG_WINDOW_TERMS = 20 /* of the polynomials that stand for it, cell by cell */
};

typedef struct seg_fast_level {
    int width;              /* cells under the window */
    double cells_per_sigma; /* of the grid */
    double beta;            /* of the window */
    double seam; /* between the points and their next image, in sigmas: exp(-seam^2 / 2) is as small as the error */
} seg_fast_level;

extern const seg_fast_level seg_fast_level_table[];

/* What the modes 0 .. size-1 (those above size / 2 are negative) are multiplied with along one axis: the Gaussian's
 * Fourier coefficient over the square of the window's and the number of cells. size 1: one. */
void seg_window_factors(const seg_fast_level *level, size_t size, double *factor);

/* The polynomials: SEG_WINDOW_TERMS Chebyshev coefficients x width cells. */
void seg_window_polynomial(const seg_fast_level *level, double *polynomial);

/* Values in the `width` cells from the first at or behind the window's left edge; offset: of that cell from the edge,
 * 0 <= offset < 1. */
void seg_window_values(int width, const double *polynomial, double offset, double *value);

#endif
