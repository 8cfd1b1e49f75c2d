/* All results of an evaluation, as the report needs them. */
#pragma once

#include "evaluation/report/statistics.h"
#include "evaluation/runner/item.h"

/* What the results depend on. */
typedef struct seg_settings {
    const char *dataset; /* layout: "msrc" ... */
    char *title;         /* the folder's name without the path; owned, as are the others */
    char *source;        /* "strokes", "50 must-links ...", "simulated user, ..." */
    char *how;  /* options of all methods that are not the defaults: "features histogram, refine none"; may be empty */
    char *line; /* all of these and a checksum of the names and sizes of all files, on one line */
    const char **label; /* of the methods; the strings are borrowed */
    int labels;
    int clicks;       /* of a simulated user, else 0 */
    int object_first; /* 1: a mask was made after the first click alone */
    uint64_t seed;
} seg_settings;

/* Describe a run; free it in every case. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_settings_make(seg_context *ctx, const seg_photo_set *set, const seg_plan *plan, seg_settings *out);
void seg_settings_free(seg_settings *settings);

typedef struct seg_results_item {
    const char *name; /* borrowed from the set */
    seg_item_result result;
} seg_results_item;

/* The figures reported about a method. */
enum {
    SEG_COLUMN_IMAGES = 0,
    SEG_COLUMN_MEAN, /* of the accuracy, as are the next */
    SEG_COLUMN_LOW,  /* 95 % bootstrap interval of the mean, over items */
    SEG_COLUMN_HIGH,
    SEG_COLUMN_MEDIAN,
    SEG_COLUMN_WORST,
    SEG_COLUMN_DEVIATION,
    SEG_COLUMN_FIRST_QUARTILE,
    SEG_COLUMN_THIRD_QUARTILE,
    SEG_COLUMN_DICE, /* means over items, as is the next */
    SEG_COLUMN_ERROR,
    SEG_COLUMN_SECONDS, /* means */
    SEG_COLUMN_MEMORY,  /* MB (10^6 bytes) */
    /* Clicks. Failures, steps and falls are counts, everything else is a mean over attempts. */
    SEG_COLUMN_NOC,                         /* clicks to an IoU of 0.8, 0.85, 0.9; the most allowed if not reached */
    SEG_COLUMN_FAILED = SEG_COLUMN_NOC + 3, /* attempts that did not reach this IoU */
    SEG_COLUMN_IOU = SEG_COLUMN_FAILED + 3, /* after 1, 2, 5, 10, 20 clicks; the last IoU if an attempt ended before */
    SEG_COLUMN_STEPS = SEG_COLUMN_IOU + 5,  /* clicks after the first mask, up to an IoU of 0.9 */
    SEG_COLUMN_FALLS,                       /* of these, those that lowered the IoU by more than 0.05, 0.2 */
    SEG_COLUMN_SECONDS_PER_CLICK = SEG_COLUMN_FALLS + 2, /* processor time */
    SEG_COLUMNS
};

enum { SEG_TABLE_TERMINAL = 1, SEG_TABLE_PAGE = 2, SEG_TABLE_CLICKS = 4, SEG_TABLE_JSON = 8 };

typedef struct seg_column {
    const char *key;     /* in results.json; NULL: not there */
    const char *heading; /* NULL: in results.json only */
    int decimals;        /* 0: a whole number */
    unsigned tables;     /* SEG_TABLE_TERMINAL and so on, or-ed */
    int clicks;          /* shown if the simulated user had at least so many clicks */
} seg_column;

/* The figures of a method over the whole set. */
typedef struct seg_standing {
    double value[SEG_COLUMNS];
    const char *worst; /* item with the lowest accuracy, the first of equals; or NULL */
    size_t failed;     /* items on which it failed */
    seg_interval *iou; /* after 1, 2, ... clicks; the last IoU if an attempt ended before */
} seg_standing;

typedef struct seg_results {
    const seg_settings *settings; /* borrowed */
    seg_results_item *item;       /* those of the set, in its order; owned, with the standing of each method */
    size_t items;
    seg_standing *standing;
    size_t scored, skipped, broken; /* items with this outcome */
    size_t failures;                /* attempts of methods that failed */
} seg_results;

/* Read the results of a set from a journal. SEG_OK, SEG_ERR_INPUT, SEG_ERR_MEMORY. */
seg_status seg_results_read(seg_context *ctx, const seg_journal *journal, const seg_photo_set *set,
                            const seg_settings *settings, seg_results *out);
void seg_results_free(seg_results *results);

/* Column `at`; NULL if the table lacks it: seconds and memory without `timing`, IoUs after more clicks than made. */
const seg_column *seg_results_column(const seg_results *results, int at, unsigned table, int timing);

/* Compare two methods on the items for which both have an accuracy. */
seg_status seg_results_compare(seg_context *ctx, const seg_results *results, int a, int b, seg_paired *out);
