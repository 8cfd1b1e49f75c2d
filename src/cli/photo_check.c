#include "photo_check.h"
#include "exit_codes.h"
#include "method_choice.h"

/* Without --method the library chooses, by whether there are constraints; parameters belong to a method that is named.
 * @return CLI_GO_ON, else how to end */
static int check_method(seg_context *ctx, cli_photo_options *options) {
    seg_options *segment = &options->segment;
    if (!options->method_name) {
        if (options->param.count > 0) {
            cli_say("--param %s needs the method whose parameter it is: --method M", options->param.at[0]);
            return CLI_USAGE;
        }
        return -1;
    }
    const seg_method *method = cli_find_method(options->method_name);
    if (!method) {
        return CLI_USAGE;
    }
    segment->method = method->name;
    segment->params_set = 1;
    int code = cli_read_params(ctx, method, options->param.at, options->param.count, &segment->params);
    if (code != -1) {
        return code;
    }
    if (method->needs & SEG_NEEDS_CONSTRAINTS && !options->scribbles && !options->constraints) {
        cli_say("method %s needs --scribbles or --constraints", method->name);
        return CLI_USAGE;
    }
    return -1;
}

/* A complete graph has no neighbours to count, and its width is the paper's: the mean distance of all pairs. */
static int check_graph(cli_photo_options *options) {
    seg_options *segment = &options->segment;
    const seg_method *method = segment->method ? seg_method_find(segment->method) : NULL;
    if (segment->graph.kind != SEG_GRAPH_FULL) {
        return -1;
    }
    if (options->knn_given) {
        cli_say("--knn and --graph full exclude each other: in a complete graph all are neighbours");
        return CLI_USAGE;
    }
    if (method && !(method->needs & SEG_NEEDS_GRAPH)) {
        cli_say("method %s makes no use of a graph; leave out --graph full", method->name);
        return CLI_USAGE;
    }
    segment->graph.sigma_scale = 1;
    return -1;
}

int cli_photo_check(seg_context *ctx, cli_photo_options *options) {
    int code = check_method(ctx, options);
    code = code == -1 ? check_graph(options) : code;
    if (code != -1) {
        return code;
    }
    seg_status status = SEG_OK;
    options->segment.probability = options->probability != NULL;
    options->segment.uncertainty = options->uncertainty != NULL;
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
