#include "groups/groups.h"
#include "base/base.h"
#include "clustering/linked_samples.h"
#include "constraints/closed.h"
#include "constraints/held_out_pairs.h"

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

/* A core of each cluster without a group: first of the samples that pairs name, because more is known of them, then of
 * the others in the order of their scores, which prefers no position. Every cluster gets one, however small its scores
 * are. */
static seg_status choose_cores(seg_context *ctx, int marked, const seg_clustering *clusters,
                               const seg_neighbourhoods *linked, seg_constraints *out) {
    const size_t n = clusters->n, k = (size_t)clusters->k;
    size_t size[SEG_MAX_LABELS] = {0}, core[SEG_MAX_LABELS] = {0};
    SEG_LOCAL(seg_ranked, rank, seg_alloc(ctx, n, sizeof *rank));
    for (size_t i = 0; i < n; i++) {
        const size_t c = (size_t)clusters->label[i];
        rank[i] = (seg_ranked){clusters->score.at[i * k + c], 0, (int32_t)i};
        size[c]++;
        if ((int)c >= marked && linked->of[i] >= marked && !is_apart(linked, out, i, c)) {
            out->group[i] = (int16_t)c;
            core[c]++;
        }
    }
    qsort(rank, n, sizeof *rank, seg_by_rank);
    for (size_t r = 0; r < n; r++) {
        const size_t i = (size_t)rank[r].which, c = (size_t)clusters->label[i];
        if ((int)c < marked || out->group[i] >= 0 ||
            (core[c] && ((double)core[c] >= CORE * (double)size[c] || is_apart(linked, out, i, c))))
            continue;
        out->group[i] = (int16_t)c;
        core[c]++;
    }
    return SEG_OK;
}

seg_status seg_groups_from_clusters(seg_context *ctx, const seg_problem *problem, const seg_clustering *clusters,
                                    seg_constraints *out) {
    const seg_constraints *given = problem->constraints;
    SEG_RELEASED(seg_neighbourhoods_free) seg_neighbourhoods linked = {0};
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_neighbourhoods_create(ctx, given, &linked));
    SEG_TRY(seg_constraints_copy(ctx, problem->n, given, out));
    out->groups = problem->k;
    return choose_cores(ctx, given->groups, clusters, &linked, out);
}

#define FLOOR  1e-3 /* least score that counts */
#define APART  20.0 /* cost of a broken cannot-link; the cost of one score is -log(FLOOR) = 7 at most */
#define SWEEPS 50

typedef struct keeper {
    const seg_neighbourhoods *near;
    const seg_clustering *given;
    int32_t *label; /* of each neighbourhood */
    size_t *size;   /* samples of each cluster */
} keeper;

/* A broken cannot-link has a cost for each sample of its smaller side: these would have to move. */
static double cost_of(const keeper *s, int32_t which, int32_t cluster) {
    const seg_neighbourhoods *f = s->near;
    const size_t k = s->given->score.cols;
    double sum = 0;
    for (size_t m = f->start[which]; m < f->start[which + 1]; m++)
        sum -= log(FLOOR + (1 - FLOOR) * s->given->score.at[(size_t)f->member[m] * k + (size_t)cluster]);
    for (size_t e = f->cannot_start[which]; e < f->cannot_start[which + 1]; e++)
        if (s->label[f->cannot[e]] == cluster) {
            const size_t own = seg_neighbourhood_size(f, which), other = seg_neighbourhood_size(f, f->cannot[e]);
            sum += APART * (double)(own < other ? own : other);
        }
    return sum;
}

static int32_t least_cost(const keeper *s, int32_t which, int32_t start) {
    const int32_t k = (int32_t)s->given->score.cols;
    int32_t best = start;
    double least = cost_of(s, which, start);
    for (int32_t c = 0; c < k; c++) {
        const double value = cost_of(s, which, c);
        if (value < least - 1e-9) {
            least = value;
            best = c;
        }
    }
    return best;
}

/* Keep the must-links: each neighbourhood goes to its best cluster, if possible leaving none empty. Groups stay. */
static void unite(keeper *s, const int32_t *label) {
    for (int32_t g = 0; g < s->near->groups; g++)
        s->label[g] = g;
    for (int32_t which = s->near->groups; which < s->near->count; which++) {
        const int32_t first = label[s->near->member[s->near->start[which]]];
        int32_t emptied = -1;
        s->label[which] = -1;
        for (size_t m = s->near->start[which]; m < s->near->start[which + 1]; m++)
            if (--s->size[label[s->near->member[m]]] == 0)
                emptied = label[s->near->member[m]];
        s->label[which] = emptied >= 0 ? emptied : least_cost(s, which, first);
        s->size[s->label[which]] += seg_neighbourhood_size(s->near, which);
    }
}

static int sweep(keeper *s) {
    int moved = 0;
    for (int32_t which = s->near->groups; which < s->near->count; which++) {
        const size_t size = seg_neighbourhood_size(s->near, which);
        const int32_t from = s->label[which];
        if (s->size[from] <= size)
            continue;
        const int32_t to = least_cost(s, which, from);
        s->size[from] -= size;
        s->size[to] += size;
        s->label[which] = to;
        moved |= to != from;
    }
    return moved;
}

seg_status seg_keep_pairs(seg_context *ctx, const seg_problem *problem, seg_clustering *out, size_t *moved) {
    const size_t k = (size_t)out->k;
    SEG_RELEASED(seg_neighbourhoods_free) seg_neighbourhoods near = {0};
    keeper s = {.near = &near, .given = out};
    seg_judgement judged = {0};
    if (moved)
        *moved = 0;
    seg_judge_pairs(problem->constraints, out->label, &judged);
    if (!(judged.must_broken + judged.cannot_broken > 0))
        return SEG_OK;
    SEG_TRY(seg_neighbourhoods_create(ctx, problem->constraints, &near));
    SEG_LOCAL_ARRAYS(ctx, SEG_ARRAY(s.label, (size_t)near.count), SEG_ARRAY(s.size, k));
    for (size_t i = 0; i < out->n; i++)
        s.size[out->label[i]]++;
    memset(s.label, 0xff, (size_t)near.count * sizeof *s.label);
    unite(&s, out->label);
    for (int round = 0; round < SWEEPS && sweep(&s); round++)
        ;
    for (size_t i = 0; i < out->n; i++) {
        const int32_t which = near.of[i];
        if (which < near.groups || s.label[which] == out->label[i])
            continue;
        out->label[i] = s.label[which];
        memset(out->score.at + i * k, 0, k * sizeof *out->score.at);
        out->score.at[i * k + (size_t)s.label[which]] = 1;
        if (moved)
            ++*moved;
    }
    return SEG_OK;
}
