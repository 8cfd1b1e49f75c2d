/* segment query: ask, and keep every answer. */
#include "commands.h"
#include "exit_codes.h"
#include "limits.h"
#include "progress.h"
#include "query_ask.h"

#include <string.h>

/* The file is complete after every answer, whatever ends the program then; standard output gets it in the end. */
static int save(seg_context *ctx, const cli_query_options *options, const cli_query_run *run, int last) {
    if ((strcmp(options->output, "-") == 0) != last) {
        return -1;
    }
    seg_status status =
        seg_active_write(ctx, options->output, run->earlier, run->active, options->is_photo ? &run->grid : NULL);
    return status == SEG_OK ? -1 : cli_fail(ctx, status, CLI_WRITING);
}

static seg_status take(seg_context *ctx, cli_query_run *run, cli_reply reply) {
    int undone;
    if (reply != CLI_REPLY_UNDO) {
        return seg_active_answer(ctx, run->active, (seg_answer)reply);
    }
    seg_status status = seg_active_undo(ctx, run->active, &undone);
    if (status == SEG_OK && !undone) {
        fputs("There is no answer to take back.\n", stderr);
    }
    return status;
}

/* -1 or the exit code. */
static int ask_all(seg_context *ctx, const cli_query_options *options, cli_query_run *run) {
    int code = -1;
    while (code == -1) {
        int32_t i, j;
        int more;
        seg_status status = seg_active_next(ctx, run->active, &i, &j, &more);
        if (status == SEG_OK && more) {
            status = cli_query_show(ctx, options, run, i, j);
        }
        if (status != SEG_OK) {
            return cli_fail(ctx, status, CLI_COMPUTING);
        }
        const cli_reply reply = more ? cli_query_reply() : CLI_REPLY_QUIT;
        if (reply == CLI_REPLY_QUIT) {
            return -1;
        }
        if (reply == CLI_REPLY_INTERRUPTED) {
            return CLI_SIGNAL + cli_interrupted();
        }
        status = take(ctx, run, reply);
        code = status == SEG_OK ? save(ctx, options, run, 0) : cli_fail(ctx, status, CLI_COMPUTING);
    }
    return code;
}

static void summarise(const cli_query_options *options, const cli_query_run *run) {
    const seg_active_tally tally = seg_active_count(run->active);
    const int to_stream = strcmp(options->output, "-") == 0;
    if (tally.asked == 0 && !to_stream) {
        cli_say("no answers; nothing was written");
        return;
    }
    cli_say("%zu answers (%zu belong together, %zu do not, %zu skipped) and %zu that follow, in %s", tally.asked,
            tally.must, tally.cannot, tally.unknown, tally.inferred, to_stream ? "standard output" : options->output);
}

int cli_run_query(int argc, char **argv) {
    cli_query_options options;
    cli_query_run run = {0};
    seg_context *ctx = cli_context_create();
    if (!ctx) {
        return CLI_FAILED;
    }
    int code = cli_query_options_parse(argc, argv, &options);
    if (code == -1) {
        seg_context_set_threads(ctx, (int)options.threads);
        seg_context_set_seed(ctx, (uint64_t)options.seed);
        cli_limits_start(ctx, options.max_memory, 0);
        cli_progress_start(ctx, CLI_PROGRESS_NONE, options.quiet ? -1 : options.verbose);
        code = cli_limits_check(options.max_memory);
        code = code == -1 ? cli_query_read(ctx, &options, &run) : code;
        if (code == -1) {
            cli_catch_signals();
            code = ask_all(ctx, &options, &run);
            const int written = save(ctx, &options, &run, 1);
            code = code == -1 ? written : code;
            if (!options.quiet && code != CLI_FAILED) {
                summarise(&options, &run);
            }
            code = cli_finish_output(code == -1 ? CLI_OK : code);
        }
    }
    cli_limits_end();
    cli_query_run_free(&run);
    cli_query_options_free(&options);
    seg_context_free(ctx);
    return code;
}
