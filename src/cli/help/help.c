/* Help of a command, made from its table, and segment help [COMMAND | all]. */
#include "cli/common/arguments.h"
#include "cli/common/commands.h"
#include "cli/common/process.h"

enum { WIDTH = 79, TEXT_COLUMN = 29 };

/* Print a line from `column` on, broken at WIDTH, with continuation lines indented by `indent`. */
static void print_line(const char *text, int length, int column, int indent) {
    const char *end = text + length;
    for (int first = 1; text < end; first = 0) {
        int word = (int)strcspn(text, " ");
        word = word < end - text ? word : (int)(end - text);
        if (!first && column + 1 + word > WIDTH)
            column = printf("\n%*s", indent, "") - 1;
        else if (!first)
            column += printf(" ");
        column += printf("%.*s", word, text);
        text += word + (text + word < end);
    }
    printf("\n");
}

/* Lines that begin with a blank are printed unchanged. */
static void print_text(const char *text) {
    while (*text) {
        const int length = (int)strcspn(text, "\n");
        if (*text == ' ')
            printf("%.*s\n", length, text);
        else
            print_line(text, length, 0, 0);
        text += length + (text[length] == '\n');
    }
}

static void print_option(const seg_option *row) {
    char help[512];
    int column = row->letter ? printf("  -%c, --%s", row->letter, row->name) : printf("      --%s", row->name);
    if (row->value)
        column += printf("=%s", row->value);
    if (column + 2 > TEXT_COLUMN) {
        printf("\n");
        column = 0;
    }
    printf("%*s", TEXT_COLUMN - column, "");
    snprintf(help, sizeof help, "%s%s%s%s", row->help, row->initial ? " (default " : "",
             row->initial ? row->initial : "", row->initial ? ")" : "");
    print_line(help, (int)strlen(help), TEXT_COLUMN, TEXT_COLUMN);
}

static void print_group(const cli_table *table, int group, int all) {
    const char *heading = (table->of ? table->of : table)->heading[group];
    seg_option row;
    int shown = 0;
    for (cli_walk walk = {0}; cli_next_option(table, &walk, &row);) {
        if ((int)row.group != group || row.traits & SEG_OPTION_HIDDEN || !(all || row.traits & SEG_OPTION_IMPORTANT))
            continue;
        if (!shown++ && heading)
            printf("\n %s:\n", heading);
        else if (shown == 1)
            printf("\n");
        print_option(&row);
    }
}

void cli_help(const cli_table *table, int all) {
    for (const char *form = table->usage; form; form = strchr(form, '\n') ? strchr(form, '\n') + 1 : NULL)
        printf("%s %s [OPTION...]%s%.*s\n", form == table->usage ? "Usage:" : "  or: ", table->command,
               *form ? " " : "", (int)strcspn(form, "\n"), form);
    print_text(all ? table->about : table->brief);
    for (int group = 0; group <= SEG_OPTIONS_SAY; group++)
        print_group(table, group, all);
    if (table->also) {
        printf("\n");
        print_text(table->also);
    }
    if (all && table->more) {
        printf("\n");
        print_text(table->more);
    }
}

static void print_names(const char *option, const char *(*name)(int)) {
    for (int i = 0; name(i); i++)
        printf("--%s=%s\n", option, name(i));
}

const char *cli_method_name(int i) {
    return seg_method_at(i) ? seg_method_at(i)->name : NULL;
}

const char *cli_format_name(int i) {
    return seg_export_format_at(i) ? seg_export_format_at(i)->name : NULL;
}

void cli_help_words(const cli_table *table) {
    seg_option row;
    for (cli_walk walk = {0}; cli_next_option(table, &walk, &row);) {
        if (row.traits & SEG_OPTION_HIDDEN)
            continue;
        printf("--%s%s\n", row.name, row.value ? "=" : "");
        for (int i = 0; row.choices && row.choices[i]; i++)
            printf("--%s=%s\n", row.name, row.choices[i]);
        if (row.type == SEG_OPTION_METHOD)
            print_names(row.name, cli_method_name);
        else if (strcmp(row.name, "export") == 0)
            print_names(row.name, cli_format_name);
    }
    const int names_commands = table == cli_commands->table || table == &cli_help_table;
    for (int i = 0; names_commands && cli_command_name(i); i++)
        printf("%s\n", cli_command_name(i));
}

enum { LONGEST = 63 };

/* Number of insertions, deletions and replacements of a character between two words' first 63 characters. */
static int edit_distance(const char *a, const char *b) {
    size_t rows = strnlen(a, LONGEST), columns = strnlen(b, LONGEST);
    int distance[LONGEST + 1]; /* one row of the dynamic programme */
    for (size_t j = 0; j <= columns; j++)
        distance[j] = (int)j;
    for (size_t i = 1; i <= rows; i++) {
        int diagonal = distance[0];
        distance[0] = (int)i;
        for (size_t j = 1; j <= columns; j++) {
            int replace = diagonal + (a[i - 1] != b[j - 1]);
            int shorter = distance[j - 1] < distance[j] ? distance[j - 1] + 1 : distance[j] + 1;
            diagonal = distance[j];
            distance[j] = replace < shorter ? replace : shorter;
        }
    }
    return distance[columns];
}

void cli_suggest(const char *text, const char *name, const char **best, int *best_distance) {
    int distance = edit_distance(text, name);
    int limit = (int)(strlen(name) + 2) / 3; /* up to a third of the name may be mistyped */
    if (distance <= limit && (!*best || distance < *best_distance)) {
        *best = name;
        *best_distance = distance;
    }
}

const char *cli_nearest(const char *text, const char *(*name)(int)) {
    const char *nearest = NULL;
    int distance = 0;
    for (int i = 0; name(i); i++)
        cli_suggest(text, name(i), &nearest, &distance);
    return nearest;
}

cli_end cli_refuse_name(const char *what, const char *text, const char *(*name)(int), const char *lists) {
    const char *nearest = cli_nearest(text, name);
    return cli_refuse(CLI_USAGE, "%s '%s'; %s%s%s%s", what, text, nearest ? "did you mean '" : "",
                      nearest ? nearest : "", nearest ? "'? " : "", lists);
}

static const seg_option rows[] = {CLI_LAST_ROWS};

const cli_table cli_help_table = {
    .command = "segment help",
    .usage = "[COMMAND | all]",
    .most_words = 1,
    .too_many = "help takes one command",
    .about = "Print the help of a command; without a command, of the main job; with 'all', all its options.",
    .rows = rows,
};

static cli_end work(SEG_UNUSED seg_context *ctx, void *user) {
    const char *name = cli_word(user, 0);
    const int all = name && strcmp(name, "all") == 0;
    const cli_command *command = name && !all ? cli_command_find(name) : cli_commands;
    if (command) {
        cli_help(command->table, all || !command->table->brief);
        return cli_finish_output(CLI_OK);
    }
    return cli_refuse_name("there is no command", name, cli_command_name, "'segment help' lists the commands");
}

CLI_COMMAND_RUNS(help, cli_common, .help = 0, work)
