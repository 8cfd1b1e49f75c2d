/* Start centres of k-means. */
#include "clustering/kmeans_step.h"

#include "base/base.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

static int is_free(const seg_lloyd *lloyd, size_t i) {
    return !lloyd->group || lloyd->group[i] < 0;
}

/* Normalise the group means to length one; a group whose mean is zero starts at its first row. */
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

/* Set the centre of each cluster that has a group to the mean of the group's rows, and its size to their number.
 * @return how many clusters were set */
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

/* New centres, one per run. */
typedef struct approaching {
    seg_lloyd *const *run;
    const double *turned; /* the new centres of all runs, by columns */
    size_t count, padded;
} approaching;

static void approach_rows(void *arg, size_t first, size_t last, int worker) {
    const approaching *a = arg;
    const seg_lloyd *any = a->run[0];
    double *room = seg_rows_own_room(&any->x, any->room, worker);
    const double *x = NULL;
    for (size_t i = first; i < last; i++, x += any->d) {
        double distance[SEG_LLOYD_ABREAST];
        if ((i - first) % SEG_LEAST_TILE == 0)
            x = seg_rows_at(&any->x, i, last - i < SEG_LEAST_TILE ? last - i : SEG_LEAST_TILE, room);
        seg_lloyd_distances(any->d, a->padded, x, a->turned, 0, distance);
        for (size_t r = 0; r < a->count; r++)
            if (distance[r] < a->run[r]->upper[i])
                a->run[r]->upper[i] = distance[r];
    }
}

/* upper[i] = min(upper[i], squared distance of row i to centre `at`) in each run, for several runs at once. `turned` is
 * not in use yet, and has room for `padded` centres. */
static void approach(seg_lloyd *const *run, size_t count, size_t at) {
    const size_t d = run[0]->d;
    for (size_t first = 0, chunk; first < count; first += chunk) {
        double *turned = run[first]->turned;
        chunk = count - first < run[0]->padded ? count - first : run[0]->padded;
        chunk = chunk < SEG_LLOYD_ABREAST ? chunk : SEG_LLOYD_ABREAST;
        const size_t padded = (chunk + 3) / 4 * 4;
        for (size_t t = 0; t < d; t++)
            for (size_t r = 0; r < padded; r++)
                turned[t * padded + r] = run[first + (r < chunk ? r : 0)]->centre[at * d + t];
        seg_parallel_on(run[0]->ctx, run[0]->threads, run[0]->n, 0, approach_rows,
                        &(approaching){run + first, turned, chunk, padded});
    }
}

/* Draw a candidate row in proportion to `nearest`; uniformly if not `weighted`, or if the sum is zero or not finite. */
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

/* List the rows that centres are drawn from: the free rows, or all rows if none is free. @return their number */
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

void seg_kmeans_seed_all(seg_lloyd *const *run, size_t count, seg_random *random) {
    size_t d = run[0]->d, k = run[0]->k, candidates = 0;
    int centres = 0;
    for (size_t r = 0; r < count; r++) {
        candidates = list_candidates(run[r]);
        centres = group_means(run[r]);
    }
    for (size_t c = 0; c < k; c++)
        if (run[0]->size[c] > 0)
            approach(run, count, c);
    for (size_t c = 0; c < k; c++) {
        if (run[0]->size[c] > 0)
            continue;
        for (size_t r = 0; r < count; r++) {
            seg_lloyd *one = run[r];
            const size_t drawn = draw_row(&random[r], candidates, one->label, one->upper, centres > 0);
            memcpy(one->centre + c * d, seg_lloyd_row(one, drawn), d * sizeof(double));
        }
        centres++;
        approach(run, count, c);
    }
}

void seg_kmeans_seed(seg_lloyd *lloyd, seg_random *random) {
    seg_kmeans_seed_all(&lloyd, 1, random);
}

/* ---- Rows of length one, for spherical k-means [dhillon2001concept]. ---- */

/* Normalise to length one; 0 if all are zero. The largest number is first scaled to about one, so that squares neither
 * overflow nor underflow. */
static int to_length_one(size_t d, const double *from, double *to) {
    double largest = 0, square = 0;
    int exponent;
    for (size_t t = 0; t < d; t++)
        largest = fmax(largest, fabs(from[t]));
    if (!(largest > 0))
        return 0;
    frexp(largest, &exponent);
    for (size_t t = 0; t < d; t++) {
        to[t] = ldexp(from[t], -exponent);
        square += to[t] * to[t];
    }
    const double norm = sqrt(square);
    for (size_t t = 0; t < d; t++)
        to[t] /= norm;
    return 1;
}

seg_status seg_sphere_create(seg_context *ctx, const seg_matrix *X, seg_matrix *out) {
    SEG_FREED double *room = seg_rows_room(ctx, X, 1);
    *out = (seg_matrix){0};
    if (!room)
        return SEG_ERR_MEMORY;
    SEG_TRY(seg_matrix_create(ctx, X->rows, X->cols, out));
    for (size_t i = 0; i < X->rows; i++) {
        const double *row = seg_rows_at(X, i, 1, room);
        for (size_t t = 0; t < X->cols; t++)
            if (!isfinite(row[t]))
                return seg_fail(ctx, SEG_ERR_USAGE, "row %zu holds a number that is not finite; check the features",
                                i + 1);
        if (!to_length_one(X->cols, row, out->at + i * X->cols))
            return seg_fail(ctx, SEG_ERR_USAGE,
                            "row %zu is all zeros and has no direction, which the cosine compares; leave the row out, "
                            "or use distance=euclidean",
                            i + 1);
    }
    return SEG_OK;
}

int seg_sphere_centre(size_t d, double *centre) {
    return to_length_one(d, centre, centre);
}
