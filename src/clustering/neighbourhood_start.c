/* Which neighbourhoods start the clusters of k-means. */
#include "clustering/neighbourhoods.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct choice {
    const seg_neighbourhoods *f;
    int free_from, k; /* clusters free_from .. k-1 are to be given away */
    char *chosen;     /* count */
    size_t chosen_count;
    int16_t *start;
} choice;

static void take(choice *c, int32_t which, int cluster) {
    const seg_neighbourhoods *f = c->f;
    if (seg_neighbourhood_size(f, which) == 0)
        return;
    for (size_t m = f->start[which]; m < f->start[which + 1]; m++)
        c->start[f->member[m]] = (int16_t)cluster;
    c->chosen[which] = 1;
    c->chosen_count++;
}

typedef struct candidate {
    size_t size;
    uint64_t draw;
    int32_t which;
} candidate;

static int larger_first(const void *x, const void *y) {
    const candidate *a = x, *b = y;
    if (a->size != b->size)
        return a->size > b->size ? -1 : 1;
    if (a->draw != b->draw)
        return a->draw < b->draw ? -1 : 1;
    return a->which < b->which ? -1 : a->which > b->which;
}

static size_t chosen_apart(const choice *c, int32_t which) {
    size_t count = 0;
    for (size_t e = c->f->cannot_start[which]; e < c->f->cannot_start[which + 1]; e++)
        count += c->chosen[c->f->cannot[e]] != 0;
    return count;
}

/* The paper looks for one single sample apart from all; here for as many as are needed, each apart from those before,
 * for that is what its Explore phase leaves behind. Candidates come sorted, neighbourhoods of several samples first. */
static void choose_largest(choice *c, const candidate *list, size_t count) {
    size_t at = 0;
    for (; c->free_from < c->k && at < count && list[at].size > 1; at++)
        take(c, list[at].which, c->free_from++);
    for (int found = 1; found && c->free_from < c->k;) {
        size_t best = 0, most = 0;
        for (size_t e = at; e < count; e++) {
            const int32_t which = list[e].which;
            const size_t cannots = c->f->cannot_start[which + 1] - c->f->cannot_start[which];
            if (!c->chosen[which] && cannots > most && list[e].size == 1 && chosen_apart(c, which) == c->chosen_count) {
                best = e;
                most = cannots;
            }
        }
        found = most > 0;
        if (found)
            take(c, list[best].which, c->free_from++);
    }
}

/* Sum of |x - y|^2 over x in A and y in B is |B| Q_A + |A| Q_B - 2 s_A.s_B, with s the sum and Q the sum of squares. */
typedef struct sums {
    size_t d;
    const double *s; /* count x d */
    const double *Q; /* count */
} sums;

static double between(const seg_neighbourhoods *f, const sums *u, int32_t a, int32_t b) {
    double dot = 0;
    for (size_t t = 0; t < u->d; t++)
        dot += u->s[(size_t)a * u->d + t] * u->s[(size_t)b * u->d + t];
    return (double)seg_neighbourhood_size(f, b) * u->Q[a] + (double)seg_neighbourhood_size(f, a) * u->Q[b] - 2 * dot;
}

static seg_status choose_farthest(seg_context *ctx, choice *c, const seg_matrix *X, const candidate *list,
                                  size_t count) {
    const seg_neighbourhoods *f = c->f;
    const size_t d = X->cols, all = (size_t)f->count;
    double *s = seg_alloc_zero(ctx, all, d * sizeof *s), *Q = seg_alloc_zero(ctx, all, sizeof *Q);
    double *mean = seg_alloc_zero(ctx, d, sizeof *mean), *nearest = seg_alloc(ctx, all, sizeof *nearest);
    double *room = seg_rows_room(ctx, X, 1);
    seg_status status = s && Q && mean && nearest && room ? SEG_OK : SEG_ERR_MEMORY;
    if (status)
        goto done;
    for (size_t e = 0; e < X->rows; e++) { /* from the mean: fewer digits cancel */
        const double *row = seg_rows_at(X, e, 1, room);
        for (size_t t = 0; t < d; t++)
            mean[t] += row[t] / (double)X->rows;
    }
    for (size_t m = 0; m < f->start[f->count]; m++) {
        const double *row = seg_rows_at(X, (size_t)f->member[m], 1, room);
        for (size_t t = 0; t < d; t++) {
            double x = row[t] - mean[t];
            s[(size_t)f->of[f->member[m]] * d + t] += x;
            Q[f->of[f->member[m]]] += x * x;
        }
    }
    const sums u = {d, s, Q};
    if (count && c->chosen_count == 0 && c->free_from < c->k)
        take(c, list[0].which, c->free_from++);
    for (int32_t a = 0; a < f->count; a++)
        nearest[a] = INFINITY;
    for (int32_t b = 0; b < f->count; b++)
        for (int32_t a = 0; c->chosen[b] && a < f->count; a++)
            nearest[a] = fmin(nearest[a], between(f, &u, a, b));
    while (c->free_from < c->k) {
        int32_t best = -1;
        for (size_t e = 0; e < count; e++)
            if (!c->chosen[list[e].which] && (best < 0 || nearest[list[e].which] > nearest[best]))
                best = list[e].which;
        if (best < 0)
            break;
        take(c, best, c->free_from++);
        for (int32_t a = 0; a < f->count; a++)
            if (!c->chosen[a])
                nearest[a] = fmin(nearest[a], between(f, &u, a, best));
    }
done:
    free(s);
    free(Q);
    free(mean);
    free(nearest);
    free(room);
    return status;
}

seg_status seg_neighbourhoods_start(seg_context *ctx, const seg_neighbourhoods *neighbourhoods, const seg_matrix *X,
                                    int k, seg_start_rule rule, seg_random *random, int16_t *start) {
    const seg_neighbourhoods *f = neighbourhoods;
    choice c = {f, f->groups, k, NULL, 0, start};
    candidate *list = seg_alloc(ctx, (size_t)f->count, sizeof *list);
    seg_status status = SEG_ERR_MEMORY;
    size_t count = 0;
    c.chosen = seg_alloc_zero(ctx, (size_t)f->count, 1);
    if (!c.chosen || !list)
        goto done;
    status = SEG_OK;
    for (size_t i = 0; i < f->n; i++)
        start[i] = -1;
    for (int32_t g = 0; g < f->groups; g++)
        take(&c, g, g);
    for (int32_t a = f->groups; a < f->count; a++)
        list[count++] = (candidate){seg_neighbourhood_size(f, a), seg_random_bits(random), a};
    qsort(list, count, sizeof *list, larger_first);
    if (rule == SEG_START_LARGEST)
        choose_largest(&c, list, count);
    else
        status = choose_farthest(ctx, &c, X, list, count);
done:
    free(c.chosen);
    free(list);
    return status;
}
