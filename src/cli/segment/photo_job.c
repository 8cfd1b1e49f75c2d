#include "base/base.h"
#include "cli/common/paths.h"
#include "cli/common/process.h"
#include "cli/common/report_parts.h"
#include "cli/segment/photo_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Whether lines for a table are made, the image's own or that of a batch. */
static int makes_table(const cli_photo_options *options) {
    return options->table || (options->gather && options->gather->table);
}

/* --- Checks of the options. --- */

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
    if (!out)
        return cli_out_of_memory();
    for (int i = 0; i < CLI_PHOTO_FILES; i++) {
        const cli_photo_file *file = &cli_photo_files[i];
        const char *path = cli_photo_path(options, i);
        if (path)
            out[(*count)++] =
                (cli_use){.name = file->said, .path = path, .writes = file->endings != NULL, .endings = file->endings};
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

/* "out/m.png" gives "out/m-overlay.png", "out/coffee-mask.png" gives "out/coffee-overlay.png". NULL if out of memory.
 */
static char *overlay_name(const char *photo, const char *mask) {
    static const char part[] = "-mask";
    char *stem = cli_mask_stem(photo, mask), *name = NULL;
    const size_t length = stem ? strlen(stem) : 0, own = sizeof part - 1;
    if (length > own && strcmp(stem + length - own, part) == 0 && stem[length - own - 1] != '/')
        stem[length - own] = 0;
    const int made = stem ? asprintf(&name, "%s-overlay.png", stem) : -1;
    free(stem);
    return made < 0 ? NULL : name;
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
    if (!options->mask)
        options->mask = cli_photo_own(options, cli_default_name(options->photo, "-mask.png"));
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
    options->segment.probability = options->probability || makes_table(options);
    options->segment.uncertainty = options->uncertainty != NULL;
    CLI_TRY(check_overlay(options));
    CLI_TRY(cli_went(ctx, seg_options_check(ctx, &options->segment), CLI_COMPUTING));
    if (!options->scribbles && !options->model && !options->start && !options->segment.box.width &&
        options->segment.k == 0)
        return cli_refuse(CLI_USAGE, "without --scribbles a box around the object or the number of regions is needed: "
                                     "--box X,Y,W,H or -k K");
    return name_outputs(options);
}

/* Warn of requested labels without pixels; do not refuse them, since one of several images may lack a region. */
static void warn_of_missing(const cli_photo_options *options, const seg_mask *mask) {
    int there[256] = {0}, left = 0, missing = 0;
    for (size_t p = 0; p < (size_t)mask->width * (size_t)mask->height; p++)
        there[mask->label[p]] = 1;
    for (int l = 1; l <= SEG_MAX_LABELS; l++)
        if (options->cutout_labels[l / 8] >> l % 8 & 1) {
            left |= there[l];
            missing = missing || there[l] ? missing : l;
        }
    if (!left)
        cli_say("warning: no pixel has a label of --cutout-labels: the cut-out is empty");
    else if (missing && options->cutout_labels[31] >> 6 == 0) /* not of all labels */
        cli_say("warning: no pixel has label %d of --cutout-labels", missing);
}

static seg_status cut_out(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run) {
    const seg_result *result = run->result;
    const seg_region_scores scores = {result->probability, result->column_label, result->k};
    const size_t pixels = (size_t)result->mask.width * (size_t)result->mask.height;
    if (!options->common.quiet)
        warn_of_missing(options, &result->mask);
    run->alpha = malloc(pixels);
    return run->alpha ? seg_cutout_alpha(ctx, &result->mask, &scores, options->cutout_labels, run->alpha)
                      : SEG_ERR_MEMORY;
}

/* Draw the overlay over the samples of the image; a cut-out keeps the samples and adds an opacity. */
static seg_status draw_overlay(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run) {
    seg_overlay_style style = options->style;
    if (options->overlay_style == CLI_OVERLAY_CUTOUT)
        return cut_out(ctx, options, run);
    style.alpha = options->overlay_style == CLI_OVERLAY_OUTLINE ? 0 : style.alpha;
    style.outline = options->overlay_style == CLI_OVERLAY_TINT ? 0 : style.outline;
    return seg_overlay_draw(ctx, &run->photo, &run->result->mask, &style, &run->photo);
}

/* --- Images that are read tile by tile. --- */

#define LARGEST_FILE ((size_t)1 << 30) /* bytes that are read as a whole */
#define REST         ((size_t)64000000) /* bytes that a run needs besides file, image, scribbles and mask, approximately */

/* Whether a mask of this name is written as TIFF. */
static int is_tiff(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && (strcasecmp(dot, ".tif") == 0 || strcasecmp(dot, ".tiff") == 0);
}

/* Whether an image is read tile by tile: on request, or if it is a TIFF file that is too large to be read as a whole.
 */
static int tiled_wanted(seg_context *ctx, const cli_photo_options *options) {
    seg_image_header header;
    if (options->tiled || strcmp(options->photo, "-") == 0 || options->gather)
        return options->tiled;
    if (seg_image_header_read(ctx, options->photo, 1, &header) != SEG_OK)
        return 0; /* the reader of the image reports why, or reads it as a whole */
    const size_t pixels = (size_t)header.width * (size_t)header.height, sample = header.depth == 16 ? 2 : 1;
    const size_t whole = header.file_bytes + pixels * (3 * sample + 2) + REST, limit = options->common.max_memory;
    return header.width > SEG_MAX_SIDE || header.height > SEG_MAX_SIDE || pixels > SEG_MAX_PIXELS ||
           header.file_bytes > LARGEST_FILE || (header.tiled && limit && whole > limit);
}

/* Refuse options that are impossible with tiles, and set the default name of the mask. @return CLI_GO_ON, or the exit
 * code */
static cli_end check_tiled(cli_photo_options *options) {
    static const char *const others[] = {"constraints", "model",  "patch",      "reduce",       "prob",
                                         "uncertainty", "export", "table",      "truth",        "save-run",
                                         "start",       "json",   "no-unknown", "cutout-labels"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (cli_given(&cli_photo_table, options, others[i]))
            return cli_refuse(CLI_USAGE,
                              "--%s cannot be used for an image that is read tile by tile ('%s'%s); leave it out, or "
                              "segment a smaller image",
                              others[i], options->photo,
                              options->tiled ? "" : ", which is too large to be read as a whole");
    if (strcmp(options->photo, "-") == 0)
        return cli_refuse(CLI_USAGE, "--tiled needs a file: standard input cannot be read twice");
    if (!options->mask)
        options->mask = cli_photo_own(options, cli_default_name(options->photo, "-mask.tif"));
    if (!options->mask)
        return CLI_FAILED;
    if (!is_tiff(options->mask))
        return cli_refuse(
            CLI_USAGE,
            "the mask of an image that is read tile by tile is a TIFF file; give a name like -o mask.tif, not '%s'",
            options->mask);
    return CLI_GO_ON;
}

/* All reading is done before the mask is complete. */
static cli_phase phase_of(const seg_context *ctx, seg_status status) {
    seg_context_info info;
    if (status != SEG_ERR_IO)
        return CLI_COMPUTING;
    seg_context_about(ctx, &info);
    return info.stages && strcmp(info.stage[info.stages - 1].name, "writing") == 0 ? CLI_WRITING : CLI_READING;
}

/* Segment, write and report. @return the exit code */
static cli_end run_tiled(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run) {
    run->started = seg_now();
    if (options->labelmap)
        CLI_TRY(cli_went(ctx, seg_labelmap_read(ctx, options->labelmap, &run->labelmap), CLI_READING));
    const seg_tiled_job job = {.image = options->photo,
                               .scribbles = options->scribbles,
                               .map = options->labelmap ? &run->labelmap : NULL,
                               .options = &options->segment,
                               .mask = options->mask};
    cli_catch_signals();
    const seg_status status = seg_segment_tiled(ctx, &job, &run->photo, &run->result);
    cli_bar_clear();
    CLI_TRY(cli_went(ctx, status, phase_of(ctx, status)));
    if (options->names)
        CLI_TRY(cli_went(ctx, seg_labelmap_set_names(ctx, options->names, &run->labelmap), CLI_WRITING));
    if (options->overlay) {
        CLI_TRY(cli_went(ctx, draw_overlay(ctx, options, run), CLI_WRITING));
        CLI_TRY(cli_went(ctx, seg_image_write_png(ctx, options->overlay, &run->photo, NULL), CLI_WRITING));
    }
    run->seconds = seg_now() - run->started;
    cli_tiled_report(options, run);
    return CLI_OK;
}

/* --- The run. --- */

/* The scribbles are not known yet: this plan assumes the smallest number of labels; the plan of the library uses the
 * real one. */
enum { LEAST_LABELS = 2, LEAST_LIMIT = 32000000 };

/* Tracing outlines (masks/exports/outlines.c) takes five bytes per pixel; rings, texts and JSON follow the borders'
 * length. */
enum { OUTLINE_BYTES = 5, TEXT_BYTES = 16 << 20 };

static int is_file(const char *path) {
    return path && strcmp(path, "-") != 0;
}

/* With --max-memory: check from the headers of the inputs, before anything is decoded, that the run fits. Inputs on
 * standard input have no header to read beforehand. */
static cli_end plan(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run) {
    const char *const others[] = {options->scribbles, options->truth, options->start};
    seg_image_header header;
    seg_call_settings *settings = seg_context_settings(ctx);
    if (!settings->max_memory || !is_file(options->photo))
        return CLI_GO_ON;
    /* A limit below the size of the program is refused by the plan, which names a sufficient one. */
    settings->max_memory = seg_larger(options->common.max_memory, LEAST_LIMIT);
    CLI_TRY(cli_went(ctx, seg_image_header_read(ctx, options->photo, 0, &header), CLI_READING));
    const size_t pixels = (size_t)header.width * (size_t)header.height;
    seg_plan_job job = {.width = header.width,
                        .height = header.height,
                        .depth = header.depth,
                        .k = options->segment.k ? options->segment.k : LEAST_LABELS,
                        .constraints =
                            options->scribbles || options->model || options->start || options->segment.box.width
                                ? SEG_PLAN_SCRIBBLES
                            : options->constraints ? SEG_PLAN_PAIRS
                                                   : SEG_PLAN_NONE,
                        .fixed_patches = options->constraints != NULL,
                        .inputs = header.image_bytes,
                        .reading = header.reading_image,
                        .writing = options->exports.count ? OUTLINE_BYTES * pixels + TEXT_BYTES : 0};
    if (options->overlay && header.depth == 16)
        job.writing += 3 * pixels; /* drawn beside it */
    if (options->overlay_style == CLI_OVERLAY_CUTOUT)
        job.writing += 2 * pixels;
    for (int i = 0; i < 3; i++) { /* labels of one byte per pixel are made of each */
        seg_image_header other;
        if (!is_file(others[i]))
            continue;
        const seg_status status = seg_image_header_read(ctx, others[i], 0, &other);
        if (status == SEG_ERR_INPUT) { /* shapes or an array, or its reader says what is wrong */
            job.inputs += pixels;
            continue;
        }
        CLI_TRY(cli_went(ctx, status, CLI_READING));
        if (other.width != header.width || other.height != header.height)
            continue; /* its reader says so */
        const size_t labels = (size_t)other.width * (size_t)other.height;
        job.reading = seg_larger(job.reading, job.inputs + other.reading + labels);
        job.inputs += labels;
    }
    settings->max_memory = options->common.max_memory;
    return cli_went(ctx, seg_plan_photo(ctx, &job, &options->segment, &run->plan), CLI_READING);
}

int cli_model_labelmap(const seg_model *model, seg_labelmap *out) {
    seg_model_info about;
    seg_labelmap map = {0};
    if (!model)
        return 0;
    seg_model_about(model, 0, &about);
    for (; map.count < about.labels; map.count++) {
        seg_model_about(model, map.count, &about);
        if (about.label.number != map.count + 1)
            return 0;
        memcpy(map.colour[map.count], about.label.colour, 3);
        snprintf(map.name[map.count], sizeof map.name[0], "%s", about.label.name);
    }
    *out = map;
    return 1;
}

/* A ground truth, or a mask to correct. */
static cli_end check_size(const char *path, const seg_mask *mask, const char *what, const seg_image *photo) {
    if (!path || (mask->width == photo->width && mask->height == photo->height))
        return CLI_GO_ON;
    const int turned = mask->width == photo->height && mask->height == photo->width;
    return cli_refuse(CLI_INPUT, "'%s' is %d x %d pixels, but the image is %d x %d; %s%s must have the %s", path,
                      mask->width, mask->height, photo->width, photo->height, turned ? "one of them is rotated; " : "",
                      what, turned ? "orientation in which the image is shown" : "size of the image");
}

static seg_status read_pairs(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run) {
    const seg_patch_grid grid = seg_patch_layout_of(&options->segment, run->photo.width, run->photo.height).grid;
    SEG_TRY(seg_constraints_create(ctx, (size_t)grid.columns * (size_t)grid.rows, &run->pairs));
    return seg_constraints_read(ctx, options->constraints, &grid, 0, &run->pairs, NULL);
}

static seg_status read_files(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run) {
    SEG_TRY(seg_image_read(ctx, options->photo, &run->photo));
    if (options->labelmap)
        SEG_TRY(seg_labelmap_read(ctx, options->labelmap, &run->labelmap));
    const int named = options->labelmap || cli_model_labelmap(run->model, &run->labelmap);
    if (options->scribbles)
        SEG_TRY(seg_scribbles_read(ctx, options->scribbles, &run->photo, named ? &run->labelmap : NULL, &run->scribbles,
                                   &run->scribbles_about));
    if (options->names) /* names for outputs; scribbles are read with the label map alone */
        SEG_TRY(seg_labelmap_set_names(ctx, options->names, &run->labelmap));
    if (options->constraints)
        SEG_TRY(read_pairs(ctx, options, run));
    if (options->start)
        SEG_TRY(seg_truth_read(ctx, options->start, &run->start));
    return options->truth ? seg_truth_read(ctx, options->truth, &run->truth) : SEG_OK;
}

static cli_end read_inputs(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run) {
    CLI_TRY(cli_went(ctx, read_files(ctx, options, run), CLI_READING));
    if (options->save_run)
        CLI_TRY(cli_save_run_inputs(options, &run->record));
    run->read_seconds = seg_now() - run->started;
    run->read_memory = seg_peak_memory();
    CLI_TRY(check_size(options->start, &run->start, "a start", &run->photo));
    return check_size(options->truth, &run->truth, "a ground truth", &run->photo);
}

/* Before anything is written, so that a failure leaves no file. The overlay replaces the image, which is not needed any
 * more. */
static seg_status make_outputs(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run) {
    const cli_table_of of = {options->photo, &run->photo, run->result, &run->labelmap};
    if (makes_table(options))
        SEG_TRY(cli_region_table(ctx, options->table != NULL, &of, &run->table, &run->table_size));
    return options->overlay ? draw_overlay(ctx, options, run) : SEG_OK;
}

static seg_status write_files(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run,
                              const seg_export_about *about) {
    const seg_result *result = run->result;
    const seg_mask *mask = &result->mask;
    SEG_TRY(seg_mask_write(ctx, options->mask, mask, is_tiff(options->mask) ? SEG_MASK_TIFF : SEG_MASK_PNG));
    if (options->overlay)
        SEG_TRY(seg_image_write_png(ctx, options->overlay, &run->photo, run->alpha));
    if (options->probability) {
        const size_t shape[] = {(size_t)mask->height, (size_t)mask->width, (size_t)result->k};
        SEG_TRY(seg_npy_write_floats(ctx, options->probability, 3, shape, result->probability));
    }
    if (options->uncertainty) {
        const seg_mask values = {.width = mask->width, .height = mask->height, .label = result->uncertainty};
        SEG_TRY(seg_mask_write(ctx, options->uncertainty, &values, SEG_MASK_GREY));
    }
    for (int i = 0; i < options->exports.count; i++)
        SEG_TRY(seg_export_write(ctx, options->exports.at[i].format->name, options->exports.at[i].path, mask, about));
    return options->table ? seg_file_write(ctx, options->table, run->table, run->table_size) : SEG_OK;
}

static cli_end write_outputs(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run) {
    const double started = seg_now();
    const seg_export_about about = {.photo = options->photo, .names = &run->labelmap, .simplify = options->simplify};
    CLI_TRY(cli_went(ctx, make_outputs(ctx, options, run), CLI_COMPUTING));
    CLI_TRY(cli_before_writing());
    CLI_TRY(cli_went(ctx, write_files(ctx, options, run, &about), CLI_WRITING));
    if (options->save_run)
        CLI_TRY(cli_save_run(ctx, options, run->record, run->result));
    if (options->gather) {
        CLI_TRY(cli_went(ctx, cli_combined_masks(ctx, options->gather, &run->result->mask, &about), CLI_WRITING));
        cli_combined_add(options->gather, run->table, run->table_size);
    }
    run->write_seconds = seg_now() - started;
    run->seconds = seg_now() - run->started;
    return CLI_GO_ON;
}

/* Read, segment and write; options are read before, and reports printed after. */
static cli_end segment_photo(seg_context *ctx, cli_photo_options *options, const char *mask_hash, cli_photo_run *run) {
    run->started = seg_now();
    if (options->model)
        CLI_TRY(cli_went(ctx, seg_model_read(ctx, options->model, &run->model), CLI_READING));
    options->segment.model = run->model;
    options->segment.start = options->start ? &run->start : NULL;
    CLI_TRY(plan(ctx, options, run));
    CLI_TRY(read_inputs(ctx, options, run));
    cli_catch_signals();
    seg_status status = seg_segment_photo(ctx, &run->photo, options->scribbles ? &run->scribbles : NULL,
                                          options->constraints ? &run->pairs : NULL, &options->segment, &run->result);
    if (status == SEG_OK)
        options->segment = *run->result->options; /* records and reports have the options that were used */
    if (status == SEG_OK && options->truth)
        status = cli_score_masks(ctx, &run->result->mask, &run->truth, &run->scores);
    cli_bar_clear();
    CLI_TRY(cli_went(ctx, status, CLI_COMPUTING));
    if (mask_hash) {
        char hash[CLI_HASH_SIZE];
        cli_hash_mask(&run->result->mask, hash);
        if (strcmp(hash, mask_hash) != 0)
            return cli_refuse(CLI_FAILED, "the mask differs from that of the saved run, because of another version, "
                                          "machine or option; nothing was written");
    }
    return write_outputs(ctx, options, run);
}

static void run_free(cli_photo_run *run) {
    seg_result_free(run->result);
    seg_model_free(run->model);
    seg_constraints_free(&run->pairs);
    seg_mask_free(&run->scribbles);
    seg_mask_free(&run->truth);
    seg_mask_free(&run->start);
    seg_image_free(&run->photo);
    json_decref(run->record);
    free(run->table);
    free(run->alpha);
}

cli_end cli_photo_job(cli_photo_options *options, const char *mask_hash, int one_of_many) {
    SEG_RELEASED(cli_context_free) seg_context *ctx = cli_context_create();
    SEG_RELEASED(run_free) cli_photo_run run = {0};
    if (!ctx)
        return CLI_FAILED;
    const int tiled = !mask_hash && tiled_wanted(ctx, options);
    if (tiled)
        CLI_TRY(check_tiled(options));
    CLI_TRY(cli_photo_check(ctx, options));
    cli_start(ctx, &options->common);
    options->segment.fixed = mask_hash != NULL;
    CLI_TRY(tiled ? run_tiled(ctx, options, &run) : segment_photo(ctx, options, mask_hash, &run));
    options->segment.model = NULL; /* which is freed with the run */
    options->segment.start = NULL;
    return cli_photo_report(ctx, options, &run, !one_of_many);
}
