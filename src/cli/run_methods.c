/* segment methods */
#include "arguments.h"
#include "commands.h"
#include "fail.h"
#include "json_out.h"

#include <stdio.h>
#include <stdlib.h>

static const seg_option rows[] = {
    {.name = "json", .help = "Print the list as JSON"}, {.name = "help"}, {.name = "version"}, {0}};

const cli_table cli_methods_table = {
    .command = "segment methods",
    .usage = "",
    .about = "List the methods with the paper each comes from and its parameters.",
    .more = "A parameter is set with segment PHOTO --method NAME --param PARAMETER=VALUE.",
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

static void print_method(const seg_method *method) {
    printf("%s: %s\n  [%s]\n", method->name, method->title, method->source);
    if (method->needs & SEG_NEEDS_CONSTRAINTS)
        printf("  needs scribbles or constraints\n");
    for (int i = 0; i < method->param_count; i++)
        print_param(&method->param[i]);
}

static json_t *param_json(const seg_param *param) {
    json_t *choices = NULL;
    if (param->choice) {
        choices = json_array();
        for (int i = 0; param->choice[i]; i++)
            json_array_append_new(choices, json_string(param->choice[i]));
    }
    return json_pack("{s:s, s:o, s:o, s:o, s:b, s:o, s:s}", "name", param->name, "default",
                     cli_json_param(param, param->initial), "low", param->choice ? json_null() : json_real(param->low),
                     "high", param->choice ? json_null() : json_real(param->high), "whole", param->whole, "choices",
                     choices ? choices : json_null(), "help", param->help);
}

static json_t *method_json(const seg_method *method) {
    json_t *params = json_array();
    for (int i = 0; i < method->param_count; i++)
        json_array_append_new(params, param_json(&method->param[i]));
    return json_pack("{s:s, s:s, s:s, s:b, s:b, s:b, s:o}", "name", method->name, "title", method->title, "source",
                     method->source, "needs_graph", (method->needs & SEG_NEEDS_GRAPH) != 0, "needs_constraints",
                     (method->needs & SEG_NEEDS_CONSTRAINTS) != 0, "needs_features",
                     (method->needs & SEG_NEEDS_FEATURES) != 0, "parameters", params);
}

cli_end cli_run_methods(int argc, char **argv) {
    cli_common options = {.json = 0};
    cli_end end = cli_parse(&cli_methods_table, argc, argv, &options);
    end = end == CLI_GO_ON ? cli_most_words(&options, 0, "methods takes none") : end;
    free(options.words.at);
    if (end != CLI_GO_ON)
        return end;
    json_t *list = options.json ? json_array() : NULL;
    for (int i = 0; i < seg_method_count(); i++) {
        const seg_method *method = seg_method_at(i);
        if (options.json) {
            json_array_append_new(list, method_json(method));
        } else {
            printf("%s", i ? "\n" : "");
            print_method(method);
        }
    }
    return options.json ? cli_json_print(list) : cli_finish_output(CLI_OK);
}
