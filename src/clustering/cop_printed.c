#include "clustering/pckmeans_step.h"

#include "base/base.h"
#include "base/random.h"
#include "linalg/dense.h"

typedef struct cop {
    seg_context *ctx;
    const seg_matrix *X;
    const seg_neighbourhoods *near;
    size_t n, d, k;
    int cosine;
    int32_t *label, *placed; /* n; placed: cluster of each neighbourhood in this step, -1 none yet */
    double *centre;
    size_t *size, failed_at; /* failed_at: row that no cluster could take */
    double objective;
} cop;

static double distance2(const cop *c, size_t i, size_t cluster) {
    return seg_distance2(c->d, c->X->at + i * c->d, c->centre + cluster * c->d);
}

/* Whether the cluster already contains a neighbourhood that has a cannot-link to `which`. */
static int breaks(const cop *c, int32_t which, size_t cluster) {
    for (size_t e = c->near->cannot_start[which]; e < c->near->cannot_start[which + 1]; e++)
        if (c->placed[c->near->cannot[e]] == (int32_t)cluster)
            return 1;
    for (int32_t group = 0; which < c->near->groups && group < c->near->groups; group++) /* groups are not listed */
        if (c->placed[group] == (int32_t)cluster)
            return 1;
    return 0;
}

/* Assign all rows. @return 0 if no cluster could take a row, 2 if no row changed its cluster, else 1 */
static int place(cop *c) {
    int changed = 0;
    c->objective = 0;
    for (int32_t which = 0; which < c->near->count; which++)
        c->placed[which] = -1;
    for (size_t i = 0; i < c->n; i++) {
        const int32_t which = c->near->of[i];
        int32_t best = which >= 0 ? c->placed[which] : -1;
        double least = best >= 0 ? distance2(c, i, (size_t)best) : INFINITY;
        for (size_t cluster = 0; cluster < c->k && !(which >= 0 && c->placed[which] >= 0); cluster++) {
            const double value = distance2(c, i, cluster);
            if (value < least && !(which >= 0 && breaks(c, which, cluster))) {
                least = value;
                best = (int32_t)cluster;
            }
        }
        if (best < 0) {
            c->failed_at = i;
            return 0;
        }
        if (which >= 0)
            c->placed[which] = best;
        changed |= c->label[i] != best;
        c->label[i] = best;
        c->objective += least;
    }
    return changed ? 1 : 2;
}

/* Set the centres to the means, normalised to length one for the cosine; an empty cluster keeps its centre. */
static void update(cop *c) {
    memset(c->size, 0, c->k * sizeof *c->size);
    for (size_t i = 0; i < c->n; i++)
        c->size[c->label[i]]++;
    for (size_t cluster = 0; cluster < c->k; cluster++)
        for (size_t t = 0; t < c->d && c->size[cluster]; t++)
            c->centre[cluster * c->d + t] = 0;
    for (size_t i = 0; i < c->n; i++)
        for (size_t t = 0; t < c->d; t++)
            c->centre[(size_t)c->label[i] * c->d + t] += c->X->at[i * c->d + t] / (double)c->size[c->label[i]];
    for (size_t cluster = 0; c->cosine && cluster < c->k; cluster++) {
        size_t i = 0;
        if (c->size[cluster] == 0 || seg_sphere_centre(c->d, c->centre + cluster * c->d))
            continue;
        while (c->label[i] != (int32_t)cluster) /* the mean is 0: any row serves as the centre */
            i++;
        memcpy(c->centre + cluster * c->d, c->X->at + i * c->d, c->d * sizeof *c->centre);
    }
}

static void draw_starts(cop *c, seg_random *random) {
    for (size_t cluster = 0; cluster < c->k; cluster++) {
        size_t i;
        int taken;
        do { /* k <= n different rows */
            i = seg_random_below(random, c->n);
            taken = 0;
            for (size_t other = 0; other < cluster; other++)
                taken |= c->size[other] == i;
        } while (taken);
        c->size[cluster] = i;
        memcpy(c->centre + cluster * c->d, c->X->at + i * c->d, c->d * sizeof *c->centre);
    }
    for (size_t i = 0; i < c->n; i++)
        c->label[i] = -1;
}

/* @return SEG_OK and *done 1, or *done 0 where the run failed */
static seg_status run(cop *c, int limit, int *done, seg_kmeans_result *result) {
    *result = (seg_kmeans_result){0};
    *done = 0;
    while (result->iterations < limit && !result->converged) {
        SEG_TRY(seg_poll(c->ctx));
        const int placed = place(c);
        if (!placed)
            return SEG_OK;
        update(c);
        result->iterations++;
        result->converged = placed == 2;
    }
    *done = 1;
    return SEG_OK;
}

seg_status seg_cop_printed(seg_context *ctx, const seg_pck_problem *problem, seg_clusters to,
                           seg_kmeans_result *result) {
    const seg_pckmeans_options *options = problem->soft;
    const seg_matrix *X = problem->X;
    cop c = {.ctx = ctx,
             .X = X,
             .near = problem->f,
             .n = X->rows,
             .d = X->cols,
             .k = (size_t)options->k,
             .cosine = options->cosine};
    SEG_FREED int32_t *room = NULL; /* and the arrays allocated with it */
    int found = 0;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(room, c.n), SEG_ARRAY(c.placed, (size_t)c.near->count + 1),
                             SEG_TABLE(c.centre, c.k, c.d), SEG_ARRAY(c.size, c.k)));
    c.label = room;
    for (int restart = 0; restart < options->restarts; restart++) {
        seg_kmeans_result now;
        int done;
        seg_random random = seg_random_seeded(ctx ? ctx->seed : 1, options->stream + ((uint64_t)restart << 32));
        draw_starts(&c, &random);
        SEG_TRY(run(&c, options->iterations, &done, &now));
        now.objective = options->distortion * c.objective;
        if (!done || (found && !(now.objective < result->objective)))
            continue;
        found = 1;
        *result = now;
        memcpy(to.label, c.label, c.n * sizeof *to.label);
        memcpy(to.centre, c.centre, c.k * c.d * sizeof *to.centre);
    }
    if (found)
        return SEG_OK;
    return seg_fail(ctx, SEG_ERR_USAGE,
                    "COP-KMeans as printed fails: sample %zu finds no cluster left; try another seed or more "
                    "restarts, or let it search for an assignment (search=full, the variant improved)",
                    c.failed_at);
}
