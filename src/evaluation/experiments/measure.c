#include "evaluation/experiments/measure.h"

#include "evaluation/sets/wrong_pairs.h"

#include "base/base.h"
#include "base/random.h"
#include "clustering/discretise.h"
#include "clustering/kmeans.h"
#include "constraints/pair_set.h"
#include "selection/cluster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DRAW_STREAM  0x64726177u /* "draw" */
#define LABEL_STREAM 0x6c616265u /* "labe" */
enum { KMEANS_ITERATIONS = 100 };

/* Draw `count` different pairs of a sample of `a` and one of `b` (the same list: of two of its samples). */
static seg_status draw_between(seg_context *ctx, seg_random *random, seg_pair_set *drawn, const seg_labels *labels,
                               const int32_t *a, size_t na, const int32_t *b, size_t nb, size_t count,
                               seg_constraints *out) {
    const size_t all = a == b ? na * (na > 0 ? na - 1 : 0) / 2 : na * nb;
    count = count < all ? count : all;
    while (count > 0) {
        const int32_t i = a[seg_random_below(random, na)], j = b[seg_random_below(random, nb)];
        int added = 0;
        if (i == j)
            continue;
        seg_status status = seg_pair_set_put(ctx, drawn, seg_pair_key(i, j), &added);
        if (!status && added) {
            const seg_pair pair = {i < j ? i : j, i < j ? j : i, labels->label[i] == labels->label[j] ? 1 : -1, 1};
            status = seg_constraints_add(ctx, out, pair);
            count--;
        }
        if (status)
            return status;
    }
    return SEG_OK;
}

/* What all ways of drawing begin and end with. */
typedef struct draw {
    seg_random random;
    seg_pair_set drawn;
    int32_t *sample; /* room for 2 n numbers */
} draw;

/* Cannot-links from a class to all others, which follow its samples. Pairs drawn from the other class's side are found
 * drawn already, so that no more are wanted than are left. */
static seg_status draw_rest(seg_context *ctx, draw *d, const seg_labels *labels, const int32_t *own, size_t members,
                            size_t others, size_t each, seg_constraints *out) {
    size_t left = members * others;
    for (size_t p = 0; p < out->pairs; p++)
        left -= out->pair[p].sign < 0 && (labels->label[out->pair[p].i] == labels->label[own[0]] ||
                                          labels->label[out->pair[p].j] == labels->label[own[0]]);
    return members == 0 ? SEG_OK
                        : draw_between(ctx, &d->random, &d->drawn, labels, own, members, own + members, others,
                                       each < left ? each : left, out);
}

static seg_status begin(seg_context *ctx, const seg_labels *labels, draw *d, seg_constraints *out) {
    memset(d, 0, sizeof *d);
    seg_random_seed(&d->random, ctx->seed, DRAW_STREAM);
    seg_status status = seg_constraints_create(ctx, labels->n, out);
    if (!status && (status = seg_pair_set_create(ctx, &d->drawn)) == SEG_OK &&
        !(d->sample = seg_alloc(ctx, labels->n, 2 * sizeof *d->sample)))
        status = SEG_ERR_MEMORY;
    return status;
}

static seg_status end(seg_status status, draw *d, seg_constraints *out) {
    free(d->sample);
    seg_pair_set_free(&d->drawn);
    if (status)
        seg_constraints_free(out);
    return status;
}

seg_status seg_draw_pairs(seg_context *ctx, const seg_labels *labels, const unsigned char *allowed, size_t count,
                          seg_constraints *out) {
    draw d;
    size_t samples = 0;
    seg_status status = begin(ctx, labels, &d, out);
    for (size_t i = 0; i < labels->n && !status; i++)
        if (!allowed || allowed[i])
            d.sample[samples++] = (int32_t)i;
    if (!status)
        status = draw_between(ctx, &d.random, &d.drawn, labels, d.sample, samples, d.sample, samples, count, out);
    return end(status, &d, out);
}

/* Samples class after class, those of class c from start[c] to start[c + 1]; the whole list twice, so that the samples
 * of all other classes lie behind those of c without a gap. */
static void sort_by_class(const seg_labels *labels, const unsigned char *allowed, size_t *start, size_t *next,
                          int32_t *sample) {
    const size_t classes = (size_t)labels->classes;
    for (size_t i = 0; i < labels->n; i++)
        start[labels->label[i] + 1] += !allowed || allowed[i];
    for (size_t c = 0; c < classes; c++)
        start[c + 1] += start[c];
    memcpy(next, start, classes * sizeof *next);
    for (size_t i = 0; i < labels->n; i++)
        if (!allowed || allowed[i])
            sample[next[labels->label[i]]++] = (int32_t)i;
    memcpy(sample + start[classes], sample, start[classes] * sizeof *sample);
}

seg_status seg_draw_class_pairs(seg_context *ctx, const seg_labels *labels, const unsigned char *allowed, size_t each,
                                int of_class, seg_constraints *out) {
    draw d;
    const size_t classes = (size_t)labels->classes;
    size_t *start = seg_alloc_zero(ctx, classes + 1, sizeof *start), *next = NULL;
    seg_status status = begin(ctx, labels, &d, out);
    next = status || !start ? NULL : seg_alloc(ctx, classes, sizeof *next);
    if (!next) {
        status = status ? status : SEG_ERR_MEMORY;
        goto done;
    }
    sort_by_class(labels, allowed, start, next, d.sample);
    for (size_t a = 0; a < classes && !status; a++) {
        const int32_t *own = d.sample + start[a];
        const size_t members = start[a + 1] - start[a];
        if (of_class) {
            status = draw_between(ctx, &d.random, &d.drawn, labels, own, members, own, members, each, out);
            if (!status) /* some may have been drawn from the other class's side */
                status = draw_rest(ctx, &d, labels, own, members, start[classes] - members, each, out);
        }
        for (size_t b = a; !of_class && b < classes && !status; b++)
            status = draw_between(ctx, &d.random, &d.drawn, labels, own, members, d.sample + start[b],
                                  start[b + 1] - start[b], each, out);
    }
done:
    free(start);
    free(next);
    return end(status, &d, out);
}

seg_status seg_draw_as_asked(seg_context *ctx, const seg_run *run, const seg_item *item, const unsigned char *allowed,
                             seg_constraints *out) {
    const seg_labels *labels = &item->set->labels;
    seg_status status =
        run->pairs == SEG_PAIRS_CLASS || run->pairs == SEG_PAIRS_BETWEEN
            ? seg_draw_class_pairs(ctx, labels, allowed, (size_t)item->size, run->pairs == SEG_PAIRS_CLASS, out)
            : seg_draw_pairs(ctx, labels, allowed, (size_t)item->size, out);
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
    if (item->variant->graph || item->variant->flags & SEG_VARIANT_COMPLETE) {
        graph[0] = item->variant->graph ? &set->candidate[item->variant->graph - 1] : &set->complete;
        return 1;
    }
    for (int g = 0; g < set->widths; g++)
        graph[g] = &set->candidate[g];
    return set->widths;
}

seg_problem seg_item_problem(const seg_run *run, const seg_item *item, const seg_constraints *constraints) {
    const seg_dataset *set = item->set;
    const unsigned graphs = seg_variant_graphs(item->variant);
    const seg_csr *graph = item->variant->graph            ? &set->candidate[item->variant->graph - 1]
                           : graphs & SEG_DATASET_COMPLETE ? &set->complete
                           : graphs & SEG_DATASET_PAPER    ? &set->paper
                                                           : &set->knn;
    return (seg_problem){.n = set->X.rows,
                         .k = set->labels.classes,
                         .features = &set->X,
                         .affinity = graph->start ? graph : NULL,
                         .constraints = constraints,
                         .spectra = &run->spectra,
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
