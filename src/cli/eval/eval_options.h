/* The options of `segment eval`. */
#pragma once

#include "cli/common/arguments.h"
#include "cli/eval/shard.h"
#include "evaluation/runner/item.h"

typedef struct cli_eval_options {
    cli_common common; /* its word: the data set */
    const char *dataset, *truth, *scribbles;
    const char *methods, *shard_text; /* as given */
    seg_plan plan;                    /* out; pairs and clicks, 0 where not given; its methods are owned */
    seg_options segment;              /* patch, features, graph and refinement, of every method */
    int jobs;                         /* 0: one per processor */
    cli_shard shard;
    int restart, no_timing;
} cli_eval_options;

/* Check the options, and read the lists. Free plan.compared in every case. */
cli_end cli_eval_check(seg_context *ctx, cli_eval_options *options);

/* The default methods, and the pairs a class where the data set has no scribbles. */
#define CLI_EVAL_METHODS "kmeans,ncut,ccskl,ccsr,enpakl,auto"
#define CLI_EVAL_PAIRS   "50"
