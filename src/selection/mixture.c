/* A Gaussian mixture of the vectors and of the graph's coordinates at once, under constraints [shental2004mixtures].
 * Held-out constraints choose the start and the weight of samples that no constraint names: the results of all starts
 * and weights are averaged by how well they predict these constraints. */
#include "clustering/mixture.h"
#include "base/base.h"
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

static seg_status keep_labels(seg_context *ctx, const seg_clustering *found, int32_t **out) {
    if (!(*out = seg_alloc(ctx, found->n, sizeof **out)))
        return SEG_ERR_MEMORY;
    memcpy(*out, found->label, found->n * sizeof **out);
    return SEG_OK;
}

static seg_status by_ncut(seg_context *ctx, seg_mixture_chooser *s, const seg_spectrum *spectrum) {
    seg_clustering found = {0};
    seg_problem once = *s->problem;
    once.restarts = 1; /* it is one of several starts */
    seg_status status = seg_clustering_begin(ctx, &once, &found);
    if (!status && (status = seg_ncut_solve(ctx, &once, spectrum, &found)) == SEG_OK)
        status = keep_labels(ctx, &found, &s->start[NCUT]);
    seg_clustering_free(&found);
    return status;
}

static seg_status by_kmeans(seg_context *ctx, seg_mixture_chooser *s) {
    seg_clustering found = {0};
    seg_status status = seg_clustering_begin(ctx, s->problem, &found);
    if (!status && (status = seg_method_solve(ctx, &seg_method_kmeans, s->problem, &found)) == SEG_OK)
        status = keep_labels(ctx, &found, &s->start[KMEANS]);
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
        if (!s->left_out[p])
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
    s->left_out = seg_alloc_zero(ctx, s->all.pairs, sizeof *s->left_out);
    return s->left_out ? seg_mixture_kept_pairs(ctx, s) : SEG_ERR_MEMORY;
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
        status = by_ncut(ctx, s, &spectrum);
    seg_spectrum_free(&spectrum);
    if (!status)
        status = sort_constraints(ctx, s);
    if (!status && problem->features)
        status = by_kmeans(ctx, s);
    if (!status && known(&s->sorted) >= PAIRS_FROM * k)
        status = make_room(ctx, s, PAIRS);
    if (!status && walk_may_run(s))
        status = make_walk(ctx, s);
    return status;
}

/* ---- The candidates. ---- */

/* A fitted candidate. */
typedef struct fitted {
    int which, part;
    const int32_t *label;
    const double *score;
    const double *density; /* k x (d + 1) as seg_mixture_options has them; unset where nothing was fitted */
    const seg_mixture_result *result;
} fitted;

typedef seg_status (*taker)(seg_context *ctx, seg_mixture_chooser *s, const fitted *one, void *user);

static int counts(const seg_mixture_chooser *s, int which) {
    return is_candidate(s, which) && s->share[which] > 0;
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

static seg_status fit_one(seg_context *ctx, const seg_mixture_chooser *s, const seg_neighbourhoods *near, int which,
                          int32_t *label, double *score, double *density, seg_mixture_result *result) {
    const seg_mixture_options options = {
        .weight = weight_of(s, which) * s->stands_for, .iterations = ITERATIONS, .density = density};
    const size_t n = s->data.n, k = s->data.k;
    const double *walked = s->whole->walked;
    memcpy(label, s->start[which / WEIGHTS], n * sizeof *label);
    if (options.weight > 0)
        return seg_mixture_fit(ctx, &s->data, near, &options, label, score, result);
    for (size_t i = 0; i < n; i++)
        memcpy(score + i * k, walked + (s->picked ? s->picked[i] : i) * k, k * sizeof *score);
    *result = (seg_mixture_result){.converged = 1};
    return SEG_OK;
}

/* Fit the candidates with a share to one set of constraints. `take` gets each result, that of `first` first. */
static seg_status fit_all(seg_context *ctx, seg_mixture_chooser *s, const seg_constraints *constraints, int part,
                          int first, taker take, void *user) {
    const size_t n = s->data.n, k = s->data.k;
    seg_neighbourhoods near = {0};
    int32_t *label = seg_alloc(ctx, n, sizeof *label);
    double *score = seg_alloc(ctx, n, k * sizeof *score);
    double *density = seg_alloc(ctx, k, (s->data.d + 1) * sizeof *density);
    seg_status status = label && score && density ? seg_neighbourhoods_create(ctx, constraints, &near) : SEG_ERR_MEMORY;
    if (!status && start_counts(s, PAIRS))
        status = seg_mixture_pair_start(ctx, &s->data, constraints, s->start[PAIRS]);
    if (!status && must_walk(s, part))
        status = by_walk(ctx, s, constraints);
    for (int turn = 0; turn < CANDIDATES && !status; turn++) {
        const int which = turn == 0 ? first : turn <= first ? turn - 1 : turn;
        seg_mixture_result result;
        if (!counts(s, which))
            continue;
        status = fit_one(ctx, s, &near, which, label, score, density, &result);
        if (!status)
            status = take(ctx, s, &(fitted){which, part, label, score, density, &result}, user);
    }
    free(label);
    free(score);
    free(density);
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
    const double *score = one->score;
    const int part = one->part;
    (void)ctx;
    for (size_t p = 0, kept = 0; p < s->all.pairs; p++) {
        const seg_pair *pair = &s->all.pair[p];
        const int own = s->left_out[p] ? part : s->held.part[kept++];
        const double *x = score + (size_t)pair->i * k, *y = score + (size_t)pair->j * k;
        double same = 0;
        if (own != part)
            continue;
        for (size_t c = 0; c < k; c++)
            same += x[c] * y[c];
        s->same[p * CANDIDATES + (size_t)one->which] += s->left_out[p] ? same / s->parts : same;
        if (!s->left_out[p])
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
    double sum = 0;
    int kinds = 0;
    if (e->must > 0) {
        sum += e->must_sum / e->must;
        kinds++;
    }
    if (e->cannot > 0) {
        sum += e->cannot_sum / e->cannot * (double)(k - 1);
        kinds++;
    }
    if (e->member > 0) {
        sum += e->member_sum / e->member;
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
    seg_constraints *others = &s->held.others[part];
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
    return status ? status : fit_all(ctx, s, others, part, 0, judge, h);
}

static void share_equally(seg_mixture_chooser *s) {
    for (int which = 0; which < CANDIDATES; which++)
        s->share[which] = 1;
}

/* The logarithm of a candidate's share is the loss of the best less its own, in constraints, with `MARGIN` added if it
 * is not the first: its posterior if losses were negative log-likelihoods. */
static void share_by_loss(seg_context *ctx, seg_mixture_chooser *s, size_t count, int *best) {
    double asked[CANDIDATES];
    *best = 0;
    for (int which = 0; which < CANDIDATES; which++) {
        asked[which] = is_candidate(s, which) ? s->loss[which] * (double)count + (which ? MARGIN : 0) : INFINITY;
        if (asked[which] < asked[*best])
            *best = which;
    }
    for (int which = 0; which < CANDIDATES; which++) {
        const double share = exp(asked[*best] - asked[which]);
        s->share[which] = share >= LEAST ? share : 0;
        if (s->share[which] > 0)
            seg_log(ctx, SEG_LOG_INFO, "mixture: from %s, weight %g: loss %.4f, share %.2f", names[which / WEIGHTS],
                    weight_of(s, which), s->loss[which], share);
    }
}

seg_status seg_mixture_weigh(seg_context *ctx, seg_mixture_chooser *s, int *best) {
    const int folds = (int)s->param[FOLDS];
    const size_t count = known(&s->sorted);
    const double from = ctx ? ctx->progress_from : 0, to = ctx ? ctx->progress_to : 1;
    holding h = {0};
    int *member_part = NULL;
    *best = 0;
    share_equally(s);
    if (count < 2) { /* nothing can be held out: all starts have equal shares */
        for (int which = 0; which < CANDIDATES; which++)
            s->share[which] = which % WEIGHTS == 0;
        return SEG_OK;
    }
    s->parts = seg_held_out_parts(s->data.n, count, folds);
    s->same = seg_alloc_zero(ctx, s->all.pairs, CANDIDATES * sizeof *s->same);
    seg_status status = s->same ? seg_held_out_plan(ctx, &s->sorted, folds, s->parts, &s->held) : SEG_ERR_MEMORY;
    if (!status)
        status = deal_members(ctx, s, folds, &member_part);
    h.member_part = member_part;
    for (int part = 0; part < s->parts && !status; part++) {
        seg_progress_share(ctx, from + (to - from) * part / (s->parts + 1),
                           from + (to - from) * (part + 1) / (s->parts + 1));
        status = try_part(ctx, s, part, &h);
    }
    seg_progress_share(ctx, from + (to - from) * s->parts / (s->parts + 1), to);
    for (int which = 0; which < CANDIDATES && !status; which++)
        s->loss[which] = seg_mixture_errors_loss(&h.of[which], s->data.k);
    if (!status)
        share_by_loss(ctx, s, count, best);
    free(member_part);
    return status;
}

/* ---- The result. ---- */

typedef struct joining {
    seg_clustering *out; /* the best candidate, until the end */
    double *mean;        /* n x k */
    double shares;       /* added to it */
} joining;

/* The best comes first, and the clusters of the others are matched to its clusters. */
static seg_status add(seg_context *ctx, seg_mixture_chooser *s, const fitted *one, void *user) {
    joining *j = user;
    const size_t n = s->data.n, k = s->data.k;
    const int first = !(j->shares > 0);
    j->shares += s->share[one->which];
    if (!first)
        return seg_joint_add(ctx, n, k, s->sorted.groups, j->out->score.at, one->score, s->share[one->which], j->mean);
    memcpy(j->out->label, one->label, n * sizeof *one->label);
    memcpy(j->out->score.at, one->score, n * k * sizeof *one->score);
    memcpy(j->mean, one->score, n * k * sizeof *one->score);
    j->out->iterations = one->result->iterations;
    j->out->converged = one->result->converged;
    return SEG_OK;
}

/* What the step from part of the samples to all needs. */
typedef struct extending {
    joining *joining;
    const seg_neighbourhoods *near; /* of all */
    int32_t *label;
    double *score;
} extending;

/* Continue a fit on part of the samples with a few iterations on all. */
static seg_status extend(seg_context *ctx, seg_mixture_chooser *s, const fitted *one, void *user) {
    const extending *e = user;
    seg_mixture_chooser *whole = s->whole;
    const seg_mixture_options options = {
        .weight = weight_of(s, one->which), .iterations = EXTENDED, .from = one->density};
    const size_t n = whole->data.n, k = whole->data.k;
    seg_mixture_result result = {0};
    seg_status status = SEG_OK;
    if (options.weight > 0)
        status = seg_mixture_fit(ctx, &whole->data, e->near, &options, e->label, e->score, &result);
    else {
        memcpy(e->label, whole->start[WALK], n * sizeof *e->label);
        memcpy(e->score, whole->walked, n * k * sizeof *e->score);
    }
    result.iterations += one->result->iterations;
    result.converged = one->result->converged;
    fitted all = *one;
    all.label = e->label;
    all.score = e->score;
    all.result = &result;
    return status ? status : add(ctx, whole, &all, e->joining);
}

/* `part`: the chooser on a part of the samples, which has chosen; NULL where all have. */
static seg_status join(seg_context *ctx, seg_mixture_chooser *s, seg_mixture_chooser *part, int best,
                       seg_clustering *out) {
    const size_t n = s->data.n, k = s->data.k;
    seg_neighbourhoods near = {0};
    joining j = {.out = out, .mean = seg_alloc(ctx, n, k * sizeof *j.mean)};
    extending e = {.joining = &j, .near = &near};
    seg_status status = j.mean ? seg_neighbourhoods_create(ctx, &s->sorted, &near) : SEG_ERR_MEMORY;
    if (part && !status) {
        e.label = seg_alloc(ctx, n, sizeof *e.label);
        e.score = seg_alloc(ctx, n, k * sizeof *e.score);
        status = e.label && e.score ? fit_all(ctx, part, &part->sorted, -1, best, extend, &e) : SEG_ERR_MEMORY;
        free(e.label);
        free(e.score);
    } else if (!status)
        status = fit_all(ctx, s, &s->sorted, -1, best, add, &j);
    if (!status)
        status = seg_joint_end(ctx, &near, k, j.shares, j.mean, out->label);
    if (!status)
        memcpy(out->score.at, j.mean, n * k * sizeof *j.mean);
    free(j.mean);
    seg_neighbourhoods_free(&near);
    return status;
}

static seg_status choose(seg_context *ctx, seg_mixture_chooser *s, int *best) {
    const seg_status status = seg_mixture_weigh(ctx, s, best);
    return !status && s->param[MISTAKES] > 0 && s->held.part ? seg_mixture_leave_out_mistakes(ctx, s, best) : status;
}

static seg_status choose_by_part(seg_context *ctx, seg_mixture_chooser *s, seg_mixture_chooser *part, int *best) {
    seg_status status = choose(ctx, part, best);
    if (status)
        return status;
    memcpy(s->share, part->share, sizeof s->share);
    memcpy(s->left_out, part->left_out, s->all.pairs * sizeof *s->left_out);
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
    seg_held_out_free(&s->held);
    free(s->left_out);
    free(s->same);
    seg_mixture_data_free(&s->data);
    seg_matrix_free(&s->Z);
}

seg_status seg_mixture_solve(seg_context *ctx, const seg_problem *problem, const double *param, size_t most,
                             seg_clustering *out) {
    seg_mixture_chooser s = {.problem = problem, .param = param, .whole = &s, .stands_for = 1}, part = {0};
    int best = 0;
    if (param[WEIGHT] <= 0 && param[WEIGHT] != -1)
        return seg_fail(ctx, SEG_ERR_USAGE, "parameter weight of mixture is a number above 0 up to 1, or -1, not %g",
                        param[WEIGHT]);
    seg_status status = prepare(ctx, &s);
    if (!status && s.data.spaces > 0) {
        status = seg_mixture_sample(ctx, &s, most, &part);
        if (!status)
            status = part.picked ? choose_by_part(ctx, &s, &part, &best) : choose(ctx, &s, &best);
        if (!status)
            status = join(ctx, &s, part.picked ? &part : NULL, best, out);
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
     "shental2004mixtures; this project", SEG_NEEDS_GRAPH | SEG_TAKES_FULL, sizeof params / sizeof params[0], params,
     NULL, NULL, SEG_PAPER_GRAPH_NONE},
    solve,
};
