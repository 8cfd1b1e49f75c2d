/* A Gaussian mixture of the vectors and of the graph's coordinates at once, under constraints [shental2004mixtures].
 * Held-out constraints choose the start and the weight of samples that no constraint names: the results of all starts
 * and weights are averaged by how well they predict these constraints. */
#include "base/base.h"
#include "clustering/gaussian_mixture.h"
#include "constraints/closed.h"
#include "constraints/held_out_pairs.h"
#include "graph/spectrum/spectrum.h"
#include "methods/steps.h"
#include "selection/by_pairs.h"
#include "selection/mixture_chooser.h"
#include "selection/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN     2.0  /* constraints: another candidate must lose less than the first by this much */
#define LEAST      0.02 /* share relative to the best candidate below which a candidate is dropped */
#define ITERATIONS 40
#define CHOOSE_ON  50000 /* unnamed samples that the choice is made on; more change little (docs/history/mixture.md) */
#define EXTENDED   3     /* iterations on all samples after the fit on these */

static const seg_param params[] = {
    {"m", 20, 1, 500, 1, NULL,
     "smoothest eigenvectors of the graph that make its coordinates; at least one per cluster"},
    {"columns", 40, 1, 200, 1, NULL, "principal components of the features"},
    {"shrink", 0.5, 0, 1, 0, NULL, "of the clusters' covariance towards equal variances: 0 not at all, 1 wholly"},
    {"weight", -1, -1, 1, 0, NULL,
     "of a sample that no constraint names, others counting 1; -1: chosen by constraints held out"},
    {"folds", 5, 2, 20, 1, NULL,
     "the constraints are held out in so many parts, where samples and constraints are few"},
    {"mistakes", 0, 0, 1, 1, NULL,
     "1: pairs may be wrong: those that the others foretell to be are left out, where the rest is foretold better "
     "then"},
};
enum { VECTORS, COLUMNS, SHRINK, WEIGHT, FOLDS, MISTAKES };

/* A start from constraints alone is a candidate from this number of constraints per cluster on. */
#define PAIRS_FROM 4
#define WALK_FROM  SEG_LEARN_FROM

static const char *const names[] = {"normalized cuts", "k-means", "the constraints", "a random walk"};
static const double weights[WEIGHTS] = {1, 0.1, 0.002, 0}; /* 0: not fitted, as the walk leaves it */

static int is_candidate(const seg_mixture_chooser *s, int which) {
    const double asked = s->param[WEIGHT];
    if (!s->start[which / WEIGHTS])
        return 0;
    return asked < 0 ? weights[which % WEIGHTS] > 0 || which / WEIGHTS == WALK : which % WEIGHTS == 0;
}

static double weight_of(const seg_mixture_chooser *s, int which) {
    return s->param[WEIGHT] > 0 ? s->param[WEIGHT] : weights[which % WEIGHTS];
}

/* ---- Preparation. ---- */

/* Labels of normalized cuts where a spectrum is given, else of k-means. */
static seg_status take_start(seg_context *ctx, seg_mixture_chooser *s, const seg_spectrum *spectrum, int32_t **start) {
    seg_clustering found = {0};
    seg_problem own = *s->problem;
    if (spectrum)
        own.restarts = 1; /* it is one of several starts */
    seg_status status = seg_clustering_begin(ctx, &own, &found);
    if (!status)
        status = spectrum ? seg_ncut_solve(ctx, &own, spectrum, &found)
                          : seg_method_solve(ctx, &seg_method_kmeans, &own, &found);
    if (!status) {
        *start = found.label;
        found.label = NULL;
    }
    seg_clustering_free(&found);
    return status;
}

static size_t known(const seg_constraints *constraints) {
    size_t count = constraints->pairs;
    for (size_t i = 0; i < constraints->n; i++)
        count += constraints->group[i] >= 0;
    return count;
}

seg_status seg_mixture_kept_pairs(seg_context *ctx, seg_mixture_chooser *s) {
    seg_constraints_free(&s->sorted);
    seg_status status = seg_constraints_create(ctx, s->data.n, &s->sorted);
    for (size_t p = 0; p < s->all.pairs && !status; p++)
        if (!s->now.left_out[p])
            status = seg_constraints_add(ctx, &s->sorted, s->all.pair[p]);
    if (status)
        return status;
    s->sorted.groups = s->all.groups;
    memcpy(s->sorted.group, s->all.group, s->data.n * sizeof *s->all.group);
    return seg_constraints_close(ctx, &s->sorted, SEG_CONTRADICTIONS_REFUSE);
}

static seg_status sort_constraints(seg_context *ctx, seg_mixture_chooser *s) {
    const seg_constraints *given = s->problem->constraints;
    const seg_status status = seg_pairs_in_order(ctx, given, &s->all);
    if (status)
        return status;
    s->all.groups = given->groups;
    memcpy(s->all.group, given->group, given->n * sizeof *given->group);
    s->all.closure = given->closure;
    s->now.left_out = seg_alloc_zero(ctx, s->all.pairs, sizeof *s->now.left_out);
    return s->now.left_out ? seg_mixture_kept_pairs(ctx, s) : SEG_ERR_MEMORY;
}

static seg_status make_room(seg_context *ctx, seg_mixture_chooser *s, seg_mixture_start which) {
    s->start[which] = seg_alloc_zero(ctx, s->problem->n, sizeof *s->start[which]);
    return s->start[which] ? SEG_OK : SEG_ERR_MEMORY;
}

/* A kernel is learned from listed pairs, cannot-links among them, and walks go along listed edges. */
static int walk_may_run(const seg_mixture_chooser *s) {
    const seg_constraints *all = &s->sorted;
    return s->problem->affinity && s->problem->features && all->groups == 0 &&
           all->pairs >= (size_t)WALK_FROM * (size_t)s->problem->k && all->pair[all->pairs - 1].sign < 0;
}

static seg_status make_walk(seg_context *ctx, seg_mixture_chooser *s) {
    const seg_status status = make_room(ctx, s, WALK);
    if (status)
        return status;
    s->walked = seg_alloc(ctx, s->problem->n, (size_t)s->problem->k * sizeof *s->walked);
    if (!s->walked)
        return SEG_ERR_MEMORY;
    return s->problem->laplacian ? SEG_OK : seg_laplacian_create(ctx, s->problem->affinity, &s->laplacian);
}

/* The walk on the whole graph; if the kernel shows no clusters, those of normalized cuts stay. */
static seg_status walk_of_all(seg_context *ctx, seg_mixture_chooser *s, const seg_constraints *constraints) {
    seg_clustering found = {0};
    seg_problem own = *s->problem;
    own.constraints = constraints;
    if (s->laplacian)
        own.laplacian = s->laplacian;
    seg_status status = seg_clustering_begin(ctx, &own, &found);
    if (!status)
        status = seg_method_solve(ctx, &seg_method_walk, &own, &found);
    const size_t n = own.n, k = (size_t)own.k;
    memcpy(s->start[WALK], status ? s->start[NCUT] : found.label, n * sizeof *found.label);
    for (size_t e = 0; e < n * k; e++)
        s->walked[e] = status ? (double)((int32_t)(e % k) == s->start[NCUT][e / k]) : found.score.at[e];
    seg_clustering_free(&found);
    return status == SEG_ERR_NUMERIC || status == SEG_ERR_USAGE || status == SEG_ERR_CONTRADICTION ? SEG_OK : status;
}

static seg_status by_walk(seg_context *ctx, seg_mixture_chooser *s, const seg_constraints *constraints) {
    seg_constraints all = {0};
    if (!s->picked)
        return walk_of_all(ctx, s, constraints);
    seg_status status = seg_mixture_constraints_of_all(ctx, s, constraints, &all);
    if (!status)
        status = walk_of_all(ctx, s->whole, &all);
    for (size_t i = 0; i < s->data.n && !status; i++)
        s->start[WALK][i] = s->whole->start[WALK][s->picked[i]];
    seg_constraints_free(&all);
    return status;
}

static seg_status prepare(seg_context *ctx, seg_mixture_chooser *s) {
    const seg_problem *problem = s->problem;
    const size_t k = (size_t)problem->k;
    size_t count = (size_t)s->param[VECTORS];
    seg_spectrum spectrum = {0};
    count = count < k ? k : count;
    count = count + 1 < problem->n ? count + 1 : problem->n;
    seg_status status = seg_smoothest(ctx, problem, (int)count, &spectrum);
    if (!status)
        status = seg_mixture_rows(ctx, problem, &spectrum, (size_t)s->param[COLUMNS], &s->Z, &s->data);
    s->data.shrink = s->param[SHRINK];
    if (!status && s->data.spaces > 0)
        status = seg_mixture_prepare(ctx, &s->data);
    if (!status)
        status = take_start(ctx, s, &spectrum, &s->start[NCUT]);
    seg_spectrum_free(&spectrum);
    if (!status)
        status = sort_constraints(ctx, s);
    if (!status && problem->features)
        status = take_start(ctx, s, NULL, &s->start[KMEANS]);
    if (!status && known(&s->sorted) >= PAIRS_FROM * k)
        status = make_room(ctx, s, PAIRS);
    if (!status && walk_may_run(s))
        status = make_walk(ctx, s);
    return status;
}

/* ---- The candidates. ---- */

/* A candidate fitted to one set of constraints. */
typedef struct fitted {
    int which, part;
    seg_soft_clusters found;
    double *density; /* k x (d + 1) as seg_mixture_options has them; unset where nothing was fitted */
    seg_mixture_result result;
} fitted;

typedef seg_status (*taker)(seg_context *ctx, seg_mixture_chooser *s, const fitted *one, void *user);

/* What fits are made to, and who gets each result, that of `first` first. */
typedef struct fits {
    const seg_constraints *constraints;
    int part, first;
    taker take;
    void *user;
} fits;

static int counts(const seg_mixture_chooser *s, int which) {
    return is_candidate(s, which) && s->now.share[which] > 0;
}

static int start_counts(const seg_mixture_chooser *s, seg_mixture_start from) {
    int any = 0;
    for (int weight = 0; weight < WEIGHTS; weight++)
        any |= counts(s, (int)from * WEIGHTS + weight);
    return any;
}

/* If the choice was made on part of the samples, a mixture can start from the walk with held-out constraints; the walk
 * as a candidate of its own needs all constraints. */
static int must_walk(const seg_mixture_chooser *s, int part) {
    return start_counts(s, WALK) && (part >= 0 || !s->picked || counts(s, WALK * WEIGHTS + WEIGHTS - 1));
}

static seg_status fit_one(seg_context *ctx, const seg_mixture_chooser *s, const seg_neighbourhoods *near, fitted *one) {
    const seg_mixture_options options = {
        .weight = weight_of(s, one->which) * s->stands_for, .iterations = ITERATIONS, .density = one->density};
    const size_t n = s->data.n, k = s->data.k;
    const double *walked = s->whole->walked;
    memcpy(one->found.label, s->start[one->which / WEIGHTS], n * sizeof *one->found.label);
    if (options.weight > 0)
        return seg_mixture_fit(ctx, &s->data, near, &options, one->found, &one->result);
    for (size_t i = 0; i < n; i++)
        memcpy(one->found.score + i * k, walked + (s->picked ? s->picked[i] : i) * k, k * sizeof *walked);
    one->result = (seg_mixture_result){.converged = 1};
    return SEG_OK;
}

/* Fit the candidates with a share. */
static seg_status fit_all(seg_context *ctx, seg_mixture_chooser *s, const fits *r) {
    const size_t n = s->data.n, k = s->data.k;
    seg_neighbourhoods near = {0};
    fitted one = {.part = r->part};
    seg_status status = SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(one.found.label, n), SEG_TABLE(one.found.score, n, k),
                                         SEG_TABLE(one.density, k, s->data.d + 1));
    if (!status)
        status = seg_neighbourhoods_create(ctx, r->constraints, &near);
    if (!status && start_counts(s, PAIRS))
        status = seg_mixture_pair_start(ctx, &s->data, r->constraints, s->start[PAIRS]);
    if (!status && must_walk(s, r->part))
        status = by_walk(ctx, s, r->constraints);
    for (int turn = 0; turn < CANDIDATES && !status; turn++) {
        one.which = turn == 0 ? r->first : turn <= r->first ? turn - 1 : turn;
        if (counts(s, one.which) && (status = fit_one(ctx, s, &near, &one)) == SEG_OK)
            status = r->take(ctx, s, &one, r->user);
    }
    free(one.found.label);
    seg_neighbourhoods_free(&near);
    return status;
}

/* ---- Their losses. ---- */

typedef struct holding {
    seg_mixture_errors of[CANDIDATES];
    const int *member_part; /* n entries: the part of a group's sample, -1 where it always stays */
} holding;

void seg_mixture_errors_add(seg_mixture_errors *e, int sign, double same) {
    *(sign > 0 ? &e->must : &e->cannot) += 1;
    *(sign > 0 ? &e->must_sum : &e->cannot_sum) += sign > 0 ? (1 - same) * (1 - same) : same * same;
}

static seg_status judge(seg_context *ctx, seg_mixture_chooser *s, const fitted *one, void *user) {
    holding *h = user;
    seg_mixture_errors *e = &h->of[one->which];
    const size_t k = s->data.k;
    const double *score = one->found.score;
    const int part = one->part;
    (void)ctx;
    for (size_t p = 0, kept = 0; p < s->all.pairs; p++) {
        const seg_pair *pair = &s->all.pair[p];
        const int own = s->now.left_out[p] ? part : s->now.held.part[kept++];
        const double *x = score + (size_t)pair->i * k, *y = score + (size_t)pair->j * k;
        double same = 0;
        if (own != part)
            continue;
        for (size_t c = 0; c < k; c++)
            same += x[c] * y[c];
        s->now.same[p * CANDIDATES + (size_t)one->which] += s->now.left_out[p] ? same / s->now.parts : same;
        if (!s->now.left_out[p])
            seg_mixture_errors_add(e, pair->sign, same);
    }
    for (size_t i = 0; i < s->data.n; i++) {
        if (h->member_part[i] != part)
            continue;
        const double wrong = 1 - score[i * k + (size_t)s->sorted.group[i]];
        e->member += 1;
        e->member_sum += wrong * wrong;
    }
    return SEG_OK;
}

/* In k clusters of equal size, k - 1 times as many pairs lie apart as together. */
double seg_mixture_errors_loss(const seg_mixture_errors *e, size_t k) {
    const double count[] = {e->must, e->cannot, e->member};
    const double error[] = {e->must_sum, e->cannot_sum, e->member_sum}, factor[] = {1, (double)(k - 1), 1};
    double sum = 0;
    int kinds = 0;
    for (int kind = 0; kind < 3; kind++)
        if (count[kind] > 0) {
            sum += error[kind] / count[kind] * factor[kind];
            kinds++;
        }
    return kinds ? sum / kinds : 0;
}

/* Deal the samples of each group to the parts; the first sample of a group is never held out. */
static seg_status deal_members(seg_context *ctx, const seg_mixture_chooser *s, int folds, int **out) {
    size_t met[SEG_MAX_LABELS] = {0};
    *out = seg_alloc(ctx, s->data.n, sizeof **out);
    if (!*out)
        return SEG_ERR_MEMORY;
    for (size_t i = 0; i < s->data.n; i++) {
        const int g = s->sorted.group[i];
        (*out)[i] = g < 0 || met[g]++ == 0 ? -1 : (int)((met[g] - 2) % (size_t)folds);
    }
    return SEG_OK;
}

static seg_status try_part(seg_context *ctx, seg_mixture_chooser *s, int part, holding *h) {
    seg_constraints *others = &s->now.held.others[part];
    others->groups = s->sorted.groups;
    for (size_t i = 0; i < s->data.n; i++)
        others->group[i] = h->member_part[i] == part ? -1 : s->sorted.group[i];
    seg_status status = SEG_OK;
    if (others->groups > 0) { /* the closure was made without them */
        seg_closure_free(others->closure);
        free(others->closure);
        others->closure = NULL;
        status = seg_constraints_close(ctx, others, SEG_CONTRADICTIONS_REFUSE);
    }
    return status ? status : fit_all(ctx, s, &(fits){others, part, 0, judge, h});
}

/* The logarithm of a candidate's share is the loss of the best less its own, in constraints, with `MARGIN` added if it
 * is not the first: its posterior if losses were negative log-likelihoods. */
static void share_by_loss(seg_context *ctx, seg_mixture_chooser *s, size_t count) {
    double asked[CANDIDATES];
    int *best = &s->now.best;
    for (int which = 0; which < CANDIDATES; which++) {
        asked[which] = is_candidate(s, which) ? s->now.loss[which] * (double)count + (which ? MARGIN : 0) : INFINITY;
        if (asked[which] < asked[*best])
            *best = which;
    }
    for (int which = 0; which < CANDIDATES; which++) {
        const double share = exp(asked[*best] - asked[which]);
        s->now.share[which] = share >= LEAST ? share : 0;
        if (s->now.share[which] > 0)
            seg_log(ctx, SEG_LOG_INFO, "mixture: from %s, weight %g: loss %.4f, share %.2f", names[which / WEIGHTS],
                    weight_of(s, which), s->now.loss[which], share);
    }
}

seg_status seg_mixture_weigh(seg_context *ctx, seg_mixture_chooser *s) {
    const int folds = (int)s->param[FOLDS];
    const size_t count = known(&s->sorted);
    const double from = ctx ? ctx->progress_from : 0, to = ctx ? ctx->progress_to : 1;
    holding h = {0};
    int *member_part = NULL;
    s->now.best = 0;
    for (int which = 0; which < CANDIDATES; which++) /* where nothing can be held out, all starts have equal shares */
        s->now.share[which] = count >= 2 || which % WEIGHTS == 0;
    if (count < 2)
        return SEG_OK;
    s->now.parts = seg_held_out_parts(s->data.n, count, folds);
    s->now.same = seg_alloc_zero(ctx, s->all.pairs, CANDIDATES * sizeof *s->now.same);
    seg_status status =
        s->now.same ? seg_held_out_plan(ctx, &s->sorted, folds, s->now.parts, &s->now.held) : SEG_ERR_MEMORY;
    if (!status)
        status = deal_members(ctx, s, folds, &member_part);
    h.member_part = member_part;
    for (int part = 0; part < s->now.parts && !status; part++) {
        seg_progress_share(ctx, from + (to - from) * part / (s->now.parts + 1),
                           from + (to - from) * (part + 1) / (s->now.parts + 1));
        status = try_part(ctx, s, part, &h);
    }
    seg_progress_share(ctx, from + (to - from) * s->now.parts / (s->now.parts + 1), to);
    for (int which = 0; which < CANDIDATES && !status; which++)
        s->now.loss[which] = seg_mixture_errors_loss(&h.of[which], s->data.k);
    if (!status)
        share_by_loss(ctx, s, count);
    free(member_part);
    return status;
}

/* ---- The result. ---- */

/* What the candidates are joined in, on all samples. */
typedef struct joining {
    seg_clustering *out; /* the best candidate, until the end */
    seg_joint joint;
    const seg_neighbourhoods *near;
    seg_soft_clusters room; /* of the step from part of the samples to all */
} joining;

/* The best comes first, and the clusters of the others are matched to its clusters. */
static seg_status add(seg_context *ctx, seg_mixture_chooser *s, const fitted *one, void *user) {
    joining *j = user;
    const size_t n = s->data.n, k = s->data.k;
    const double share = s->now.share[one->which];
    if (j->joint.shares > 0)
        return seg_joint_add(ctx, &j->joint, one->found.score, share);
    j->joint.shares = share;
    memcpy(j->out->label, one->found.label, n * sizeof *one->found.label);
    memcpy(j->out->score.at, one->found.score, n * k * sizeof *one->found.score);
    memcpy(j->joint.mean, one->found.score, n * k * sizeof *one->found.score);
    j->out->iterations = one->result.iterations;
    j->out->converged = one->result.converged;
    return SEG_OK;
}

/* Continue a fit on part of the samples with a few iterations on all. */
static seg_status extend(seg_context *ctx, seg_mixture_chooser *s, const fitted *one, void *user) {
    const joining *j = user;
    seg_mixture_chooser *whole = s->whole;
    const seg_mixture_options options = {
        .weight = weight_of(s, one->which), .iterations = EXTENDED, .from = one->density};
    const size_t n = whole->data.n, k = whole->data.k;
    fitted all = {.which = one->which, .part = one->part, .found = j->room};
    seg_status status = SEG_OK;
    if (options.weight > 0)
        status = seg_mixture_fit(ctx, &whole->data, j->near, &options, all.found, &all.result);
    else {
        memcpy(all.found.label, whole->start[WALK], n * sizeof *all.found.label);
        memcpy(all.found.score, whole->walked, n * k * sizeof *all.found.score);
    }
    all.result.iterations += one->result.iterations;
    all.result.converged = one->result.converged;
    return status ? status : add(ctx, whole, &all, user);
}

/* `part`: the chooser on a part of the samples, which has chosen; NULL where all have. */
static seg_status join(seg_context *ctx, seg_mixture_chooser *s, seg_mixture_chooser *part, seg_clustering *out) {
    const size_t n = s->data.n, k = s->data.k, room = part ? n : 0;
    seg_neighbourhoods near = {0};
    joining j = {
        .out = out, .joint = {.n = n, .k = k, .groups = s->sorted.groups, .reference = out->score.at}, .near = &near};
    seg_status status = SEG_ALLOC_ARRAYS(ctx, SEG_TABLE(j.joint.mean, n, k), SEG_ARRAY(j.room.label, room),
                                         SEG_TABLE(j.room.score, room, k));
    if (!status)
        status = seg_neighbourhoods_create(ctx, &s->sorted, &near);
    if (!status)
        status = part ? fit_all(ctx, part, &(fits){&part->sorted, -1, part->now.best, extend, &j})
                      : fit_all(ctx, s, &(fits){&s->sorted, -1, s->now.best, add, &j});
    if (!status)
        status = seg_joint_end(ctx, &j.joint, &near, out->label);
    if (!status)
        memcpy(out->score.at, j.joint.mean, n * k * sizeof *j.joint.mean);
    free(j.joint.mean);
    seg_neighbourhoods_free(&near);
    return status;
}

static seg_status choose(seg_context *ctx, seg_mixture_chooser *s) {
    const seg_status status = seg_mixture_weigh(ctx, s);
    return !status && s->param[MISTAKES] > 0 && s->now.held.part ? seg_mixture_leave_out_mistakes(ctx, s) : status;
}

static seg_status choose_by_part(seg_context *ctx, seg_mixture_chooser *s, seg_mixture_chooser *part) {
    seg_status status = choose(ctx, part);
    if (status)
        return status;
    memcpy(s->now.share, part->now.share, sizeof s->now.share);
    memcpy(s->now.left_out, part->now.left_out, s->all.pairs * sizeof *s->now.left_out);
    return seg_mixture_kept_pairs(ctx, s);
}

void seg_mixture_chooser_free(seg_mixture_chooser *s) {
    for (int which = 0; which < STARTS; which++)
        free(s->start[which]);
    free(s->walked);
    free(s->picked);
    seg_laplacian_free(s->laplacian);
    s->all.closure = NULL; /* lent */
    seg_constraints_free(&s->all);
    seg_constraints_free(&s->sorted);
    seg_held_out_free(&s->now.held);
    free(s->now.left_out);
    free(s->now.same);
    seg_mixture_data_free(&s->data);
    seg_matrix_free(&s->Z);
}

seg_status seg_mixture_solve(seg_context *ctx, const seg_problem *problem, const double *param, size_t most,
                             seg_clustering *out) {
    seg_mixture_chooser s = {.problem = problem, .param = param, .whole = &s, .stands_for = 1}, part = {0};
    if (param[WEIGHT] <= 0 && param[WEIGHT] != -1)
        return seg_fail(ctx, SEG_ERR_USAGE, "parameter weight of mixture is a number above 0 up to 1, or -1, not %g",
                        param[WEIGHT]);
    seg_status status = prepare(ctx, &s);
    if (!status && s.data.spaces > 0) {
        status = seg_mixture_sample(ctx, &s, most, &part);
        if (!status)
            status = part.picked ? choose_by_part(ctx, &s, &part) : choose(ctx, &s);
        if (!status)
            status = join(ctx, &s, part.picked ? &part : NULL, out);
    } else if (!status) { /* there are no coordinates */
        memcpy(out->label, s.start[NCUT], problem->n * sizeof *out->label);
        for (size_t i = 0; i < problem->n; i++)
            out->score.at[i * (size_t)problem->k + (size_t)out->label[i]] = 1;
        out->converged = 1;
    }
    seg_mixture_chooser_free(&part);
    seg_mixture_chooser_free(&s);
    return status;
}

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    return seg_mixture_solve(ctx, problem, param, CHOOSE_ON, out);
}

const seg_method_row seg_method_mixture = {
    {"mixture", "a Gaussian mixture of vectors and graph coordinates at once, under constraints",
     "shental2004mixtures; this project", SEG_NEEDS_GRAPH | SEG_EIGENVECTORS_ONLY, sizeof params / sizeof params[0],
     params, NULL, NULL, SEG_PAPER_GRAPH_NONE},
    solve,
};
