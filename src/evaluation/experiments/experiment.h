/* segment experiment: the papers' protocols by name. */
#ifndef SEG_EVALUATION_EXPERIMENTS_EXPERIMENT_H
#define SEG_EVALUATION_EXPERIMENTS_EXPERIMENT_H

#include <segment/context.h>

#include <stddef.h>

enum { SEG_MOST_SIZES = 16, SEG_MOST_WIDTHS = 9 };

/* How a protocol draws pairs from the classes; N is the number on the x axis. */
typedef enum seg_pairs_drawn {
    SEG_PAIRS_NONE,    /* it asks questions instead */
    SEG_PAIRS_UNIFORM, /* N of all pairs of samples, whatever their signs [li2009ccskl, Sec. 5; kulis2009sskk] */
    SEG_PAIRS_BETWEEN  /* N must-links in each class, N cannot-links between every two [chen2011npkl, Sec. 5.2] */
} seg_pairs_drawn;

/* What a caller sees of a protocol. Static storage. */
typedef struct seg_protocol_info {
    const char *name;
    const char *title;
    const char *source;                 /* bib key and place */
    const char *const *synthetic;       /* NULL-ended: sets that are made if no data are given */
    int realizations, restarts;         /* of a short run */
    int all_realizations, all_restarts; /* of the papers */
    const char *realization, *restart;  /* what they are */
} seg_protocol_info;

/* The i-th protocol, NULL past the last; by name, or NULL. */
const seg_protocol_info *seg_protocol_at(int i);
const seg_protocol_info *seg_protocol_find(const char *name);
/* What it compares: the i-th name for `methods`, NULL past the last. */
const char *seg_protocol_compared(const seg_protocol_info *info, int i);

typedef struct seg_experiment_options {
    const seg_protocol_info *protocol;
    const char *const *data; /* files and folders, see seg_datasets_load; none: synthetic sets */
    size_t data_count;
    const char *out;            /* folder, made with those above it if it is missing */
    int realizations, restarts; /* 0 = the protocol's */
    int starts;                 /* of k-means in each labelling, the best kept; 0 = 1, as the papers */
    int full;                   /* 1: the papers' numbers, and no method left out for its cost */
    int standardise;            /* 1: columns to mean 0 and deviation 1 */
    int tf_idf;                 /* 1: columns are counts of words, to be weighted (seg_scaling); not both */
    int jobs;                   /* 0: one per processor */
    int restart;                /* 1: discard what an interrupted run has done */
    const char *methods;       /* between commas: METHOD[:paper][:NAME=VALUE]..., or a name of the protocol's own; NULL:
                                  the protocol's */
    const char *const *params; /* NAME=VALUE for every method that has the parameter */
    size_t params_count;
    double wrong; /* share of the pairs that say the opposite of the classes, 0 .. 0.5 (seg_wrong_pairs_put) */
    double width[SEG_MOST_WIDTHS]; /* of the candidate graphs, multiples of r; ascending */
    int widths;                    /* 0: the papers' nine */
    int size[SEG_MOST_SIZES];      /* numbers of constraints, ascending */
    int sizes;                     /* 0: the protocol's */
} seg_experiment_options;

/* What a run took. */
typedef struct seg_experiment_tally {
    size_t items, done; /* of the experiment; done by this call, the others were in the journal */
    double wall;        /* seconds of this call */
    double work;        /* sum of the wall seconds of all items, those of earlier calls too */
} seg_experiment_tally;

/* Run the protocol. It writes into the folder `out`: the journal (one line per finished item; a run with the same
 * settings continues from it), results.csv (every item), and the protocol's report: CSV files and figures in SVG, PDF
 * and PNG. Except for running times they depend only on the data, the options and ctx->seed, not on `jobs` or
 * interruptions. tally: set when the run is complete; may be NULL.
 * @return SEG_OK, SEG_ERR_USAGE (options; the journal is of other settings), SEG_ERR_IO, SEG_ERR_INPUT, SEG_ERR_MEMORY,
 * SEG_ERR_NUMERIC, SEG_ERR_CANCELLED (what was done is in the journal) */
seg_status seg_experiment_run(seg_context *ctx, const seg_experiment_options *options, seg_experiment_tally *tally);

#endif
