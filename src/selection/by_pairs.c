#include "selection/by_pairs.h"

#include "base/base.h"
#include "constraints/held_out_pairs.h"
#include "graph/laplacian.h"
#include "graph/spectrum/spectrum.h"
#include "groups/groups.h"
#include "methods/steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FIT 0.5
#define FEW      0.01 /* largest share of unheard samples where nothing is compared */
/* The walk is a candidate for images from this number of pairs per cluster on, because the patches of a region are
 * neighbours. */
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
} chooser;

/* ---- Candidates. ---- */

static seg_status take_spectrum(seg_context *ctx, chooser *s, const seg_problem *problem) {
    return s->spectrum.vector ? SEG_OK : seg_smoothest(ctx, problem, seg_ccsr_columns(problem), &s->spectrum);
}

static seg_status spectral(seg_context *ctx, chooser *s, const seg_problem *problem, seg_clustering *out) {
    const seg_status status = take_spectrum(ctx, s, problem);
    return status ? status : seg_ccsr_solve(ctx, problem, &s->spectrum, -1, out);
}

/* Without features ENPAKL has no smoother; CCSR needs the graph alone. */
static seg_status groups_of(seg_context *ctx, chooser *s, const seg_problem *problem, seg_constraints *groups) {
    if (problem->features)
        return seg_enpakl_groups(ctx, problem, groups);
    const seg_status status = take_spectrum(ctx, s, problem);
    return status ? status : seg_ccsr_groups(ctx, problem, &s->spectrum, groups);
}

static seg_status walk(seg_context *ctx, chooser *s, const seg_problem *problem, int trial, seg_clustering *out) {
    seg_random_walk_options options = s->options->walk;
    seg_problem grouped = *problem;
    seg_constraints groups = {0};
    seg_status status = groups_of(ctx, s, problem, &groups);
    if (!status && groups.groups == 0)
        status = seg_fail(ctx, SEG_ERR_NUMERIC, "must-links leave fewer sets of linked samples than %d clusters",
                          problem->k);
    if (trial)
        options.trees = 0;
    grouped.constraints = &groups;
    if (!status)
        status = seg_random_walk(ctx, &grouped, &options, out);
    seg_constraints_free(&groups);
    return status;
}

static seg_status run(seg_context *ctx, chooser *s, candidate which, const seg_problem *problem, int trial,
                      seg_clustering *out) {
    seg_status status = seg_clustering_begin(ctx, problem, out);
    if (status)
        return status;
    status = which == NCUT   ? seg_method_solve(ctx, &seg_method_ncut, problem, out)
             : which == CCSR ? spectral(ctx, s, problem, out)
                             : walk(ctx, s, problem, trial, out);
    if (status)
        seg_clustering_free(out);
    return status;
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
    seg_status status = SEG_OK;
    own.restarts = 1;
    for (int part = 0; part < s->held.parts && !status; part++) {
        seg_clustering found = {0};
        own.constraints = &s->held.others[part];
        /* nothing to learn from, or nothing to count */
        if (own.constraints->pairs == 0 || own.constraints->pairs == s->problem.constraints->pairs)
            continue;
        status = run(ctx, s, which, &own, 1, &found);
        if (!status)
            seg_held_out_judge(&s->held, part, found.label, judged);
        else if (passed_over(ctx, status, which))
            status = SEG_OK;
        seg_clustering_free(&found);
    }
    return status;
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
    seg_status status = learns(which) ? judge_held_out(ctx, s, which, &held) : SEG_OK;
    if (status)
        return status;
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

/* The share of the samples in clusters without a named sample, which methods that learn from named samples cannot know.
 */
static double unheard_share(const chooser *s, const seg_clustering *cuts) {
    size_t named[SEG_MAX_LABELS] = {0}, count = 0;
    for (size_t i = 0; i < cuts->n; i++)
        named[cuts->label[i]] += s->named[i];
    for (size_t i = 0; i < cuts->n; i++)
        count += named[cuts->label[i]] == 0;
    return (double)count / (double)cuts->n;
}

/* Whether the walk needs no comparison: for an image with enough pairs in all clusters it is known to be better than
 * N-cuts (docs/results.md). */
static int walk_is_known(const chooser *s) {
    return is_image(&s->problem) && enough_pairs(&s->problem, s->options->learn_from) && s->unheard <= FEW;
}

static seg_status prepare(seg_context *ctx, const seg_problem *problem, seg_constraints *sorted, chooser *s) {
    size_t named;
    seg_status status = seg_pairs_in_order(ctx, problem->constraints, sorted);
    if (status)
        return status;
    sorted->notes = problem->constraints->notes; /* lent: it does not depend on the pairs' order */
    s->problem = *problem;
    s->problem.constraints = sorted;
    s->prepared = seg_prepared_of(problem);
    s->problem.prepared = &s->prepared;
    if (!s->prepared.laplacian) {
        SEG_TRY(seg_laplacian_create(ctx, problem->affinity, &s->own));
        s->prepared.laplacian = s->own;
    }
    if ((status = seg_constraints_named(ctx, sorted, &s->named, &named)) != SEG_OK)
        return status;
    s->fit = fmin(MOST_FIT, (double)named / (double)sorted->n);
    return seg_held_out_plan(ctx, sorted, s->options->folds,
                             seg_held_out_parts(problem->n, sorted->pairs, s->options->folds), &s->held);
}

/* Move the arrays of the best candidate into the result that seg_cluster prepared. */
static void take_over(seg_clustering *winner, seg_clustering *out) {
    seg_clustering_free(out);
    *out = *winner;
    memset(winner, 0, sizeof *winner);
}

seg_status seg_by_pairs(seg_context *ctx, const seg_problem *problem, const seg_by_pairs_options *options,
                        seg_clustering *out) {
    const double from = ctx ? ctx->progress_from : 0, to = ctx ? ctx->progress_to : 1;
    chooser s = {.options = options};
    seg_constraints sorted = {0};
    seg_clustering best = {0};
    int taken = -1;
    size_t moved = 0;
    seg_status status = prepare(ctx, problem, &sorted, &s), failed = SEG_OK;
    for (int which = 0; which < CANDIDATES && !status; which++) {
        seg_clustering found = {0};
        s.loss[which] = INFINITY;
        if (!may_run(&s, which))
            continue;
        seg_progress_share(ctx, from + (to - from) * which / CANDIDATES, from + (to - from) * (which + 1) / CANDIDATES);
        if ((status = run(ctx, &s, which, &s.problem, 0, &found)) == SEG_OK) {
            if (which == NCUT)
                s.unheard = unheard_share(&s, &found);
            if (which == WALK && walk_is_known(&s))
                s.loss[WALK] = -1;
            else
                status = measure(ctx, &s, which, &found);
        }
        if (status) {
            if (passed_over(ctx, status, which)) {
                failed = status;
                status = SEG_OK;
            }
        } else if (taken < 0 || s.loss[which] < s.loss[taken]) {
            seg_clustering_free(&best);
            best = found;
            memset(&found, 0, sizeof found);
            taken = which;
        }
        seg_clustering_free(&found);
    }
    seg_progress_share(ctx, from, to);
    if (!status && taken < 0)
        status = failed;
    if (!status && taken != WALK) /* its groups have used the pairs already */
        status = seg_keep_pairs(ctx, &s.problem, &best, &moved);
    if (!status) {
        best.ran = names[taken];
        seg_log(ctx, SEG_LOG_INFO, "%s is taken; %zu samples that pairs name were moved", best.ran, moved);
        take_over(&best, out);
    }
    seg_clustering_free(&best);
    seg_spectrum_free(&s.spectrum);
    seg_held_out_free(&s.held);
    free(s.named);
    seg_laplacian_free(s.own);
    sorted.notes = NULL; /* returned */
    seg_constraints_free(&sorted);
    return status;
}
