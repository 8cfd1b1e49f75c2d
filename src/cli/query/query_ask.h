/* Asking a person one question. */
#ifndef CLI_QUERY_QUERY_ASK_H
#define CLI_QUERY_QUERY_ASK_H

#include "cli/query/query_inputs.h"

typedef enum cli_reply {
    CLI_REPLY_CANNOT = SEG_ANSWER_CANNOT,
    CLI_REPLY_SKIP = SEG_ANSWER_UNKNOWN,
    CLI_REPLY_MUST = SEG_ANSWER_MUST,
    CLI_REPLY_UNDO,
    CLI_REPLY_QUIT,       /* or the end of standard input */
    CLI_REPLY_INTERRUPTED /* by a signal, while waiting */
} cli_reply;

/* Show samples i and j: two rows on standard error, or two patches in the image. */
seg_status cli_query_show(seg_context *ctx, const cli_query_options *options, const cli_query_run *run, int32_t i,
                          int32_t j);

/* Read lines until one is an answer. */
cli_reply cli_query_reply(void);

#endif
