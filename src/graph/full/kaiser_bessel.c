#include "graph/full/fast_sum.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* Found by measuring the largest error of the kernel over beta for each width and fineness. */
const seg_fast_level seg_fast_level_table[] = {
    {8, 2.75, 2.60 * 8, 6.1},
    {10, 2.75, 2.45 * 10, 6.9},
    {12, 2.75, 2.40 * 12, 7.4},
};

/* Modified Bessel function by its series; all terms are positive. */
static double bessel_i0(double x) {
    double sum = 1, term = 1;
    for (int k = 1; term > 1e-17 * sum; k++) {
        term *= x * x / (4.0 * k * k);
        sum += term;
    }
    return sum;
}

void seg_window_factors(const seg_fast_level *level, size_t size, double *factor) {
    const double s = level->cells_per_sigma, w = level->width, beta = level->beta, top = bessel_i0(beta);
    for (size_t k = 0; k < size; k++) {
        const double frequency = (k <= size / 2 ? (double)k : (double)k - (double)size) / (double)size;
        const double gauss = s * sqrt(2 * PI) * exp(-2 * PI * PI * s * s * frequency * frequency);
        const double a = beta * beta - PI * PI * w * w * frequency * frequency; /* > 0: beta > pi w / 2 */
        const double window = w * sinh(sqrt(a)) / sqrt(a) / top;
        factor[k] = gauss / (window * window) / (double)size;
    }
    if (size == 1)
        factor[0] = 1;
}

void seg_window_polynomial(const seg_fast_level *level, double *polynomial) {
    const int w = level->width, q = SEG_WINDOW_TERMS;
    const double top = bessel_i0(level->beta);
    for (int term = 0; term < q; term++)
        for (int cell = 0; cell < w; cell++) {
            double sum = 0;
            for (int node = 0; node < q; node++) { /* Chebyshev's nodes of 0..1 */
                const double angle = PI * (node + 0.5) / q, offset = 0.5 + 0.5 * cos(angle);
                const double u = 2 * (offset + cell) / w - 1;
                sum += bessel_i0(level->beta * sqrt(fmax(1 - u * u, 0))) / top * cos(term * angle);
            }
            polynomial[term * w + cell] = (term ? 2.0 : 1.0) / q * sum;
        }
}

void seg_window_values(int width, const double *polynomial, double offset, double *value) {
    const double x = 2 * offset - 1;
    double before = 1, now = x;
    for (int cell = 0; cell < width; cell++)
        value[cell] = polynomial[cell];
    for (int term = 1; term < SEG_WINDOW_TERMS; term++) {
        const double next = 2 * x * now - before;
        for (int cell = 0; cell < width; cell++)
            value[cell] += polynomial[term * width + cell] * now;
        before = now;
        now = next;
    }
}
