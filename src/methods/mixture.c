/* A Gaussian mixture of the vectors and of the graph's coordinates at once, under constraints [shental2004mixtures].
 * Held-out constraints choose the start and the weight of samples that no constraint names: the results of all starts
 * and weights are averaged by how well they predict these constraints. */
#include "methods/mixture.h"
#include "base/base.h"
#include "constraints/closed.h"
#include "constraints/held_out_pairs.h"
#include "linalg/dense.h"
#include "methods/steps.h"

#define MARGIN     2.0  /* constraints: another candidate must lose less than the first by this much */
#define LEAST      0.02 /* share relative to the best candidate below which a candidate is dropped */
#define ITERATIONS 40

static const seg_param params[] = {
    {"m", 20, 1, 500, 1, NULL,
     "smoothest eigenvectors of the graph that make its coordinates; at least one per cluster"},
    {"columns", 40, 1, 200, 1, NULL, "principal components of the features"},
    {"shrink", 0.5, 0, 1, 0, NULL, "of the clusters' covariance towards equal variances: 0 not at all, 1 wholly"},
    {"weight", -1, -1, 1, 0, NULL,
     "of a sample that no constraint names, others counting 1; -1: chosen by constraints held out"},
    {"folds", 5, 2, 20, 1, NULL,
     "the constraints are held out in so many parts, where samples and constraints are few"},
};
enum { VECTORS, COLUMNS, SHRINK, WEIGHT, FOLDS };

/* A start from constraints alone is a candidate from this number of constraints per cluster on. */
#define PAIRS_FROM 4
#define WALK_FROM  SEG_LEARN_FROM

typedef enum start_kind { NCUT, KMEANS, PAIRS, WALK, STARTS } start_kind;
enum { WEIGHTS = 4, CANDIDATES = STARTS * WEIGHTS };

typedef struct chooser {
    const seg_problem *problem;
    const double *param;
    seg_laplacian *laplacian; /* of the graph, for walks; NULL where there are none */
    seg_prepared prepared;    /* the same, or what the problem has */
    seg_constraints sorted;   /* groups, and pairs in one order, closed */
    seg_held_out held;
    double loss[CANDIDATES];  /* infinite where it is not a candidate */
    double share[CANDIDATES]; /* of the result, relative to the best one; 0 where it is not a candidate */
    int best;                 /* the candidate with the least loss */
    seg_mixture_data data;
    seg_matrix Z;
    int32_t *start[STARTS]; /* labels; NULL where there is none */
    double *walked;         /* n x k, scores of the walk; NULL where there is none */
} chooser;

/* Squared errors of the probabilities that held-out constraints get [brier1950]. */
enum { MUST, CANNOT, MEMBER, KINDS };
typedef struct errors {
    double count[KINDS], sum[KINDS];
} errors;

static const char *const names[] = {"normalized cuts", "k-means", "the constraints", "a random walk"};
static const double weights[WEIGHTS] = {1, 0.1, 0.002, 0}; /* 0: not fitted, as the walk leaves it */

static int is_candidate(const chooser *s, int which) {
    if (!s->start[which / WEIGHTS])
        return 0;
    return s->param[WEIGHT] < 0 ? weights[which % WEIGHTS] > 0 || which / WEIGHTS == WALK : which % WEIGHTS == 0;
}

static double weight_of(const chooser *s, int which) {
    return s->param[WEIGHT] > 0 ? s->param[WEIGHT] : weights[which % WEIGHTS];
}

/* ---- Preparation. ---- */

/* Labels of normalized cuts where a spectrum is given, else of k-means. */
static seg_status take_start(seg_context *ctx, chooser *s, const seg_spectrum *spectrum, int32_t **start) {
    SEG_RELEASED(seg_clustering_free) seg_clustering found = {0};
    seg_problem own = *s->problem;
    if (spectrum)
        own.restarts = 1; /* it is one of several starts */
    SEG_TRY(seg_clustering_begin(ctx, &own, &found));
    SEG_TRY(spectrum ? seg_ncut_solve(ctx, &own, spectrum, &found)
                     : seg_method_solve(ctx, &seg_method_kmeans, &own, &found));
    *start = seg_taken(&found.label);
    return SEG_OK;
}

static size_t known(const seg_constraints *constraints) {
    size_t count = constraints->pairs;
    for (size_t i = 0; i < constraints->n; i++)
        count += constraints->group[i] >= 0;
    return count;
}

static seg_status sort_constraints(seg_context *ctx, chooser *s) {
    const seg_constraints *given = s->problem->constraints;
    SEG_TRY(seg_pairs_in_order(ctx, given, &s->sorted));
    s->sorted.groups = given->groups;
    memcpy(s->sorted.group, given->group, given->n * sizeof *given->group);
    return seg_constraints_close(ctx, &s->sorted, SEG_CONTRADICTIONS_REFUSE);
}

static seg_status make_room(seg_context *ctx, chooser *s, start_kind which) {
    return seg_allocated(s->start[which] = seg_alloc_zero(ctx, s->problem->n, sizeof *s->start[which]));
}

/* A kernel is learned from listed pairs, cannot-links among them, and walks go along listed edges. */
static int walk_may_run(const chooser *s) {
    const seg_constraints *all = &s->sorted;
    return s->problem->affinity && s->problem->features && all->groups == 0 &&
           all->pairs >= (size_t)WALK_FROM * (size_t)s->problem->k && all->pair[all->pairs - 1].sign < 0;
}

static seg_status make_walk(seg_context *ctx, chooser *s) {
    SEG_TRY(make_room(ctx, s, WALK));
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_TABLE(s->walked, s->problem->n, (size_t)s->problem->k)));
    s->prepared = seg_prepared_of(s->problem);
    if (s->prepared.laplacian)
        return SEG_OK;
    SEG_TRY(seg_laplacian_create(ctx, s->problem->affinity, &s->laplacian));
    s->prepared.laplacian = s->laplacian;
    return SEG_OK;
}

/* The walk; if the kernel shows no clusters, those of normalized cuts stay. */
static seg_status by_walk(seg_context *ctx, chooser *s, const seg_constraints *constraints) {
    SEG_RELEASED(seg_clustering_free) seg_clustering found = {0};
    seg_problem own = *s->problem;
    own.constraints = constraints;
    own.prepared = &s->prepared;
    seg_status status = seg_clustering_begin(ctx, &own, &found);
    if (!status)
        status = seg_method_solve(ctx, &seg_method_walk, &own, &found);
    const size_t n = own.n, k = (size_t)own.k;
    memcpy(s->start[WALK], status ? s->start[NCUT] : found.label, n * sizeof *found.label);
    for (size_t e = 0; e < n * k; e++)
        s->walked[e] = status ? (double)((int32_t)(e % k) == s->start[NCUT][e / k]) : found.score.at[e];
    return status == SEG_ERR_NUMERIC || status == SEG_ERR_USAGE || status == SEG_ERR_CONTRADICTION ? SEG_OK : status;
}

static seg_status prepare(seg_context *ctx, chooser *s) {
    const seg_problem *problem = s->problem;
    const size_t k = (size_t)problem->k;
    size_t count = (size_t)s->param[VECTORS];
    SEG_RELEASED(seg_spectrum_free) seg_spectrum spectrum = {0};
    count = count < k ? k : count;
    count = count + 1 < problem->n ? count + 1 : problem->n;
    SEG_TRY(seg_smoothest(ctx, problem, (int)count, &spectrum));
    SEG_TRY(seg_mixture_rows(ctx, problem, &spectrum, (size_t)s->param[COLUMNS], &s->Z, &s->data));
    s->data.shrink = s->param[SHRINK];
    if (s->data.spaces > 0)
        SEG_TRY(seg_mixture_prepare(ctx, &s->data));
    SEG_TRY(take_start(ctx, s, &spectrum, &s->start[NCUT]));
    SEG_TRY(sort_constraints(ctx, s));
    if (problem->features)
        SEG_TRY(take_start(ctx, s, NULL, &s->start[KMEANS]));
    if (known(&s->sorted) >= PAIRS_FROM * k)
        SEG_TRY(make_room(ctx, s, PAIRS));
    return walk_may_run(s) ? make_walk(ctx, s) : SEG_OK;
}

/* ---- The candidates. ---- */

/* A candidate fitted to one set of constraints. */
typedef struct fitted {
    int which, part;
    seg_soft_clusters found;
    seg_mixture_result result;
} fitted;

typedef seg_status (*taker)(seg_context *ctx, chooser *s, const fitted *one, void *user);

/* What fits are made to, and who gets each result, that of `first` first. */
typedef struct fits {
    const seg_constraints *constraints;
    int part, first;
    taker take;
    void *user;
} fits;

static int counts(const chooser *s, int which) {
    return is_candidate(s, which) && s->share[which] > 0;
}

static int start_counts(const chooser *s, start_kind from) {
    int any = 0;
    for (int weight = 0; weight < WEIGHTS; weight++)
        any |= counts(s, (int)from * WEIGHTS + weight);
    return any;
}

static seg_status fit_one(seg_context *ctx, const chooser *s, const seg_neighbourhoods *near, fitted *one) {
    const seg_mixture_options options = {.weight = weight_of(s, one->which), .iterations = ITERATIONS};
    const size_t n = s->data.n, k = s->data.k;
    memcpy(one->found.label, s->start[one->which / WEIGHTS], n * sizeof *one->found.label);
    if (options.weight > 0)
        return seg_mixture_fit(ctx, &s->data, near, &options, one->found, &one->result);
    memcpy(one->found.score, s->walked, n * k * sizeof *s->walked);
    one->result = (seg_mixture_result){.converged = 1};
    return SEG_OK;
}

/* Fit the candidates with a share. */
static seg_status fit_all(seg_context *ctx, chooser *s, const fits *r) {
    const size_t n = s->data.n, k = s->data.k;
    SEG_RELEASED(seg_neighbourhoods_free) seg_neighbourhoods near = {0};
    SEG_FREED int32_t *label = NULL;
    double *score;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(label, n), SEG_TABLE(score, n, k)));
    SEG_TRY(seg_neighbourhoods_create(ctx, r->constraints, &near));
    if (start_counts(s, PAIRS))
        SEG_TRY(seg_mixture_pair_start(ctx, &s->data, r->constraints, s->start[PAIRS]));
    if (start_counts(s, WALK))
        SEG_TRY(by_walk(ctx, s, r->constraints));
    fitted one = {.part = r->part, .found = {.label = label, .score = score}};
    for (int turn = 0; turn < CANDIDATES; turn++) {
        one.which = turn == 0 ? r->first : turn <= r->first ? turn - 1 : turn;
        if (!counts(s, one.which))
            continue;
        SEG_TRY(fit_one(ctx, s, &near, &one));
        SEG_TRY(r->take(ctx, s, &one, r->user));
    }
    return SEG_OK;
}

/* ---- Their losses. ---- */

typedef struct holding {
    errors of[CANDIDATES];
    const int *member_part; /* n entries: the part of a group's sample, -1 where it always stays */
} holding;

static seg_status judge(SEG_UNUSED seg_context *ctx, chooser *s, const fitted *one, void *user) {
    holding *h = user;
    errors *e = &h->of[one->which];
    const size_t k = s->data.k;
    const double *score = one->found.score;
    const int part = one->part;
    for (size_t p = 0; p < s->sorted.pairs; p++) {
        const seg_pair *pair = &s->sorted.pair[p];
        const double *x = score + (size_t)pair->i * k, *y = score + (size_t)pair->j * k;
        if (s->held.part[p] != part)
            continue;
        const double same = seg_dot(k, x, y);
        e->count[pair->sign > 0 ? MUST : CANNOT] += 1;
        e->sum[pair->sign > 0 ? MUST : CANNOT] += pair->sign > 0 ? (1 - same) * (1 - same) : same * same;
    }
    for (size_t i = 0; i < s->data.n; i++) {
        if (h->member_part[i] != part)
            continue;
        const double wrong = 1 - score[i * k + (size_t)s->sorted.group[i]];
        e->count[MEMBER] += 1;
        e->sum[MEMBER] += wrong * wrong;
    }
    return SEG_OK;
}

/* In k clusters of equal size, k - 1 times as many pairs lie apart as together. */
static double loss_of(const errors *e, size_t k) {
    const double factor[KINDS] = {1, (double)(k - 1), 1};
    double sum = 0;
    int kinds = 0;
    for (int kind = 0; kind < KINDS; kind++)
        if (e->count[kind] > 0) {
            sum += e->sum[kind] / e->count[kind] * factor[kind];
            kinds++;
        }
    return kinds ? sum / kinds : 0;
}

/* Deal the samples of each group to the parts; the first sample of a group is never held out. */
static seg_status deal_members(seg_context *ctx, const chooser *s, int folds, int **out) {
    size_t met[SEG_MAX_LABELS] = {0};
    SEG_TRY(seg_allocated(*out = seg_alloc(ctx, s->data.n, sizeof **out)));
    for (size_t i = 0; i < s->data.n; i++) {
        const int g = s->sorted.group[i];
        (*out)[i] = g < 0 || met[g]++ == 0 ? -1 : (int)((met[g] - 2) % (size_t)folds);
    }
    return SEG_OK;
}

static seg_status try_part(seg_context *ctx, chooser *s, int part, holding *h) {
    seg_constraints *others = &s->held.others[part];
    others->groups = s->sorted.groups;
    for (size_t i = 0; i < s->data.n; i++)
        others->group[i] = h->member_part[i] == part ? -1 : s->sorted.group[i];
    if (others->groups > 0) { /* the closure was made without them */
        seg_constraints_forget_closure(others);
        SEG_TRY(seg_constraints_close(ctx, others, SEG_CONTRADICTIONS_REFUSE));
    }
    return fit_all(ctx, s, &(fits){others, part, 0, judge, h});
}

/* The logarithm of a candidate's share is the loss of the best less its own, in constraints, with `MARGIN` added if it
 * is not the first: its posterior if losses were negative log-likelihoods. */
static void share_by_loss(seg_context *ctx, chooser *s, size_t count) {
    double asked[CANDIDATES];
    int *best = &s->best;
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

static seg_status weigh(seg_context *ctx, chooser *s) {
    const int folds = (int)s->param[FOLDS];
    const size_t count = known(&s->sorted);
    const double from = ctx ? ctx->progress_from : 0, to = ctx ? ctx->progress_to : 1;
    holding h = {0};
    SEG_FREED int *member_part = NULL;
    s->best = 0;
    for (int which = 0; which < CANDIDATES; which++) /* where nothing can be held out, all starts have equal shares */
        s->share[which] = count >= 2 || which % WEIGHTS == 0;
    if (count < 2)
        return SEG_OK;
    const int parts = seg_held_out_parts(s->data.n, count, folds);
    SEG_TRY(seg_held_out_plan(ctx, &s->sorted, folds, parts, &s->held));
    SEG_TRY(deal_members(ctx, s, folds, &member_part));
    h.member_part = member_part;
    for (int part = 0; part < parts; part++) {
        seg_progress_share(ctx, from + (to - from) * part / (parts + 1), from + (to - from) * (part + 1) / (parts + 1));
        SEG_TRY(try_part(ctx, s, part, &h));
    }
    seg_progress_share(ctx, from + (to - from) * parts / (parts + 1), to);
    for (int which = 0; which < CANDIDATES; which++)
        s->loss[which] = loss_of(&h.of[which], s->data.k);
    share_by_loss(ctx, s, count);
    return SEG_OK;
}

/* ---- The result. ---- */

/* What the candidates are joined in, on all samples. */
typedef struct joining {
    seg_clustering *out; /* the best candidate, until the end */
    seg_joint joint;
} joining;

/* The best comes first, and the clusters of the others are matched to its clusters. */
static seg_status add(seg_context *ctx, chooser *s, const fitted *one, void *user) {
    joining *j = user;
    const size_t n = s->data.n, k = s->data.k;
    const double share = s->share[one->which];
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

static seg_status join(seg_context *ctx, chooser *s, seg_clustering *out) {
    const size_t n = s->data.n, k = s->data.k;
    SEG_RELEASED(seg_neighbourhoods_free) seg_neighbourhoods near = {0};
    SEG_LOCAL(double, mean, seg_alloc_zero(ctx, n, k * sizeof *mean));
    joining j = {out, {.n = n, .k = k, .groups = s->sorted.groups, .reference = out->score.at, .mean = mean}};
    SEG_TRY(seg_neighbourhoods_create(ctx, &s->sorted, &near));
    SEG_TRY(fit_all(ctx, s, &(fits){&s->sorted, -1, s->best, add, &j}));
    SEG_TRY(seg_joint_end(ctx, &j.joint, &near, out->label));
    memcpy(out->score.at, mean, n * k * sizeof *mean);
    return SEG_OK;
}

static void chooser_free(chooser *s) {
    for (int which = 0; which < STARTS; which++)
        free(s->start[which]);
    free(s->walked);
    seg_laplacian_free(s->laplacian);
    seg_constraints_free(&s->sorted);
    seg_held_out_free(&s->held);
    seg_mixture_data_free(&s->data);
    seg_matrix_free(&s->Z);
}

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    SEG_RELEASED(chooser_free) chooser s = {.problem = problem, .param = param};
    if (param[WEIGHT] <= 0 && param[WEIGHT] != -1)
        return seg_fail(ctx, SEG_ERR_USAGE, "parameter weight of mixture is a number above 0 up to 1, or -1, not %g",
                        param[WEIGHT]);
    SEG_TRY(prepare(ctx, &s));
    if (s.data.spaces > 0) {
        SEG_TRY(weigh(ctx, &s));
        return join(ctx, &s, out);
    }
    memcpy(out->label, s.start[NCUT], problem->n * sizeof *out->label); /* there are no coordinates */
    for (size_t i = 0; i < problem->n; i++)
        out->score.at[i * (size_t)problem->k + (size_t)out->label[i]] = 1;
    return SEG_OK;
}

const seg_method_row seg_method_mixture = {
    {"mixture", "a Gaussian mixture of vectors and graph coordinates at once, under constraints",
     "shental2004mixtures; this project", SEG_NEEDS_GRAPH | SEG_EIGENVECTORS_ONLY, SEG_PARAMS(params), NULL, NULL,
     SEG_PAPER_GRAPH_NONE},
    solve,
};
