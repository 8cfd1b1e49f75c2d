/* Checks of the options of one image, and the names of its outputs. */
#include "cli/common/paths.h"
#include "cli/common/process.h"
#include "cli/segment/photo_run.h"

int cli_makes_table(const cli_photo_options *options) {
    return options->table || (options->gather && options->gather->table);
}

static cli_end check_method(const cli_photo_options *options) {
    const seg_method *method = options->segment.method ? seg_method_find(options->segment.method) : NULL;
    if (method && method->needs & SEG_NEEDS_CONSTRAINTS && !options->scribbles && !options->constraints &&
        !options->segment.box.width && !options->model && !options->start)
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

static int any_label(const uint8_t labels[32]) {
    int any = 0;
    for (int i = 0; i < 32; i++)
        any |= labels[i];
    return any;
}

static cli_end check_overlay(cli_photo_options *options) {
    const int cutout = options->overlay_style == CLI_OVERLAY_CUTOUT;
    if (cutout && !any_label(options->cutout_labels))
        return cli_refuse(CLI_USAGE, "--overlay-style cutout needs --cutout-labels LABELS, the regions to show");
    if (!cutout && any_label(options->cutout_labels))
        return cli_refuse(CLI_USAGE, "--cutout-labels needs --overlay-style cutout");
    if (options->no_overlay && cutout)
        return cli_refuse(CLI_USAGE, "--no-overlay and --overlay-style cutout exclude each other");
    options->segment.probability |= cutout;
    return CLI_GO_ON;
}

cli_end cli_list_uses(const cli_photo_options *options, cli_use **uses, size_t *count) {
    cli_use *out = calloc((size_t)(CLI_PHOTO_FILES + options->exports.count), sizeof *out);
    *uses = out;
    *count = 0;
    CLI_TRY(cli_allocated(out));
    for (int i = 0; i < CLI_PHOTO_FILES; i++) {
        const cli_photo_file *file = &cli_photo_files[i];
        const char *path = cli_photo_path(options, i);
        if (path)
            out[(*count)++] =
                (cli_use){.name = file->said, .path = path, .writes = file->endings != NULL, .endings = file->endings};
        if (path && path == options->mask && cli_masks_in_folder(options))
            out[*count - 1].folder = (out[*count - 1].endings = "", 1);
    }
    for (int i = 0; i < options->exports.count; i++) {
        const cli_export *one = &options->exports.at[i];
        const char *dot = strrchr(one->format->ending, '.'), *last = dot ? dot + 1 : one->format->ending;
        out[(*count)++] = (cli_use){.name = one->format->name,
                                    .path = one->path,
                                    .writes = 1,
                                    .folder = one->format->folder,
                                    .endings = one->format->folder            ? ""
                                               : strcmp(last, "geojson") == 0 ? "geojson,json"
                                                                              : last};
    }
    return CLI_GO_ON;
}

/* "out/m.png" gives "out/m-overlay.png", "out/coffee-mask.png" gives "out/coffee-overlay.png". NULL: no memory. */
static char *overlay_name(const char *photo, const char *mask) {
    static const char part[] = "-mask";
    SEG_FREED char *stem = cli_mask_stem(photo, mask);
    const size_t length = stem ? strlen(stem) : 0, own = sizeof part - 1;
    if (length > own && strcmp(stem + length - own, part) == 0 && stem[length - own - 1] != '/')
        stem[length - own] = 0;
    return stem ? seg_format(NULL, "%s-overlay.png", stem) : NULL;
}

static cli_end check_files(const cli_photo_options *options) {
    SEG_FREED cli_use *uses = NULL;
    size_t count;
    int to_stream = options->common.json;
    CLI_TRY(cli_list_uses(options, &uses, &count));
    for (size_t u = 0; u < count; u++)
        to_stream += uses[u].writes && cli_is_stream(uses[u].path);
    if (to_stream > 1 || (to_stream && options->truth && !options->common.json))
        return cli_refuse(
            CLI_USAGE, "only one output can be written to standard output: the mask, another output, the scores or the "
                       "JSON report");
    return cli_check_files(uses, count);
}

/* Set the default names (PHOTO-mask.png in the working folder, and the overlay beside the mask), and refuse before any
 * work what cannot be read or written together. */
static cli_end name_outputs(cli_photo_options *options) {
    if (options->no_overlay && options->overlay)
        return cli_refuse(CLI_USAGE, "--overlay and --no-overlay exclude each other");
    for (int i = 0; i < CLI_PHOTO_INPUTS && options->save_run; i++)
        if (cli_is_stream(cli_photo_path(options, i)))
            return cli_refuse(CLI_USAGE, "--save-run needs inputs that can be read again; standard input cannot");
    const int is_folder = cli_volume_is_folder(options);
    SEG_FREED char *photo =
        is_folder || options->common.files ? cli_without_slash(options->photo) : strdup(options->photo);
    if (options->mask && cli_masks_in_folder(options))
        options->mask = cli_photo_own(options, cli_without_slash(options->mask));
    const int is_stack = is_folder || (options->segment.slices > 1 && cli_is_tiff(options->photo));
    if (!options->mask)
        options->mask =
            cli_photo_own(options, photo ? cli_default_name(photo, is_stack ? "-mask.tif" : "-mask.png") : NULL);
    else if (options->gather && is_stack)
        options->mask = cli_photo_own(options, cli_stack_name(options->mask));
    options->no_overlay |= is_folder && !options->overlay; /* it would lie among the masks */
    if (options->mask && !options->overlay && !options->no_overlay)
        options->overlay = cli_photo_own(options, overlay_name(options->photo, options->mask));
    if (!options->mask || (!options->overlay && !options->no_overlay))
        return CLI_FAILED;
    CLI_TRY(cli_exports_read(&options->export_texts, options->photo, options->mask, &options->exports));
    return check_files(options);
}

cli_end cli_photo_check(seg_context *ctx, cli_photo_options *options) {
    CLI_TRY(check_method(options));
    CLI_TRY(check_names(ctx, options));
    CLI_TRY(check_graph(options));
    options->segment.probability = options->probability || cli_makes_table(options);
    options->segment.uncertainty = options->uncertainty != NULL;
    CLI_TRY(check_overlay(options));
    if (options->segment.no_unknown && !options->model)
        return cli_refuse(CLI_USAGE, "--no-unknown is for a model; give --model FILE, or leave it out");
    CLI_TRY(cli_went(ctx, seg_options_check(ctx, &options->segment), CLI_COMPUTING));
    if (!options->scribbles && !options->model && !options->start && !options->segment.box.width &&
        options->segment.k == 0)
        return cli_refuse(CLI_USAGE, "without --scribbles a box around the object or the number of regions is needed: "
                                     "--box X,Y,W,H or -k K");
    return name_outputs(options);
}
