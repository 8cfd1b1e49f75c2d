/* Completion for zsh: the specifications of _arguments, command by command. */
#include "arguments.h"
#include "completion.h"

#include <stdio.h>
#include <string.h>

static const char head[] = "#compdef segment\n"
                           "# zsh completion for segment(1), printed by 'segment completion zsh'.\n\n"
                           "# KIND=FILE\n"
                           "_segment_exports() {\n"
                           "  if compset -P '*='; then\n"
                           "    _files\n"
                           "  else\n"
                           "    compadd -- \"$@\"\n"
                           "  fi\n"
                           "}\n\n";

/* Inside single quotes, in a description between brackets. */
static void print_quoted(const char *text) {
    for (; *text; text++) {
        if (*text == '\'') {
            printf("'\\''");
        } else {
            printf("%s%c", strchr("[]:\\", *text) ? "\\" : "", *text);
        }
    }
}

/* The pattern of endings, in any case of letters: "png jpg" as *.(#i)(png|jpg)(-.) */
static void print_files(const char *files) {
    if (strcmp(files, "*") == 0) {
        printf("_files");
    } else if (strcmp(files, "/") == 0) {
        printf("_files -/");
    } else {
        printf("_files -g \"*.(#i)(");
        for (; *files; files++) {
            printf("%c", *files == ' ' ? '|' : *files);
        }
        printf(")(-.)\"");
    }
}

/* What _arguments does for a value. */
static void print_action(const cli_values *values, int is_export) {
    if (values->words && values->files) {
        printf("{_alternative \"words\\:word\\:(");
        cli_print_words(values, " ");
        printf(")\" \"files\\:file\\:_files\"}"); /* no command has words beside files of a kind */
    } else if (is_export) {
        printf(" _segment_exports ");
        cli_print_words(values, " ");
    } else if (values->list) {
        printf("_sequence compadd - ");
        cli_print_words(values, " ");
    } else if (*values->tail) {
        printf("compadd -S \"\" -- "); /* the tail is part of each word */
        cli_print_words(values, " ");
    } else if (values->words) {
        printf("(");
        cli_print_words(values, " ");
        printf(")");
    } else if (values->files) {
        print_files(values->files);
    } else {
        printf(" "); /* something, but nobody knows what */
    }
}

static void print_option(const cli_command *command, const struct argp_option *row, const char *name,
                         const char *joint) {
    char summary[CLI_SUMMARY];
    cli_values values;
    printf(" \\\n      '*%s%s[", name, row->arg ? joint : "");
    print_quoted(cli_summary(row->doc, summary));
    printf("]");
    if (row->arg) {
        printf(":");
        print_quoted(row->arg);
        printf(":");
        cli_values_of_option(command, row, &values);
        print_action(&values, strcmp(row->name, "export") == 0);
    }
    printf("'");
}

static void print_command(const cli_command *command) {
    const struct argp_option *row;
    cli_values values;
    char name[64];
    printf("    '%s')\n      _arguments -s -S", command->name);
    for (int i = 0; (row = cli_command_option(command, i)) != NULL; i++) {
        if (!row->name) {
            continue;
        }
        snprintf(name, sizeof name, "--%s", row->name);
        print_option(command, row, name, "=");
        if (row->key < CLI_KEY_FIRST_LONG) {
            snprintf(name, sizeof name, "-%c", row->key);
            print_option(command, row, name, "+");
        }
    }
    if (!*command->name) {
        printf(" \\\n      '1: :_segment_first'");
    }
    cli_values_of_operand(command, &values);
    if (values.words || values.files) {
        printf(" \\\n      '%s:argument:", values.words ? "1" : "*");
        print_action(&values, 0);
        printf("'");
    }
    printf("\n      ;;\n");
}

void cli_completion_zsh(void) {
    const cli_command *command;
    char summary[CLI_SUMMARY];
    cli_values pictures;
    printf("%s# A command or an image.\n_segment_first() {\n  local -a commands=(", head);
    for (int i = 1; (command = cli_command_at(i)) != NULL; i++) {
        printf("\n    '%s:", command->name);
        print_quoted(cli_summary(command->argp->doc, summary));
        printf("'");
    }
    printf("\n  )\n  _alternative 'commands:command:{_describe command commands}' 'files:image:");
    cli_values_of_operand(cli_command_at(0), &pictures);
    print_files(pictures.files);
    printf("'\n}\n\n_segment() {\n  local curcontext=$curcontext command=''\n  case $words[2] in\n    ");
    for (int i = 1; (command = cli_command_at(i)) != NULL; i++) {
        printf("%s%s", i > 1 ? "|" : "", command->name);
    }
    printf(
        ")\n      if (( CURRENT > 2 )); then\n        command=$words[2]\n        shift words\n        (( CURRENT-- ))\n"
        "      fi\n      ;;\n  esac\n  case $command in\n");
    for (int i = 0; (command = cli_command_at(i)) != NULL; i++) {
        print_command(command);
    }
    /* Autoloaded, the file is the function's body; sourced, it defines it. */
    printf("  esac\n}\n\nif [[ $funcstack[1] == _segment ]]; then\n  _segment \"$@\"\nelse\n  compdef _segment "
           "segment\nfi\n");
}
