/* The product: points to the grid, the grid's transform times the Gaussian's and back, the grid to the points. */
#include "graph/full/fast_sum.h"

#include "base/base.h"
#include "base/lanes.h"
#include "base/parallel.h"

#include <string.h>

enum {
    SLAB = 4,           /* planes of the grid filled together, by its points in their order, whoever fills it */
    BLOCK = 256,        /* points read together */
    SMALL_WORK = 400000 /* multiplications; below it waking threads costs more than it saves */
};

/* Four cells of a row at once, at any address. */
typedef double lanes __attribute__((vector_size(32), aligned(8), may_alias));

static const double one[4] = {1};

/* The windows of a point along the grid's three axes; the last is filled up with zeros to whole lanes. */
static inline void windows(const seg_fast_sum *sum, size_t p, const double *axis[3]) {
    const double *first = sum->window + p * sum->d * sum->stride;
    axis[0] = first;
    axis[1] = sum->d == 3 ? first + sum->stride : one;
    axis[2] = sum->d >= 2 ? first + (sum->d - 1) * sum->stride : one;
}

static inline double *corner(const seg_fast_sum *sum, size_t p, size_t plane) {
    const int32_t *cell = sum->cell + 3 * p;
    return sum->grid.at + (plane * sum->grid.size[1] + (size_t)cell[1]) * sum->grid.row + (size_t)cell[2];
}

/* Points `from`..`to` into the planes `first`..`last`. `parts` lanes in a row, a constant where it is inlined. */
static inline __attribute__((always_inline)) void spread(const seg_fast_sum *sum, size_t from, size_t to, size_t first,
                                                         size_t last, size_t parts) {
    const size_t w = (size_t)sum->width, across = sum->d == 3 ? w : 1, row = sum->grid.row;
    for (size_t p = from; p < to; p++) {
        const size_t begin = (size_t)sum->cell[3 * p];
        const size_t low = begin < first ? first : begin, high = begin + w < last ? begin + w : last;
        const double *axis[3];
        lanes along[SEG_WINDOW_MOST / 4];
        windows(sum, p, axis);
        for (size_t c = 0; c < parts; c++)
            along[c] = *(const lanes *)(axis[2] + 4 * c);
        for (size_t plane = low; plane < high; plane++) {
            double *at = corner(sum, p, plane);
            const double value = sum->value[p] * axis[0][plane - begin];
            for (size_t b = 0; b < across; b++, at += row) {
                const double share = value * axis[1][b];
                for (size_t c = 0; c < parts; c++)
                    *(lanes *)(at + 4 * c) += share * along[c];
            }
        }
    }
}

/* The same for points with one coordinate: planes are cells. */
static void spread_line(const seg_fast_sum *sum, size_t from, size_t to, size_t first, size_t last) {
    const size_t w = (size_t)sum->width;
    for (size_t p = from; p < to; p++) {
        const size_t begin = (size_t)sum->cell[3 * p], high = begin + w < last ? begin + w : last;
        for (size_t plane = begin < first ? first : begin; plane < high; plane++)
            *corner(sum, p, plane) += sum->value[p] * sum->window[p * sum->stride + plane - begin];
    }
}

SEG_WIDER_TOO static void fill_slab(const seg_fast_sum *sum, size_t first, size_t last) {
    const size_t plane_size = sum->grid.size[1] * sum->grid.row, w = (size_t)sum->width;
    const size_t from = sum->plane[first >= w ? first - w + 1 : 0], to = sum->plane[last];
    memset(sum->grid.at + first * plane_size, 0, (last - first) * plane_size * sizeof(double));
    if (sum->d == 1)
        spread_line(sum, from, to, first, last);
    else if (sum->stride == 8)
        spread(sum, from, to, first, last, 2);
    else
        spread(sum, from, to, first, last, 3);
}

/* What the grid holds under the window of each of the points `from`..`to`. */
static inline __attribute__((always_inline)) void gather(const seg_fast_sum *sum, size_t from, size_t to, double *y,
                                                         size_t parts) {
    const size_t w = (size_t)sum->width, across = sum->d == 3 ? w : 1, row = sum->grid.row;
    for (size_t p = from; p < to; p++) {
        const double *axis[3];
        lanes total[SEG_WINDOW_MOST / 4] = {{0}}, result = {0};
        windows(sum, p, axis);
        for (size_t a = 0; a < w; a++) {
            const double *at = corner(sum, p, (size_t)sum->cell[3 * p] + a);
            lanes inner[SEG_WINDOW_MOST / 4] = {{0}};
            for (size_t b = 0; b < across; b++, at += row)
                for (size_t c = 0; c < parts; c++)
                    inner[c] += axis[1][b] * *(const lanes *)(at + 4 * c);
            for (size_t c = 0; c < parts; c++)
                total[c] += axis[0][a] * inner[c];
        }
        for (size_t c = 0; c < parts; c++)
            result += total[c] * *(const lanes *)(axis[2] + 4 * c);
        y[sum->point[p]] = (result[0] + result[1]) + (result[2] + result[3]);
    }
}

static void gather_line(const seg_fast_sum *sum, size_t from, size_t to, double *y) {
    for (size_t p = from; p < to; p++) {
        double result = 0;
        for (size_t a = 0; a < (size_t)sum->width; a++)
            result += sum->window[p * sum->stride + a] * *corner(sum, p, (size_t)sum->cell[3 * p] + a);
        y[sum->point[p]] = result;
    }
}

SEG_WIDER_TOO static void read_points(const seg_fast_sum *sum, size_t from, size_t to, double *y) {
    if (sum->d == 1)
        gather_line(sum, from, to, y);
    else if (sum->stride == 8)
        gather(sum, from, to, y, 2);
    else
        gather(sum, from, to, y, 3);
}

typedef struct product {
    seg_fast_sum *sum;
    double *y;
} product;

static void fill_slabs(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const product *p = arg;
    fill_slab(p->sum, first, last);
}

static void read_block(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const product *p = arg;
    read_points(p->sum, first, last, p->y);
}

static void multiply_modes(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const product *p = arg;
    const seg_fast_sum *sum = p->sum;
    const size_t *size = sum->grid.size, modes = size[2] / 2 + 1;
    for (size_t a = first; a < last; a++)
        for (size_t b = 0; b < size[1]; b++) {
            double *at = sum->grid.at + (a * size[1] + b) * sum->grid.row;
            const double outer = sum->factor[0][a] * sum->factor[1][b];
            for (size_t c = 0; c < modes; c++) {
                at[2 * c] *= outer * sum->factor[2][c];
                at[2 * c + 1] *= outer * sum->factor[2][c];
            }
        }
}

void seg_fast_sum_apply(const seg_context *ctx, seg_fast_sum *sum, const double *v, double *y) {
    const size_t planes = sum->grid.size[0], cells = planes * sum->grid.size[1] * sum->grid.row;
    size_t work = sum->n;
    for (size_t c = 0; c < sum->d; c++)
        work *= (size_t)sum->width;
    const int threads = work + cells < SMALL_WORK ? 1 : seg_threads(ctx);
    for (size_t p = 0; p < sum->n; p++)
        sum->value[p] = v[sum->point[p]];
    product p = {sum, y};
    seg_parallel_on(ctx, threads, planes, SLAB, fill_slabs, &p);
    seg_grid_fft_forward(&sum->grid);
    seg_parallel_on(ctx, threads, planes, 0, multiply_modes, &p);
    seg_grid_fft_backward(&sum->grid);
    seg_parallel_on(ctx, threads, sum->n, BLOCK, read_block, &p);
}
