#include "linalg/products.h"

#include <string.h>

/* One row at a time: sixteen sums fit into the registers of every processor. */
#define DEFINE_PLAIN(name, number, lanes)                                                                              \
    static void name(size_t d, const number *const x[SEG_PRODUCT_ROWS], const number *y, number *out) {                \
        for (int r = 0; r < SEG_PRODUCT_ROWS; r++) {                                                                   \
            number sum[lanes] = {0};                                                                                   \
            for (size_t c = 0; c < d; c++)                                                                             \
                for (int l = 0; l < lanes; l++)                                                                        \
                    sum[l] += x[r][c] * y[c * lanes + (size_t)l];                                                      \
            memcpy(out + r * lanes, sum, sizeof sum);                                                                  \
        }                                                                                                              \
    }

DEFINE_PLAIN(plain_single, float, SEG_SINGLE_LANES)
DEFINE_PLAIN(plain_double, double, SEG_DOUBLE_LANES)

#if defined(__x86_64__)
#include <immintrin.h>
#define FUSED __attribute__((target("avx2,fma")))

static int can_fuse(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

/* Eight running sums of one register each hide the latency of a fused addition. */
#define DEFINE_FUSED(name, number, vector, load, store, spread, zero, fuse, width)                                     \
    FUSED static void name(size_t d, const number *const x[SEG_PRODUCT_ROWS], const number *y, number *out) {          \
        vector a0 = zero(), a1 = zero(), b0 = zero(), b1 = zero();                                                     \
        vector c0 = zero(), c1 = zero(), e0 = zero(), e1 = zero();                                                     \
        for (size_t c = 0; c < d; c++, y += 2 * width) {                                                               \
            const vector y0 = load(y), y1 = load(y + width);                                                           \
            const vector a = spread(x[0][c]), b = spread(x[1][c]), f = spread(x[2][c]), e = spread(x[3][c]);           \
            a0 = fuse(a, y0, a0), a1 = fuse(a, y1, a1), b0 = fuse(b, y0, b0), b1 = fuse(b, y1, b1);                    \
            c0 = fuse(f, y0, c0), c1 = fuse(f, y1, c1), e0 = fuse(e, y0, e0), e1 = fuse(e, y1, e1);                    \
        }                                                                                                              \
        store(out, a0), store(out + width, a1), store(out + 2 * width, b0), store(out + 3 * width, b1);                \
        store(out + 4 * width, c0), store(out + 5 * width, c1);                                                        \
        store(out + 6 * width, e0), store(out + 7 * width, e1);                                                        \
    }

DEFINE_FUSED(fused_single, float, __m256, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_set1_ps, _mm256_setzero_ps,
             _mm256_fmadd_ps, 8)
DEFINE_FUSED(fused_double, double, __m256d, _mm256_loadu_pd, _mm256_storeu_pd, _mm256_set1_pd, _mm256_setzero_pd,
             _mm256_fmadd_pd, 4)
#else
#define fused_single plain_single
#define fused_double plain_double

static int can_fuse(void) {
    return 0;
}
#endif

void seg_products_single(size_t d, const float *const x[SEG_PRODUCT_ROWS], const float *y,
                         float out[SEG_PRODUCT_ROWS * SEG_SINGLE_LANES]) {
    if (can_fuse())
        fused_single(d, x, y, out);
    else
        plain_single(d, x, y, out);
}

void seg_products_double(size_t d, const double *const x[SEG_PRODUCT_ROWS], const double *y,
                         double out[SEG_PRODUCT_ROWS * SEG_DOUBLE_LANES]) {
    if (can_fuse())
        fused_double(d, x, y, out);
    else
        plain_double(d, x, y, out);
}
