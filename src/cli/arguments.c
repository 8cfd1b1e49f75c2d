#include "arguments.h"
#include "exit_codes.h"
#include "suggest.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

error_t cli_rejected(struct argp_state *state) {
    ((cli_arguments *)state->input)->rejected = 1;
    return EINVAL;
}

error_t cli_reject(struct argp_state *state, const char *format, ...) {
    char line[SEG_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    cli_say("%s", line);
    return cli_rejected(state);
}

error_t cli_parse_common(int key, struct argp_state *state) {
    cli_arguments *common = state->input;
    switch (key) {
    case CLI_KEY_HELP:
    case CLI_KEY_VERSION:
        common->answered = key;
        return ECANCELED;
    case ARGP_KEY_ERROR:
        common->next = state->next;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int cli_options_end(const struct argp_option *row) {
    return !row->name && !row->key && !row->doc && !row->group;
}

/* Say what is wrong with a long option. @return 0 where nothing is */
static int explain_long(const struct argp_option *table, const char *command, const char *word) {
    const char *name = word + 2;
    size_t length = strcspn(name, "=");
    const struct argp_option *exact = NULL, *first = NULL, *second = NULL;
    const char *nearest = NULL;
    int distance = 0;
    char cut[64];
    snprintf(cut, sizeof cut, "%.*s", (int)(length < sizeof cut ? length : sizeof cut - 1), name);
    for (const struct argp_option *row = table; !cli_options_end(row); row++) {
        if (row->name && strncmp(row->name, name, length) == 0) {
            exact = row->name[length] == 0 ? row : exact;
            second = first && !second ? row : second;
            first = first ? first : row;
        }
        if (row->name) {
            cli_suggest(cut, row->name, &nearest, &distance);
        }
    }
    exact = exact ? exact : second ? NULL : first;
    if (exact && exact->arg && !name[length]) {
        cli_say("option '--%s' needs a value: --%s %s", exact->name, exact->name, exact->arg);
    } else if (exact && !exact->arg && name[length]) {
        cli_say("option '--%s' takes no value", exact->name);
    } else if (exact) {
        return 0;
    } else if (second) {
        cli_say("option '%s' is ambiguous: --%s or --%s", word, first->name, second->name);
    } else if (nearest) {
        cli_say("unknown option '--%s'; did you mean '--%s'?", cut, nearest);
    } else {
        cli_say("unknown option '--%s'; '%s --help' lists the options", cut, command);
    }
    return 1;
}

/* The same for the letters behind one dash. */
static int explain_short(const struct argp_option *table, const char *command, const char *word) {
    for (const char *letter = word + 1; *letter; letter++) {
        const struct argp_option *row = table;
        while (!cli_options_end(row) && row->key != (unsigned char)*letter) {
            row++;
        }
        if (cli_options_end(row)) {
            cli_say("unknown option '-%c'; '%s --help' lists the options", *letter, command);
            return 1;
        }
        if (row->arg && !letter[1]) {
            cli_say("option '-%c' needs a value: -%c %s", *letter, *letter, row->arg);
            return 1;
        }
        if (row->arg) {
            return 0;
        }
    }
    return 0;
}

/* argp does not tell which word it stumbled over, only where it stands: behind the word, or still on it when the fault
 * lies among several letters behind one dash. */
static void explain(const struct argp_option *table, const char *command, int argc, char **argv, int next) {
    for (int i = next; i >= next - 1; i--) {
        const char *word = i > 0 && i < argc ? argv[i] : "";
        if (i < next && strncmp(word, "--", 2) == 0 && word[2] && explain_long(table, command, word)) {
            return;
        }
        if (word[0] == '-' && word[1] && word[1] != '-' && explain_short(table, command, word)) {
            return;
        }
    }
    cli_say("the arguments cannot be understood; '%s --help' lists them", command);
}

int cli_help(const struct argp *argp, const char *command) {
    char name[64];
    snprintf(name, sizeof name, "%s", command); /* argp_help wants to be able to write to it */
    argp_help(argp, stdout, ARGP_HELP_SHORT_USAGE | ARGP_HELP_PRE_DOC | ARGP_HELP_LONG | ARGP_HELP_POST_DOC, name);
    return cli_finish_output(CLI_OK);
}

int cli_parse(const struct argp *argp, const char *command, int argc, char **argv, void *input) {
    cli_arguments *common = input;
    error_t failed = argp_parse(argp, argc, argv, ARGP_NO_ERRS | ARGP_NO_HELP | ARGP_NO_EXIT, NULL, input);
    if (common->answered == CLI_KEY_HELP) {
        return cli_help(argp, command);
    }
    if (common->answered == CLI_KEY_VERSION) {
        printf("segment %s\n", seg_version());
        return cli_finish_output(CLI_OK);
    }
    if (failed == ENOMEM) {
        cli_say("out of memory");
        return CLI_FAILED;
    }
    if (failed && !common->rejected) {
        explain(argp->options, command, argc, argv, common->next);
    }
    return failed ? CLI_USAGE : -1;
}
