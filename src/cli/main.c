/* segment: a word that names a command, or an image. */
#include "cli/batch/batch.h"
#include "cli/common/commands.h"
#include "cli/common/process.h"
#include "cli/common/report_parts.h"

#include "base/json_read.h"

#include <stddef.h>

#define EVALUATION(name, word, operand) {name, NULL, NULL, CLI_OPERAND_##operand, "segment-evaluation"},
#define PAINT(name, word, operand)      {name, NULL, NULL, CLI_OPERAND_##operand, "segment-paint"},
const cli_command cli_commands[] = {CLI_COMMANDS(CLI_COMMAND_ROW, EVALUATION, PAINT){0}};
const cli_shared_run cli_run_shared = NULL; /* segment-evaluation has the runner */

int main(int argc, char **argv) {
    const cli_command *command = argc > 1 ? cli_command_find(argv[1]) : NULL;
    const cli_command *asked =
        command && command->run == cli_run_help && argc > 2 ? cli_command_find(argv[2]) : command;
    cli_guard_process();
    seg_json_watch();
    if (asked && !asked->run)
        return cli_run_program(asked->program, argv);
    return command ? command->run(argc - 1, argv + 1) : cli_run_photo(argc, argv);
}
