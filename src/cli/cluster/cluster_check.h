/* Checks of the options of `segment cluster` together. */
#ifndef CLI_CLUSTER_CLUSTER_CHECK_H
#define CLI_CLUSTER_CLUSTER_CHECK_H

#include "cli/cluster/cluster_options.h"

/* Check the options, and set the method, its parameters and the place of the labels. @return CLI_GO_ON, or the exit
 * code (a message was printed) */
cli_end cli_cluster_check(cli_cluster_options *options);

#endif
