/* segment completion SHELL: a script that calls `segment completion offers -- WORD...` for completions of the last
 * word, so that the script does not depend on the tables. */
#include "cli/common/commands.h"
#include "cli/common/process.h"
#include "cli/query/query.h"
#include "evaluation/experiments/experiment.h"
#include "evaluation/sets/photo_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const seg_option rows[] = {{.name = "help"}, {.name = "version"}, {0}};

const cli_table cli_completion_table = {
    .command = "segment completion",
    .usage = "bash|zsh|fish",
    .least_words = 1,
    .too_few = "completion needs a shell: segment completion bash, zsh or fish",
    .about = "Print the script that makes a shell complete commands, options and values.",
    .more = "The scripts are installed together with segment. If it is not installed: source <(segment completion "
            "bash), or segment completion fish | source. See also the manual page segment-completion(1).",
    .rows = rows,
};

/* The scripts of completion/, ended by 0 (scripts/cmake/EmbedText.cmake). */
extern const char cli_completion_bash[], cli_completion_zsh[], cli_completion_fish[];

static const struct shell {
    const char *name, *script;
} shells[] = {{"bash", cli_completion_bash}, {"zsh", cli_completion_zsh}, {"fish", cli_completion_fish}, {0}};

/* Endings of files with commas between them; "*" any file, "/" folders. */
#define PICTURES SEG_IMAGE_FORMAT_ENDINGS
#define TABLES   "csv,tsv,txt,data,npy,gz"

/* Completions: the part of the word that stays, files, and words. The first two are printed first, so words are
 * collected. */
typedef struct offers {
    const char *files;
    FILE *words; /* lines "WORD" or "WORD tab DESCRIPTION" */
} offers;

/* Print a word and its description up to a colon, a semicolon or a full stop. */
static void offer(offers *o, const char *word, const char *about) {
    size_t length = about ? strcspn(about, ":;\n") : 0;
    for (size_t i = 0; i + 1 < length; i++)
        length = about[i] == '.' && about[i + 1] == ' ' ? i : length;
    fprintf(o->words, "%s%s%.*s\n", word, length ? "\t" : "", (int)length, about ? about : "");
}

static void offer_parameters(offers *o) {
    char word[64];
    for (int m = 0; seg_method_at(m); m++)
        for (int p = 0; p < seg_method_at(m)->param_count; p++) {
            snprintf(word, sizeof word, "%s=", seg_method_at(m)->param[p].name);
            offer(o, word, NULL);
        }
}

static void offer_methods(offers *o) {
    for (int i = 0; seg_method_at(i); i++)
        offer(o, seg_method_at(i)->name, NULL);
}

static void offer_layouts(offers *o) {
    offer(o, "auto", NULL);
    for (int i = 0; seg_photo_form_at(i); i++)
        offer(o, seg_photo_form_at(i)->name, NULL);
}

static void offer_formats(offers *o) {
    for (int i = 0; seg_export_format_at(i); i++)
        offer(o, seg_export_format_at(i)->name, NULL);
}

/* The kind of files by the placeholder of the value in the help. */
static const char *files_of(const seg_option *row) {
    static const struct {
        const char *value, *files;
    } kinds[] = {
        {"SCRIBBLES", PICTURES}, {"MASK", PICTURES}, {"FILE.npy", "npy"}, {"FILE.png", "png"}, {"FILE.json", "json"},
        {"FILE", "*"},           {"OUT", "*"},       {"PATH", "*"},       {"EDGES", "*"},      {"WHERE", "*"},
        {"K", "csv,npy,gz"},     {"FOLDER", "/"},    {"DIR", "/"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && row->type == SEG_OPTION_TEXT; i++)
        if (strcmp(row->value, kinds[i].value) == 0)
            return kinds[i].files;
    return row->type == SEG_OPTION_TEXTS && strcmp(row->value, "PATH") == 0 ? "*" : NULL;
}

/* Values of an option. @return length of the typed part that stays: up to a comma or an equals sign */
static size_t offer_values(offers *o, const seg_option *row, const char *typed) {
    const int is_export = row->type == SEG_OPTION_TEXTS && strncmp(row->value, "KIND", 4) == 0;
    const char *comma = strrchr(typed, ','), *equals = strchr(typed, '=');
    if (is_export && equals) { /* KIND=FILE */
        o->files = "*";
        return (size_t)(equals + 1 - typed);
    }
    o->files = files_of(row);
    for (int i = 0; row->choices && row->choices[i]; i++)
        offer(o, row->choices[i], NULL);
    if (is_export)
        offer_formats(o);
    if (row->type == SEG_OPTION_PARAM)
        offer_parameters(o);
    if (row->type == SEG_OPTION_WIDTHS)
        offer(o, "local", NULL);
    if (row->type == SEG_OPTION_METHOD || strcmp(row->name, "methods") == 0)
        offer_methods(o);
    if (strcmp(row->name, "dataset") == 0)
        offer_layouts(o);
    for (int i = 0; row->type == SEG_OPTION_TEXT && strcmp(row->name, "labels") == 0 && cli_label_columns[i]; i++)
        offer(o, cli_label_columns[i], NULL);
    if (strcmp(row->value, "EDGES") == 0)
        offer(o, "full", NULL);
    return comma && (row->type == SEG_OPTION_FEATURES || strcmp(row->name, "methods") == 0)
               ? (size_t)(comma + 1 - typed)
               : 0;
}

static void offer_commands(offers *o) {
    for (int i = 1; cli_command_at(i); i++)
        offer(o, cli_command_at(i)->name, cli_command_at(i)->table->about);
}

static void offer_operand(offers *o, cli_operand operand) {
    static const char *const files[] = {[CLI_OPERAND_PICTURES] = PICTURES,
                                        [CLI_OPERAND_TABLE] = TABLES,
                                        [CLI_OPERAND_TABLE_OR_PICTURE] = TABLES "," PICTURES,
                                        [CLI_OPERAND_FOLDER] = "/",
                                        [CLI_OPERAND_RECORD] = "json",
                                        [CLI_OPERAND_MODEL] = "model," PICTURES,
                                        [CLI_OPERAND_COMMAND] = NULL};
    o->files = files[operand];
    if (operand == CLI_OPERAND_COMMAND)
        offer_commands(o);
    for (int i = 0; operand == CLI_OPERAND_SHELL && shells[i].name; i++)
        offer(o, shells[i].name, NULL);
    if (operand == CLI_OPERAND_EXPERIMENT)
        offer(o, "list", "List the experiments");
    for (int i = 0; operand == CLI_OPERAND_EXPERIMENT && seg_protocol_at(i); i++)
        offer(o, seg_protocol_at(i)->name, NULL);
}

static void offer_options(offers *o, const cli_table *table) {
    char word[64];
    seg_option row;
    for (cli_walk walk = {0}; cli_next_option(table, &walk, &row);) {
        if (row.traits & SEG_OPTION_HIDDEN)
            continue;
        snprintf(word, sizeof word, "--%s", row.name);
        offer(o, word, row.help);
        snprintf(word, sizeof word, "-%c", row.letter);
        if (row.letter)
            offer(o, word, row.help);
    }
}

/* The option that takes the value that begins with the last word: --name=..., or the word before it. */
static int awaits_value(const cli_table *table, const char *before, const char *last, seg_option *out) {
    const char *equals = strncmp(last, "--", 2) == 0 ? strchr(last, '=') : NULL;
    const char *word = equals ? last : before;
    const size_t length = equals ? (size_t)(equals - last) : strlen(before);
    for (cli_walk walk = {0}; word[0] == '-' && word[1] && cli_next_option(table, &walk, out);)
        if (out->value &&
            ((word[1] == '-' && strlen(out->name) == length - 2 && strncmp(out->name, word + 2, length - 2) == 0) ||
             (word[1] == out->letter && length == 2)))
            return 1;
    return 0;
}

/* Print the completions of the last word. */
static cli_end print_offers(const seg_texts *words) {
    const int count = words->count - 1;
    const char *const *word = words->at + 1, *last = count ? word[count - 1] : "";
    const cli_command *command = count > 1 ? cli_command_find(word[0]) : NULL;
    const cli_table *table = (command ? command : cli_command_at(0))->table;
    char *text = NULL;
    size_t size = 0, kept = 0;
    int ended = 0;
    offers o = {.words = open_memstream(&text, &size)};
    seg_option row;
    if (!o.words)
        return cli_out_of_memory();
    for (int i = 0; i < count - 1; i++)
        ended |= strcmp(word[i], "--") == 0; /* only operands follow */
    if (!ended && awaits_value(table, count > 1 ? word[count - 2] : "", last, &row)) {
        const char *typed = strncmp(last, "--", 2) == 0 && strchr(last, '=') ? strchr(last, '=') + 1 : last;
        kept = (size_t)(typed - last) + offer_values(&o, &row, typed);
    } else if (!ended && last[0] == '-') {
        offer_options(&o, table);
    } else {
        offer_operand(&o, command ? command->operand : cli_command_at(0)->operand);
        if (count == 1)
            offer_commands(&o);
    }
    fclose(o.words);
    printf("%.*s\n", (int)kept, last);
    for (const char *c = o.files ? o.files : ""; *c; c++) /* the shells want blanks */
        putchar(*c == ',' ? ' ' : *c);
    printf("\n%s", text);
    free(text);
    return cli_finish_output(CLI_OK);
}

static cli_end print(seg_context *ctx, void *user) {
    const seg_texts *words = &((const cli_common *)user)->words;
    (void)ctx;
    const char *shell = words->at[0];
    if (strcmp(shell, "offers") == 0)
        return print_offers(words);
    if (words->count > 1)
        return cli_refuse(CLI_USAGE, "unexpected argument '%s': completion takes one shell", words->at[1]);
    for (int i = 0; shells[i].name; i++)
        if (strcasecmp(shell, shells[i].name) == 0) {
            fputs(shells[i].script, stdout);
            return cli_finish_output(CLI_OK);
        }
    return cli_refuse(CLI_USAGE, "completion takes bash, zsh or fish, not '%s'", shell);
}

cli_end cli_run_completion(int argc, char **argv) {
    cli_common options = {.help = 0};
    return cli_run(&cli_completion_table, argc, argv, &options, print);
}
