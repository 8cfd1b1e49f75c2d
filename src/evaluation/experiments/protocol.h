/* What a protocol consists of, and what experiment.c gives it. A protocol runs a grid of items: every set x variant (a
 * method with parameters) x number of constraints x realization gives a few numbers, the report is made of these. */
#pragma once

#include "evaluation/report/text.h"
#include "evaluation/runner/run_journal.h"
#include "evaluation/sets/dataset.h"
#include "methods/method.h"

#include <segment/metrics.h>

enum { SEG_MOST_SIZES = 16, SEG_MOST_WIDTHS = 9, SEG_MOST_VALUES = 2 * SEG_CANDIDATES, SEG_MOST_VARIANTS = 200 };

/* How a protocol draws pairs from the classes; N is the number on the x axis. */
typedef enum seg_pairs_drawn {
    SEG_PAIRS_NONE,    /* it asks questions instead; its variants are strategies, which a METHOD may follow */
    SEG_PAIRS_UNIFORM, /* N pairs, drawn uniformly from all pairs of samples [li2009ccskl, Sec. 5; kulis2009sskk] */
    SEG_PAIRS_BETWEEN  /* N must-links per class, N cannot-links per pair of classes [chen2011npkl, Sec. 5.2] */
} seg_pairs_drawn;

typedef struct seg_protocol_info {
    const char *name;
    const char *title;
    const char *source;                 /* bib key and place */
    const char *const *synthetic;       /* NULL-terminated: sets that are made if no data are given */
    int realizations, restarts;         /* of a short run */
    int all_realizations, all_restarts; /* of the papers */
    const char *realization, *restart;  /* what they mean, in words */
} seg_protocol_info;

typedef struct seg_experiment_options {
    const struct seg_protocol *protocol;
    seg_dataset_source data;    /* its files; none: synthetic sets */
    const char *out;            /* folder, made with its parents if missing */
    int realizations, restarts; /* 0 = the protocol's */
    int starts;                 /* of k-means per labelling, of which the best counts; 0 = 1, as in the papers */
    int full;                   /* 1: the papers' numbers, and no method left out for its cost */
    int standardise;            /* 1: scale columns to mean 0 and deviation 1 */
    int tf_idf;          /* 1: columns are word counts, weighted by tf-idf (seg_scaling); not with `standardise` */
    int jobs;            /* 0: one per processor */
    int restart;         /* 1: discard what an interrupted run has done */
    const char *methods; /* comma-separated: METHOD[:paper][:NAME=VALUE]..., or names of the protocol; NULL: these */
    seg_texts params;    /* NAME=VALUE for every method that has the parameter */
    double wrong;        /* share of the pairs with the wrong sign, 0 .. 0.5 (seg_wrong_pairs_put) */
    int confidences;     /* 1: pairs have weights (seg_confidences_draw) */
    double width[SEG_MOST_WIDTHS]; /* of the candidate graphs, multiples of r; ascending */
    int widths;                    /* 0: the papers' nine */
    int size[SEG_MOST_SIZES];      /* numbers of constraints, ascending */
    int sizes;                     /* 0: the protocol's */
} seg_experiment_options;

typedef enum seg_variant_flags {
    SEG_VARIANT_UNCONSTRAINED = 1, /* needs no constraints: run for the first size only, drawn as a horizontal line */
    SEG_VARIANT_FEW = 4,           /* left out on sets of more than SEG_FEW_SAMPLES samples, unless --full is given */
    SEG_VARIANT_PRINTED = 8,       /* the method as printed, on its paper's graph */
    SEG_VARIANT_BY_SIZE = 16,      /* B = R = 100 on sets of more than SEG_SMALL_SET samples [chen2011npkl, Sec. 5.3] */
    SEG_VARIANT_SAMPLED = 32       /* PCPSample: the best of ten draws from the constraints (accuracy_curve.c) */
} seg_variant_flags;
#define SEG_FEW_SAMPLES 280
#define SEG_SMALL_SET   400 /* samples; sets above it are the larger ones of the papers */

typedef struct seg_variant {
    const char *name;     /* in tables and legends */
    const char *method;   /* of the registry */
    const char *param[6]; /* NAME=VALUE, NULL-terminated */
    unsigned flags;
    int style;   /* in figures */
    size_t most; /* largest number of samples for the method; 0: any */
    /* Set by the run (seg_run_variants). */
    int own;                            /* index in the protocol's table; -1: not in it */
    const seg_params *params;           /* in place of `param`; NULL: those of `param` */
    const seg_experiment_options *more; /* whose further NAME=VALUE apply; NULL: none does */
} seg_variant;

/* A cell of the grid. */
typedef struct seg_item {
    const seg_dataset *set;
    const seg_variant *variant;
    size_t data; /* index of the set */
    int v, s;    /* indices of the variant and of the size */
    int size;    /* constraints, in the protocol's unit */
    int realization;
    char key[256];       /* SET/VARIANT/SIZE/REALIZATION */
    const double *value; /* the protocol's values, NAN if the method failed; NULL until the report */
} seg_item;

typedef struct seg_run seg_run;
typedef struct seg_variants seg_variants;

/* A report of a protocol that varies the number of constraints: means with intervals, methods compared pair by pair on
 * the same constraints, a figure with one panel per data set (curves.c). */
typedef struct seg_curve {
    const char *stem;  /* STEM.csv, STEM-compared.csv, STEM.svg */
    const char *title; /* of the figure; NULL: none */
    const char *x_label, *y_label;
    int more_is_better;
    int logarithmic; /* the y axis */
    int value;       /* index of the value of an item that is drawn, unless `reduce` is set: */
    /* One number for each of `count` realizations of a cell. */
    void (*reduce)(const seg_item *cell, int count, double *out);
} seg_curve;

typedef struct seg_protocol {
    seg_protocol_info info;
    const seg_variant *variant;
    int variants;
    unsigned graphs; /* SEG_DATASET_KNN and so on that every variant needs */
    seg_pairs_drawn pairs;
    int timed;           /* 1: values are running times and go to times.csv */
    const char *columns; /* names of the values in results.csv, separated by commas */
    int values;
    /* The numbers of constraints, ascending: for each set (returns how many), or the `listed` ones for all sets, or,
     * without either, ten default numbers in the unit of the pairs. */
    int (*sizes)(const seg_dataset *set, int *size);
    int size[SEG_MOST_SIZES], listed;
    /* The values of an item. Random choices come from ctx->seed, which is the item's own. If a method fails for
     * numerical reasons, its values become NAN (seg_soften). */
    seg_status (*solve)(seg_context *ctx, const seg_run *run, const seg_item *item, double *value);
    const seg_curve *curve; /* the report: these curves, */
    int curves;
    seg_status (*report)(seg_context *ctx, const seg_run *run); /* or this */
} seg_protocol;

/* Fields of a protocol: an array and its length. */
#define SEG_VARIANTS(array) .variant = (array), .variants = sizeof(array) / sizeof *(array)
#define SEG_CURVES(array)   .curve = (array), .curves = sizeof(array) / sizeof *(array)

struct seg_run {
    const seg_protocol *protocol;
    const seg_experiment_options *options;
    int realizations, restarts;
    uint64_t seed;
    const seg_variant *variant; /* variants that are run: the protocol's table, or by --methods and --param */
    int variants;
    seg_variants *own; /* storage of `variant`; owned, as are the others */
    char *about;       /* one line: how the run was made, for tables and captions */
    seg_journal *journal;
    seg_dataset *data;
    size_t datasets;
    seg_item *item; /* ordered by set, variant, size, realization */
    size_t items;
    double *value;
    seg_prepared prepared; /* eigenvectors of the graphs, for all items */
};

/* Numbers of constraints on a set: those of the options, else the protocol's, else ten default numbers.
 * @return how many */
int seg_run_sizes(const seg_run *run, const seg_dataset *set, int size[SEG_MOST_SIZES]);

/* Make the variants of a run, run->variant in run->own, by its options.
 * @return SEG_OK, SEG_ERR_USAGE (a method or parameter unknown, not of the protocol, or given twice), SEG_ERR_MEMORY */
seg_status seg_run_variants(seg_context *ctx, seg_run *run);
/* The parameters of a variant on a set of n samples. SEG_OK or SEG_ERR_USAGE. */
seg_status seg_variant_params(seg_context *ctx, const seg_variant *variant, size_t n, seg_params *out);
/* The graphs that a variant needs besides the protocol's, or-ed (SEG_DATASET_KNN and so on). */
unsigned seg_variant_graphs(const seg_variant *variant);

/* The items of a cell in the order of realizations; NULL if the variant is not run on the set. An unconstrained variant
 * has one cell for all s. */
const seg_item *seg_run_cell(const seg_run *run, size_t data, int v, int s, int *count);

/* Seed for what all variants of a realization share (the constraints). */
uint64_t seg_shared_seed(const seg_run *run, const seg_item *item);

/* STEM.csv: dataset,method,constraints,realizations,failed,mean,deviation,low,high, where low and high are the 95 %
 * bootstrap interval of the mean over realizations. STEM-compared.csv: dataset,a,b,mean_a,mean_b,a_better,b_better,
 * equal,p over all numbers of constraints and realizations, p by Wilcoxon's signed-rank test; dataset `all`: over the
 * means of every set and number of constraints. The note of the figure says how the run was made. */
seg_status seg_curve_report(seg_context *ctx, const seg_run *run, const seg_curve *curve);

/* Items and time of a run. */
typedef struct seg_experiment_tally {
    size_t items, done; /* of the experiment; done by this call, the others were in the journal */
    double wall;        /* seconds of this call */
} seg_experiment_tally;

/* Run the protocol. It writes into the folder `out`: the journal (one line per finished item; a run with the same
 * settings continues from it), results.csv (every item), and the protocol's report: CSV files and figures in SVG.
 * Except for running times they depend only on the data, the options and ctx->seed, not on `jobs` or interruptions.
 * tally: set when the run is complete; may be NULL.
 * @return SEG_OK, SEG_ERR_USAGE (options; the journal is of other settings), SEG_ERR_IO, SEG_ERR_INPUT, SEG_ERR_MEMORY,
 * SEG_ERR_NUMERIC, SEG_ERR_CANCELLED (what was done is in the journal) */
seg_status seg_experiment_run(seg_context *ctx, const seg_experiment_options *options, seg_experiment_tally *tally);

/* The protocols; the second list ends in NULL. */
extern const seg_protocol seg_protocol_error_curve, seg_protocol_accuracy_curve, seg_protocol_held_out,
    seg_protocol_active_curve, seg_protocol_running_time, seg_protocol_distances, seg_protocol_kernels,
    seg_protocol_rank_table;
extern const seg_protocol *const seg_protocols[];
