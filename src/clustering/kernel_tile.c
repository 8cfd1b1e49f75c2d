/* Inner products, or exp(-|x - y|^2 / 2 width^2), for many pairs at once. Short vectors are subtracted; for long ones
 * the squared distance is |x|^2 + |y|^2 - 2 x'y by inner products of blocks, which takes a fraction of the time. */
#include "clustering/kernel_tile.h"

#include "base/base.h"
#include "linalg/products.h"

#include <stdlib.h>
#include <string.h>

/* One more body for processors with wider registers, chosen when the program starts. Each number goes through the same
 * operations in both, so both give the same bytes. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(SANITIZED)
#define WIDER_TOO __attribute__((target_clones("avx2", "default")))
#else
#define WIDER_TOO
#endif

/* exp(-t) for `count` numbers t >= 0 in place, to a few units of the last place; 0 beyond 700. Written so that the
 * compiler makes it vectors: split -t = q ln 2 + r, a polynomial for exp(r), and 2^q by the bits of a double. */
static inline __attribute__((always_inline)) void exponentials(size_t count, double *t) {
    for (size_t i = 0; i < count; i++) {
        const double shifter = 6755399441055744.0; /* 1.5 * 2^52: adding it rounds to a whole number in the low bits */
        const double x = t[i] > 700 ? -700 : -t[i];
        const double whole = x * 1.4426950408889634 + shifter;
        const double q = whole - shifter;
        const double r = (x - q * 0.693147180369123816490) - q * 1.90821492927058770002e-10;
        double p = 1.0 / 479001600;
        uint64_t bits;
        double power;
        p = p * r + 1.0 / 39916800;
        p = p * r + 1.0 / 3628800;
        p = p * r + 1.0 / 362880;
        p = p * r + 1.0 / 40320;
        p = p * r + 1.0 / 5040;
        p = p * r + 1.0 / 720;
        p = p * r + 1.0 / 120;
        p = p * r + 1.0 / 24;
        p = p * r + 1.0 / 6;
        p = p * r + 0.5;
        p = p * r + 1;
        p = p * r + 1;
        memcpy(&bits, &whole, sizeof bits);
        bits = (bits + 1023) << 52; /* the shifter's own bits leave at the top */
        memcpy(&power, &bits, sizeof power);
        t[i] = t[i] > 700 ? 0 : p * power;
    }
}

enum { LANES = SEG_DOUBLE_LANES };

/* Inner products always, exponentials of long vectors whose norms are known. */
static int by_products(const seg_similarities *B) {
    enum { COLUMNS = 16 };
    return !(B->width > 0) || (B->half_square && B->features->cols >= COLUMNS);
}

seg_status seg_kernel_list_create(seg_context *ctx, const seg_similarities *B, size_t count, const int32_t *thing,
                                  seg_kernel_list *out) {
    size_t cells;
    *out = (seg_kernel_list){.count = count, .thing = thing};
    if (B->dense)
        return SEG_OK;
    const int products = by_products(B);
    const size_t d = B->features->cols;
    if (!seg_multiply((count + LANES - 1) / LANES * LANES, d, &cells))
        cells = SIZE_MAX;
    out->at = seg_alloc_zero(ctx, cells, sizeof *out->at);
    if (!out->at)
        return SEG_ERR_MEMORY;
    for (size_t j = 0; j < count; j++) {
        const double *x = B->features->at + (size_t)thing[j] * d;
        double *lane = products ? out->at + j / LANES * LANES * d + j % LANES : out->at + j;
        for (size_t t = 0; t < d; t++, lane += products ? LANES : count)
            *lane = x[t];
    }
    return SEG_OK;
}

void seg_kernel_list_free(seg_kernel_list *list) {
    free(list->at);
    memset(list, 0, sizeof *list);
}

WIDER_TOO static void by_differences(const seg_kernel_list *list, size_t d, double scale, const double *x, size_t first,
                                     size_t count, double *out) {
    memset(out, 0, count * sizeof *out);
    for (size_t t = 0; t < d; t++) {
        const double *y = list->at + t * list->count + first;
        for (size_t j = 0; j < count; j++)
            out[j] += (x[t] - y[j]) * (x[t] - y[j]);
    }
    for (size_t j = 0; j < count; j++)
        out[j] *= scale;
    exponentials(count, out);
}

/* out: inner products in, similarities of thing i out. */
WIDER_TOO static void of_products(const seg_similarities *B, size_t i, const int32_t *thing, double scale, size_t count,
                                  double *out) {
    const double own = B->half_square[i];
    for (size_t j = 0; j < count; j++) {
        const double half = own + B->half_square[thing[j]] - out[j];
        out[j] = half > 0 && (size_t)thing[j] != i ? 2 * half * scale : 0; /* like itself, whatever rounding says */
    }
    exponentials(count, out);
}

static void inner_products(const seg_similarities *B, const seg_kernel_list *list, size_t row, size_t rows,
                           size_t first, size_t count, double *out) {
    const size_t d = B->features->cols;
    for (size_t j = 0; j < count; j += LANES)
        for (size_t i = 0; i < rows; i += SEG_PRODUCT_ROWS) {
            const double *x[SEG_PRODUCT_ROWS];
            double product[SEG_PRODUCT_ROWS * LANES];
            for (size_t r = 0; r < SEG_PRODUCT_ROWS; r++)
                x[r] = B->features->at + (row + (i + r < rows ? i + r : i)) * d;
            seg_products_double(d, x, list->at + (first + j) * d, product);
            for (size_t r = 0; r < SEG_PRODUCT_ROWS && i + r < rows; r++)
                memcpy(out + (i + r) * count + j, product + r * LANES,
                       (count - j < LANES ? count - j : LANES) * sizeof *out);
        }
}

static void vectors_tile(const seg_similarities *B, const seg_kernel_list *list, size_t row, size_t rows, size_t first,
                         size_t count, double *out) {
    const size_t d = B->features->cols;
    const double *x = B->features->at + row * d, scale = B->width > 0 ? 0.5 / (B->width * B->width) : 0;
    const int products = by_products(B);
    if (products)
        inner_products(B, list, row, rows, first, count, out);
    for (size_t i = 0; i < rows && B->width > 0; i++)
        if (products)
            of_products(B, row + i, list->thing + first, scale, count, out + i * count);
        else
            by_differences(list, d, scale, x + i * d, first, count, out + i * count);
}

void seg_kernel_tile(const seg_similarities *B, const seg_kernel_list *list, size_t row, size_t rows, size_t first,
                     size_t count, double *out) {
    if (!B->dense)
        vectors_tile(B, list, row, rows, first, count, out);
    for (size_t i = 0; i < rows; i++) {
        double *line = out + i * count;
        for (size_t j = 0; B->dense && j < count; j++)
            line[j] = B->dense->at[(row + i) * B->n + (size_t)list->thing[first + j]];
        for (size_t j = 0; B->scale && j < count; j++)
            line[j] *= B->scale[row + i] * B->scale[list->thing[first + j]];
    }
}
