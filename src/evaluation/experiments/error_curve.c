/* Clustering error against the number of constraints, over nine candidate graphs [li2009ccskl, Sec. 5; li2009ccsr, Sec.
 * 4]. The papers use the graph with the best result, which requires the true labels; the blind variant uses, in each
 * realization, the graph on which the method violates the fewest of its constraints (normalized cuts: the graph with
 * the largest eigengap). */
#include "evaluation/experiments/measure.h"

#include "base/base.h"
#include "constraints/held_out_pairs.h"

#include <float.h>

/* Values: the error on each graph, then what the blind choice minimises. */
enum { ERRORS = 0, CHOICE = SEG_CANDIDATES, VALUES = 2 * SEG_CANDIDATES };

static const seg_variant variants[] = {
    {.name = "ncut", .method = "ncut", .flags = SEG_VARIANT_UNCONSTRAINED, .style = 6},
    {.name = "spectral-learning", .method = "spectral-learning", .style = 1},
    {.name = "sskk", .method = "sskk", .style = 2},
    {.name = "ccsr", .method = "ccsr", .style = 3},
    {.name = "ccskl", .method = "ccskl", .style = 0},
    {.name = "enpakl", .method = "enpakl", .style = 4},
};

static seg_status solve_graph(seg_context *ctx, seg_trial *trial, double *error, double *choice) {
    const seg_problem *problem = &trial->problem;
    seg_scores scores;
    seg_judgement judged = {0};
    SEG_TRY(seg_trial_score(ctx, trial, NULL, &scores));
    *error = scores.clustering_error;
    if (!problem->constraints) { /* the negative gap after the k-th eigenvalue: less is better, as for violations */
        SEG_RELEASED(seg_spectrum_free) seg_spectrum spectrum = {0};
        SEG_TRY(seg_smoothest(ctx, problem, problem->k + 1, &spectrum));
        *choice = spectrum.value[problem->k - 1] - spectrum.value[problem->k];
        return SEG_OK;
    }
    for (int r = 0; r < trial->run->restarts; r++)
        seg_judge_pairs(problem->constraints, trial->label + (size_t)r * problem->n, &judged);
    *choice = (judged.must_broken + judged.cannot_broken) / fmax(judged.must + judged.cannot, DBL_MIN);
    return SEG_OK;
}

static seg_status solve(seg_context *ctx, const seg_run *run, const seg_item *item, double *value) {
    SEG_RELEASED(seg_trial_end) seg_trial trial = {0};
    SEG_TRY(seg_trial_begin(ctx, run, item, &trial));
    for (int g = 0; g < SEG_CANDIDATES; g++) {
        double both[2] = {NAN, NAN};
        trial.problem.affinity = &item->set->candidate[g];
        if (g < item->set->widths)
            SEG_TRY(seg_soften(ctx, solve_graph(ctx, &trial, &both[0], &both[1]), item, both, 2));
        value[ERRORS + g] = both[0];
        value[CHOICE + g] = both[1];
    }
    return SEG_OK;
}

/* Errors on the graph with the least mean error over the realizations, the papers' choice. */
static void best_graph(const seg_item *cell, int count, double *out) {
    double least = INFINITY;
    for (int g = 0; g < SEG_CANDIDATES; g++) {
        double sum = 0;
        for (int r = 0; r < count; r++)
            sum += cell[r].value[ERRORS + g];
        if (sum < least) { /* false if a realization failed (NAN) */
            least = sum;
            for (int r = 0; r < count; r++)
                out[r] = cell[r].value[ERRORS + g];
        }
    }
    for (int r = 0; least == INFINITY && r < count; r++)
        out[r] = NAN;
}

/* Errors on the graph that each realization chooses without labels, of equals the one nearest to the middle. Choices
 * are NAN beyond the graphs of the run, which may be fewer than nine. */
static void blind_graph(const seg_item *cell, int count, double *out) {
    for (int r = 0; r < count; r++) {
        double least = INFINITY;
        out[r] = NAN;
        for (int away = 0; away <= SEG_CANDIDATE_MIDDLE; away++)
            for (int side = -1; side <= 1; side += 2) {
                const int g = SEG_CANDIDATE_MIDDLE + side * away;
                if (cell[r].value[CHOICE + g] < least) {
                    least = cell[r].value[CHOICE + g];
                    out[r] = cell[r].value[ERRORS + g];
                }
            }
    }
}

#define AXES "constraints", "clustering error"
static const seg_curve curves[] = {
    {"error-best-graph", "graph chosen by the labels, as in the papers", AXES, 0, 0, 0, best_graph},
    {"error-blind-graph", "graph chosen without labels", AXES, 0, 0, 0, blind_graph},
};

const seg_protocol seg_protocol_error_curve = {
    .info = {"error-curve", "clustering error against the number of constraints, nine candidate graphs",
             "li2009ccskl, Sec. 5; li2009ccsr, Sec. 4", SEG_WORDS("two-circles", "double-spiral", "gaussians"), 5, 5,
             50, 50, "sets of constraints", "starts of k-means, averaged"},
    SEG_VARIANTS(variants),
    .graphs = SEG_DATASET_CANDIDATES,
    .pairs = SEG_PAIRS_UNIFORM, /* up to 1.25 per sample; the papers use up to 11000 on USPS, 9298 samples */
    .columns = "error_1,error_2,error_3,error_4,error_5,error_6,error_7,error_8,error_9,choice_1,choice_2,choice_3,"
               "choice_4,choice_5,choice_6,choice_7,choice_8,choice_9",
    .values = VALUES,
    .solve = solve,
    SEG_CURVES(curves),
};
