/* segment methods */
#include "cli/common/arguments.h"
#include "cli/common/commands.h"
#include "cli/common/process.h"
#include "cli/common/report_parts.h"

static const seg_option rows[] = {{.name = "json", .help = "Print the list as JSON"}, CLI_LAST_ROWS};

const cli_table cli_methods_table = {
    .command = "segment methods",
    .usage = "",
    .too_many = "methods takes none",
    .about = "List the methods, each with its paper, its variants and its parameters.",
    .more = "Set a parameter with segment PHOTO --method NAME --param PARAMETER=VALUE.",
    .rows = rows,
};

static void print_param(const seg_param *param) {
    if (param->choice) {
        printf("  %s = %s (", param->name, param->choice[(int)param->initial]);
        for (int i = 0; param->choice[i]; i++)
            printf("%s%s", i ? ", " : "", param->choice[i]);
    } else {
        printf("  %s = %g (%s%g to %g", param->name, param->initial, param->whole ? "whole, " : "", param->low,
               param->high);
    }
    printf(")\n      %s\n", param->help);
}

/* The graph of vectors in the variant paper. */
static const char *graph_words(seg_paper_graph graph) {
    return graph == SEG_PAPER_GRAPH_KNN    ? "; graph: 20 nearest neighbours, width the mean distance to the 20th"
           : graph == SEG_PAPER_GRAPH_FULL ? "; graph: all pairs, width their mean distance"
                                           : "";
}

static void print_method(const seg_method *method) {
    printf("%s: %s\n  [%s]\n", method->name, method->title, method->source);
    if (method->needs & SEG_NEEDS_CONSTRAINTS)
        printf("  needs scribbles or constraints\n");
    if (method->paper) {
        printf("  variant paper:%s", method->paper[0] ? "" : " the same");
        for (int i = 0; method->paper[i]; i++)
            printf(" %s", method->paper[i]);
        printf("%s\n", graph_words(method->graph));
    }
    if (method->improved)
        printf("  variant improved, the default: %s\n", method->improved);
    for (int i = 0; i < method->param_count; i++)
        print_param(&method->param[i]);
}

static cli_end work(SEG_UNUSED seg_context *ctx, void *user) {
    const cli_common *options = user;
    json_t *list = options->json ? json_array() : NULL;
    for (int i = 0; seg_method_at(i); i++) {
        const seg_method *method = seg_method_at(i);
        if (options->json) {
            json_array_append_new(list, cli_json_method(method));
        } else {
            printf("%s", i ? "\n" : "");
            print_method(method);
        }
    }
    return options->json ? cli_json_print(stdout, list) : cli_finish_output(CLI_OK);
}

CLI_COMMAND_RUNS(methods, cli_common, .json = 0, work)
