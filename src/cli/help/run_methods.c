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

static json_t *texts_json(const char *const *text) {
    json_t *list = text ? json_array() : json_null();
    for (int i = 0; text && text[i]; i++)
        json_array_append_new(list, json_string(text[i]));
    return list;
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

static json_t *param_json(const seg_param *param) {
    return json_pack("{s:s, s:o, s:o, s:o, s:b, s:o, s:s}", "name", param->name, "default",
                     cli_json_param(param, param->initial), "low", param->choice ? json_null() : json_real(param->low),
                     "high", param->choice ? json_null() : json_real(param->high), "whole", param->whole, "choices",
                     texts_json(param->choice), "help", param->help);
}

static json_t *method_json(const seg_method *method) {
    json_t *params = json_array();
    for (int i = 0; i < method->param_count; i++)
        json_array_append_new(params, param_json(&method->param[i]));
    return json_pack("{s:s, s:s, s:s, s:b, s:b, s:b, s:o, s:o, s:o}", "name", method->name, "title", method->title,
                     "source", method->source, "needs_graph", (method->needs & SEG_NEEDS_GRAPH) != 0,
                     "needs_constraints", (method->needs & SEG_NEEDS_CONSTRAINTS) != 0, "needs_features",
                     (method->needs & SEG_NEEDS_FEATURES) != 0, "paper", texts_json(method->paper), "improved",
                     method->improved ? json_string(method->improved) : json_null(), "parameters", params);
}

static cli_end work(SEG_UNUSED seg_context *ctx, void *user) {
    const cli_common *options = user;
    json_t *list = options->json ? json_array() : NULL;
    for (int i = 0; seg_method_at(i); i++) {
        const seg_method *method = seg_method_at(i);
        if (options->json) {
            json_array_append_new(list, method_json(method));
        } else {
            printf("%s", i ? "\n" : "");
            print_method(method);
        }
    }
    return options->json ? cli_json_print(stdout, list) : cli_finish_output(CLI_OK);
}

cli_end cli_run_methods(int argc, char **argv) {
    cli_common options = {.json = 0};
    return cli_run(&cli_methods_table, argc, argv, &options, work);
}
