/* Which values an option takes: the names its parser compares with, or the files that its value's name in the help
 * stands for. */
#include "cluster_options.h"
#include "completion.h"
#include "eval_options.h"
#include "evaluation/experiment.h"
#include "evaluation/photo_set.h"
#include "fields.h"
#include "photo_options.h"
#include "query_options.h"

#include <stdio.h>
#include <string.h>

static const char pictures[] = "png jpg jpeg tif tiff bmp", tables[] = "csv tsv txt data npy gz";
static const char both[] = "csv tsv txt data npy gz png jpg jpeg tif tiff bmp";

static void add(cli_values *out, const char *word) {
    for (int i = 0; i < out->words; i++) {
        if (strcmp(out->word[i], word) == 0) {
            return;
        }
    }
    if (out->words < CLI_MOST_WORDS) {
        out->word[out->words++] = word;
    }
}

static void add_names(cli_values *out, const char *const *names) {
    while (*names) {
        add(out, *names++);
    }
}

static void methods(cli_values *out) {
    for (int i = 0; i < seg_method_count(); i++) {
        add(out, seg_method_at(i)->name);
    }
}

static void parameters(cli_values *out) {
    for (int i = 0; i < seg_method_count(); i++) {
        for (int p = 0; p < seg_method_at(i)->param_count; p++) {
            add(out, seg_method_at(i)->param[p].name);
        }
    }
}

static void features(cli_values *out) {
    for (int kind = 0; kind < SEG_FEATURE_KINDS; kind++) {
        add(out, seg_feature_name((seg_feature_kind)kind));
    }
}

static void exports(cli_values *out) {
    for (int i = 0; i < SEG_EXPORT_FORMATS; i++) {
        add(out, seg_export_format_at(i)->name);
    }
}

static void layouts(cli_values *out) {
    add(out, "auto");
    for (int i = 0; seg_photo_form_at(i); i++) {
        add(out, seg_photo_form_at(i)->name);
    }
}

static void experiments(cli_values *out) {
    add(out, "list");
    for (int i = 0; seg_protocol_at(i); i++) {
        add(out, seg_protocol_at(i)->name);
    }
}

static void commands(cli_values *out) {
    for (int i = 1; cli_command_at(i); i++) {
        add(out, cli_command_at(i)->name);
    }
}

static const char *const local[] = {"local", NULL};
static const char *const full[] = {"full", NULL};
static const char *const shells[] = {"bash", "zsh", "fish", NULL};

/* The first row that fits counts. */
static const struct source {
    const char *option, *arg; /* NULL: any */
    const char *const *names;
    void (*more)(cli_values *out);
    int list;
    const char *tail, *files;
} sources[] = {
    {"method", NULL, NULL, methods, 0, "", NULL},
    {"methods", NULL, NULL, methods, 1, "", NULL},
    {"param", NULL, NULL, parameters, 0, "=", NULL},
    {"features", NULL, NULL, features, 1, "", NULL},
    {"export", NULL, NULL, exports, 0, "", NULL},
    {"dataset", NULL, NULL, layouts, 0, "", NULL},
    {"graph", "EDGES", full, NULL, 0, "", "*"},
    {"graph", NULL, cli_graph_names, NULL, 0, "", NULL},
    {"edges", NULL, cli_edges_names, NULL, 0, "", NULL},
    {"sigma", NULL, local, NULL, 0, "", NULL},
    {"contradictions", NULL, cli_contradictions_names, NULL, 0, "", NULL},
    {"refine", NULL, cli_refine_names, NULL, 0, "", NULL},
    {"progress", NULL, cli_progress_names, NULL, 0, "", NULL},
    {"void", NULL, cli_void_names, NULL, 0, "", NULL},
    {"active", NULL, cli_active_names, NULL, 0, "", NULL},
    {"strategy", NULL, cli_active_names, NULL, 0, "", NULL},
    {"kernel", NULL, NULL, NULL, 0, "", "csv npy gz"},
    {NULL, "SCRIBBLES", NULL, NULL, 0, "", pictures},
    {NULL, "MASK", NULL, NULL, 0, "", pictures},
    {NULL, "FILE.npy", NULL, NULL, 0, "", "npy"},
    {NULL, "FILE.png", NULL, NULL, 0, "", "png"},
    {NULL, "FILE.json", NULL, NULL, 0, "", "json"},
    {NULL, "FILE", NULL, NULL, 0, "", "*"},
    {NULL, "OUT", NULL, NULL, 0, "", "*"},
    {NULL, "PATH", NULL, NULL, 0, "", "*"},
    {NULL, "FOLDER", NULL, NULL, 0, "", "/"},
    {NULL, "DIR", NULL, NULL, 0, "", "/"},
};

void cli_values_of_option(const cli_command *command, const struct argp_option *row, cli_values *out) {
    memset(out, 0, sizeof *out);
    out->tail = "";
    if (strcmp(row->name, "labels") == 0) { /* in a file too, but where a person answers */
        add_names(out, cli_label_columns);
        out->files = command->run == cli_run_query ? NULL : "*";
        return;
    }
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        const struct source *source = &sources[i];
        if ((source->option && strcmp(source->option, row->name) != 0) ||
            (source->arg && strcmp(source->arg, row->arg) != 0)) {
            continue;
        }
        if (source->names) {
            add_names(out, source->names);
        }
        if (source->more) {
            source->more(out);
        }
        out->list = source->list;
        out->tail = source->tail;
        out->files = source->files;
        return;
    }
}

void cli_values_of_operand(const cli_command *command, cli_values *out) {
    memset(out, 0, sizeof *out);
    out->tail = "";
    switch (command->operand) {
    case CLI_OPERAND_PICTURES:
        out->files = pictures;
        break;
    case CLI_OPERAND_TABLE:
        out->files = tables;
        break;
    case CLI_OPERAND_TABLE_OR_PICTURE:
        out->files = both;
        break;
    case CLI_OPERAND_FOLDER:
        out->files = "/";
        break;
    case CLI_OPERAND_RECORD:
        out->files = "json";
        break;
    case CLI_OPERAND_EXPERIMENT:
        experiments(out);
        break;
    case CLI_OPERAND_SHELL:
        add_names(out, shells);
        break;
    case CLI_OPERAND_COMMAND:
        commands(out);
        break;
    case CLI_OPERAND_NONE:
        break;
    }
}

const char *cli_summary(const char *doc, char text[CLI_SUMMARY]) {
    size_t length = strcspn(doc, ";\n\v");
    for (const char *end = doc; end < doc + length; end++) {
        if (strchr(".:", end[0]) && end[1] == ' ') {
            length = (size_t)(end - doc);
        }
    }
    if (length >= CLI_SUMMARY) {
        length = CLI_SUMMARY - 1;
        while (length > 0 && doc[length] != ' ') {
            length--;
        }
    }
    while (length > 0 && strchr(" .,", doc[length - 1])) {
        length--;
    }
    snprintf(text, CLI_SUMMARY, "%.*s", (int)length, doc);
    return text;
}

void cli_print_words(const cli_values *values, const char *between) {
    for (int i = 0; i < values->words; i++) {
        printf("%s%s%s", i ? between : "", values->word[i], values->tail);
    }
}
