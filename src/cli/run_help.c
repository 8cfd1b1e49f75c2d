/* segment help [COMMAND] */
#include "arguments.h"
#include "commands.h"
#include "exit_codes.h"
#include "suggest.h"

typedef struct help_options {
    cli_arguments arguments;
    const char *command;
} help_options;

static const struct argp_option table[] = {CLI_OPTION_HELP, CLI_OPTION_VERSION, {0}};

static error_t parse_one(int key, char *text, struct argp_state *state) {
    help_options *options = state->input;
    if (key == ARGP_KEY_ARG && options->command) {
        return cli_reject(state, "unexpected argument '%s': help takes one command", text);
    }
    if (key == ARGP_KEY_ARG) {
        options->command = text;
        return 0;
    }
    return cli_parse_common(key, state);
}

const struct argp cli_help_argp = {
    .options = table,
    .parser = parse_one,
    .args_doc = "[COMMAND]",
    .doc = "Print the help of a command; without one, of the main job.",
};

int cli_run_help(int argc, char **argv) {
    help_options options = {.command = NULL};
    int code = cli_parse(&cli_help_argp, "segment help", argc, argv, &options);
    if (code != -1) {
        return code;
    }
    const cli_command *command = options.command ? cli_command_find(options.command) : cli_command_at(0);
    if (command) {
        return cli_command_help(command);
    }
    const char *nearest = NULL;
    int distance = 0;
    for (int i = 1; cli_command_at(i); i++) {
        cli_suggest(options.command, cli_command_at(i)->name, &nearest, &distance);
    }
    cli_say("there is no command '%s'; %s%s%s'segment help' lists the commands", options.command,
            nearest ? "did you mean '" : "", nearest ? nearest : "", nearest ? "'? " : "");
    return CLI_USAGE;
}
