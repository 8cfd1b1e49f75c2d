#include "clustering/kmeans_seed.h"

#include "base/parallel.h"
#include "clustering/sphere.h"

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
        memcpy(lloyd->centre + c * d, lloyd->x + i * d, d * sizeof *lloyd->centre);
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
            lloyd->size[lloyd->group[i]]++;
            for (size_t t = 0; t < d; t++)
                centre[t] += lloyd->x[i * d + t];
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

typedef struct approaching {
    const seg_lloyd *lloyd;
    const double *centre;
    double *nearest;
} approaching;

static void approach_rows(void *arg, size_t first, size_t last, int worker) {
    const approaching *a = arg;
    (void)worker;
    for (size_t i = first; i < last; i++) {
        double distance = seg_lloyd_distance2(a->lloyd->d, a->lloyd->x + i * a->lloyd->d, a->centre);
        if (distance < a->nearest[i])
            a->nearest[i] = distance;
    }
}

/* nearest[i] = min(nearest[i], squared distance of row i to the centre). */
static void approach(const seg_lloyd *lloyd, const double *centre, double *nearest) {
    seg_parallel_on(lloyd->ctx, lloyd->threads, lloyd->n, 0, approach_rows, &(approaching){lloyd, centre, nearest});
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

void seg_kmeans_seed(seg_lloyd *lloyd, seg_random *random) {
    size_t n = lloyd->n, d = lloyd->d, candidates = 0;
    double *nearest = lloyd->upper; /* labels and bounds are not in use yet */
    int32_t *row = lloyd->label;
    for (size_t i = 0; i < n; i++) {
        nearest[i] = INFINITY;
        if (is_free(lloyd, i))
            row[candidates++] = (int32_t)i;
    }
    for (size_t i = 0; candidates == 0 && i < n; i++) /* nobody is free: any row will do */
        row[i] = (int32_t)i;
    if (candidates == 0)
        candidates = n;
    int centres = group_means(lloyd);
    for (size_t c = 0; c < lloyd->k; c++)
        if (lloyd->size[c] > 0)
            approach(lloyd, lloyd->centre + c * d, nearest);
    for (size_t c = 0; c < lloyd->k; c++)
        if (lloyd->size[c] == 0) {
            size_t drawn = draw_row(random, candidates, row, nearest, centres++ > 0);
            memcpy(lloyd->centre + c * d, lloyd->x + drawn * d, d * sizeof(double));
            approach(lloyd, lloyd->centre + c * d, nearest);
        }
}
