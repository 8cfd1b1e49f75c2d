/* Reports of a finished clustering. */
#ifndef CLI_CLUSTER_CLUSTER_REPORT_H
#define CLI_CLUSTER_CLUSTER_REPORT_H

#include "cli/common/exit_codes.h"

#include "cli/cluster/cluster_inputs.h"

/* The report of --json on standard output. @return the exit code */
cli_end cli_cluster_report_json(const cli_cluster_options *options, const cli_cluster_run *run);

/* Print the scores as "name value" lines on standard output, without Dice and error rate, which compare names of
 * clusters. */
void cli_cluster_print_scores(const seg_scores *scores);

/* A summary in a sentence on standard error. */
void cli_cluster_report_words(const cli_cluster_options *options, const cli_cluster_run *run);

#endif
