#include "cli/common/arguments.h"
#include "cli/common/process.h"

#include "pipeline/option_fields.h"
#include "pipeline/option_values.h"

/* --- Values. --- */

/* Refuse a name that is not a method's, optionally followed by ":paper". */
static cli_end check_method(const char *text) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    return seg_method_find(name)
               ? CLI_GO_ON
               : cli_refuse_name("unknown method", name, cli_method_name, "'segment methods' lists them");
}

/* Print the message of the library with the name of the option on the command line. */
static cli_end set_row(const seg_option *row, void *options, const char *text) {
    char flag[64];
    const size_t length = strlen(row->name);
    if (row->type == SEG_OPTION_METHOD && text)
        CLI_TRY(check_method(text));
    if (row->traits & CLI_OPTION_OR_FILES && text && text[strspn(text, "+-0123456789")]) {
        ((cli_common *)options)->files = text;
        return CLI_GO_ON;
    }
    SEG_RELEASED(cli_context_free) seg_context *ctx = cli_context_create();
    if (!ctx)
        return CLI_FAILED;
    const seg_status status = seg_option_set(ctx, row, options, text);
    const char *message = seg_context_message(ctx);
    const int named = strncmp(message, row->name, length) == 0 && message[length] == ' ';
    return status == SEG_OK ? CLI_GO_ON
                            : cli_refuse(cli_exit_code(status, CLI_COMPUTING), "%s%s", named ? cli_flag(row, flag) : "",
                                         message + (named ? length : 0));
}

void cli_set_defaults(const cli_table *table, void *options) {
    const size_t segment = (table->of ? table->of : table)->segment;
    seg_option row;
    if (segment)
        *(seg_options *)(void *)((char *)options + segment) = seg_options_default();
    for (cli_walk walk = {0}; cli_next_option(table, &walk, &row);)
        if (row.initial)
            seg_option_set(NULL, &row, options, row.initial);
}

/* An error in the program, which must not look like an option that was not given. */
static cli_end note_given(const cli_table *table, void *options, int number) {
    if (number >= CLI_MOST_OPTIONS)
        return cli_refuse(CLI_FAILED, "%s has more than %d options; raise CLI_MOST_OPTIONS", table->command,
                          CLI_MOST_OPTIONS);
    ((cli_common *)options)->given[number / 64] |= (uint64_t)1 << number % 64;
    return CLI_GO_ON;
}

cli_end cli_set(const cli_table *table, void *options, const char *name, const char *text) {
    seg_option row;
    const int i = cli_option_find(table, name, &row);
    if (i < 0)
        return cli_refuse(CLI_USAGE, "there is no option '%s'", name);
    CLI_TRY(note_given(table, options, i));
    return set_row(&row, options, text);
}

/* --- The line. --- */

/* The line is read twice: options that need another option are set in the second pass. */
typedef struct reading {
    const cli_table *table;
    void *options;
    int argc, at; /* at: the word that is read */
    char **argv;
    int dependent; /* 1: second pass */
    enum { HELP_USUAL = 0, HELP_ALL, HELP_WORDS } help;
} reading;

static void refuse_unknown(const reading *r, const char *name, size_t length) {
    char cut[64];
    const char *nearest = NULL;
    int distance = 0;
    seg_option row;
    snprintf(cut, sizeof cut, "%.*s", (int)(length < sizeof cut ? length : sizeof cut - 1), name);
    for (cli_walk walk = {0}; cli_next_option(r->table, &walk, &row);)
        if (!(row.traits & SEG_OPTION_HIDDEN))
            cli_suggest(cut, row.name, &nearest, &distance);
    if (nearest)
        cli_say("unknown option '--%s'; did you mean '--%s'?", cut, nearest);
    else
        cli_say("unknown option '--%s'; '%s --help=all' lists the options", cut, r->table->command);
}

/* Find the option of a long name, which may be abbreviated if unambiguous. @return its number; -1 after a message */
static int find_long(const reading *r, const char *name, size_t length, seg_option *out) {
    int found = -1;
    seg_option row;
    for (cli_walk walk = {0}; cli_next_option(r->table, &walk, &row);) {
        if (strncmp(row.name, name, length) != 0)
            continue;
        if (row.name[length] == 0) {
            *out = row;
            return walk.number;
        }
        if (found >= 0) {
            cli_say("option '--%.*s' is ambiguous: --%s or --%s", (int)length, name, out->name, row.name);
            return -1;
        }
        found = walk.number;
        *out = row;
    }
    if (found < 0)
        refuse_unknown(r, name, length);
    return found;
}

static cli_end take(reading *r, const seg_option *row, int number, const char *text) {
    if ((row->needs != NULL) != r->dependent)
        return CLI_GO_ON;
    CLI_TRY(note_given(r->table, r->options, number));
    if (row->needs && !cli_given(r->table, r->options, row->needs)) {
        const seg_method *usual = row->type != SEG_OPTION_PARAM ? NULL
                                  : r->table->usual_method      ? r->table->usual_method(r->options)
                                                                : seg_method_find(NULL);
        seg_option needed;
        if (usual) {
            CLI_TRY(cli_set(r->table, r->options, row->needs, usual->name));
            return set_row(row, r->options, text);
        }
        char flag[2][64];
        cli_option_find(r->table, row->needs, &needed);
        return cli_refuse(CLI_USAGE, "%s %s needs %s %s", cli_flag(row, flag[0]), text ? text : "",
                          cli_flag(&needed, flag[1]), needed.value ? needed.value : "");
    }
    return set_row(row, r->options, text);
}

static cli_end read_long(reading *r) {
    const char *name = r->argv[r->at] + 2;
    const size_t length = strcspn(name, "=");
    const char *text = name[length] ? name + length + 1 : NULL;
    seg_option row;
    const int number = find_long(r, name, length, &row);
    if (number < 0)
        return CLI_USAGE;
    if (strcmp(row.name, "help") == 0 && text && (strcmp(text, "all") == 0 || strcmp(text, "words") == 0)) {
        r->help = text[0] == 'a' ? HELP_ALL : HELP_WORDS;
        text = NULL;
    }
    if (!row.value && text)
        return cli_refuse(CLI_USAGE, "option '--%s' takes no value", row.name);
    if (row.value && !text) {
        if (r->at + 1 >= r->argc)
            return cli_refuse(CLI_USAGE, "option '--%s' needs a value: --%s %s", row.name, row.name, row.value);
        text = r->argv[++r->at];
    }
    return take(r, &row, number, text);
}

static cli_end read_letters(reading *r) {
    for (const char *letter = r->argv[r->at] + 1; *letter; letter++) {
        seg_option row;
        cli_walk walk = {0};
        int found;
        while ((found = cli_next_option(r->table, &walk, &row)) && row.letter != *letter)
            continue;
        if (!found)
            return cli_refuse(CLI_USAGE, "unknown option '-%c'; '%s --help=all' lists the options", *letter,
                              r->table->command);
        if (!row.value) {
            CLI_TRY(take(r, &row, walk.number, NULL));
            continue;
        }
        if (!letter[1] && r->at + 1 >= r->argc)
            return cli_refuse(CLI_USAGE, "option '-%c' needs a value: -%c %s", *letter, *letter, row.value);
        return take(r, &row, walk.number, letter[1] ? letter + 1 : r->argv[++r->at]);
    }
    return CLI_GO_ON;
}

static cli_end read_line(reading *r) {
    static const seg_option words = {.name = "words", .type = SEG_OPTION_TEXTS, .offset = offsetof(cli_common, words)};
    const cli_common *common = r->options;
    int only_words = 0;
    for (r->at = 1; r->at < r->argc && !common->help && !common->version; r->at++) {
        const char *word = r->argv[r->at];
        if (only_words || word[0] != '-' || !word[1])
            CLI_TRY(r->dependent ? CLI_GO_ON : set_row(&words, r->options, word));
        else if (strcmp(word, "--") == 0)
            only_words = 1;
        else
            CLI_TRY(word[1] == '-' ? read_long(r) : read_letters(r));
    }
    return CLI_GO_ON;
}

cli_end cli_parse(const cli_table *table, int argc, char **argv, void *options) {
    const cli_common *common = options;
    reading r = {.table = table, .options = options, .argc = argc, .argv = argv};
    CLI_TRY(read_line(&r));
    if (common->help) {
        if (r.help == HELP_WORDS)
            cli_help_words(table);
        else
            cli_help(table, r.help == HELP_ALL || !table->brief);
        return cli_finish_output(CLI_OK);
    }
    if (common->version) {
        printf("segment %s\n", seg_version());
        return cli_finish_output(CLI_OK);
    }
    r.dependent = 1;
    return read_line(&r);
}

const char *cli_word(const cli_common *common, int i) {
    return i < common->words.count ? common->words.at[i] : NULL;
}

cli_end cli_most_words(const cli_common *common, int most, const char *what) {
    if (common->words.count <= most)
        return CLI_GO_ON;
    return cli_refuse(CLI_USAGE, "unexpected argument '%s': %s", common->words.at[most], what);
}

cli_end cli_options_read(const cli_table *table, int argc, char **argv, void *options) {
    const cli_common *common = options;
    cli_set_defaults(table, options);
    CLI_TRY(cli_parse(table, argc, argv, options));
    if (common->words.count < table->least_words)
        return cli_refuse(CLI_USAGE, "%s", table->too_few);
    return table->too_many ? cli_most_words(common, table->most_words, table->too_many) : CLI_GO_ON;
}

cli_end cli_run(const cli_table *table, int argc, char **argv, void *options,
                cli_end (*work)(seg_context *ctx, void *options)) {
    SEG_RELEASED(cli_context_free) seg_context *ctx = cli_context_create();
    if (!ctx)
        return CLI_FAILED;
    cli_end end = cli_options_read(table, argc, argv, options);
    end = end == CLI_GO_ON ? work(ctx, options) : end;
    free(((cli_common *)options)->words.at);
    return end;
}
