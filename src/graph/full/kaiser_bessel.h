/* The Kaiser-Bessel window phi(u) = I0(beta sqrt(1 - u^2)) / I0(beta), |u| <= 1 [kaiser1980], that carries points to
 * a grid and back, and how fine the grid is for an accuracy. */
#ifndef SEG_GRAPH_FULL_KAISER_BESSEL_H
#define SEG_GRAPH_FULL_KAISER_BESSEL_H

#include <stddef.h>

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
