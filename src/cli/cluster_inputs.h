/* What `segment cluster` reads and makes a problem of. */
#ifndef CLI_CLUSTER_INPUTS_H
#define CLI_CLUSTER_INPUTS_H

#include "cluster_options.h"

/* Everything one run reads and makes. Zero at the start. */
typedef struct cli_cluster_run {
    size_t n; /* samples */
    int k;
    seg_matrix data, kernel;
    seg_csr graph;
    int base;             /* what the graph's nodes and the constraints' samples are counted from in their files */
    seg_full_graph *full; /* a complete graph too large to be listed */
    seg_labels labels;    /* label is NULL where there are none */
    seg_constraints constraints;
    seg_active_tally asked; /* of --active */
    seg_cluster_settings settings;
    double sigma;  /* of the graph made from the data, else 0 */
    double recall; /* of its nearest neighbours; 1 where the search was exact */
    seg_clustering result;
    seg_scores scores;
    seg_kept kept;  /* pairs that the result keeps and breaks */
    size_t planned; /* bytes that graph and clustering were predicted to take besides */
    double started, read_seconds, graph_seconds, cluster_seconds, seconds;
} cli_cluster_run;

/* Read all inputs and draw the constraints. @return CLI_GO_ON, else how to end (a sentence was printed) */
cli_end cli_cluster_read(seg_context *ctx, const cli_cluster_options *options, cli_cluster_run *run);
void cli_cluster_run_free(cli_cluster_run *run);

#endif
