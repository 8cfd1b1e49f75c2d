/* segment experiment: the papers' protocols by name. */
#ifndef SEG_EVALUATION_EXPERIMENT_H
#define SEG_EVALUATION_EXPERIMENT_H

#include <segment/context.h>

#include <stddef.h>

/* What can be known of a protocol. Static storage. */
typedef struct seg_protocol_info {
    const char *name;
    const char *title;
    const char *source;                 /* bib key and place */
    const char *const *synthetic;       /* NULL-ended: sets made where no data are given */
    int realizations, restarts;         /* of a short run */
    int all_realizations, all_restarts; /* of the papers */
    const char *realization, *restart;  /* what they are */
} seg_protocol_info;

/* The i-th protocol, NULL past the last; by name, NULL where there is none. */
const seg_protocol_info *seg_protocol_at(int i);
const seg_protocol_info *seg_protocol_find(const char *name);

typedef struct seg_experiment_options {
    const seg_protocol_info *protocol;
    const char *const *data; /* files and folders, see seg_datasets_load; none: synthetic sets */
    size_t data_count;
    const char *out;            /* folder, made where it is missing (its parent must be there) */
    int realizations, restarts; /* 0 = the protocol's */
    int starts;                 /* of k-means in each labelling, the best kept; 0 = 1, as the papers */
    int full;                   /* 1: the papers' numbers, and no method left out for its cost */
    int standardise;            /* 1: columns to mean 0 and deviation 1 */
    int jobs;                   /* 0 = all processors */
    int restart;                /* 1: forget what an interrupted run has done */
} seg_experiment_options;

/* Run the protocol. OUT takes: journal (a line each finished item; where it is there from an interrupted run of the
 * same settings, the run goes on), results.csv (every item), and what the protocol reports: CSV files and figures in
 * SVG, PDF and PNG. All of it but the running times depends on the data, the options and ctx->seed only: not on `jobs`,
 * and not on interruptions.
 * @return SEG_OK, SEG_ERR_USAGE (options; the journal is of other settings), SEG_ERR_IO, SEG_ERR_INPUT, SEG_ERR_MEMORY,
 * SEG_ERR_NUMERIC, SEG_ERR_CANCELLED (what was done is in the journal) */
seg_status seg_experiment_run(seg_context *ctx, const seg_experiment_options *options);

#endif
