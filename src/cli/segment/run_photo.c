/* segment PHOTO... */
#include "cli/batch/batch.h"
#include "cli/common/commands.h"
#include "cli/common/messages.h"
#include "cli/segment/explain_photos.h"
#include "cli/segment/photo_job.h"

cli_end cli_run_photo(int argc, char **argv) {
    cli_photo_options options;
    cli_end end = cli_photo_options_read(argc, argv, &options);
    end = end == CLI_GO_ON ? cli_explain_photos(&options) : end;
    if (end == CLI_GO_ON && options.tiled && cli_is_batch(&options))
        end = cli_refuse(CLI_USAGE, "--tiled takes one image; segment them one by one");
    if (end == CLI_GO_ON)
        end = cli_is_batch(&options) ? cli_run_batch(&options, argv) : cli_photo_job(&options, NULL, 0);
    cli_photo_options_free(&options);
    return end;
}
