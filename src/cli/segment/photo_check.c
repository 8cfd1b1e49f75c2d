#include "cli/segment/photo_check.h"
#include "cli/common/errors.h"
#include "cli/segment/output_names.h"
#include "cli/segment/overlay_draw.h"

static cli_end check_method(const cli_photo_options *options) {
    const seg_method *method = options->segment.method ? seg_method_find(options->segment.method) : NULL;
    if (method && method->needs & SEG_NEEDS_CONSTRAINTS && !options->scribbles && !options->constraints &&
        !options->model)
        return cli_refuse(CLI_USAGE, "method %s needs --scribbles or --constraints", method->name);
    return CLI_GO_ON;
}

/* A complete graph has no neighbours to count, and its width is the paper's: the mean distance of all pairs. */
static cli_end check_graph(cli_photo_options *options) {
    seg_options *segment = &options->segment;
    const seg_method *method = segment->method ? seg_method_find(segment->method) : NULL;
    if (segment->graph.kind != SEG_GRAPH_FULL)
        return CLI_GO_ON;
    if (cli_given(&cli_photo_table, options, "knn"))
        return cli_refuse(CLI_USAGE,
                          "--knn and --graph full exclude each other: in a complete graph all are neighbours");
    if (method && !(method->needs & SEG_NEEDS_GRAPH))
        return cli_refuse(CLI_USAGE, "method %s does not use a graph; leave out --graph full", method->name);
    segment->graph.sigma_scale = 1;
    return CLI_GO_ON;
}

static cli_end check_names(seg_context *ctx, const cli_photo_options *options) {
    static const seg_labelmap none;
    seg_labelmap map = none;
    const seg_status status = options->names ? seg_labelmap_set_names(ctx, options->names, &map) : SEG_OK;
    if (status == SEG_OK)
        return CLI_GO_ON;
    cli_say("%s%s", status == SEG_ERR_USAGE ? "--" : "", seg_context_message(ctx)); /* it begins with the field */
    return cli_exit_code(status, CLI_COMPUTING);
}

cli_end cli_photo_check(seg_context *ctx, cli_photo_options *options) {
    cli_end end = check_method(options);
    end = end == CLI_GO_ON ? check_names(ctx, options) : end;
    end = end == CLI_GO_ON ? check_graph(options) : end;
    if (end != CLI_GO_ON)
        return end;
    options->segment.probability = options->probability || options->table || cli_combined_has_table(options->gather);
    options->segment.uncertainty = options->uncertainty != NULL;
    end = cli_overlay_check(options);
    if (end != CLI_GO_ON)
        return end;
    const seg_status status = seg_options_check(ctx, &options->segment);
    if (status != SEG_OK)
        return cli_fail(ctx, status, CLI_COMPUTING);
    if (!options->scribbles && !options->model && options->segment.k == 0)
        return cli_refuse(CLI_USAGE, "without --scribbles the number of regions is needed: -k K");
    return cli_output_names(options);
}
