/* The run of one image: read, segment, write. */
#include "cli/common/paths.h"
#include "cli/common/process.h"
#include "cli/common/report_parts.h"
#include "cli/segment/photo_run.h"

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

seg_status cli_draw_overlay(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run) {
    seg_overlay_style style = options->style;
    if (options->overlay_style == CLI_OVERLAY_CUTOUT)
        return cut_out(ctx, options, run);
    style.alpha = options->overlay_style == CLI_OVERLAY_OUTLINE ? 0 : style.alpha;
    style.outline = options->overlay_style == CLI_OVERLAY_TINT ? 0 : style.outline;
    return options->segment.slices > 1 ? cli_contact_sheet(ctx, &run->photo, &run->result->mask, &style, &run->photo)
                                       : seg_overlay_draw(ctx, &run->photo, &run->result->mask, &style, &run->photo);
}

/* The scribbles are not known yet: this plan assumes the least number of labels, the library's the real one. */
enum { LEAST_LABELS = 2, LEAST_LIMIT = 32000000 };

/* Tracing outlines (masks/exports/outlines.c): 5 bytes per pixel; rings, texts and JSON by the borders' length. */
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
    if (!settings->max_memory || !is_file(options->photo) || run->photo.data)
        return CLI_GO_ON;
    /* A limit below the size of the program is refused by the plan, which names a sufficient one. */
    settings->max_memory = seg_larger(options->common.max_memory, LEAST_LIMIT);
    const seg_slice_files *image = &run->volume.image;
    const char *photo = image->path ? image->path[0] : image->name;
    CLI_TRY(cli_went(ctx, seg_image_header_read(ctx, photo, 0, &header), CLI_READING));
    header.height *= image->path ? image->count : 1;
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
        if (!is_file(others[i]) || cli_is_folder(others[i]))
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

/* Strokes that correct a start have its labels where they have its colours; further colours are further labels. */
static void number_as_start(const seg_mask *start, seg_mask *strokes) {
    uint8_t to[256] = {[SEG_VOID] = SEG_VOID}, colour[256][3];
    int alike = 0, last = start->labels;
    for (int l = 1; l <= strokes->labels; l++)
        for (int m = start->labels; m >= 1; m--)
            if (memcmp(strokes->colour[l], start->colour[m], 3) == 0)
                to[l] = (uint8_t)(alike = m);
    if (!alike)
        return;
    memcpy(colour, strokes->colour, sizeof colour);
    for (int l = 1; l <= strokes->labels; l++) {
        if (!to[l])
            to[l] = (uint8_t)(last < SEG_MAX_LABELS ? ++last : last);
        memcpy(strokes->colour[to[l]], colour[l], 3);
    }
    for (size_t p = 0; p < (size_t)strokes->width * (size_t)strokes->height; p++)
        strokes->label[p] = to[strokes->label[p]];
    strokes->labels = last;
}

/* Strokes have the labels of --labelmap, and the model its own: a name that is of two labels is a mistake. */
static seg_status check_names(seg_context *ctx, const cli_photo_options *options, const cli_photo_run *run) {
    const seg_labelmap *map = &run->labelmap;
    seg_labelmap own;
    if (!options->labelmap || !cli_model_labelmap(run->model, &own))
        return SEG_OK;
    for (int m = 0; m < own.count; m++)
        for (int l = 0; l < map->count; l++)
            if (l != m && strcmp(map->name[l], own.name[m]) == 0)
                return seg_fail(
                    ctx, SEG_ERR_USAGE,
                    "'%s' is label %d in '%s' and label %d of the model; list the labels in the model's order",
                    own.name[m], l + 1, options->labelmap, m + 1);
    return SEG_OK;
}

/* Names of shapes without a label map name the regions, if they are such as a label map may have. */
static seg_status name_by_shapes(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run) {
    seg_labelmap own = {0}, *map = &run->labelmap;
    int usable = run->scribbles_about.kind == SEG_SCRIBBLES_SHAPES && !run->volume.scribbles.path &&
                 is_file(options->scribbles) && !seg_shapes_read_names(ctx, options->scribbles, &own);
    char text[SEG_MAX_LABELS * sizeof own.name[0]] = "";
    for (int o = 0; o < own.count; o++) {
        usable = usable && !strchr(own.name[o], ',');
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", o ? "," : "", own.name[o]);
    }
    if (!usable || seg_labelmap_set_names(ctx, text, map))
        own.count = 0;
    if (options->names)
        SEG_TRY(seg_labelmap_set_names(ctx, options->names, map));
    for (int o = 0; o < own.count; o++)
        for (int l = 0; l < map->count; l++)
            if (l != o && strcmp(own.name[o], map->name[l]) == 0)
                return seg_fail(
                    ctx, SEG_ERR_USAGE,
                    "the shapes '%s' in '%s' are label %d, but --names calls label %d so; list the names in "
                    "the order of the labels, %s, or give a label map",
                    own.name[o], options->scribbles, o + 1, l + 1, text);
    return SEG_OK;
}

static seg_status read_files(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run) {
    if (!run->photo.data) /* an array was read before, to know its channels */
        SEG_TRY(seg_slices_read_image(ctx, &run->volume.image, &run->photo));
    if (options->segment.channels > 1) {
        run->stack = run->photo;
        run->photo = (seg_image){0};
        SEG_TRY(seg_channels_show(ctx, &run->stack, options->segment.channels, options->shown, &run->photo));
    }
    if (options->labelmap)
        SEG_TRY(seg_labelmap_read(ctx, options->labelmap, &run->labelmap));
    SEG_TRY(check_names(ctx, options, run));
    const int named = options->labelmap || cli_model_labelmap(run->model, &run->labelmap);
    if (options->scribbles)
        SEG_TRY(seg_slices_read_labels(ctx, &run->volume.scribbles, &run->photo, named ? &run->labelmap : NULL,
                                       &run->scribbles_about, &run->scribbles));
    if (!named)
        SEG_TRY(name_by_shapes(ctx, options, run));
    else if (options->names) /* names for outputs; scribbles are read with the label map alone */
        SEG_TRY(seg_labelmap_set_names(ctx, options->names, &run->labelmap));
    if (options->constraints)
        SEG_TRY(read_pairs(ctx, options, run));
    if (options->start)
        SEG_TRY(seg_slices_read_labels(ctx, &run->volume.start, &run->photo, NULL, NULL, &run->start));
    const seg_scribbles_kind kind = run->scribbles_about.kind;
    if (options->start && !named && kind >= SEG_SCRIBBLES_COLOURS && kind <= SEG_SCRIBBLES_SNAPPED)
        number_as_start(&run->start, &run->scribbles);
    return options->truth ? seg_slices_read_labels(ctx, &run->volume.truth, &run->photo, NULL, NULL, &run->truth)
                          : SEG_OK;
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

/* Before anything is written, so that a failure leaves no file. The overlay replaces the image, no longer needed. */
static seg_status make_outputs(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run) {
    const cli_table_of of = {options->photo, &run->photo, run->result, &run->labelmap};
    if (cli_makes_table(options))
        SEG_TRY(cli_region_table(ctx, options->table != NULL, &of, &run->table, &run->table_size));
    return options->overlay ? cli_draw_overlay(ctx, options, run) : SEG_OK;
}

static seg_status write_files(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run,
                              const seg_export_about *about) {
    const seg_result *result = run->result;
    const seg_mask *mask = &result->mask;
    SEG_TRY(cli_masks_in_folder(options)
                ? cli_volume_write(ctx, options, run)
                : seg_mask_write(ctx, options->mask, mask, cli_is_tiff(options->mask) ? SEG_MASK_TIFF : SEG_MASK_PNG));
    if (options->overlay)
        SEG_TRY(seg_image_write_png(ctx, options->overlay, &run->photo, run->alpha));
    if (options->probability) {
        const int slices = options->segment.slices;
        const size_t shape[] = {(size_t)slices, (size_t)(mask->height / slices), (size_t)mask->width,
                                (size_t)result->k};
        SEG_TRY(seg_npy_write_floats(ctx, options->probability, slices > 1 ? 4 : 3, shape + (slices == 1),
                                     result->probability));
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
    const seg_export_about about = {options->photo, &run->labelmap, options->simplify, options->segment.spacing};
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
    options->segment.model = run->model;
    options->segment.start = options->start ? &run->start : NULL;
    CLI_TRY(plan(ctx, options, run));
    CLI_TRY(read_inputs(ctx, options, run));
    cli_catch_signals();
    seg_status status =
        seg_segment_photo(ctx, run->stack.data ? &run->stack : &run->photo, options->scribbles ? &run->scribbles : NULL,
                          options->constraints ? &run->pairs : NULL, &options->segment, &run->result);
    if (status == SEG_OK)
        options->segment = *run->result->options; /* records and reports have the options that were used */
    for (size_t p = 0; !status && options->truth && p < (size_t)run->truth.width * (size_t)run->truth.height; p++)
        if (!run->result->mask.label[p]) /* outside of the region */
            run->truth.label[p] = SEG_VOID;
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
    cli_volume_free(&run->volume);
    seg_image_free(&run->stack);
    json_decref(run->record);
    SEG_CLEAR(run, run->table, run->alpha);
}

cli_end cli_photo_job(cli_photo_options *options, const char *mask_hash, int one_of_many) {
    SEG_RELEASED(cli_context_free) seg_context *ctx = cli_context_create();
    SEG_RELEASED(run_free) cli_photo_run run = {0};
    if (!ctx)
        return CLI_FAILED;
    const int tiled = !mask_hash && cli_tiled_wanted(ctx, options);
    int window = 0;
    if (options->model)
        CLI_TRY(cli_went(ctx, seg_model_read(ctx, options->model, &run.model), CLI_READING));
    if (tiled)
        CLI_TRY(cli_tiled_check(options));
    else
        CLI_TRY(cli_volume_find(ctx, options, &run));
    CLI_TRY(cli_volume_check(options));
    CLI_TRY(cli_photo_check(ctx, options));
    CLI_TRY(cli_volume_check_files(options, &run.volume));
    CLI_TRY(cli_windows_find(ctx, options, &run.volume, &window));
    cli_start(ctx, &options->common);
    options->segment.fixed = mask_hash != NULL;
    if (window)
        return cli_windows_job(ctx, options, &run, window);
    CLI_TRY(tiled ? cli_tiled_job(ctx, options, &run) : segment_photo(ctx, options, mask_hash, &run));
    options->segment.model = NULL; /* which is freed with the run */
    options->segment.start = NULL;
    return cli_photo_report(ctx, options, &run, !one_of_many);
}
