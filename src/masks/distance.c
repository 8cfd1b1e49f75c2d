#include "masks/distance.h"
#include "base/base.h"
#include "features/grid.h"

#define FAR 1e20

/* One line: out[q] = min over p of (q - p)^2 + f[p], by the lower envelope of the parabolas rooted at p. `root` has n
 * places, `from` n + 1. */
static void transform_line(const double *f, int n, int *root, double *from, double *out) {
    int last = 0;
    root[0] = 0;
    from[0] = -FAR;
    from[1] = FAR;
    for (int q = 1; q < n; q++) {
        double cross;
        for (;;) {
            const int p = root[last];
            cross = ((f[q] + (double)q * q) - (f[p] + (double)p * p)) / (2.0 * (q - p));
            if (cross > from[last] || last == 0)
                break;
            last--;
        }
        if (cross > from[last])
            last++;
        root[last] = q;
        from[last] = last ? cross : -FAR;
        from[last + 1] = FAR;
    }
    for (int q = 0, i = 0; q < n; q++) {
        while (from[i + 1] < q)
            i++;
        out[q] = (double)(q - root[i]) * (q - root[i]) + f[root[i]];
    }
}

/* Lines of values in a plane or a stack of planes. */
typedef struct lines {
    size_t count, apart, step; /* from the first value of a line to that of the next, and within a line */
    int length;
    double unit2; /* of the values, in squared steps */
} lines;

static seg_status transform_lines(seg_context *ctx, const lines *l, double *distance2) {
    const size_t length = (size_t)l->length;
    SEG_FREED double *line = seg_alloc(ctx, length, 2 * sizeof *line), *from = seg_alloc(ctx, length + 1, sizeof *from);
    SEG_FREED int *root = seg_alloc(ctx, length, sizeof *root);
    SEG_TRY(seg_allocated(line && from && root));
    for (size_t n = 0; n < l->count; n++) {
        double *first = distance2 + n * l->apart;
        for (size_t i = 0; i < length; i++)
            line[i] = first[i * l->step] / l->unit2;
        transform_line(line, l->length, root, from, line + length);
        for (size_t i = 0; i < length; i++)
            first[i * l->step] = line[length + i] * l->unit2;
    }
    return SEG_OK;
}

seg_status seg_distance_to(seg_context *ctx, const uint8_t *marked, int width, int height, double *distance2) {
    const size_t w = (size_t)width, h = (size_t)height;
    for (size_t i = 0; i < w * h; i++)
        distance2[i] = marked[i] ? 0 : FAR;
    SEG_TRY(transform_lines(ctx, &(lines){w, 1, w, height, 1}, distance2));
    return transform_lines(ctx, &(lines){h, w, 1, width, 1}, distance2);
}

seg_status seg_distance_inside(seg_context *ctx, const uint8_t *inside, int width, int height, double *distance2) {
    /* A frame of one pixel around the image counts as outside. */
    const size_t w = (size_t)width + 2, h = (size_t)height + 2;
    SEG_LOCAL(double, plane, seg_alloc(ctx, w * h, sizeof *plane));
    SEG_LOCAL(uint8_t, outside, seg_alloc(ctx, w * h, 1));
    memset(outside, 1, w * h);
    for (size_t y = 0; y + 2 < h; y++)
        for (size_t x = 0; x + 2 < w; x++)
            outside[(y + 1) * w + x + 1] = !inside[y * (w - 2) + x];
    SEG_TRY(seg_distance_to(ctx, outside, width + 2, height + 2, plane));
    for (size_t y = 0; y + 2 < h; y++)
        memcpy(distance2 + y * (w - 2), plane + (y + 1) * w + 1, (w - 2) * sizeof *plane);
    return SEG_OK;
}

seg_status seg_patch_distances(seg_context *ctx, const uint8_t *marked, const seg_patch_grid *grid, double *distance2) {
    const int slices = seg_patch_layers(grid), rows = grid->rows / slices;
    const size_t slice = (size_t)rows * (size_t)grid->columns;
    const double step = (grid->apart > 0 ? grid->apart : 1) / grid->side;
    for (size_t s = 0; s < (size_t)slices; s++)
        SEG_TRY(seg_distance_to(ctx, marked + s * slice, grid->columns, rows, distance2 + s * slice));
    return slices > 1 ? transform_lines(ctx, &(lines){slice, 1, slice, slices, step * step}, distance2) : SEG_OK;
}
