/* What a protocol consists of, and what experiment.c gives it. A protocol runs a grid of items: every set x variant (a
 * method with parameters) x number of constraints x realization gives a few numbers, and the report is made of these.
 */
#ifndef SEG_EVALUATION_EXPERIMENTS_PROTOCOL_H
#define SEG_EVALUATION_EXPERIMENTS_PROTOCOL_H

#include "evaluation/experiments/experiment.h"
#include "evaluation/report/text.h"
#include "evaluation/runner/run_journal.h"
#include "evaluation/sets/dataset.h"
#include "methods/method.h"

#include <segment/methods.h>
#include <segment/metrics.h>

enum { SEG_MOST_VALUES = 2 * SEG_CANDIDATES, SEG_MOST_VARIANTS = 200 };

typedef enum seg_variant_flags {
    SEG_VARIANT_UNCONSTRAINED = 1, /* needs no constraints: run for the first size only, drawn as a level */
    SEG_VARIANT_FEW = 4,           /* left out where a set has more than SEG_FEW_SAMPLES, unless --full is given */
    SEG_VARIANT_PRINTED = 8,       /* the method as printed, on its paper's graph */
    SEG_VARIANT_BY_SIZE = 16,      /* B = R = 100 on sets of more than SEG_SMALL_SET samples [chen2011npkl, Sec. 5.3] */
    SEG_VARIANT_SAMPLED = 32       /* PCPSample: the best of ten draws from the constraints (accuracy_curve.c) */
} seg_variant_flags;
#define SEG_FEW_SAMPLES 280
#define SEG_SMALL_SET   400 /* above it the papers' sets are their larger ones */

typedef struct seg_variant {
    const char *name;     /* in tables and legends */
    const char *method;   /* of the registry */
    const char *param[6]; /* NAME=VALUE, NULL-ended */
    unsigned flags;
    int style;   /* in figures */
    size_t most; /* samples that the method takes at most; 0: any number */
    /* Set by the run (seg_run_variants). */
    int own;                  /* index in the protocol's table; -1: it is not there */
    const seg_params *params; /* in place of `param`; NULL: those of `param` */
    const char *const *more;  /* further NAME=VALUE, NULL-ended; NULL: none */
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
    const double *value; /* the protocol's numbers, NAN where the method failed; NULL until the report */
} seg_item;

typedef struct seg_run seg_run;
typedef struct seg_variants seg_variants;
typedef struct seg_curve seg_curve; /* curves.h */

typedef struct seg_protocol {
    seg_protocol_info info;
    const seg_variant *variant;
    int variants;
    unsigned graphs; /* seg_dataset_graphs that every variant needs */
    seg_pairs_drawn pairs;
    int fixed;           /* 1: its variants are more than methods, and others cannot take their place */
    int timed;           /* 1: values are running times and go to times.csv */
    const char *columns; /* names of the values in results.csv, separated by commas */
    int values;
    /* The numbers of constraints, ascending: for each set (returns how many), or the `listed` ones for all sets, or, if
     * there are neither, ten in the unit of the pairs. */
    int (*sizes)(const seg_dataset *set, int *size);
    int size[SEG_MOST_SIZES], listed;
    /* The values of an item. Random choices come from ctx->seed, which is the item's own. Those of a method that
     * fails for numerical reasons become NAN (seg_soften). */
    seg_status (*solve)(seg_context *ctx, const seg_run *run, const seg_item *item, double *value);
    const seg_curve *curve; /* the report: these curves, */
    int curves;
    seg_status (*report)(seg_context *ctx, const seg_run *run); /* or this */
} seg_protocol;

struct seg_run {
    const seg_protocol *protocol;
    const seg_experiment_options *options;
    int realizations, restarts;
    uint64_t seed;
    const seg_variant *variant; /* what is run: the protocol's table, or as --methods and --param say */
    int variants;
    seg_variants *own; /* what `variant` lies in; owned, as the others */
    seg_text about;    /* one line: how the run was made, for tables and captions */
    seg_journal *journal;
    seg_dataset *data;
    size_t datasets;
    seg_item *item; /* sets, in them variants, in them sizes, in them realizations */
    size_t items;
    double *value;
    seg_prepared prepared; /* eigenvectors of the graphs, for all items */
};

/* Numbers of constraints on a set: those of the options, else the protocol's, or ten in the unit of its pairs.
 * @return how many */
int seg_run_sizes(const seg_run *run, const seg_dataset *set, int size[SEG_MOST_SIZES]);

/* The variants of a run by its options: run->variant in run->own, freed with seg_variants_free in every case.
 * @return SEG_OK, SEG_ERR_USAGE (a method or parameter is unknown, not of this protocol, or given twice),
 * SEG_ERR_MEMORY */
seg_status seg_run_variants(seg_context *ctx, seg_run *run);
void seg_variants_free(seg_variants *own);
/* The parameters of a variant on a set of n samples. SEG_OK or SEG_ERR_USAGE. */
seg_status seg_variant_params(seg_context *ctx, const seg_variant *variant, size_t n, seg_params *out);
/* The graphs that a variant takes besides the protocol's, or-ed (seg_dataset_graphs). */
unsigned seg_variant_graphs(const seg_variant *variant);

/* Append to `out` all that the numbers of a run depend on except the data: options, graph, draws. */
seg_status seg_run_describe(seg_context *ctx, const seg_run *run, seg_text *out);

/* The items of a cell in the order of realizations; NULL if the variant is not run on the set. An unconstrained variant
 * has one cell for all s. */
const seg_item *seg_run_cell(const seg_run *run, size_t data, int v, int s, int *count);

/* Seed of what all variants of a realization share (the constraints). */
uint64_t seg_shared_seed(const seg_run *run, const seg_item *item);

/* The protocols. */
extern const seg_protocol seg_protocol_error_curve, seg_protocol_accuracy_curve, seg_protocol_held_out,
    seg_protocol_active_curve, seg_protocol_running_time, seg_protocol_distances, seg_protocol_kernels,
    seg_protocol_rank_table;

#endif
