#include "selection/by_pairs.h"
#include "base/base.h"
#include "constraints/held_out_pairs.h"
#include "groups/groups.h"

#define MOST_FIT 0.5
#define FEW      0.01 /* largest share of unheard samples where nothing is compared */
/* From this many pairs per cluster on the walk is a candidate for images, since a region's patches are neighbours. */
#define IMAGE_FROM 2

typedef enum candidate { NCUT, CCSR, WALK, CANDIDATES } candidate;
static const char *const names[] = {"ncut", "ccsr", "random-walker"};

typedef struct chooser {
    const seg_by_pairs_options *options;
    seg_problem problem;     /* pairs in one order, the Laplacian made */
    seg_prepared prepared;   /* with that Laplacian */
    seg_laplacian *own;      /* the same, where the caller had none */
    seg_spectrum spectrum;   /* of CCSR, made once */
    seg_held_out held;       /* which pairs are held out in which part */
    unsigned char *named;    /* n: whether a pair names the sample */
    double unheard;          /* share of the samples in clusters of N-cuts where no pair names a sample */
    double fit;              /* weight of the pairs that a candidate knew in its loss */
    double loss[CANDIDATES]; /* infinite where it was not run */
    seg_constraints sorted;
    seg_clustering best;
    int taken; /* the candidate that is the best so far, -1: none */
} chooser;

/* ---- Candidates. ---- */

static seg_status spectral(seg_context *ctx, chooser *s, const seg_problem *problem, seg_clustering *out) {
    if (!s->spectrum.vector)
        SEG_TRY(seg_smoothest(ctx, problem, seg_ccsr_columns(problem), &s->spectrum));
    return seg_ccsr_solve(ctx, problem, &s->spectrum, -1, 0, out);
}

static seg_status walk(seg_context *ctx, chooser *s, const seg_problem *problem, int trial, seg_clustering *out) {
    seg_random_walk_options options = s->options->walk;
    seg_problem grouped = *problem;
    SEG_RELEASED(seg_constraints_free) seg_constraints groups = {0};
    SEG_TRY(seg_pair_groups(ctx, problem, &s->spectrum, &groups));
    if (groups.groups == 0)
        return seg_fail(ctx, SEG_ERR_NUMERIC, "must-links leave fewer sets of linked samples than %d clusters",
                        problem->k);
    if (trial)
        options.trees = 0;
    grouped.constraints = &groups;
    return seg_random_walk(ctx, &grouped, &options, out);
}

static seg_status run(seg_context *ctx, chooser *s, candidate which, const seg_problem *problem, int trial,
                      seg_clustering *out) {
    SEG_TRY(seg_clustering_begin(ctx, problem, out));
    return which == NCUT   ? seg_method_solve(ctx, &seg_method_ncut, problem, out)
           : which == CCSR ? spectral(ctx, s, problem, out)
                           : walk(ctx, s, problem, trial, out);
}

static int learns(candidate which) {
    return which > NCUT;
}

static int is_image(const seg_problem *problem) {
    return problem->context != NULL;
}

/* Whether there are enough pairs per cluster for methods that learn. Must-links alone separate nothing. */
static int enough_pairs(const seg_problem *problem, double a_cluster) {
    return seg_constraints_cannots(problem->constraints) > 0 &&
           (double)problem->constraints->pairs >= a_cluster * problem->k;
}

static int may_run(const chooser *s, candidate which) {
    const seg_problem *problem = &s->problem;
    const double least = s->options->learn_from;
    const int image = is_image(problem);
    if (which == CCSR && image)
        return 0;
    return !learns(which) || enough_pairs(problem, image ? fmin(least, IMAGE_FROM) : least);
}

/* ---- The loss. ---- */

/* Whether a failure leaves out this candidate only. */
static int passed_over(seg_context *ctx, seg_status status, candidate which) {
    if (status != SEG_ERR_NUMERIC && status != SEG_ERR_USAGE && status != SEG_ERR_CONTRADICTION)
        return 0;
    seg_log(ctx, SEG_LOG_INFO, "%s is passed over: %s", names[which], ctx ? ctx->message : "");
    return 1;
}

/* Count the held-out pairs that runs without them break. */
static seg_status judge_held_out(seg_context *ctx, chooser *s, candidate which, seg_judgement *judged) {
    seg_problem own = s->problem;
    own.restarts = 1;
    for (int part = 0; part < s->held.parts; part++) {
        SEG_RELEASED(seg_clustering_free) seg_clustering found = {0};
        own.constraints = &s->held.others[part];
        /* nothing to learn from, or nothing to count */
        if (own.constraints->pairs == 0 || own.constraints->pairs == s->problem.constraints->pairs)
            continue;
        const seg_status status = run(ctx, s, which, &own, 1, &found);
        if (!status)
            seg_held_out_judge(&s->held, part, found.label, judged);
        else if (!passed_over(ctx, status, which))
            return status;
    }
    return SEG_OK;
}

static double mixed(const chooser *s, candidate which, double known, double held, double held_total) {
    if (!learns(which))
        return known;
    const double unseen = held_total > 0 ? held / held_total : 0.5; /* a guess where no pair could be held out */
    return s->fit * known + (1 - s->fit) * unseen;
}

static void say(seg_context *ctx, candidate which, const seg_judgement *known, const seg_judgement *held, double loss) {
    char unseen[160] = "";
    if (held->must + held->cannot > 0)
        snprintf(unseen, sizeof unseen, "; of those held out %g of %g and %g of %g", held->must_broken, held->must,
                 held->cannot_broken, held->cannot);
    seg_log(ctx, SEG_LOG_INFO, "%s breaks %g of %g must-links and %g of %g cannot-links%s: loss %.4f", names[which],
            known->must_broken, known->must, known->cannot_broken, known->cannot, unseen, loss);
}

static seg_status measure(seg_context *ctx, chooser *s, candidate which, const seg_clustering *found) {
    seg_judgement known = {0}, held = {0};
    seg_judge_pairs(s->problem.constraints, found->label, &known);
    if (learns(which))
        SEG_TRY(judge_held_out(ctx, s, which, &held));
    const double must =
        known.must > 0 ? mixed(s, which, known.must_broken / known.must, held.must_broken, held.must) : -1;
    const double cannot =
        known.cannot > 0 ? mixed(s, which, known.cannot_broken / known.cannot, held.cannot_broken, held.cannot) : -1;
    s->loss[which] = must < 0 ? cannot : cannot < 0 ? must : seg_pair_loss(must, cannot, s->problem.k);
    s->loss[which] += learns(which) ? s->unheard : 0;
    say(ctx, which, &known, &held, s->loss[which]);
    return SEG_OK;
}

/* ---- The choice. ---- */

/* The share of samples in clusters without a named sample, which methods that learn from named samples cannot know. */
static double unheard_share(const chooser *s, const seg_clustering *cuts) {
    size_t named[SEG_MAX_LABELS] = {0}, count = 0;
    for (size_t i = 0; i < cuts->n; i++)
        named[cuts->label[i]] += s->named[i];
    for (size_t i = 0; i < cuts->n; i++)
        count += named[cuts->label[i]] == 0;
    return (double)count / (double)cuts->n;
}

static seg_status prepare(seg_context *ctx, const seg_problem *problem, chooser *s) {
    size_t named;
    SEG_TRY(seg_pairs_in_order(ctx, problem->constraints, &s->sorted));
    s->sorted.notes = problem->constraints->notes; /* lent: it does not depend on the pairs' order */
    s->problem = *problem;
    s->problem.constraints = &s->sorted;
    s->prepared = seg_prepared_of(problem);
    s->problem.prepared = &s->prepared;
    if (!s->prepared.laplacian) {
        SEG_TRY(seg_laplacian_create(ctx, problem->affinity, &s->own));
        s->prepared.laplacian = s->own;
    }
    SEG_TRY(seg_constraints_named(ctx, &s->sorted, &s->named, &named));
    s->fit = fmin(MOST_FIT, (double)named / (double)s->sorted.n);
    return seg_held_out_plan(ctx, &s->sorted, s->options->folds,
                             seg_held_out_parts(problem->n, s->sorted.pairs, s->options->folds), &s->held);
}

static void chooser_free(chooser *s) {
    seg_clustering_free(&s->best);
    seg_spectrum_free(&s->spectrum);
    seg_held_out_free(&s->held);
    free(s->named);
    seg_laplacian_free(s->own);
    s->sorted.notes = NULL; /* returned */
    seg_constraints_free(&s->sorted);
}

/* Run a candidate, and keep it if it is the best. */
static seg_status try_candidate(seg_context *ctx, chooser *s, candidate which) {
    SEG_RELEASED(seg_clustering_free) seg_clustering found = {0};
    SEG_TRY(run(ctx, s, which, &s->problem, 0, &found));
    if (which == NCUT)
        s->unheard = unheard_share(s, &found);
    if (which == WALK && is_image(&s->problem) && enough_pairs(&s->problem, s->options->learn_from) &&
        s->unheard <= FEW)
        s->loss[WALK] = -1; /* for an image with enough pairs in all clusters better than N-cuts (docs/results.md) */
    else
        SEG_TRY(measure(ctx, s, which, &found));
    if (s->taken < 0 || s->loss[which] < s->loss[s->taken]) {
        SEG_SWAP(seg_clustering, s->best, found);
        s->taken = which;
    }
    return SEG_OK;
}

seg_status seg_by_pairs(seg_context *ctx, const seg_problem *problem, const seg_by_pairs_options *options,
                        seg_clustering *out) {
    const double from = ctx ? ctx->progress_from : 0, to = ctx ? ctx->progress_to : 1;
    SEG_RELEASED(chooser_free) chooser s = {.options = options, .taken = -1};
    size_t moved = 0;
    seg_status failed = SEG_OK;
    SEG_TRY(prepare(ctx, problem, &s));
    for (candidate which = 0; which < CANDIDATES; which++) {
        s.loss[which] = INFINITY;
        if (!may_run(&s, which))
            continue;
        seg_progress_share(ctx, from + (to - from) * which / CANDIDATES, from + (to - from) * (which + 1) / CANDIDATES);
        const seg_status status = try_candidate(ctx, &s, which);
        failed = status ? status : failed;
        if (status && !passed_over(ctx, status, which))
            return status;
    }
    seg_progress_share(ctx, from, to);
    if (s.taken < 0)
        return failed;
    if (s.taken != WALK) /* its groups have used the pairs already */
        SEG_TRY(seg_keep_pairs(ctx, &s.problem, &s.best, &moved));
    s.best.ran = names[s.taken];
    seg_log(ctx, SEG_LOG_INFO, "%s is taken; %zu samples that pairs name were moved", s.best.ran, moved);
    SEG_SWAP(seg_clustering, *out, s.best); /* for that which seg_cluster prepared */
    return SEG_OK;
}
