/* What the options of `segment cluster` must fulfil together. */
#ifndef CLI_CLUSTER_CHECK_H
#define CLI_CLUSTER_CHECK_H

#include "cluster_options.h"

/* Check, and fill in the method, its parameters and where the labels are.
 * @return CLI_GO_ON, else how to end (a sentence was printed) */
cli_end cli_cluster_check(cli_cluster_options *options);

#endif
