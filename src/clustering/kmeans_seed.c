/* Start centres of k-means. */
#include "clustering/kmeans_step.h"

#include "base/parallel.h"

#include <math.h>
#include <string.h>

static int is_free(const seg_lloyd *lloyd, size_t i) {
    return !lloyd->group || lloyd->group[i] < 0;
}

/* Groups whose mean has no direction start at their first row. */
static void bring_to_sphere(seg_lloyd *lloyd) {
    const size_t d = lloyd->d;
    for (size_t c = 0; c < lloyd->k; c++) {
        if (lloyd->size[c] == 0 || seg_sphere_centre(d, lloyd->centre + c * d))
            continue;
        size_t i = 0;
        while (lloyd->group[i] != (int16_t)c)
            i++;
        memcpy(lloyd->centre + c * d, seg_lloyd_row(lloyd, i), d * sizeof *lloyd->centre);
    }
}

/* Clusters of a group with rows get the mean as their centre and the rows' number as their size; returns how many. */
static int group_means(seg_lloyd *lloyd) {
    size_t d = lloyd->d;
    int done = 0;
    memset(lloyd->centre, 0, lloyd->k * d * sizeof *lloyd->centre);
    memset(lloyd->size, 0, lloyd->k * sizeof *lloyd->size);
    for (size_t i = 0; lloyd->group && i < lloyd->n; i++)
        if (lloyd->group[i] >= 0) {
            double *centre = lloyd->centre + (size_t)lloyd->group[i] * d;
            const double *x = seg_lloyd_row(lloyd, i);
            lloyd->size[lloyd->group[i]]++;
            for (size_t t = 0; t < d; t++)
                centre[t] += x[t];
        }
    for (size_t c = 0; c < lloyd->k; c++) {
        done += lloyd->size[c] > 0;
        for (size_t t = 0; lloyd->size[c] > 0 && t < d; t++)
            lloyd->centre[c * d + t] /= (double)lloyd->size[c];
    }
    if (lloyd->cosine)
        bring_to_sphere(lloyd);
    return done;
}

/* A centre that has been added. */
typedef struct approaching {
    seg_lloyd *lloyd;
    const double *centre;
} approaching;

static void approach_rows(void *arg, size_t first, size_t last, int worker) {
    const approaching *a = arg;
    seg_lloyd *lloyd = a->lloyd;
    double *room = seg_rows_own_room(&lloyd->x, lloyd->room, worker);
    for (size_t i = first; i < last; i++) {
        const double distance2 = seg_lloyd_distance2(lloyd->d, seg_rows_at(&lloyd->x, i, 1, room), a->centre);
        if (distance2 < lloyd->upper[i])
            lloyd->upper[i] = distance2;
    }
}

/* upper[i] = min(upper[i], squared distance of row i to centre `at`). */
static void approach(seg_lloyd *lloyd, size_t at) {
    seg_parallel_on(lloyd->ctx, lloyd->threads, lloyd->n, 0, approach_rows,
                    &(approaching){lloyd, lloyd->centre + at * lloyd->d});
}

/* A candidate row, by weight; uniformly where all weights are zero or their sum is not finite. */
static size_t draw_row(seg_random *random, size_t candidates, const int32_t *row, const double *nearest, int weighted) {
    double total = 0, sum = 0;
    for (size_t c = 0; weighted && c < candidates; c++)
        total += nearest[row[c]];
    if (!(total > 0) || isinf(total))
        return (size_t)row[seg_random_below(random, candidates)];
    double aim = seg_random_uniform(random) * total;
    size_t last = 0;
    for (size_t c = 0; c < candidates; c++)
        if (nearest[row[c]] > 0) {
            sum += nearest[row[c]];
            last = (size_t)row[c];
            if (aim < sum)
                break;
        }
    return last;
}

/* Rows that centres are drawn from; all of them where none is free. */
static size_t list_candidates(seg_lloyd *lloyd) {
    size_t candidates = 0, n = lloyd->n;
    int32_t *row = lloyd->label; /* labels and bounds are not in use yet */
    for (size_t i = 0; i < n; i++) {
        lloyd->upper[i] = INFINITY;
        if (is_free(lloyd, i))
            row[candidates++] = (int32_t)i;
    }
    for (size_t i = 0; candidates == 0 && i < n; i++)
        row[i] = (int32_t)i;
    return candidates ? candidates : n;
}

void seg_kmeans_seed(seg_lloyd *lloyd, seg_random *random) {
    const size_t d = lloyd->d, candidates = list_candidates(lloyd);
    int centres = group_means(lloyd);
    for (size_t c = 0; c < lloyd->k; c++)
        if (lloyd->size[c] > 0)
            approach(lloyd, c);
    for (size_t c = 0; c < lloyd->k; c++) {
        if (lloyd->size[c] > 0)
            continue;
        const size_t drawn = draw_row(random, candidates, lloyd->label, lloyd->upper, centres++ > 0);
        memcpy(lloyd->centre + c * d, seg_lloyd_row(lloyd, drawn), d * sizeof(double));
        approach(lloyd, c);
    }
}
