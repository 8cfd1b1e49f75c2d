#include "evaluation/experiments/measure.h"
#include "base/base.h"
#include "base/random.h"
#include "clustering/discretise.h"
#include "clustering/kmeans.h"
#include "constraints/closed.h"
#include "selection/cluster.h"

#define DRAW_STREAM       0x64726177u /* "draw" */
#define LABEL_STREAM      0x6c616265u /* "labe" */
#define WRONG_STREAM      0x77726f6eu /* "wron" */
#define CONFIDENCE_STREAM 0x636f6e66u /* "conf" */
enum { KMEANS_ITERATIONS = 100 };

/* Pairs that are being drawn. */
typedef struct draw {
    seg_context *ctx;
    const int32_t *label;
    seg_random random;
    seg_pair_set *drawn;
    seg_constraints *out;
} draw;

/* A list of samples from which pairs are drawn. */
typedef struct samples {
    const int32_t *at;
    size_t count;
} samples;

/* Draw `count` different pairs of a sample from `a` and one from `b`, which may be the same list. */
static seg_status draw_between(draw *d, samples a, samples b, size_t count) {
    const size_t all = a.at == b.at ? a.count * (a.count > 0 ? a.count - 1 : 0) / 2 : a.count * b.count;
    const int32_t *label = d->label;
    for (count = count < all ? count : all; count > 0;) {
        const int32_t i = a.at[seg_random_below(&d->random, a.count)], j = b.at[seg_random_below(&d->random, b.count)];
        int added = 0;
        if (i == j)
            continue;
        SEG_TRY(seg_pair_set_put(d->ctx, d->drawn, seg_pair_key(i, j), &added));
        if (!added)
            continue;
        const seg_pair pair = {i < j ? i : j, i < j ? j : i, label[i] == label[j] ? 1 : -1, 1};
        SEG_TRY(seg_constraints_add(d->ctx, d->out, pair));
        count--;
    }
    return SEG_OK;
}

seg_status seg_draw(seg_context *ctx, const seg_labels *labels, const unsigned char *allowed, seg_pairs_drawn how,
                    size_t count, seg_constraints *out) {
    const int classes = how == SEG_PAIRS_UNIFORM ? 1 : labels->classes;
    SEG_RELEASED(seg_pair_set_free) seg_pair_set drawn = {0};
    draw d = {.ctx = ctx, .label = labels->label, .drawn = &drawn, .out = out};
    memset(out, 0, sizeof *out);
    SEG_LOCAL(int32_t, sample, seg_alloc(ctx, labels->n, sizeof *sample));
    SEG_LOCAL(samples, of, seg_alloc_zero(ctx, (size_t)classes, sizeof *of));
    d.random = seg_random_seeded(ctx->seed, DRAW_STREAM);
    int32_t *next = sample;
    for (int c = 0; c < classes; c++) {
        of[c].at = next;
        for (size_t i = 0; i < labels->n; i++)
            if ((how == SEG_PAIRS_UNIFORM || labels->label[i] == c) && (!allowed || allowed[i]))
                *next++ = (int32_t)i;
        of[c].count = (size_t)(next - of[c].at);
    }
    SEG_TRY(seg_pair_set_create(ctx, &drawn));
    SEG_TRY(seg_constraints_create(ctx, labels->n, out));
    for (int a = 0; a < classes; a++)
        for (int b = a; b < classes; b++)
            SEG_TRY(draw_between(&d, of[a], of[b], count));
    return SEG_OK;
}

static seg_status turn(seg_context *ctx, seg_constraints *constraints, size_t p, size_t *turned) {
    SEG_RELEASED(seg_closure_free) seg_closure closure = {0};
    constraints->pair[p].sign *= -1;
    const seg_status status = seg_closure_compute(ctx, constraints, SEG_CONTRADICTIONS_REFUSE, &closure);
    if (status)
        constraints->pair[p].sign *= -1;
    else
        ++*turned;
    return status == SEG_ERR_CONTRADICTION ? SEG_OK : status;
}

seg_status seg_wrong_pairs_put(seg_context *ctx, double share, seg_constraints *constraints) {
    const size_t pairs = constraints->pairs, wanted = (size_t)lround(share * (double)pairs);
    if (wanted == 0)
        return SEG_OK;
    size_t turned = 0;
    SEG_LOCAL(size_t, order, seg_alloc(ctx, pairs, sizeof *order));
    for (size_t p = 0; p < pairs; p++)
        order[p] = p;
    seg_random random = seg_random_seeded(ctx->seed, WRONG_STREAM);
    for (size_t p = 0; p < pairs && turned < wanted; p++) {
        const size_t other = p + (size_t)seg_random_below(&random, pairs - p), chosen = order[other];
        order[other] = order[p];
        SEG_TRY(turn(ctx, constraints, chosen, &turned));
    }
    return SEG_OK;
}

void seg_confidences_draw(seg_context *ctx, const int32_t *label, seg_constraints *constraints) {
    seg_random random = seg_random_seeded(ctx->seed, CONFIDENCE_STREAM);
    for (seg_pair *pair = constraints->pair; pair < constraints->pair + constraints->pairs; pair++) {
        const double a = 1 - seg_random_uniform(&random), b = 1 - seg_random_uniform(&random);
        pair->weight = (label[pair->i] == label[pair->j]) == (pair->sign > 0) ? fmax(a, b) : fmin(a, b);
    }
}

seg_status seg_draw_as_asked(seg_context *ctx, const seg_run *run, const seg_item *item, const unsigned char *allowed,
                             seg_constraints *out) {
    SEG_TRY(seg_draw(ctx, &item->set->labels, allowed, run->protocol->pairs, (size_t)item->size, out));
    SEG_TRY(seg_wrong_pairs_put(ctx, run->options->wrong, out));
    if (run->options->confidences)
        seg_confidences_draw(ctx, item->set->labels.label, out);
    return SEG_OK;
}

static seg_status label_again(seg_context *ctx, const seg_method *method, const seg_params *params,
                              const seg_problem *problem, int restart, int32_t *label) {
    SEG_RELEASED(seg_clustering_free) seg_clustering found = {0};
    const uint64_t seed = ctx->seed;
    ctx->seed = seed + (uint64_t)restart;
    const seg_status status = seg_cluster_any(ctx, method, params, problem, &found);
    ctx->seed = seed;
    if (!status)
        memcpy(label, found.label, problem->n * sizeof *label);
    return status;
}

seg_status seg_label_often(seg_context *ctx, const seg_variant *variant, const seg_problem *problem, int restarts,
                           int32_t *label, seg_clustering *first) {
    const seg_method *method = seg_method_find(variant->method);
    const int cuts = strcmp(variant->method, "ncut") == 0;
    const size_t n = problem->n;
    seg_params params;
    SEG_RELEASED(seg_clustering_free) seg_clustering found = {0};
    SEG_TRY(seg_variant_params(ctx, variant, n, &params));
    SEG_TRY(seg_cluster_any(ctx, method, &params, problem, &found));
    const size_t cols = found.embedding.cols;
    SEG_FREED double *centre = cols ? seg_alloc(ctx, (size_t)problem->k, cols * sizeof *centre) : NULL;
    SEG_TRY(seg_allocated(centre || !cols));
    for (int r = 0; r < restarts; r++) {
        const seg_kmeans_options options = {.k = problem->k,
                                            .restarts = problem->restarts,
                                            .iterations = KMEANS_ITERATIONS,
                                            .stream = LABEL_STREAM + (uint64_t)r};
        seg_kmeans_result result;
        int32_t *to = label + (size_t)r * n;
        if (cuts && problem->restarts == 1)
            SEG_TRY(seg_discretise(ctx, &found.embedding, LABEL_STREAM + (uint64_t)r, to, NULL, NULL));
        else if (centre && !cuts)
            SEG_TRY(seg_kmeans(ctx, &found.embedding, &options, to, centre, &result));
        else if (r == 0)
            memcpy(to, found.label, n * sizeof *to);
        else
            SEG_TRY(label_again(ctx, method, &params, problem, r, to));
    }
    return first ? SEG_HANDED_OVER(first, found) : SEG_OK;
}

seg_status seg_mean_scores(seg_context *ctx, const int32_t *label, int restarts, const seg_labels *labels,
                           const unsigned char *only, seg_scores *out) {
    memset(out, 0, sizeof *out);
    SEG_LOCAL(int, truth, seg_alloc(ctx, labels->n, sizeof *truth));
    for (size_t i = 0; i < labels->n; i++)
        truth[i] = !only || only[i] ? labels->label[i] : -1;
    for (int r = 0; r < restarts; r++) {
        SEG_RELEASED(seg_contingency_free) seg_contingency met = {0};
        seg_scores one;
        SEG_TRY(seg_contingency_count(ctx, label + (size_t)r * labels->n, truth, labels->n, &met));
        SEG_TRY(seg_score(ctx, &met, &one));
        out->pairwise_accuracy += one.pairwise_accuracy / restarts;
        out->clustering_error += one.clustering_error / restarts;
        out->nmi += one.nmi / restarts;
        out->pairwise_f += one.pairwise_f / restarts;
        out->scored = one.scored;
    }
    return SEG_OK;
}

seg_status seg_soften(seg_context *ctx, seg_status status, const seg_item *item, double *value, int values) {
    if (status != SEG_ERR_NUMERIC && status != SEG_ERR_USAGE)
        return status;
    seg_log(ctx, SEG_LOG_WARNING, "%s: %s", item->key, ctx->message);
    for (int v = 0; v < values; v++)
        value[v] = NAN;
    return SEG_OK;
}

seg_problem seg_item_problem(const seg_run *run, const seg_item *item, const seg_constraints *constraints) {
    const seg_dataset *set = item->set;
    const unsigned graphs = seg_variant_graphs(item->variant);
    const seg_csr *graph = !set->X.rows                    ? set->candidate
                           : graphs & SEG_DATASET_COMPLETE ? &set->complete
                           : graphs & SEG_DATASET_PAPER    ? &set->paper
                                                           : &set->knn;
    return (seg_problem){.n = set->labels.n,
                         .k = set->labels.classes,
                         .features = set->X.rows ? &set->X : NULL,
                         .affinity = graph->start ? graph : NULL,
                         .kernel = set->kernel.rows ? &set->kernel : NULL,
                         .constraints = constraints,
                         .prepared = &run->prepared,
                         .restarts = run->options->starts > 1 ? run->options->starts : 1};
}

seg_status seg_trial_begin(seg_context *ctx, const seg_run *run, const seg_item *item, seg_trial *out) {
    const int level = item->variant->flags & SEG_VARIANT_UNCONSTRAINED;
    const uint64_t own_seed = ctx->seed;
    *out = (seg_trial){.run = run, .item = item};
    out->label = seg_alloc(ctx, (size_t)run->restarts, item->set->labels.n * sizeof *out->label);
    out->problem = seg_item_problem(run, item, level ? NULL : &out->constraints);
    SEG_TRY(seg_allocated(out->label));
    ctx->seed = seg_shared_seed(run, item);
    const seg_status status = level ? SEG_OK : seg_draw_as_asked(ctx, run, item, NULL, &out->constraints);
    ctx->seed = own_seed;
    return status;
}

seg_status seg_trial_score(seg_context *ctx, seg_trial *trial, seg_clustering *first, seg_scores *out) {
    const int restarts = trial->run->restarts;
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_label_often(ctx, trial->item->variant, &trial->problem, restarts, trial->label, first));
    return seg_mean_scores(ctx, trial->label, restarts, &trial->item->set->labels, NULL, out);
}

void seg_trial_end(seg_trial *trial) {
    seg_constraints_free(&trial->constraints);
    free(trial->label);
}
