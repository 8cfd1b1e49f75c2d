/* segment-evaluation: the commands that need the libraries for drawings and data sets, and batches shared among
 * processes. `segment` starts it (programs.h) with its own arguments, `segment COMMAND ...`, `segment help COMMAND` or,
 * for a shared batch, `segment PHOTO...`. */
#include "cli/batch/batch.h"

#include "cli/common/commands.h"
#include "cli/common/process.h"
#include "cli/common/report_parts.h"

#include "base/json_read.h"

const cli_command cli_commands[] = {CLI_COMMANDS(CLI_COMMAND_ROW, CLI_COMMAND_ROW, CLI_COMMAND_TOLD){0}};
const cli_shared_run cli_run_shared = cli_shard_batch;

int main(int argc, char **argv) {
    const cli_command *command = argc > 1 ? cli_command_find(argv[1]) : NULL;
    cli_guard_process();
    seg_json_watch();
    if (command && command->run)
        return command->run(argc - 1, argv + 1);
    if (argc > 1)
        return cli_run_photo(argc, argv);
    return cli_refuse(
        CLI_USAGE,
        "segment-evaluation is a part of segment: run 'segment eval', 'segment experiment' or 'segment figure'");
}
