/* Groups from a clustering: the core of each cluster that has no group. */
#include "groups/groups.h"

#include "base/base.h"
#include "clustering/linked_samples.h"
#include "constraints/closed.h"

#include <stdlib.h>
#include <string.h>

/* Share of its samples that become the group of a cluster without marked samples: those with the highest scores. */
#define CORE 0.3

/* Whether sample i, or a sample that must link to it, cannot link to a member of group c. */
static int is_apart(const seg_neighbourhoods *linked, const seg_constraints *out, size_t i, size_t c) {
    const int32_t own = linked->of[i];
    for (size_t e = own < 0 ? 0 : linked->cannot_start[own]; own >= 0 && e < linked->cannot_start[own + 1]; e++) {
        const int32_t other = linked->cannot[e];
        for (size_t m = linked->start[other]; m < linked->start[other + 1]; m++)
            if (out->group[linked->member[m]] == (int16_t)c)
                return 1;
    }
    return 0;
}

typedef struct finding {
    const seg_clustering *clusters;
    int marked; /* clusters that have a group */
    size_t size[SEG_MAX_LABELS], core[SEG_MAX_LABELS];
} finding;

typedef struct ranked {
    double score; /* of its own cluster */
    size_t i;
} ranked;

static int by_score(const void *x, const void *y) {
    const ranked *p = x, *q = y;
    if (p->score != q->score)
        return p->score > q->score ? -1 : 1;
    return p->i < q->i ? -1 : p->i > q->i;
}

/* Choose the samples that pairs name first, because more is known of them, then the others in the order of their
 * scores, which prefers no position. Every cluster gets a core, however small its scores are. */
static seg_status choose_cores(seg_context *ctx, finding *f, const seg_neighbourhoods *linked, seg_constraints *out) {
    const size_t n = f->clusters->n, k = (size_t)f->clusters->k;
    SEG_FREED ranked *rank = seg_alloc(ctx, n, sizeof *rank);
    if (!rank)
        return SEG_ERR_MEMORY;
    for (size_t i = 0; i < n; i++)
        rank[i] = (ranked){f->clusters->score.at[i * k + (size_t)f->clusters->label[i]], i};
    for (size_t i = 0; i < n; i++) {
        const size_t c = (size_t)f->clusters->label[i];
        if ((int)c >= f->marked && linked->of[i] >= f->marked && !is_apart(linked, out, i, c)) {
            out->group[i] = (int16_t)c;
            f->core[c]++;
        }
    }
    qsort(rank, n, sizeof *rank, by_score);
    for (size_t r = 0; r < n; r++) {
        const size_t i = rank[r].i, c = (size_t)f->clusters->label[i];
        if ((int)c < f->marked || out->group[i] >= 0 ||
            (f->core[c] && ((double)f->core[c] >= CORE * (double)f->size[c] || is_apart(linked, out, i, c))))
            continue;
        out->group[i] = (int16_t)c;
        f->core[c]++;
    }
    return SEG_OK;
}

seg_status seg_groups_from_clusters(seg_context *ctx, const seg_problem *problem, const seg_clustering *clusters,
                                    seg_constraints *out) {
    const seg_constraints *given = problem->constraints;
    SEG_RELEASED(seg_neighbourhoods_free) seg_neighbourhoods linked = {0};
    finding f = {.clusters = clusters, .marked = given->groups};
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_neighbourhoods_create(ctx, given, &linked));
    SEG_TRY(seg_constraints_create(ctx, problem->n, out));
    for (size_t p = 0; p < given->pairs; p++)
        SEG_TRY(seg_constraints_add(ctx, out, given->pair[p]));
    out->groups = problem->k;
    memcpy(out->group, given->group, problem->n * sizeof *out->group);
    for (size_t i = 0; i < problem->n; i++)
        f.size[clusters->label[i]]++;
    return choose_cores(ctx, &f, &linked, out);
}
