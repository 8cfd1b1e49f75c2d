/* segment query: ask questions, and save every answer. */
#include "cli/common/commands.h"
#include "cli/common/errors.h"
#include "cli/common/limits.h"
#include "cli/common/progress.h"
#include "cli/query/query_ask.h"

#include <stdio.h>
#include <string.h>

/* The file is complete after every answer, in case the program is stopped; standard output is written at the end. */
static cli_end save(seg_context *ctx, const cli_query_options *options, const cli_query_run *run, int last) {
    if ((strcmp(options->output, "-") == 0) != last)
        return CLI_GO_ON;
    seg_status status =
        seg_active_write(ctx, options->output, run->earlier, run->active, options->is_photo ? &run->grid : NULL);
    return status == SEG_OK ? CLI_GO_ON : cli_fail(ctx, status, CLI_WRITING);
}

static seg_status take(seg_context *ctx, cli_query_run *run, cli_reply reply) {
    int undone;
    if (reply != CLI_REPLY_UNDO)
        return seg_active_answer(ctx, run->active, (seg_answer)reply);
    seg_status status = seg_active_undo(ctx, run->active, &undone);
    if (status == SEG_OK && !undone)
        fputs("There is no answer to undo.\n", stderr);
    return status;
}

static cli_end ask_all(seg_context *ctx, const cli_query_options *options, cli_query_run *run) {
    cli_end end = CLI_GO_ON;
    while (end == CLI_GO_ON) {
        int32_t i, j;
        int more;
        seg_status status = seg_active_next(ctx, run->active, &i, &j, &more);
        if (status == SEG_OK && more)
            status = cli_query_show(ctx, options, run, i, j);
        if (status != SEG_OK)
            return cli_fail(ctx, status, CLI_COMPUTING);
        const cli_reply reply = more ? cli_query_reply() : CLI_REPLY_QUIT;
        if (reply == CLI_REPLY_QUIT)
            return CLI_GO_ON;
        if (reply == CLI_REPLY_INTERRUPTED)
            return (cli_end)(CLI_SIGNAL + cli_interrupted());
        status = take(ctx, run, reply);
        end = status == SEG_OK ? save(ctx, options, run, 0) : cli_fail(ctx, status, CLI_COMPUTING);
    }
    return end;
}

static void summarise(const cli_query_options *options, const cli_query_run *run) {
    const seg_active_tally tally = seg_active_about(run->active);
    const int to_stream = strcmp(options->output, "-") == 0;
    if (tally.asked == 0 && !to_stream) {
        cli_say("no answers; nothing was written");
        return;
    }
    cli_say("%zu answers (%zu belong together, %zu do not, %zu skipped) and %zu that follow, in %s", tally.asked,
            tally.must, tally.cannot, tally.unknown, tally.inferred, to_stream ? "standard output" : options->output);
}

cli_end cli_run_query(int argc, char **argv) {
    seg_context *ctx = cli_context_create();
    cli_query_options options;
    cli_query_run run = {0};
    if (!ctx)
        return CLI_FAILED;
    cli_end end = cli_query_options_parse(argc, argv, &options);
    if (end == CLI_GO_ON) {
        seg_context_settings(ctx)->threads = options.common.threads;
        seg_context_settings(ctx)->seed = (uint64_t)options.common.seed;
        cli_limits_start(ctx, options.common.max_memory, 0);
        cli_progress_start(ctx, CLI_PROGRESS_NONE, options.common.quiet ? -1 : options.common.verbose);
        end = cli_limits_check(options.common.max_memory);
        end = end == CLI_GO_ON ? cli_query_read(ctx, &options, &run) : end;
        if (end == CLI_GO_ON) {
            cli_catch_signals();
            end = ask_all(ctx, &options, &run);
            const cli_end written = save(ctx, &options, &run, 1);
            end = end == CLI_GO_ON ? written : end;
            if (!options.common.quiet && end != CLI_FAILED)
                summarise(&options, &run);
            end = cli_finish_output(end == CLI_GO_ON ? CLI_OK : end);
        }
    }
    cli_limits_end();
    cli_query_run_free(&run);
    cli_query_options_free(&options);
    seg_context_free(ctx);
    return end;
}
