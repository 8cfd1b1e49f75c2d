#include "evaluation/experiments/measure.h"

#include "base/base.h"
#include "base/random.h"
#include "clustering/discretise.h"
#include "clustering/kmeans.h"
#include "constraints/closed.h"
#include "constraints/pair_set.h"
#include "selection/cluster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DRAW_STREAM  0x64726177u /* "draw" */
#define LABEL_STREAM 0x6c616265u /* "labe" */
#define WRONG_STREAM 0x77726f6eu /* "wron" */
enum { KMEANS_ITERATIONS = 100 };

/* Pairs that are being drawn. */
typedef struct draw {
    seg_context *ctx;
    const seg_labels *labels;
    const unsigned char *allowed;
    seg_random random;
    seg_pair_set drawn;
    seg_constraints *out;
    int32_t *sample; /* class after class; owned */
    size_t *start;   /* of class c in `sample`, classes + 1 entries; owned */
} draw;

/* Samples a list of which pairs are drawn. */
typedef struct samples {
    const int32_t *at;
    size_t count;
} samples;

/* Draw `count` different pairs of a sample of `a` and one of `b` (the same list: of two of its samples). */
static seg_status draw_between(draw *d, samples a, samples b, size_t count) {
    const size_t all = a.at == b.at ? a.count * (a.count > 0 ? a.count - 1 : 0) / 2 : a.count * b.count;
    const int32_t *label = d->labels->label;
    seg_status status = SEG_OK;
    for (count = count < all ? count : all; count > 0 && !status;) {
        const int32_t i = a.at[seg_random_below(&d->random, a.count)], j = b.at[seg_random_below(&d->random, b.count)];
        int added = 0;
        if (i == j)
            continue;
        status = seg_pair_set_put(d->ctx, &d->drawn, seg_pair_key(i, j), &added);
        if (!status && added) {
            const seg_pair pair = {i < j ? i : j, i < j ? j : i, label[i] == label[j] ? 1 : -1, 1};
            status = seg_constraints_add(d->ctx, d->out, pair);
            count--;
        }
    }
    return status;
}

static seg_status draw_uniform(draw *d, size_t count) {
    samples all = {d->sample, 0};
    for (size_t i = 0; i < d->labels->n; i++)
        if (!d->allowed || d->allowed[i])
            d->sample[all.count++] = (int32_t)i;
    return draw_between(d, all, all, count);
}

static void sort_by_class(draw *d) {
    const seg_labels *labels = d->labels;
    size_t used = 0;
    for (int c = 0; c < labels->classes; c++) {
        d->start[c] = used;
        for (size_t i = 0; i < labels->n; i++)
            if (labels->label[i] == c && (!d->allowed || d->allowed[i]))
                d->sample[used++] = (int32_t)i;
    }
    d->start[labels->classes] = used;
}

static samples of_class(const draw *d, int c) {
    return (samples){d->sample + d->start[c], d->start[c + 1] - d->start[c]};
}

static seg_status draw_by_class(draw *d, size_t each) {
    seg_status status = SEG_OK;
    sort_by_class(d);
    for (int a = 0; a < d->labels->classes && !status; a++)
        for (int b = a; b < d->labels->classes && !status; b++)
            status = draw_between(d, of_class(d, a), of_class(d, b), each);
    return status;
}

seg_status seg_draw(seg_context *ctx, const seg_labels *labels, const unsigned char *allowed, seg_pairs_drawn how,
                    size_t count, seg_constraints *out) {
    draw d = {.ctx = ctx, .labels = labels, .allowed = allowed, .out = out};
    seg_random_seed(&d.random, ctx->seed, DRAW_STREAM);
    seg_status status = seg_constraints_create(ctx, labels->n, out);
    if (!status && (status = seg_pair_set_create(ctx, &d.drawn)) == SEG_OK) {
        d.sample = seg_alloc(ctx, labels->n, sizeof *d.sample);
        d.start = seg_alloc(ctx, (size_t)labels->classes + 1, sizeof *d.start);
        status = !d.sample || !d.start      ? SEG_ERR_MEMORY
                 : how == SEG_PAIRS_UNIFORM ? draw_uniform(&d, count)
                                            : draw_by_class(&d, count);
    }
    free(d.sample);
    free(d.start);
    seg_pair_set_free(&d.drawn);
    if (status)
        seg_constraints_free(out);
    return status;
}

static seg_status turn(seg_context *ctx, seg_constraints *constraints, size_t p, size_t *turned) {
    seg_closure closure;
    constraints->pair[p].sign *= -1;
    const seg_status status = seg_closure_compute(ctx, constraints, SEG_CONTRADICTIONS_REFUSE, &closure);
    seg_closure_free(&closure);
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
    size_t *order = seg_alloc(ctx, pairs, sizeof *order), turned = 0;
    if (!order)
        return SEG_ERR_MEMORY;
    for (size_t p = 0; p < pairs; p++)
        order[p] = p;
    seg_random random;
    seg_random_seed(&random, ctx->seed, WRONG_STREAM);
    seg_status status = SEG_OK;
    for (size_t p = 0; p < pairs && turned < wanted && !status; p++) {
        const size_t other = p + (size_t)seg_random_below(&random, pairs - p), chosen = order[other];
        order[other] = order[p];
        status = turn(ctx, constraints, chosen, &turned);
    }
    free(order);
    return status;
}

seg_status seg_draw_as_asked(seg_context *ctx, const seg_run *run, const seg_item *item, const unsigned char *allowed,
                             seg_constraints *out) {
    seg_status status = seg_draw(ctx, &item->set->labels, allowed, run->protocol->pairs, (size_t)item->size, out);
    if (!status && (status = seg_wrong_pairs_put(ctx, run->options->wrong, out)) != SEG_OK)
        seg_constraints_free(out);
    return status;
}

static seg_status label_again(seg_context *ctx, const seg_method *method, const seg_params *params,
                              const seg_problem *problem, int restart, int32_t *label) {
    seg_clustering found;
    const uint64_t seed = ctx->seed;
    ctx->seed = seed + (uint64_t)restart;
    const seg_status status = seg_cluster_any(ctx, method, params, problem, &found);
    ctx->seed = seed;
    if (!status)
        memcpy(label, found.label, problem->n * sizeof *label);
    seg_clustering_free(&found);
    return status;
}

seg_status seg_label_often(seg_context *ctx, const seg_variant *variant, const seg_problem *problem, int restarts,
                           int32_t *label, seg_clustering *first) {
    const seg_method *method = seg_method_find(variant->method);
    const int cuts = strcmp(variant->method, "ncut") == 0;
    const size_t n = problem->n;
    seg_problem own = *problem;
    seg_params params;
    seg_clustering found = {0};
    if (first)
        memset(first, 0, sizeof *first);
    seg_status status = seg_variant_params(ctx, variant, n, &params);
    double *centre = NULL;
    if (status || (status = seg_cluster_any(ctx, method, &params, &own, &found)) != SEG_OK)
        return status;
    if (found.embedding.cols > 0 && !(centre = seg_alloc(ctx, (size_t)own.k, found.embedding.cols * sizeof *centre)))
        status = SEG_ERR_MEMORY;
    for (int r = 0; r < restarts && !status; r++) {
        const seg_kmeans_options options = {.k = own.k,
                                            .restarts = own.restarts,
                                            .iterations = KMEANS_ITERATIONS,
                                            .stream = LABEL_STREAM + (uint64_t)r};
        seg_kmeans_result result;
        int32_t *to = label + (size_t)r * n;
        if (cuts)
            status = seg_discretise(ctx, &found.embedding, LABEL_STREAM + (uint64_t)r, to, NULL, NULL);
        else if (centre)
            status = seg_kmeans(ctx, &found.embedding, &options, to, centre, &result);
        else if (r == 0)
            memcpy(to, found.label, n * sizeof *to);
        else
            status = label_again(ctx, method, &params, &own, r, to);
    }
    free(centre);
    if (!status && first)
        *first = found;
    else
        seg_clustering_free(&found);
    return status;
}

seg_status seg_mean_scores(seg_context *ctx, const int32_t *label, int restarts, const seg_labels *labels,
                           const unsigned char *only, seg_scores *out) {
    int *truth = seg_alloc(ctx, labels->n, sizeof *truth);
    seg_status status = truth ? SEG_OK : SEG_ERR_MEMORY;
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < labels->n && !status; i++)
        truth[i] = !only || only[i] ? labels->label[i] : -1;
    for (int r = 0; r < restarts && !status; r++) {
        seg_contingency met = {0};
        seg_scores one = {0};
        status = seg_contingency_count(ctx, label + (size_t)r * labels->n, truth, labels->n, &met);
        if (!status)
            status = seg_score(ctx, &met, &one);
        seg_contingency_free(&met);
        out->pairwise_accuracy += one.pairwise_accuracy / restarts;
        out->clustering_error += one.clustering_error / restarts;
        out->nmi += one.nmi / restarts;
        out->pairwise_f += one.pairwise_f / restarts;
        out->scored = one.scored;
    }
    free(truth);
    return status;
}

double seg_violated(const seg_constraints *constraints, const int32_t *label) {
    size_t violated = 0;
    for (size_t p = 0; p < constraints->pairs; p++) {
        const seg_pair *pair = &constraints->pair[p];
        violated += (label[pair->i] == label[pair->j]) != (pair->sign > 0);
    }
    return constraints->pairs ? (double)violated / (double)constraints->pairs : 0;
}

seg_status seg_soften(seg_context *ctx, seg_status status, const seg_item *item, double *value, int values) {
    if (status != SEG_ERR_NUMERIC && status != SEG_ERR_USAGE)
        return status;
    seg_log(ctx, SEG_LOG_WARNING, "%s: %s", item->key, ctx->message);
    for (int v = 0; v < values; v++)
        value[v] = NAN;
    return SEG_OK;
}

int seg_item_graphs(const seg_item *item, const seg_csr *graph[SEG_CANDIDATES]) {
    const seg_dataset *set = item->set;
    for (int g = 0; g < set->widths; g++)
        graph[g] = &set->candidate[g];
    return set->widths;
}

seg_problem seg_item_problem(const seg_run *run, const seg_item *item, const seg_constraints *constraints) {
    const seg_dataset *set = item->set;
    const unsigned graphs = seg_variant_graphs(item->variant);
    const seg_csr *graph = graphs & SEG_DATASET_COMPLETE ? &set->complete
                           : graphs & SEG_DATASET_PAPER  ? &set->paper
                                                         : &set->knn;
    return (seg_problem){.n = set->X.rows,
                         .k = set->labels.classes,
                         .features = &set->X,
                         .affinity = graph->start ? graph : NULL,
                         .constraints = constraints,
                         .prepared = &run->prepared,
                         .restarts = run->options->starts > 1 ? run->options->starts : 1};
}

seg_status seg_trial_begin(seg_context *ctx, const seg_run *run, const seg_item *item, seg_trial *out) {
    const int level = item->variant->flags & SEG_VARIANT_UNCONSTRAINED;
    const uint64_t own_seed = ctx->seed;
    *out = (seg_trial){.run = run, .item = item};
    out->label = seg_alloc(ctx, (size_t)run->restarts, item->set->X.rows * sizeof *out->label);
    seg_status status = out->label ? SEG_OK : SEG_ERR_MEMORY;
    ctx->seed = seg_shared_seed(run, item);
    if (!status && !level)
        status = seg_draw_as_asked(ctx, run, item, NULL, &out->constraints);
    ctx->seed = own_seed;
    out->problem = seg_item_problem(run, item, level ? NULL : &out->constraints);
    return status;
}

seg_status seg_trial_score(seg_context *ctx, seg_trial *trial, seg_clustering *first, seg_scores *out) {
    const int restarts = trial->run->restarts;
    memset(out, 0, sizeof *out);
    const seg_status status =
        seg_label_often(ctx, trial->item->variant, &trial->problem, restarts, trial->label, first);
    return status ? status : seg_mean_scores(ctx, trial->label, restarts, &trial->item->set->labels, NULL, out);
}

seg_status seg_trial_end(seg_context *ctx, seg_status status, seg_trial *trial, double *value, int values) {
    seg_constraints_free(&trial->constraints);
    free(trial->label);
    return status ? seg_soften(ctx, status, trial->item, value, values) : SEG_OK;
}
