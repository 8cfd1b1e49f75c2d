#include "methods/assign.h"
#include "base/base.h"
#include "clustering/kmeans.h"
#include "clustering/linked_samples.h"
#include "linalg/dense.h"

#define KMEANS_STREAM     0x2000
#define KMEANS_ITERATIONS 100

const char *const seg_extras_choice[] = {"on", "off", NULL};

static int group_of(const seg_problem *problem, size_t i) {
    return problem->constraints->groups ? problem->constraints->group[i] : -1;
}

void seg_normalise_scores(size_t k, double *score) {
    const double sum = seg_sum(k, score);
    for (size_t c = 0; c < k; c++)
        score[c] = sum > 0 ? score[c] / sum : 1.0 / (double)k;
}

static void fix_groups(const seg_problem *problem, seg_clustering *out) {
    const size_t k = (size_t)problem->k;
    for (size_t i = 0; i < problem->n; i++) {
        int g = group_of(problem, i);
        if (g < 0)
            continue;
        out->label[i] = g;
        memset(out->score.at + i * k, 0, k * sizeof(double));
        out->score.at[i * k + (size_t)g] = 1;
    }
}

typedef struct scoring {
    const seg_matrix *Z;
    double *room;
    size_t k;
    const double *centre;
    double scale;
    const int32_t *held;
    double *score;
} scoring;

static void score_rows(void *arg, size_t first, size_t last, int worker) {
    const scoring *j = arg;
    const size_t k = j->k, r = j->Z->cols;
    double *room = seg_rows_own_room(j->Z, j->room, worker);
    for (size_t i = first; i < last; i++) {
        const double *z = seg_rows_at(j->Z, i, 1, room);
        double *score = j->score + i * k, least = INFINITY;
        for (size_t c = 0; c < k; c++) {
            score[c] = seg_distance2(r, z, j->centre + c * r);
            least = fmin(least, score[c]);
        }
        if (j->held && score[j->held[i]] > least) { /* constraints take precedence over distances */
            memset(score, 0, k * sizeof *score);
            score[j->held[i]] = 1;
            continue;
        }
        for (size_t c = 0; c < k; c++)
            score[c] = exp(-j->scale * (score[c] - least));
        seg_normalise_scores(k, score);
    }
}

seg_status seg_score_by_distance(seg_context *ctx, const seg_matrix *Z, const double *centre, double scale,
                                 const int32_t *held, seg_matrix *score) {
    SEG_LOCAL(double, room, seg_rows_room(ctx, Z, seg_threads(ctx)));
    seg_parallel(ctx, Z->rows, 0, score_rows, &(scoring){Z, room, score->cols, centre, scale, held, score->at});
    return SEG_OK;
}

seg_status seg_assign_kmeans(seg_context *ctx, const seg_problem *problem, const seg_matrix *Z, int how,
                             seg_clustering *out) {
    const size_t n = problem->n, k = (size_t)problem->k, r = Z->cols;
    const int groups = how & SEG_ASSIGN_GROUPS ? problem->constraints->groups : 0, cosine = how & SEG_ASSIGN_COSINE;
    const seg_kmeans_options options = {.k = problem->k,
                                        .restarts = problem->restarts,
                                        .iterations = KMEANS_ITERATIONS,
                                        .stream = KMEANS_STREAM,
                                        .cosine = cosine != 0,
                                        .group = groups ? problem->constraints->group : NULL};
    seg_kmeans_result result;
    SEG_FREED double *centre = seg_alloc(ctx, k, r * sizeof *centre);
    SEG_TRY(centre ? seg_kmeans(ctx, Z, &options, out->label, centre, &result) : SEG_ERR_MEMORY);
    if (isnan(out->objective))
        seg_clustering_solved(out, result.objective, result.iterations, result.converged);
    const double squares = (cosine ? 2 : 1) * result.objective, scale = squares > 0 ? 0.5 * (double)n / squares : 0;
    SEG_TRY(seg_score_by_distance(ctx, Z, centre, scale, NULL, &out->score));
    if (how & SEG_ASSIGN_GROUPS)
        fix_groups(problem, out);
    else
        SEG_TRY(seg_name_clusters(ctx, problem, out));
    return SEG_OK;
}

/* P (k x r) with P z + offset the barycentric coordinates: minimise |z - C'p|^2 + ridge |p|^2 subject to sum p = 1.
 * With H = C C' + ridge I, p = H^-1 C z + (1 - 1'H^-1 C z) H^-1 1 / (1'H^-1 1). H: room for k x k, column: for k. */
typedef struct barycentric {
    double *C, *P; /* k x r */
    double *H, *offset, *column;
} barycentric;

static seg_status map_to_coordinates(seg_context *ctx, size_t k, size_t r, barycentric *m) {
    const double ridge = 1e-6;
    seg_gemm((seg_shape){0, 1, k, k, r}, 1, m->C, m->C, 0, m->H);
    for (size_t a = 0; a < k; a++) {
        m->H[a * k + a] += ridge;
        m->offset[a] = 1;
    }
    SEG_TRY(seg_cholesky_dense(ctx, k, m->H));
    seg_cholesky_dense_solve(k, m->H, m->offset);
    const double total = seg_sum(k, m->offset);
    for (size_t a = 0; a < k; a++)
        m->offset[a] /= total;
    for (size_t c = 0; c < r; c++) {
        for (size_t a = 0; a < k; a++)
            m->column[a] = m->C[a * r + c];
        seg_cholesky_dense_solve(k, m->H, m->column);
        const double sum = seg_sum(k, m->column);
        for (size_t a = 0; a < k; a++)
            m->P[a * r + c] = m->column[a] - sum * m->offset[a];
    }
    return SEG_OK;
}

seg_status seg_assign_mixture(seg_context *ctx, const seg_problem *problem, const seg_matrix *Z, seg_clustering *out) {
    const size_t n = problem->n, k = (size_t)problem->k, r = Z->cols;
    barycentric m;
    SEG_LOCAL_ARRAYS(ctx, SEG_TABLE(m.C, k, r), SEG_TABLE(m.P, k, r), SEG_TABLE(m.H, k, k), SEG_ARRAY(m.offset, k),
                     SEG_ARRAY(m.column, k));
    for (size_t i = 0; i < n; i++)
        if (group_of(problem, i) >= 0)
            for (size_t c = 0; c < r; c++)
                m.C[(size_t)group_of(problem, i) * r + c] += Z->at[i * r + c];
    seg_rows_to_sphere(k, r, m.C);
    SEG_TRY(map_to_coordinates(ctx, k, r, &m));
    for (size_t i = 0; i < n; i++) {
        double *score = out->score.at + i * k;
        for (size_t g = 0; g < k; g++) {
            score[g] = m.offset[g];
            for (size_t c = 0; c < r; c++)
                score[g] += m.P[g * r + c] * Z->at[i * r + c];
            score[g] = fmax(score[g], 0);
        }
        out->label[i] = (int32_t)seg_largest_of(k, score);
        seg_normalise_scores(k, score);
    }
    fix_groups(problem, out);
    return SEG_OK;
}

seg_status seg_name_clusters(seg_context *ctx, const seg_problem *problem, seg_clustering *out) {
    const size_t n = problem->n, k = (size_t)problem->k, groups = (size_t)problem->constraints->groups;
    int32_t name[SEG_MAX_LABELS]; /* of each cluster */
    int taken[SEG_MAX_LABELS] = {0};
    double row[SEG_MAX_LABELS];
    if (groups == 0)
        return SEG_OK;
    SEG_LOCAL(size_t, overlap, seg_alloc_zero(ctx, k * groups, sizeof *overlap));
    for (size_t i = 0; i < n; i++)
        if (group_of(problem, i) >= 0)
            overlap[(size_t)out->label[i] * groups + (size_t)group_of(problem, i)]++;
    memset(name, 0xff, k * sizeof *name);
    for (;;) { /* the largest overlap of a cluster without a name and a group without a cluster */
        size_t best = 0, cluster = 0, group = 0;
        for (size_t c = 0; c < k; c++)
            for (size_t g = 0; g < groups; g++)
                if (name[c] < 0 && !taken[g] && overlap[c * groups + g] > best) {
                    best = overlap[c * groups + g];
                    cluster = c;
                    group = g;
                }
        if (best == 0)
            break;
        name[cluster] = (int32_t)group;
        taken[group] = 1;
    }
    for (size_t c = 0, next = 0; c < k; c++) {
        if (name[c] >= 0)
            continue;
        while (taken[next])
            next++;
        name[c] = (int32_t)next;
        taken[next] = 1;
    }
    for (size_t i = 0; i < n; i++) {
        out->label[i] = name[out->label[i]];
        for (size_t c = 0; c < k; c++)
            row[name[c]] = out->score.at[i * k + c];
        memcpy(out->score.at + i * k, row, k * sizeof *row);
    }
    fix_groups(problem, out);
    return SEG_OK;
}

seg_status seg_assign_unit_kernel(seg_context *ctx, const seg_problem *problem, seg_unit_kernel *kernel,
                                  seg_clustering *out) {
    seg_clustering_solved(out, kernel->objective, kernel->iterations, kernel->converged);
    out->kernel_psd = kernel->residuals.psd;
    out->kernel_diagonal = kernel->diagonal;
    out->kernel_gap = kernel->residuals.gap;
    out->embedding = kernel->factor;
    memset(&kernel->factor, 0, sizeof kernel->factor);
    return seg_assign_kmeans(ctx, problem, &out->embedding, SEG_ASSIGN_GROUPS, out);
}

/* ---- Empty clusters, and samples that must link. ---- */

#define APART 1e-9 /* relative amount by which one of two equal scores is raised */

/* Parts 0 .. parts-1 are sets of samples that must link, and single samples; the groups come first. */
typedef struct filling {
    const seg_problem *problem;
    seg_clustering *out;
    size_t parts, groups;
    size_t *start;   /* parts + 1 */
    int32_t *member; /* of part p: member[start[p]] .. member[start[p + 1] - 1] */
    size_t *size;    /* of each cluster */
    size_t *own;     /* of one part's samples in each cluster, zero in between */
} filling;

static seg_status list_parts(seg_context *ctx, filling *f) {
    const size_t n = f->problem->n;
    SEG_RELEASED(seg_neighbourhoods_free) seg_neighbourhoods near = {0};
    SEG_TRY(seg_neighbourhoods_create(ctx, f->problem->constraints, &near));
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(f->start, n + 2), SEG_ARRAY(f->member, n),
                             SEG_ARRAY(f->size, (size_t)f->out->k), SEG_ARRAY(f->own, (size_t)f->out->k)));
    f->groups = (size_t)near.groups;
    f->parts = (size_t)near.count;
    memcpy(f->start, near.start, (f->parts + 1) * sizeof *f->start);
    size_t at = near.start[near.count];
    if (at)
        memcpy(f->member, near.member, at * sizeof *f->member);
    for (size_t i = 0; i < n; i++)
        if (near.of[i] < 0) {
            f->member[at++] = (int32_t)i;
            f->start[++f->parts] = at;
        }
    for (size_t i = 0; i < n; i++)
        f->size[f->out->label[i]]++;
    return SEG_OK;
}

static void filling_free(filling *f) {
    free(f->start);
}

/* Count a part's samples in each cluster (step 1) or reset the counts (step 0). */
static void count_own(filling *f, size_t part, int step) {
    for (size_t m = f->start[part]; m < f->start[part + 1]; m++) {
        size_t *own = &f->own[f->out->label[f->member[m]]];
        *own = step ? *own + 1 : 0;
    }
}

/* Whether every cluster that has samples of the part has others too. fit: the part's mean score. */
static int may_move(filling *f, size_t part, double *fit) {
    const size_t count = f->start[part + 1] - f->start[part];
    int may = count > 0;
    *fit = 0;
    count_own(f, part, 1);
    for (size_t m = f->start[part]; m < f->start[part + 1]; m++) {
        const size_t i = (size_t)f->member[m], label = (size_t)f->out->label[i];
        may &= f->size[label] > f->own[label];
        *fit += f->out->score.at[i * (size_t)f->out->k + label] / (double)count;
    }
    count_own(f, part, 0);
    return may;
}

/* The part with the least fit, of equals the one in the largest cluster, then the first; `parts` if none may move. */
static size_t worst_part(filling *f) {
    size_t best = f->parts, largest = 0;
    double least = 0;
    for (size_t p = f->groups; p < f->parts; p++) {
        double fit;
        if (!may_move(f, p, &fit))
            continue;
        const size_t size = f->size[f->out->label[f->member[f->start[p]]]];
        if (best == f->parts || fit < least || (fit == least && size > largest)) {
            best = p;
            least = fit;
            largest = size;
        }
    }
    return best;
}

/* If the largest score, the first of equals, is not that of the label, swap them; of equal ones raise the label's. */
static void agree(size_t k, int32_t label, double *score) {
    const size_t best = seg_largest_of(k, score);
    if (best == (size_t)label)
        return;
    const double most = score[best];
    SEG_SWAP(double, score[best], score[label]);
    if (score[best] == most) {
        score[label] = most * (1 + APART);
        for (size_t c = 0; c < k; c++)
            score[c] /= 1 + most * APART;
    }
}

static void move_sample(filling *f, size_t i, int32_t to) {
    f->size[f->out->label[i]]--;
    f->out->label[i] = to;
    f->size[to]++;
    agree((size_t)f->out->k, to, f->out->score.at + i * (size_t)f->out->k);
}

/* Put a part that is in several clusters into the one that has most of it. @return whether it was in several */
static int join_part(filling *f, size_t p) {
    int32_t most = f->out->label[f->member[f->start[p]]];
    int split = 0;
    count_own(f, p, 1);
    for (size_t m = f->start[p]; m < f->start[p + 1]; m++) {
        const int32_t label = f->out->label[f->member[m]];
        split |= label != f->out->label[f->member[f->start[p]]];
        if (f->own[label] > f->own[most])
            most = label;
    }
    count_own(f, p, 0);
    for (size_t m = f->start[p]; split && m < f->start[p + 1]; m++)
        if (f->out->label[f->member[m]] != most)
            move_sample(f, (size_t)f->member[m], most);
    return split;
}

/* Do so for the first such part. @return whether there was one */
static int join_one(filling *f) {
    for (size_t p = f->groups; p < f->parts; p++)
        if (f->start[p] < f->start[p + 1] && join_part(f, p))
            return 1;
    return 0;
}

static int first_empty(const filling *f) {
    int c = 0;
    while (c < f->out->k && f->size[c] > 0)
        c++;
    return c;
}

seg_status seg_join_linked(seg_context *ctx, const char *method, const seg_problem *problem, seg_clustering *out) {
    SEG_RELEASED(filling_free) filling f = {.problem = problem, .out = out};
    SEG_TRY(list_parts(ctx, &f));
    for (size_t p = f.groups; p < f.parts; p++)
        join_part(&f, p);
    return seg_fill_clusters(ctx, method, problem, out);
}

seg_status seg_fill_clusters(seg_context *ctx, const char *method, const seg_problem *problem, seg_clustering *out) {
    SEG_RELEASED(filling_free) filling f = {.problem = problem, .out = out};
    size_t members[SEG_MAX_LABELS] = {0};
    int empty = 0;
    for (size_t i = 0; i < out->n; i++)
        members[out->label[i]]++;
    for (int c = 0; c < out->k; c++)
        empty += members[c] == 0;
    for (size_t i = 0; i < out->n; i++)
        agree((size_t)out->k, out->label[i], out->score.at + i * (size_t)out->k);
    if (empty == 0)
        return SEG_OK;
    SEG_TRY(list_parts(ctx, &f));
    for (int c; (c = first_empty(&f)) < out->k;) {
        const size_t part = worst_part(&f);
        if (part < f.parts)
            for (size_t m = f.start[part]; m < f.start[part + 1]; m++)
                move_sample(&f, (size_t)f.member[m], (int32_t)c);
        else if (!join_one(&f))
            return seg_fail(ctx, SEG_ERR_NUMERIC, "%s left %d of %d clusters empty and no sample may move there",
                            method, empty, out->k);
    }
    seg_log(ctx, SEG_LOG_WARNING,
            "%s left %d of %d clusters empty; each was given the samples that fit their own cluster least", method,
            empty, out->k);
    return SEG_OK;
}
