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

seg_status seg_distance_to(seg_context *ctx, const uint8_t *marked, int width, int height, double *distance2) {
    const int longer = width > height ? width : height;
    const size_t w = (size_t)width;
    SEG_FREED double *line = seg_alloc(ctx, (size_t)longer, 2 * sizeof *line),
                     *from = seg_alloc(ctx, (size_t)longer + 1, sizeof *from);
    SEG_FREED int *root = seg_alloc(ctx, (size_t)longer, sizeof *root);
    SEG_TRY(seg_allocated(line && from && root));
    for (int x = 0; x < width; x++) {
        for (int y = 0; y < height; y++)
            line[y] = marked[(size_t)y * w + (size_t)x] ? 0 : FAR;
        transform_line(line, height, root, from, line + longer);
        for (int y = 0; y < height; y++)
            distance2[(size_t)y * w + (size_t)x] = line[longer + y];
    }
    for (int y = 0; y < height; y++) {
        double *row = distance2 + (size_t)y * w;
        memcpy(line, row, w * sizeof *line);
        transform_line(line, width, root, from, row);
    }
    return SEG_OK;
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
    const double step = (grid->apart > 0 ? grid->apart : 1) / grid->side, step2 = step * step;
    SEG_FREED double *line = seg_alloc(ctx, (size_t)slices, 2 * sizeof *line),
                     *from = seg_alloc(ctx, (size_t)slices + 1, sizeof *from);
    SEG_FREED int *root = seg_alloc(ctx, (size_t)slices, sizeof *root);
    if (!line || !from || !root)
        return SEG_ERR_MEMORY;
    for (int s = 0; s < slices; s++)
        SEG_TRY(seg_distance_to(ctx, marked + (size_t)s * slice, grid->columns, rows, distance2 + (size_t)s * slice));
    for (size_t i = 0; slices > 1 && i < slice; i++) {
        for (int s = 0; s < slices; s++)
            line[s] = distance2[(size_t)s * slice + i] / step2;
        transform_line(line, slices, root, from, line + slices);
        for (int s = 0; s < slices; s++)
            distance2[(size_t)s * slice + i] = line[slices + s] * step2;
    }
    return SEG_OK;
}
