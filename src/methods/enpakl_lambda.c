#include "methods/enpakl_lambda.h"

#include "base/base.h"
#include "graph/laplacian.h"
#include "methods/choice.h"
#include "methods/held_out.h"
#include "methods/method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FOLDS    3
#define MOST_FIT 0.5
#define SWITCH   0.5 /* of a pair */

static const double candidates[] = {SEG_ENPAKL_LAMBDA, 0.5, 0.3, 2};
enum { CANDIDATES = sizeof candidates / sizeof *candidates };

typedef struct trial {
    seg_problem problem;
    double param[SEG_MAX_PARAMS];
    seg_held_out held;
    double fit; /* share of what the learner knew in the judgement */
} trial;

/* ENPAKL's labels; a failure of the numbers leaves *failed set. */
static seg_status labels_of(seg_context *ctx, const trial *t, const seg_constraints *constraints, int *failed,
                            seg_clustering *out) {
    seg_problem own = t->problem;
    own.constraints = constraints;
    own.restarts = 1;
    *failed = 0;
    seg_status status = seg_clustering_begin(ctx, &own, out);
    if (status)
        return status;
    status = seg_method_enpakl.solve(ctx, &own, t->param, out);
    if (status)
        seg_clustering_free(out);
    *failed = status == SEG_ERR_NUMERIC || status == SEG_ERR_CONTRADICTION || status == SEG_ERR_USAGE;
    return *failed ? SEG_OK : status;
}

static int has_cannot_links(const seg_constraints *constraints) {
    for (size_t p = 0; p < constraints->pairs; p++)
        if (constraints->pair[p].sign < 0)
            return 1;
    return 0;
}

static seg_status judge_held_out(seg_context *ctx, const trial *t, seg_judgement *judged) {
    for (int part = 0; part < t->held.parts; part++) {
        seg_clustering found = {0};
        int failed;
        if (!has_cannot_links(&t->held.others[part]))
            continue;
        const seg_status status = labels_of(ctx, t, &t->held.others[part], &failed, &found);
        if (status)
            return status;
        if (!failed)
            seg_held_out_judge(&t->held, part, found.label, judged);
        seg_clustering_free(&found);
    }
    return SEG_OK;
}

static double share(double broken, double all) {
    return all > 0 ? broken / all : 0;
}

/* INFINITY where ENPAKL fails; 0 where `enough` and no pair is broken, without holding any out. */
static seg_status loss_of(seg_context *ctx, const trial *t, int enough, double *loss) {
    seg_judgement known = {0}, held = {0};
    seg_clustering found = {0};
    int failed;
    *loss = INFINITY;
    seg_status status = labels_of(ctx, t, t->problem.constraints, &failed, &found);
    if (status || failed)
        return status;
    seg_judge_pairs(t->problem.constraints, found.label, &known);
    seg_clustering_free(&found);
    if (enough && known.must_broken + known.cannot_broken == 0) {
        *loss = 0;
        return SEG_OK;
    }
    if ((status = judge_held_out(ctx, t, &held)) != SEG_OK)
        return status;
    const double must =
        t->fit * share(known.must_broken, known.must) + (1 - t->fit) * share(held.must_broken, held.must);
    const double cannot =
        t->fit * share(known.cannot_broken, known.cannot) + (1 - t->fit) * share(held.cannot_broken, held.cannot);
    *loss = seg_pair_loss(must, cannot, t->problem.k);
    return SEG_OK;
}

/* Share of the samples that pairs name. */
static seg_status named_share(seg_context *ctx, const seg_constraints *constraints, double *out) {
    unsigned char *named = seg_alloc_zero(ctx, constraints->n, 1);
    size_t count = 0;
    if (!named)
        return SEG_ERR_MEMORY;
    for (size_t p = 0; p < constraints->pairs; p++)
        named[constraints->pair[p].i] = named[constraints->pair[p].j] = 1;
    for (size_t i = 0; i < constraints->n; i++)
        count += named[i];
    free(named);
    *out = (double)count / (double)constraints->n;
    return SEG_OK;
}

seg_status seg_enpakl_choose_lambda(seg_context *ctx, const seg_problem *problem, const double *param, int place,
                                    double *lambda) {
    const double from = ctx ? ctx->progress_from : 0, to = ctx ? ctx->progress_to : 1;
    const size_t pairs = problem->constraints->pairs;
    trial t = {.problem = *problem};
    seg_constraints sorted = {0};
    seg_laplacian *own = NULL;
    double least = INFINITY;
    seg_status status = seg_pairs_in_order(ctx, problem->constraints, &sorted);
    *lambda = SEG_ENPAKL_LAMBDA;
    if (status)
        return status;
    sorted.closure = problem->constraints->closure; /* lent */
    t.problem.constraints = &sorted;
    memcpy(t.param, param, sizeof t.param);
    if (!t.problem.laplacian && (status = seg_laplacian_create(ctx, problem->affinity, &own)) != SEG_OK)
        goto done;
    t.problem.laplacian = own ? own : problem->laplacian;
    if ((status = named_share(ctx, &sorted, &t.fit)) != SEG_OK ||
        (status = seg_held_out_plan(ctx, &sorted, FOLDS, seg_choice_parts(problem->n, pairs, FOLDS), &t.held)) !=
            SEG_OK)
        goto done;
    t.fit = fmin(t.fit, MOST_FIT);
    for (int c = 0; c < CANDIDATES && least > 0; c++) {
        double loss;
        seg_progress_share(ctx, from + (to - from) * c / (CANDIDATES + 1),
                           from + (to - from) * (c + 1) / (CANDIDATES + 1));
        t.param[place] = candidates[c];
        if ((status = loss_of(ctx, &t, c == 0, &loss)) != SEG_OK)
            break;
        seg_log(ctx, SEG_LOG_INFO, "enpakl: lambda %g: loss %.4f", candidates[c], loss);
        if (loss + (c ? SWITCH / (double)pairs : 0) < least) {
            least = loss;
            *lambda = candidates[c];
        }
    }
    seg_progress_share(ctx, from + (to - from) * CANDIDATES / (CANDIDATES + 1), to);
done:
    seg_held_out_free(&t.held);
    seg_laplacian_free(own);
    sorted.closure = NULL;
    seg_constraints_free(&sorted);
    return status;
}
