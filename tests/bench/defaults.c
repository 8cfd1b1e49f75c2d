/* The default method against what it chooses from, over labelled tables and numbers of pairs: clustering errors. */
#include "bench.h"

#include "base/random.h"
#include "evaluation/sets/dataset.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST 1000 /* rows of a table that are taken */

static const int counts[] = {0, 1, 2, 10, 50, 200};
enum { COUNTS = sizeof counts / sizeof counts[0] };

/* The four that the default is held against, ncut, and the default. */
enum { ENPAKL, PCKMEANS, CCSR, KMEANS, AGAINST, NCUT = AGAINST, AUTO, METHODS };
static const char *const names[] = {"enpakl", "pckmeans", "ccsr", "kmeans", "ncut", "auto"};

/* Of one set: errors, means over draws. */
typedef struct row {
    char name[80];
    double error[METHODS][COUNTS];
} row;

static void shorten(seg_matrix *X, seg_labels *labels) {
    seg_random random = seg_random_seeded(9, 9);
    const size_t d = X->cols;
    for (size_t i = 0; X->rows > LARGEST && i < LARGEST; i++) {
        const size_t j = i + (size_t)seg_random_below(&random, X->rows - i);
        const int32_t label = labels->label[i];
        labels->label[i] = labels->label[j];
        labels->label[j] = label;
        for (size_t t = 0; t < d; t++) {
            const double value = X->at[i * d + t];
            X->at[i * d + t] = X->at[j * d + t];
            X->at[j * d + t] = value;
        }
    }
    X->rows = X->rows > LARGEST ? LARGEST : X->rows;
    labels->n = X->rows;
}

/* Half must-links, half cannot-links, drawn from all of each kind; of one pair the draw says which. */
static seg_status draw_pairs(seg_context *ctx, const seg_labels *labels, int pairs, int draw, seg_constraints *out) {
    seg_random random = seg_random_seeded(1000 + (uint64_t)draw, (uint64_t)pairs);
    seg_status status = seg_constraints_create(ctx, labels->n, out);
    for (int tries = 0; !status && out->pairs < (size_t)pairs && tries < 1000000; tries++) {
        const int sign = (out->pairs + (pairs == 1 ? (size_t)draw : 0)) % 2 ? -1 : 1;
        const int32_t i = (int32_t)seg_random_below(&random, labels->n);
        const int32_t j = (int32_t)seg_random_below(&random, labels->n);
        int known = i == j || (labels->label[i] == labels->label[j]) != (sign > 0);
        for (size_t p = 0; p < out->pairs && !known; p++)
            known = (out->pair[p].i == i && out->pair[p].j == j) || (out->pair[p].i == j && out->pair[p].j == i);
        if (!known)
            status = seg_constraints_add(ctx, out, (seg_pair){i, j, sign, 1});
    }
    return status;
}

static seg_status error_of(seg_context *ctx, const char *name, const seg_problem *problem, const seg_labels *labels,
                           double *error) {
    const seg_method *method = seg_method_find(name);
    SCOPED(seg_clustering) found;
    SCOPED(seg_contingency) met = {0};
    seg_scores scores;
    seg_status status = seg_cluster(ctx, method, NULL, problem, &found);
    if (status)
        return status;
    if ((status = seg_contingency_count(ctx, found.label, labels->label, labels->n, &met)) == SEG_OK &&
        (status = seg_score(ctx, &met, &scores)) == SEG_OK)
        *error += scores.clustering_error;
    return status;
}

/* Every method on one draw. Without pairs those that learn cannot run, and the default is N-cuts. */
static seg_status one_draw(seg_context *ctx, const seg_problem *problem, const seg_labels *labels, int c, row *out) {
    const size_t pairs = problem->constraints->pairs;
    seg_status status = SEG_OK;
    for (int m = 0; m < AUTO && !status; m++)
        if (pairs > 0 || !(seg_method_find(names[m])->needs & SEG_NEEDS_CONSTRAINTS))
            status = error_of(ctx, names[m], problem, labels, &out->error[m][c]);
        else
            out->error[m][c] = NAN;
    if (!status)
        status = error_of(ctx, pairs ? "auto" : "ncut", problem, labels, &out->error[AUTO][c]);
    return status;
}

static seg_status measure(seg_context *ctx, seg_dataset *set, int draws, const char *suffix, row *out) {
    const seg_graph_spec spec = {.kind = SEG_GRAPH_KNN, .neighbours = 20, .sigma_scale = 1.5};
    SCOPED(seg_csr) W = {0};
    shorten(&set->X, &set->labels);
    snprintf(out->name, sizeof out->name, "%s%s", set->name, suffix);
    seg_status status = seg_graph_build(ctx, &set->X, NULL, &spec, &W, NULL);
    for (int c = 0; c < COUNTS && !status; c++) {
        const int times = counts[c] ? draws : 1;
        for (int draw = 0; draw < times && !status; draw++) {
            SCOPED(seg_constraints) pairs = {0};
            if ((status = draw_pairs(ctx, &set->labels, counts[c], draw, &pairs)) == SEG_OK) {
                const seg_problem problem = {.n = set->X.rows,
                                             .k = set->labels.classes,
                                             .features = &set->X,
                                             .affinity = &W,
                                             .constraints = &pairs,
                                             .restarts = 10};
                status = one_draw(ctx, &problem, &set->labels, c, out);
            }
        }
        for (int m = 0; m < METHODS; m++)
            out->error[m][c] /= times;
    }
    return status;
}

/* Over the numbers of pairs but 0, with which those that learn cannot run. */
static double mean_of(const double *value) {
    double sum = 0;
    for (int c = 1; c < COUNTS; c++)
        sum += value[c];
    return sum / (COUNTS - 1);
}

/* The least error of the four, for one number of pairs. */
static double best_at(const row *r, int c) {
    double best = INFINITY;
    for (int m = 0; m < AGAINST; m++)
        best = fmin(best, r->error[m][c]);
    return best;
}

static double best_mean(const row *r) {
    double best = INFINITY;
    for (int m = 0; m < AGAINST; m++)
        best = fmin(best, mean_of(r->error[m]));
    return best;
}

static double gap_at(const row *r, const double *error, int c) {
    return error[c] - best_at(r, c);
}

/* Mean over numbers of pairs of the distance to the best of the four for that number. */
static double gap(const row *r, const double *error) {
    double sum = 0;
    for (int c = 0; c < COUNTS; c++)
        sum += gap_at(r, error, c);
    return sum / COUNTS;
}

static void print_sets(const row *rows, size_t count) {
    printf("%-26s", "mean of 1 to 200 pairs");
    for (int m = 0; m < METHODS; m++)
        printf(" %9s", names[m]);
    printf(" %9s %9s\n", "to best", "per count");
    for (size_t r = 0; r < count; r++) {
        printf("%-26s", rows[r].name);
        for (int m = 0; m < METHODS; m++)
            printf(" %9.3f", mean_of(rows[r].error[m]));
        printf(" %+9.3f %+9.3f\n", mean_of(rows[r].error[AUTO]) - best_mean(&rows[r]),
               gap(&rows[r], rows[r].error[AUTO]));
    }
}

/* Returns the mean distance to the best of the four. */
static double print_counts(const row *rows, size_t count) {
    double total = 0;
    printf("\n%-26s", "mean over the sets");
    for (int m = 0; m < METHODS; m++)
        printf(" %9s", names[m]);
    printf(" %9s\n", "to best");
    for (int c = 0; c < COUNTS; c++) {
        double distance = 0;
        printf("%-3d%-23s", counts[c], counts[c] == 1 ? " pair" : " pairs");
        for (int m = 0; m < METHODS; m++) {
            double sum = 0;
            for (size_t r = 0; r < count; r++)
                sum += rows[r].error[m][c];
            printf(" %9.3f", sum / (double)count);
        }
        for (size_t r = 0; r < count; r++)
            distance += gap_at(&rows[r], rows[r].error[AUTO], c);
        printf(" %+9.3f\n", distance / (double)count);
        total += distance / (double)count;
    }
    return total / COUNTS;
}

static seg_status all_sets(seg_context *ctx, const bench_options *options, int standardise, int draws, row *rows,
                           size_t step, size_t *count) {
    static const char *const made[] = {"chessboard", "double-spiral", "two-circles", "gaussians", NULL};
    seg_dataset *sets = NULL;
    size_t some = 0;
    const char *folder = options->folder;
    const seg_dataset_source source = {
        .tables = {&folder, folder != NULL}, .names = made, .seed = 1, .columns = (seg_scaling)standardise};
    seg_status status = seg_datasets_load(ctx, &source, &sets, &some);
    for (size_t s = 0; s < some && !status; s++) {
        status =
            measure(ctx, &sets[s], draws, standardise ? ", standardised" : "", &rows[s * step + (size_t)standardise]);
        fprintf(stderr, "%s\n", rows[s * step + (size_t)standardise].name);
    }
    *count = some * step;
    seg_datasets_free(sets, some);
    return status;
}

int bench_defaults(const bench_options *options) {
    enum { MOST_SETS = 100 };
    seg_context ctx = seg_context_default();
    ctx.threads = options->threads < 0 ? 1 : options->threads;
    AUTOFREE row *rows = bench_alloc(2 * MOST_SETS, sizeof *rows);
    size_t count = 0;
    const int draws = options->small ? 1 : options->count;
    const size_t step = options->folder ? 2 : 1; /* columns of the artificial sets are alike */
    memset(rows, 0, 2 * MOST_SETS * sizeof *rows);
    seg_status status = all_sets(&ctx, options, 0, draws, rows, step, &count);
    if (!status && step == 2)
        status = all_sets(&ctx, options, 1, draws, rows, step, &count);
    int code = status ? bench_fail("%s", ctx.message) : 0;
    if (!code) {
        double of_sets = 0;
        printf("clustering error, %d draws of pairs, half must-links and half cannot-links; to best: of auto to the "
               "best of %s, %s, %s, %s\n\n",
               draws, names[0], names[1], names[2], names[3]);
        print_sets(rows, count);
        for (size_t r = 0; r < count; r++)
            of_sets += mean_of(rows[r].error[AUTO]) - best_mean(&rows[r]);
        const double per_count = print_counts(rows, count);
        printf("\nto the best method of each set: %+.4f; to the best of each set and number of pairs: %+.4f\n",
               of_sets / (double)count, per_count);
        if (options->fall > 0 && !(per_count <= options->fall))
            code = bench_fail("the default is %.4f from the best, more than %g", per_count, options->fall);
    }
    return code;
}
