/* The frame of an image mostly shows background. A walk that reaches an unmarked patch of the frame may therefore end
 * there, with the probability
 *
 *     s exp(-m / 30) min(1, max(0, 2 d / 0.15 - 1)),
 *
 * a share of the patch's degree; m the marked patches of the label that has fewer, d the distance to the nearest stroke
 * in units of the image's shorter side. So strokes replace this evidence as they become more, and an object that is
 * marked near the frame may reach it. Learned on whole data sets: docs/results.md, "First clicks". */
#include "likelihood/frame.h"

#include "base/base.h"
#include "masks/distance.h"

#include <math.h>
#include <stdlib.h>

#define STRENGTH 0.1
#define FADES    30.0 /* marked patches in which the evidence falls to 1 / e */
#define NEAR     0.15

static double fade(const int16_t *group, size_t n, int labels) {
    size_t marked[2] = {0, 0};
    for (size_t i = 0; i < n; i++)
        if (group[i] >= 0)
            marked[group[i]]++;
    const size_t fewer = labels == 2 && marked[0] < marked[1] ? marked[0] : labels == 2 ? marked[1] : 0;
    return exp(-(double)fewer / FADES);
}

seg_status seg_frame_strength(seg_context *ctx, const seg_patch_grid *grid, const int16_t *group, int labels,
                              double **strength) {
    const int columns = grid->columns, rows = grid->rows, shorter = columns < rows ? columns : rows;
    const size_t n = (size_t)columns * (size_t)rows;
    uint8_t *marked = seg_alloc(ctx, n, 1);
    double *distance2 = *strength = seg_alloc(ctx, n, sizeof **strength);
    seg_status status = marked && distance2 ? SEG_OK : SEG_ERR_MEMORY;
    for (size_t i = 0; !status && i < n; i++)
        marked[i] = group[i] >= 0;
    if (!status)
        status = seg_distance_to(ctx, marked, columns, rows, distance2);
    if (!status) {
        const double most = STRENGTH * fade(group, n, labels);
        for (size_t i = 0; i < n; i++) {
            const int x = (int)(i % (size_t)columns), y = (int)(i / (size_t)columns);
            const int at_frame = x == 0 || y == 0 || x + 1 == columns || y + 1 == rows;
            const double away = sqrt(distance2[i]) / shorter;
            (*strength)[i] = at_frame && group[i] < 0 ? most * fmin(1, fmax(0, 2 * away / NEAR - 1)) : 0;
        }
    }
    free(marked);
    if (status) {
        free(*strength);
        *strength = NULL;
    }
    return status;
}
