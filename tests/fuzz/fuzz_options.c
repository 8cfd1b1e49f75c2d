/* Any text as the arguments of a command, one per line; the first byte chooses the command. */
#include "fuzz_cli.h"

#include "cli/cluster/cluster_job.h"
#include "cli/common/commands.h"
#include "cli/eval/eval_options.h"
#include "cli/query/query.h"
#include "cli/segment/photo_run.h"

enum { MOST = 40 };

static void parse_photo(int argc, char **argv) {
    seg_context ctx = fuzz_context();
    SCOPED(cli_photo_options) options;
    cli_end code = cli_photo_options_read(argc, argv, &options);
    code = code == CLI_GO_ON ? cli_photo_check(&ctx, &options) : code;
    CHECK(code >= CLI_GO_ON && code <= 3);
    CHECK(code != CLI_GO_ON || (options.photo && options.mask && options.segment.patch >= 0));
}

static void parse_cluster(int argc, char **argv) {
    cli_cluster_options options = {.base = SEG_BASE_DETECT};
    cli_end code = cli_options_read(&cli_cluster_table, argc, argv, &options);
    code = code == CLI_GO_ON ? cli_cluster_check(&options) : code;
    CHECK(code >= CLI_GO_ON && code <= 3);
    CHECK(code != CLI_GO_ON || (options.method && cli_cluster_source(&options)));
    free(options.common.words.at);
}

static void parse_eval(int argc, char **argv) {
    seg_context ctx = fuzz_context();
    cli_eval_options options = {.dataset = NULL};
    cli_end code = cli_options_read(&cli_eval_table, argc, argv, &options);
    code = code == CLI_GO_ON ? cli_eval_check(&ctx, &options) : code;
    CHECK(code >= CLI_GO_ON && code <= 3);
    free(options.common.words.at);
    free((seg_compared *)options.plan.compared);
}

static void parse_query(int argc, char **argv) {
    cli_query_options options = {.data = NULL};
    cli_end code = cli_options_read(&cli_query_table, argc, argv, &options);
    code = code == CLI_GO_ON ? cli_query_check(&options) : code;
    CHECK(code >= CLI_GO_ON && code <= 3);
    free(options.common.words.at);
    free(options.default_output);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static void (*const parse[])(int argc, char **argv) = {parse_photo, parse_cluster, parse_eval, parse_query};
    fuzz_silence();
    const unsigned command = fuzz_take(&bytes, &size) % 4;
    char *text = fuzz_text(bytes, size), *argv[MOST + 1] = {(char *)(uintptr_t) "segment"}, *rest = text;
    int argc = 1;
    while (rest && argc < MOST)
        argv[argc++] = strsep(&rest, "\n");
    argv[argc] = NULL;
    parse[command](argc, argv);
    free(text);
    return 0;
}
