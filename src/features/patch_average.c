/* Gaussian averages over the patch grid. */
#include "features/columns.h"

#include "base/base.h"

/* total[i] = sum of Gaussian weight times number of pixels over the patches around patch i, along one axis. */
static void weigh_axis(int count, int side, int length, const double *gauss, int radius, double *total) {
    for (int i = 0; i < count; i++) {
        total[i] = 0;
        for (int j = i - radius; j <= i + radius; j++)
            if (j >= 0 && j < count)
                total[i] += gauss[abs(j - i)] * (side < length - j * side ? side : length - j * side);
    }
}

/* out[c] += g * in[c + shift] where both exist. */
static void add_shifted(int count, int shift, double g, const double *in, double *out) {
    int first = shift < 0 ? -shift : 0, last = shift > 0 ? count - shift : count;
    for (int c = first; c < last; c++)
        out[c] += g * in[c + shift];
}

typedef struct averaging {
    const seg_patch_grid *grid;
    int radius;
    const double *gauss, *across, *down;
    double *sum, *smooth, *out;
    size_t stride;
} averaging;

static void average_across(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const averaging *a = arg;
    const int columns = a->grid->columns;
    for (size_t r = first; r < last; r++) {
        const size_t line = r * (size_t)columns;
        for (int k = -a->radius; k <= a->radius; k++)
            if (abs(k) < columns)
                add_shifted(columns, k, a->gauss[abs(k)], a->sum + line, a->smooth + line);
    }
}

static void average_down(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const averaging *a = arg;
    const int columns = a->grid->columns, rows = a->grid->rows;
    for (int r = (int)first; r < (int)last; r++) {
        double *total = a->sum + (size_t)r * (size_t)columns; /* no longer needed: stores the result's row */
        memset(total, 0, (size_t)columns * sizeof *total);
        for (int k = -a->radius; k <= a->radius; k++)
            if (r + k >= 0 && r + k < rows)
                add_shifted(columns, 0, a->gauss[abs(k)], a->smooth + (size_t)(r + k) * (size_t)columns, total);
        for (int c = 0; c < columns; c++)
            a->out[((size_t)r * (size_t)columns + (size_t)c) * a->stride] = total[c] / (a->across[c] * a->down[r]);
    }
}

seg_status seg_patch_average(seg_context *ctx, const seg_patch_grid *grid, double sigma, double *sum, double *out,
                             size_t stride) {
    const int columns = grid->columns, rows = grid->rows, longer = columns > rows ? columns : rows;
    const double reach = 3 * sigma / grid->side;
    const int radius = reach < longer - 1 ? (int)reach : longer - 1;
    SEG_LOCAL(double, gauss, seg_alloc(ctx, (size_t)radius + 1, sizeof *gauss));
    SEG_LOCAL(double, across, seg_alloc(ctx, (size_t)columns, sizeof *across));
    SEG_LOCAL(double, down, seg_alloc(ctx, (size_t)rows, sizeof *down));
    SEG_LOCAL(double, smooth, seg_alloc_zero(ctx, (size_t)columns * (size_t)rows, sizeof *smooth));
    for (int k = 0; k <= radius; k++) {
        double t = (double)k * grid->side / sigma;
        gauss[k] = exp(-0.5 * t * t);
    }
    weigh_axis(columns, grid->side, grid->width, gauss, radius, across);
    weigh_axis(rows, grid->side, grid->height, gauss, radius, down);
    averaging a = {grid, radius, gauss, across, down, sum, smooth, out, stride};
    seg_parallel(ctx, (size_t)rows, 0, average_across, &a);
    seg_parallel(ctx, (size_t)rows, 0, average_down, &a);
    return SEG_OK;
}
