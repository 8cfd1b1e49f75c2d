/* Groups for clusters that have none, for methods that learn from marked samples. */
#include "methods/linked_groups.h"

#include "base/base.h"
#include "clustering/neighbourhoods.h"
#include "constraints/closed.h"
#include "graph/spectrum.h"
#include "linalg/dense.h"
#include "methods/ccsr.h"
#include "methods/fill.h"
#include "methods/method.h"
#include "methods/smoothest.h"

#include <stdlib.h>
#include <string.h>

/* Share of a cluster's samples that stand for it where it was found without strokes: those nearest its centre. */
#define CORE 0.3

/* Whether sample i, or what must link to it, cannot link to one that is in group c already. */
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

/* What a finder found, and which of its samples may stand for a cluster. */
typedef struct finding {
    seg_clustering clusters;
    seg_neighbourhoods linked;
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

/* The samples that pairs name first, of which more is known; then exactly in the order of the score, which favours no
 * place. Every cluster has a core then, however small its scores are. */
static seg_status choose_cores(seg_context *ctx, finding *f, seg_constraints *out) {
    const size_t n = f->clusters.n, k = (size_t)f->clusters.k;
    ranked *rank = seg_alloc(ctx, n, sizeof *rank);
    if (!rank)
        return SEG_ERR_MEMORY;
    for (size_t i = 0; i < n; i++)
        rank[i] = (ranked){f->clusters.score.at[i * k + (size_t)f->clusters.label[i]], i};
    for (size_t i = 0; i < n; i++) {
        const size_t c = (size_t)f->clusters.label[i];
        if ((int)c >= f->marked && f->linked.of[i] >= f->marked && !is_apart(&f->linked, out, i, c)) {
            out->group[i] = (int16_t)c;
            f->core[c]++;
        }
    }
    qsort(rank, n, sizeof *rank, by_score);
    for (size_t r = 0; r < n; r++) {
        const size_t i = rank[r].i, c = (size_t)f->clusters.label[i];
        if ((int)c < f->marked || out->group[i] >= 0 ||
            (f->core[c] && ((double)f->core[c] >= CORE * (double)f->size[c] || is_apart(&f->linked, out, i, c))))
            continue;
        out->group[i] = (int16_t)c;
        f->core[c]++;
    }
    free(rank);
    return SEG_OK;
}

/* Where more clusters are wanted than labels are marked, `finder` finds the others, and the heart of each becomes a
 * group. */
static seg_status find_groups(seg_context *ctx, const seg_method *finder, const seg_problem *problem,
                              seg_constraints *out) {
    const seg_constraints *given = problem->constraints;
    finding f = {.marked = given->groups};
    seg_status status;
    memset(out, 0, sizeof *out);
    status = seg_cluster(ctx, finder, NULL, problem, &f.clusters);
    if (status || (status = seg_join_linked(ctx, finder->name, problem, &f.clusters)) != SEG_OK ||
        (status = seg_neighbourhoods_create(ctx, given, &f.linked)) != SEG_OK ||
        (status = seg_constraints_create(ctx, problem->n, out)) != SEG_OK)
        goto done;
    for (size_t p = 0; p < given->pairs && !status; p++)
        status = seg_constraints_add(ctx, out, given->pair[p]);
    if (status)
        goto done;
    out->groups = problem->k;
    memcpy(out->group, given->group, problem->n * sizeof *out->group);
    for (size_t i = 0; i < problem->n; i++)
        f.size[f.clusters.label[i]]++;
    status = choose_cores(ctx, &f, out);
done:
    seg_clustering_free(&f.clusters);
    seg_neighbourhoods_free(&f.linked);
    if (status)
        seg_constraints_free(out);
    return status;
}

seg_status seg_groups_for_all(seg_context *ctx, const seg_problem *problem, seg_constraints *out) {
    return find_groups(ctx, &seg_method_ccskl.info, problem, out);
}

seg_status seg_ccsr_groups(seg_context *ctx, const seg_problem *problem, const seg_spectrum *spectrum,
                           seg_constraints *out) {
    seg_clustering learned = {0};
    memset(out, 0, sizeof *out);
    seg_status status = seg_clustering_begin(ctx, problem, &learned);
    if (!status && (status = seg_ccsr_solve(ctx, problem, spectrum, -1, &learned)) == SEG_OK) {
        seg_rows_to_sphere(learned.embedding.rows, learned.embedding.cols, learned.embedding.at);
        status = seg_linked_groups(ctx, problem, &learned.embedding, out);
    }
    seg_clustering_free(&learned);
    return status;
}

/* Must-links alone leave a learned kernel with nothing to hold samples apart. */
static int has_cannot_links(const seg_constraints *constraints) {
    for (size_t p = 0; p < constraints->pairs; p++)
        if (constraints->pair[p].sign < 0)
            return 1;
    return 0;
}

static seg_status copy_groups(seg_context *ctx, const seg_constraints *given, seg_constraints *out) {
    seg_status status = seg_constraints_create(ctx, given->n, out);
    return status ? status : seg_constraints_append(ctx, given, out);
}

static seg_status linked_groups(seg_context *ctx, const seg_problem *problem, seg_constraints *out) {
    seg_spectrum spectrum = {0};
    if (problem->features)
        return seg_enpakl_groups(ctx, problem, out);
    seg_status status = seg_smoothest(ctx, problem, seg_ccsr_columns(problem), &spectrum);
    if (!status)
        status = seg_ccsr_groups(ctx, problem, &spectrum, out);
    seg_spectrum_free(&spectrum);
    return status;
}

seg_status seg_groups_by_graph(seg_context *ctx, const seg_problem *problem, seg_constraints *out) {
    const seg_constraints *given = problem->constraints;
    memset(out, 0, sizeof *out);
    if (given->groups == problem->k)
        return copy_groups(ctx, given, out);
    if (given->groups == 0 && has_cannot_links(given)) {
        const seg_status status = linked_groups(ctx, problem, out);
        if (status || out->groups == problem->k)
            return status;
        seg_constraints_free(out);
    }
    return find_groups(ctx, &seg_method_ccskl.info, problem, out);
}

seg_status seg_groups_by_features(seg_context *ctx, const seg_problem *problem, seg_constraints *out) {
    memset(out, 0, sizeof *out);
    if (problem->constraints->groups == problem->k)
        return copy_groups(ctx, problem->constraints, out);
    return find_groups(ctx, &seg_method_pckmeans.info, problem, out);
}
