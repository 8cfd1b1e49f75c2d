/* Inner products, or exp(-|x - y|^2 / 2 width^2), for many pairs at once. Short vectors are subtracted; for long ones
 * the squared distance is |x|^2 + |y|^2 - 2 x'y by inner products of blocks, which takes a fraction of the time. */
#include "clustering/kernel_tile.h"

#include "base/base.h"
#include "base/lanes.h"
#include "linalg/products.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = SEG_DOUBLE_LANES };

/* Inner products always, exponentials of long vectors whose norms are known. */
static int by_products(const seg_similarities *B) {
    enum { COLUMNS = 16 };
    return !(B->width > 0) || (B->half_square && B->features->cols >= COLUMNS);
}

seg_status seg_kernel_list_create(seg_context *ctx, const seg_similarities *B, size_t count, const int32_t *sample,
                                  seg_kernel_list *out) {
    size_t cells;
    *out = (seg_kernel_list){.count = count, .sample = sample};
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
        const double *x = B->features->at + (size_t)sample[j] * d;
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

SEG_WIDER_TOO static void by_differences(const seg_kernel_list *list, size_t d, double scale, const double *x,
                                         size_t first, size_t count, double *out) {
    memset(out, 0, count * sizeof *out);
    for (size_t t = 0; t < d; t++) {
        const double *y = list->at + t * list->count + first;
        for (size_t j = 0; j < count; j++)
            out[j] += (x[t] - y[j]) * (x[t] - y[j]);
    }
    for (size_t j = 0; j < count; j++)
        out[j] *= scale;
    seg_exponentials(count, out);
}

/* out: inner products in, similarities of sample i out. */
SEG_WIDER_TOO static void of_products(const seg_similarities *B, size_t i, const int32_t *sample, double scale,
                                      size_t count, double *out) {
    const double own = B->half_square[i];
    for (size_t j = 0; j < count; j++) {
        const double half = own + B->half_square[sample[j]] - out[j];
        out[j] = half > 0 && (size_t)sample[j] != i ? 2 * half * scale : 0; /* like itself, whatever rounding says */
    }
    seg_exponentials(count, out);
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
            of_products(B, row + i, list->sample + first, scale, count, out + i * count);
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
            line[j] = B->dense->at[(row + i) * B->n + (size_t)list->sample[first + j]];
        for (size_t j = 0; B->scale && j < count; j++)
            line[j] *= B->scale[row + i] * B->scale[list->sample[first + j]];
    }
}
