/* Inputs of `segment cluster`, and the problem made from them. */
#ifndef CLI_CLUSTER_CLUSTER_INPUTS_H
#define CLI_CLUSTER_CLUSTER_INPUTS_H

#include "cli/cluster/cluster_options.h"

/* Everything one run reads and makes. Zero at the start. */
typedef struct cli_cluster_run {
    size_t n; /* samples */
    int k;
    seg_matrix data, kernel;
    seg_csr graph;
    int base;             /* first number of the nodes and of the samples of constraints in their files */
    seg_full_graph *full; /* a complete graph too large to be listed */
    seg_labels labels;    /* label is or NULL */
    seg_constraints constraints;
    seg_active_tally asked; /* of --active */
    seg_cluster_settings settings;
    double sigma;  /* of the graph made from the data, else 0 */
    double recall; /* of its nearest neighbours; 1 where the search was exact */
    seg_clustering result;
    seg_scores scores;
    seg_kept kept;  /* pairs that the result satisfies and violates */
    size_t planned; /* predicted bytes of the graph and the clustering */
    double started, read_seconds, graph_seconds, cluster_seconds, seconds;
} cli_cluster_run;

/* Read all inputs and draw the constraints. @return CLI_GO_ON, or the exit code (a message was printed) */
cli_end cli_cluster_read(seg_context *ctx, const cli_cluster_options *options, cli_cluster_run *run);
void cli_cluster_run_free(cli_cluster_run *run);

#endif
