/* segment-evaluation: the commands that need the libraries for drawings and data sets, and batches shared among
 * processes. `segment` starts it (cli_run_program) with its own arguments, `segment COMMAND ...`, `segment help
 * COMMAND` or, for a shared batch, `segment PHOTO...`. */
#include "cli/batch/batch.h"
#include "cli/common/commands.h"

#include "base/json_read.h"

const cli_command cli_commands[] = {CLI_COMMANDS(CLI_COMMAND_ROW, CLI_COMMAND_ROW, CLI_COMMAND_TOLD){0}};
const cli_shared_run cli_run_shared = cli_shard_batch;

int main(int argc, char **argv) {
    seg_json_watch();
    return cli_main(argc, argv);
}
