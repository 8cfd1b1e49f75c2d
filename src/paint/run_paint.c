/* segment paint PHOTO... */
#include "paint/browser.h"
#include "paint/images.h"
#include "paint/server.h"

#include "cli/commands.h"
#include "cli/fail.h"
#include "cli/limits.h"
#include "cli/progress.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* Signals end poll(); one that comes just before it is seen a moment later. */
static void wait_for_signal(void) {
    while (!cli_interrupted())
        poll(NULL, 0, 200);
}

/* As `segment --model` reads it; what it cannot be joined with is refused before there is a page. */
static cli_end read_model(seg_context *ctx, cli_paint_options *options, seg_model **model) {
    const seg_status readable = options->model ? seg_model_read(ctx, options->model, model) : SEG_OK;
    if (readable != SEG_OK)
        return cli_fail(ctx, readable, CLI_READING);
    options->segment.model = *model;
    const seg_status status = seg_options_check(ctx, &options->segment);
    return status == SEG_OK ? CLI_GO_ON : cli_fail(ctx, status, CLI_COMPUTING);
}

static cli_end serve(const cli_paint_options *options, const paint_images *images) {
    const paint_settings settings = {.options = options->segment,
                                     .model = options->model,
                                     .threads = options->common.threads,
                                     .seed = (uint64_t)options->common.seed,
                                     .max_memory = options->common.max_memory,
                                     .verbosity = options->common.quiet ? -1 : options->common.verbose,
                                     .labels_path = images->labels,
                                     .paths = images->paths,
                                     .count = images->count};
    paint_work *work = paint_work_start(&settings);
    paint_server *server = work ? paint_server_start(work, options->port) : NULL;
    if (server) {
        const paint_guard *guard = paint_server_guard(server);
        char address[96];
        snprintf(address, sizeof address, "http://127.0.0.1:%d/%s/", guard->port, guard->token);
        cli_catch_signals();
        printf("%s\n", address);
        fflush(stdout);
        if (!options->common.quiet)
            cli_say("the page is at this address, on this machine only; Ctrl-C writes what is drawn and ends");
        if (!options->no_browser)
            paint_browser_open(address);
        wait_for_signal();
        if (!options->common.quiet)
            cli_say("writing what is drawn; Ctrl-C again ends at once");
        paint_work_quit(work);
        paint_server_end(server);
    }
    if (work)
        paint_work_end(work);
    return server ? CLI_OK : CLI_FAILED;
}

cli_end cli_run_paint(int argc, char **argv) {
    cli_paint_options options;
    paint_images images = {0};
    seg_model *model = NULL;
    seg_context *ctx = cli_context_create();
    if (!ctx)
        return CLI_FAILED;
    cli_end end = cli_paint_options_parse(ctx, argc, argv, &options);
    if (end == CLI_GO_ON) {
        cli_limits_start(ctx, options.common.max_memory, 0);
        end = cli_limits_check(options.common.max_memory);
    }
    end = end == CLI_GO_ON ? read_model(ctx, &options, &model) : end;
    end = end == CLI_GO_ON ? paint_images_find(&options, &images) : end;
    end = end == CLI_GO_ON ? serve(&options, &images) : end;
    cli_limits_end();
    paint_images_free(&images);
    seg_model_free(model);
    cli_paint_options_free(&options);
    seg_context_free(ctx);
    return end == CLI_OK ? cli_finish_output(end) : end;
}
