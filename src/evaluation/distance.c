#include "evaluation/distance.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>

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

seg_status seg_distance_inside(seg_context *ctx, const uint8_t *inside, int width, int height, double *distance2) {
    /* A frame of one pixel is the outside beyond the image. */
    const int w = width + 2, h = height + 2, longer = w > h ? w : h;
    double *plane = seg_alloc(ctx, (size_t)w * (size_t)h, sizeof *plane);
    double *line = seg_alloc(ctx, (size_t)longer, 2 * sizeof *line),
           *from = seg_alloc(ctx, (size_t)longer + 1, sizeof *from);
    int *root = seg_alloc(ctx, (size_t)longer, sizeof *root);
    seg_status status = plane && line && from && root ? SEG_OK : SEG_ERR_MEMORY;
    for (int x = 0; x < w && status == SEG_OK; x++) {
        for (int y = 0; y < h; y++) {
            const int within = x > 0 && y > 0 && x <= width && y <= height;
            line[y] = within && inside[(size_t)(y - 1) * (size_t)width + (size_t)(x - 1)] ? FAR : 0;
        }
        transform_line(line, h, root, from, line + longer);
        for (int y = 0; y < h; y++)
            plane[(size_t)y * (size_t)w + (size_t)x] = line[longer + y];
    }
    for (int y = 1; y <= height && status == SEG_OK; y++) {
        transform_line(plane + (size_t)y * (size_t)w, w, root, from, line);
        for (int x = 0; x < width; x++)
            distance2[(size_t)(y - 1) * (size_t)width + (size_t)x] = line[x + 1];
    }
    free(plane);
    free(line);
    free(from);
    free(root);
    return status;
}
