/* The frame of an image mostly shows background. A walk that reaches an unmarked patch of the frame may therefore end
 * there, with the probability
 *
 *     0.1 exp(-m / 30) r(d) r(e) min(1, 2 a / (a + b)),
 *
 * as a share of the patch's degree. m is the number of marked patches of the background and r(x) = min(1, max(0, 2 x /
 * 0.15 - 1)) a ramp; d is the distance from the patch to the nearest stroke and e that from the frame to the object's
 * marked patch farthest inside, in units of the image's shorter side; a and b are the squared distances of the patch's
 * features to the nearest marked patch of the object and of the background. Thus this evidence fades as strokes are
 * added, and an object with strokes near the frame, or with its colours there, may reach the frame. Without background
 * strokes the last two factors are 1. Measured on whole data sets: docs/results.md, "First clicks". */
#include "masks/object.h"

#include "base/base.h"
#include "features/grid.h"
#include "features/spec.h"
#include "masks/distance.h"

#include <math.h>
#include <stdlib.h>

#define STRENGTH 0.1
#define FADES    30.0 /* marked patches in which the evidence falls to 1 / e */
#define NEAR     0.15
#define FAINT    1e-3 /* share of the evidence below which it counts as 0 */

static double ramp(double away) {
    return fmin(1, fmax(0, 2 * away / NEAR - 1));
}

/* min(1, 2 a / (a + b)) */
static double unlike_object(const seg_object_view *v, size_t i) {
    double nearest2[2] = {INFINITY, INFINITY};
    for (size_t j = 0; j < v->features->rows; j++) {
        if (v->group[j] >= 0)
            nearest2[v->group[j]] = fmin(nearest2[v->group[j]], seg_appearance_distance2(v->features, v->uses, i, j));
    }
    const double both = nearest2[0] + nearest2[1];
    return both > 0 ? fmin(1, 2 * nearest2[0] / both) : 1;
}

static void fill(const seg_object_view *v, const double *distance2, double *strength) {
    const int columns = v->grid->columns, rows = v->grid->rows;
    const double shorter = rows == 1 || (columns < rows && columns > 1) ? columns : rows;
    const size_t n = (size_t)columns * (size_t)rows;
    size_t ground = 0;
    int deepest = 0;
    for (size_t i = 0; i < n; i++) {
        const int deep = v->group[i] == 0 ? seg_patch_to_frame(v->grid, i) : 0;
        deepest = deep > deepest ? deep : deepest;
        ground += v->group[i] == 1;
    }
    const double depth = ground ? ramp(deepest / shorter) : 1, most = depth * exp(-(double)ground / FADES);
    for (size_t i = 0; i < n; i++) {
        strength[i] = 0;
        if (seg_patch_to_frame(v->grid, i) == 0 && v->group[i] < 0 && most >= FAINT)
            strength[i] = STRENGTH * most * ramp(sqrt(distance2[i]) / shorter) * (ground ? unlike_object(v, i) : 1);
    }
}

seg_status seg_frame_strength(seg_context *ctx, const seg_object_view *view, double **strength) {
    const int columns = view->grid->columns, rows = view->grid->rows;
    const size_t n = (size_t)columns * (size_t)rows;
    SEG_FREED uint8_t *marked = seg_alloc(ctx, n, 1);
    SEG_FREED double *distance2 = seg_alloc(ctx, n, sizeof *distance2);
    *strength = seg_alloc(ctx, n, sizeof **strength);
    seg_status status = marked && distance2 && *strength ? SEG_OK : SEG_ERR_MEMORY;
    for (size_t i = 0; !status && i < n; i++)
        marked[i] = view->group[i] >= 0;
    if (!status)
        status = seg_distance_to(ctx, marked, columns, rows, distance2);
    if (!status)
        fill(view, distance2, *strength);
    if (status) {
        free(*strength);
        *strength = NULL;
    }
    return status;
}
