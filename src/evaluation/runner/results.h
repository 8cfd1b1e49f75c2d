/* All results of an evaluation, as the report needs them. */
#ifndef SEG_EVALUATION_RUNNER_RESULTS_H
#define SEG_EVALUATION_RUNNER_RESULTS_H

#include "evaluation/experiments/settings.h"
#include "evaluation/report/statistics.h"
#include "evaluation/runner/run_journal.h"

/* One image, with its repeats in their order. */
typedef struct seg_results_item {
    char *name;              /* owned */
    seg_item_result *repeat; /* `repeats` of them; owned */
    int repeats;
} seg_results_item;

typedef struct seg_results {
    seg_settings settings;
    seg_results_item *item; /* by name; owned */
    size_t items;
    size_t scored, skipped, broken; /* items whose first repeat came out so */
    size_t failures;                /* attempts of methods that failed */
    size_t missing;                 /* records that the journal lacks */
} seg_results;

/* Read everything from a journal. SEG_OK, SEG_ERR_INPUT, SEG_ERR_MEMORY. */
seg_status seg_results_read(seg_context *ctx, seg_journal *journal, const char *settings, seg_results *out);
void seg_results_free(seg_results *results);

/* One number of a method on an item, mean over the repeats; NAN if the item was not scored or the method failed. */
typedef enum seg_figure_kind { SEG_FIGURE_ACCURACY = 0, SEG_FIGURE_SECONDS, SEG_FIGURE_MEMORY } seg_figure_kind;
double seg_results_value(const seg_results *results, size_t item, int method, seg_figure_kind kind);

/* The numbers of a method over the items for which it has one: at most `items`. @return how many */
size_t seg_results_values(const seg_results *results, int method, seg_figure_kind kind, double *value);

/* A method over the whole set. */
typedef struct seg_standing {
    seg_summary accuracy;
    double low, high;                    /* 95 % bootstrap interval of the mean accuracy, over items */
    const char *worst;                   /* item of the least accuracy, the first of equals; or NULL */
    double dice, error, seconds, memory; /* means; memory in MB (10^6 bytes) */
    size_t failed;                       /* items on which it failed */
    size_t goal;                         /* simulated user: items that reached SEG_ROBOT_GOAL */
    double strokes;                      /* simulated user: median of the strokes they took; 0 where none did */
} seg_standing;

seg_status seg_results_standing(seg_context *ctx, const seg_results *results, int method, seg_standing *out);

/* Two methods on the items where both have an accuracy. */
seg_status seg_results_compare(seg_context *ctx, const seg_results *results, int a, int b, seg_paired *out);

/* Mean accuracy of a method after c corrections, over items and repeats; NAN if there is none. */
double seg_results_after(const seg_results *results, int method, int corrections);

#endif
