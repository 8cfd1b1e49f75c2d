/* Background strokes are mostly drawn around the object, so their distance limits how far the object extends: a patch
 * much farther from the object's strokes than nearly all of the background's strokes is unlikely to belong to the
 * object, even if it resembles no marked patch or the walk leads to it. With d the distance of a patch from the
 * object's nearest marked patch and R the 0.9 quantile of this distance over the background's marked patches, the log
 * odds of the object fall by
 *
 *     a (1 - 1/m) min(1.5, 2 max(0, d / R - 1.25)),
 *
 * where a is how clearly the label is an object (masks/balance.c), and m the number of the background's marked patches,
 * a single one of which does not tell the object's extent. The bound 1.5 is there for single clicks: patches that
 * resemble the object stay with it. Evidence: docs/results.md, "Extent". */
#include "masks/object.h"

#include "base/base.h"
#include "masks/distance.h"

#include <math.h>
#include <stdlib.h>

#define MARKED_WITHIN 0.9
#define FREE          1.25
#define FALL          2.0
#define MOST          1.5

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* R squared: the 0.9 quantile of distance2 over the patches of `ground`; sorted: work space for all patches. count: the
 * number of patches of `ground`. */
static double reach2(const int16_t *group, size_t n, int ground, const double *distance2, double *sorted,
                     size_t *count) {
    *count = 0;
    for (size_t i = 0; i < n; i++)
        if (group[i] == ground)
            sorted[(*count)++] = distance2[i];
    qsort(sorted, *count, sizeof *sorted, compare);
    return sorted[(size_t)(MARKED_WITHIN * (double)(*count - 1))];
}

seg_status seg_extent_apply(seg_context *ctx, const seg_extent *e, seg_matrix *score, int32_t *label, size_t *lowered) {
    const int16_t *group = e->group;
    const double object = e->object;
    const size_t n = score->rows;
    const int own = object < 0; /* column of the object */
    double *distance2 = seg_alloc(ctx, n, sizeof *distance2), *sorted = seg_alloc(ctx, n, sizeof *sorted);
    SEG_FREED uint8_t *marked = seg_alloc(ctx, n, 1);
    seg_status status = distance2 && sorted && marked ? SEG_OK : SEG_ERR_MEMORY;
    *lowered = 0;
    if (!status) {
        for (size_t i = 0; i < n; i++)
            marked[i] = group[i] == own;
        status = seg_distance_to(ctx, marked, e->grid->columns, e->grid->rows, distance2);
    }
    if (!status) {
        size_t count;
        const double reach = sqrt(reach2(group, n, 1 - own, distance2, sorted, &count));
        const double strength = fabs(object) * (1 - 1 / (double)count);
        for (size_t i = 0; i < n; i++) {
            const double beyond = sqrt(distance2[i]) / reach - FREE;
            if (group[i] >= 0 || beyond <= 0 || strength <= 0)
                continue;
            double *s = score->at + 2 * i;
            s[own] *= exp(-strength * fmin(MOST, FALL * beyond));
            const double sum = s[0] + s[1];
            s[0] /= sum;
            s[1] /= sum;
            label[i] = s[1] > s[0];
            ++*lowered;
        }
    }
    free(sorted);
    free(distance2);
    return status;
}
