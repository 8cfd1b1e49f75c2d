#include "photo_check.h"
#include "exit_codes.h"
#include "suggest.h"

/* The method of that name; says what is wrong where there is none, and returns NULL. */
static const seg_method *find_method(const char *name) {
    const seg_method *method = seg_method_find(name);
    if (!method) {
        const char *nearest = NULL;
        int distance = 0;
        for (int i = 0; i < seg_method_count(); i++) {
            cli_suggest(name, seg_method_at(i)->name, &nearest, &distance);
        }
        cli_say("unknown method '%s'; %s%s%s'segment methods' lists them", name, nearest ? "did you mean '" : "",
                nearest ? nearest : "", nearest ? "'? " : "");
    }
    return method;
}

/* Without --method the library chooses, by whether there are constraints; parameters belong to a method that is named.
 * @return -1 to go on, else the exit code */
static int check_method(seg_context *ctx, cli_photo_options *options) {
    seg_options *segment = &options->segment;
    if (!options->method_name) {
        if (options->params > 0) {
            cli_say("--param %s needs the method whose parameter it is: --method M", options->param[0]);
            return CLI_USAGE;
        }
        return -1;
    }
    const seg_method *method = find_method(options->method_name);
    if (!method) {
        return CLI_USAGE;
    }
    segment->method = method->name;
    segment->params_set = 1;
    seg_params_default(method, &segment->params);
    for (int i = 0; i < options->params; i++) {
        seg_status status = seg_params_set(ctx, method, options->param[i], &segment->params);
        if (status != SEG_OK) {
            return cli_fail(ctx, status, CLI_COMPUTING);
        }
    }
    if (method->needs & SEG_NEEDS_CONSTRAINTS && !options->scribbles && !options->constraints) {
        cli_say("method %s needs --scribbles or --constraints", method->name);
        return CLI_USAGE;
    }
    return -1;
}

int cli_photo_check(seg_context *ctx, cli_photo_options *options) {
    int code = check_method(ctx, options);
    if (code != -1) {
        return code;
    }
    seg_status status = SEG_OK;
    if (options->features) {
        status = seg_feature_spec_parse(ctx, options->features, &options->segment.features);
    }
    if (status == SEG_OK) {
        status = seg_options_check(ctx, &options->segment);
    }
    if (status != SEG_OK) {
        return cli_fail(ctx, status, CLI_COMPUTING);
    }
    if (!options->scribbles && options->segment.k == 0) {
        cli_say("without --scribbles the number of regions is needed: -k K");
        return CLI_USAGE;
    }
    return -1;
}
