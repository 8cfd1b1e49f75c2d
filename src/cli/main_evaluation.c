/* segment-evaluation: the commands that need the libraries for drawings and data sets, and batches in several
 * processes. `segment` starts it (cli_run_program) with its own arguments, `segment COMMAND ...`, `segment help
 * COMMAND` or, for such a batch, `segment PHOTO... --jobs N`. */
#include "cli/batch/batch.h"
#include "cli/common/commands.h"

#include "base/json_read.h"

const cli_command cli_commands[] = {CLI_COMMANDS(CLI_COMMAND_ROW, CLI_COMMAND_ROW, CLI_COMMAND_TOLD){0}};
cli_end (*const cli_run_processes)(cli_batch *) = cli_batch_processes;

int main(int argc, char **argv) {
    seg_json_watch();
    return cli_main(argc, argv);
}
