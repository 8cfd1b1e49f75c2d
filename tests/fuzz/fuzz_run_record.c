/* Any bytes as the run that --save-run wrote: what is taken from it are options that make a result, and the parser of
 * the main job takes them or says why not. */
#include "fuzz_cli.h"

#include "cli/photo_options.h"
#include "cli/run_record.h"
#include "cli/save_run.h"

#include <string.h>

static void check_option(const char *option) {
    char name[64];
    const char *equals = strchr(option, '=');
    CHECK(strncmp(option, "--", 2) == 0 && equals && equals - option < 60);
    snprintf(name, sizeof name, "%.*s", (int)(equals - option - 2), option + 2);
    CHECK(cli_makes_result(name));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    fuzz_silence();
    cli_made_arguments made = {0};
    int code = 0;
    json_t *record = cli_run_record_read(fuzz_file(0, bytes, size), &code);
    CHECK(code == 0);
    if (record)
        code = cli_run_record_options("fuzz", record, &made);
    CHECK(code >= -1 && code <= 3);
    if (record && code == -1) {
        seg_context ctx = fuzz_context();
        cli_photo_options options;
        for (int i = 1; i < made.count; i++)
            check_option(made.at[i]);
        CHECK(cli_made_arguments_put(&made, NULL, "--") && cli_made_arguments_put(&made, NULL, "photo.png"));
        const int parsed = cli_photo_options_parse(&ctx, made.count, made.at, &options);
        CHECK(parsed >= -1 && parsed <= 3);
        cli_photo_options_free(&options);
    }
    json_decref(record);
    cli_made_arguments_free(&made);
    return 0;
}
