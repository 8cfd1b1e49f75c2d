/* How smooth ENPAKL's kernel of listed pairs is, chosen by the pairs. */
#include "methods/steps.h"

#include "base/base.h"
#include "constraints/held_out_pairs.h"
#include "graph/laplacian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FOLDS    3
#define MOST_FIT 0.5
#define SWITCH   0.5 /* of a pair */

static const double candidates[] = {SEG_ENPAKL_LAMBDA, 0.5, 0.3, 2};
enum { CANDIDATES = sizeof candidates / sizeof *candidates };

typedef struct trial {
    seg_solve enpakl;
    seg_problem problem;
    double param[SEG_MAX_PARAMS];
    seg_held_out held;
    double fit; /* weight of the pairs that the learner knew */
} trial;

/* ENPAKL's labels. *failed: 1 if ENPAKL failed numerically or by the constraints. */
static seg_status labels_of(seg_context *ctx, const trial *t, const seg_constraints *constraints, int *failed,
                            seg_clustering *out) {
    seg_problem own = t->problem;
    own.constraints = constraints;
    own.restarts = 1;
    *failed = 0;
    seg_status status = seg_clustering_begin(ctx, &own, out);
    if (status)
        return status;
    status = t->enpakl(ctx, &own, t->param, out);
    if (status)
        seg_clustering_free(out);
    *failed = status == SEG_ERR_NUMERIC || status == SEG_ERR_CONTRADICTION || status == SEG_ERR_USAGE;
    return *failed ? SEG_OK : status;
}

static seg_status judge_held_out(seg_context *ctx, const trial *t, seg_judgement *judged) {
    for (int part = 0; part < t->held.parts; part++) {
        seg_clustering found = {0};
        int failed;
        if (seg_constraints_cannots(&t->held.others[part]) == 0)
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

/* *loss: INFINITY if ENPAKL fails; with `enough`, 0 if no pair is broken, and then none are held out. */
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

seg_status seg_enpakl_choose_lambda(seg_context *ctx, const seg_problem *problem, seg_solve enpakl, const double *param,
                                    int place, double *lambda) {
    const double from = ctx ? ctx->progress_from : 0, to = ctx ? ctx->progress_to : 1;
    const size_t pairs = problem->constraints->pairs;
    trial t = {.enpakl = enpakl, .problem = *problem};
    seg_constraints sorted = {0};
    seg_laplacian *own = NULL;
    unsigned char *named = NULL;
    size_t names;
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
    if ((status = seg_constraints_named(ctx, &sorted, &named, &names)) != SEG_OK ||
        (status = seg_held_out_plan(ctx, &sorted, FOLDS, seg_held_out_parts(problem->n, pairs, FOLDS), &t.held)) !=
            SEG_OK)
        goto done;
    t.fit = fmin((double)names / (double)sorted.n, MOST_FIT);
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
    free(named);
    seg_held_out_free(&t.held);
    seg_laplacian_free(own);
    sorted.closure = NULL;
    seg_constraints_free(&sorted);
    return status;
}
