/* Completion for fish: a line of `complete` an option of each command. */
#include "arguments.h"
#include "completion.h"

#include <stdio.h>
#include <string.h>

static const char head[] = "# fish completion for segment(1), printed by 'segment completion fish'.\n\n"
                           "# The command on the line is this one; '' is the main job.\n"
                           "function __segment_is\n"
                           "    set -l words (commandline -opc)\n"
                           "    set -l command ''\n"
                           "    if test (count $words) -gt 1; and contains -- $words[2] $__segment_commands\n"
                           "        set command $words[2]\n"
                           "    end\n"
                           "    test \"$command\" = \"$argv[1]\"\n"
                           "end\n\n"
                           "function __segment_first\n"
                           "    test (count (commandline -opc)) -eq 1\n"
                           "end\n\n"
                           "# The word without --option= in front of it.\n"
                           "function __segment_word\n"
                           "    commandline -ct | string replace -r -- '^--[^=]*=' ''\n"
                           "end\n\n"
                           "# Folders, and files with these endings.\n"
                           "function __segment_files\n"
                           "    set -l word (__segment_word)\n"
                           "    set word (string replace -r -- '^~/' $HOME/ \"$word\")\n"
                           "    for file in $word*\n"
                           "        if test -d $file\n"
                           "            echo $file/\n"
                           "        else if string match -qri -- '\\.('(string join '|' -- $argv)')$' $file\n"
                           "            echo $file\n"
                           "        end\n"
                           "    end\n"
                           "end\n\n"
                           "# Words between commas.\n"
                           "function __segment_list\n"
                           "    set -l before (__segment_word | string match -r -- '.*,')\n"
                           "    printf '%s\\n' \"$before\"$argv\n"
                           "end\n\n";

/* Inside single quotes. */
static void print_quoted(const char *text) {
    for (; *text; text++) {
        printf("%s%c", *text == '\'' || *text == '\\' ? "\\" : "", *text);
    }
}

static void print_values(const cli_values *values, int required) {
    const int any = values->files && strcmp(values->files, "*") == 0;
    printf(" -%s%s", required ? "r" : "", any ? "F" : "f");
    if (values->list) {
        printf(" -a '(__segment_list ");
        cli_print_words(values, " ");
        printf(")'");
    } else if (values->words) {
        printf(" -a '");
        cli_print_words(values, " ");
        printf("'");
    }
    if (values->files && !any) {
        printf(" -a '(__segment_files %s)'", strcmp(values->files, "/") == 0 ? "/" : values->files);
    }
}

static void print_option(const cli_command *command, const struct argp_option *row) {
    char summary[CLI_SUMMARY];
    cli_values values;
    printf("complete -c segment -n \"__segment_is '%s'\" -l %s", command->name, row->name);
    if (row->key < CLI_KEY_FIRST_LONG) {
        printf(" -s %c", row->key);
    }
    printf(" -d '");
    print_quoted(cli_summary(row->doc, summary));
    printf("'");
    if (row->arg) {
        cli_values_of_option(command, row, &values);
        if (strcmp(row->name, "export") == 0) {
            values.files = "*"; /* fish looks behind the = of KIND=FILE by itself */
        }
        print_values(&values, 1);
    }
    printf("\n");
}

void cli_completion_fish(void) {
    const cli_command *command;
    const struct argp_option *row;
    char summary[CLI_SUMMARY];
    cli_values values;
    printf("%sset -g __segment_commands", head);
    for (int i = 1; (command = cli_command_at(i)) != NULL; i++) {
        printf(" %s", command->name);
    }
    printf("\ncomplete -c segment -f\n");
    for (int i = 1; (command = cli_command_at(i)) != NULL; i++) {
        printf("complete -c segment -n __segment_first -a %s -d '", command->name);
        print_quoted(cli_summary(command->argp->doc, summary));
        printf("'\n");
    }
    for (int c = 0; (command = cli_command_at(c)) != NULL; c++) {
        printf("\n# segment %s\n", command->name);
        cli_values_of_operand(command, &values);
        if (values.words || values.files) {
            printf("complete -c segment -n \"__segment_is '%s'\"", command->name);
            print_values(&values, 0);
            printf("\n");
        }
        for (int i = 0; (row = cli_command_option(command, i)) != NULL; i++) {
            if (row->name) {
                print_option(command, row);
            }
        }
    }
}
