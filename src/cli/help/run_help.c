/* segment help [COMMAND | all] */
#include "cli/common/arguments.h"
#include "cli/common/commands.h"
#include "cli/common/option_table.h"
#include "cli/common/process.h"

#include <string.h>

static const seg_option rows[] = {CLI_LAST_ROWS};

const cli_table cli_help_table = {
    .command = "segment help",
    .usage = "[COMMAND | all]",
    .most_words = 1,
    .too_many = "help takes one command",
    .about = "Print the help of a command; without a command, of the main job; with 'all', all its options.",
    .rows = rows,
};

static cli_end work(seg_context *ctx, void *user) {
    const char *name = cli_word(user, 0);
    const int all = name && strcmp(name, "all") == 0;
    const cli_command *command = name && !all ? cli_command_find(name) : cli_command_at(0);
    (void)ctx;
    if (command) {
        cli_help(command->table, all || !command->table->brief);
        return cli_finish_output(CLI_OK);
    }
    return cli_refuse_name("there is no command", name, cli_command_name, "'segment help' lists the commands");
}

cli_end cli_run_help(int argc, char **argv) {
    cli_common options = {.help = 0};
    return cli_run(&cli_help_table, argc, argv, &options, work);
}
