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

/* What is reported of clicks. Of failures and falls the numbers, of all else the means over attempts. */
enum {
    SEG_CLICK_NOC = 0,                    /* clicks to an IoU of 0.8, 0.85, 0.9; all of them where not reached */
    SEG_CLICK_FAILED = SEG_CLICK_NOC + 3, /* attempts that did not reach them */
    SEG_CLICK_IOU = SEG_CLICK_FAILED + 3, /* after 1, 2, 5, 10, 20 clicks; the last of an attempt that ended before */
    SEG_CLICK_STEPS = SEG_CLICK_IOU + 5,  /* clicks answered after the first mask, up to an IoU of 0.9 */
    SEG_CLICK_FALLS,                      /* of these, those that lowered the IoU by more than 0.05, 0.2 */
    SEG_CLICK_SECONDS = SEG_CLICK_FALLS + 2, /* of the processor per click */
    SEG_CLICK_COLUMNS
};

typedef struct seg_click_column {
    int at; /* in seg_standing.click */
    const char *key, *heading;
    int decimals; /* 0: a number of attempts or clicks, else a mean */
    int clicks;   /* of this click */
} seg_click_column;

/* The columns of a report: without IoUs after more clicks than there were, with seconds if `timing`. out: room for
 * SEG_CLICK_COLUMNS. @return how many */
int seg_click_columns(const seg_results *results, int timing, const seg_click_column **out);

/* One number of a method on an item, mean over the repeats; NAN if the item was not scored or the method failed. */
typedef enum seg_figure_kind {
    SEG_FIGURE_ACCURACY = 0,
    SEG_FIGURE_SECONDS,
    SEG_FIGURE_MEMORY,
    SEG_FIGURE_CURVE /* and beyond: value 0, 1, ... of the simulated user's curve; the last where it ended before */
} seg_figure_kind;
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
    size_t goal;                         /* simulated user: items that reached SEG_SIMULATED_GOAL */
    double strokes;                      /* simulated user: median of the strokes they took; 0 where none did */
    double click[SEG_CLICK_COLUMNS];     /* where the simulated user clicks, else zero */
} seg_standing;

seg_status seg_results_standing(seg_context *ctx, const seg_results *results, int method, seg_standing *out);

/* Two methods on the items where both have an accuracy. */
seg_status seg_results_compare(seg_context *ctx, const seg_results *results, int a, int b, seg_paired *out);

/* Mean over the items of value `at` of the curve, and its 95 % bootstrap interval; NAN if there is none.
 * SEG_OK or SEG_ERR_MEMORY. */
seg_status seg_results_after(seg_context *ctx, const seg_results *results, int method, int at, double *mean,
                             double *low, double *high);

#endif
