/* Any bytes as the run that --save-run wrote: what is taken from it are options that make a result, each in its range,
 * or it is said why not. */
#include "fuzz_cli.h"

#include "cli/segment/photo_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    fuzz_silence();
    cli_photo_options plain, options;
    cli_end end = CLI_OK;
    json_t *record = cli_run_record_read(fuzz_file(0, bytes, size), &end);
    CHECK(end == (record ? CLI_OK : CLI_INPUT));
    cli_photo_options_default(&plain);
    cli_photo_options_default(&options);
    if (record) {
        end = cli_run_record_options("fuzz", record, &options);
        CHECK(end >= CLI_GO_ON && end <= CLI_INPUT);
        CHECK(!options.photo && !options.mask && !options.scribbles && options.common.quiet == 0);
        CHECK(options.common.threads == plain.common.threads);
    }
    if (record && end == CLI_GO_ON) {
        seg_context ctx = fuzz_context();
        options.photo = "photo.png";
        end = cli_photo_check(&ctx, &options);
        CHECK(end >= CLI_GO_ON && end <= CLI_INPUT);
    }
    cli_photo_options_free(&options);
    cli_photo_options_free(&plain);
    json_decref(record);
    return 0;
}
