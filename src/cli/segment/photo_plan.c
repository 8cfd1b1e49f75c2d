#include "cli/segment/photo_plan.h"
#include "cli/common/errors.h"
#include "cli/common/json_out.h"

#include <string.h>

/* The scribbles are not known yet: this plan assumes the smallest number of labels; the plan of the library uses the
 * real one. */
enum { LEAST_LABELS = 2, LEAST_LIMIT = 32000000 };

/* Tracing outlines (masks/exports/outlines.c) takes five bytes per pixel; rings, texts and JSON follow the borders'
 * length. */
enum { OUTLINE_BYTES = 5, TEXT_BYTES = 16 << 20 };

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

static int is_file(const char *path) {
    return path && strcmp(path, "-") != 0;
}

static size_t writing(const cli_photo_options *options, size_t pixels) {
    size_t bytes = 0;
    for (int i = 0; i < options->exports.count; i++)
        bytes = larger(bytes, OUTLINE_BYTES * pixels + TEXT_BYTES);
    return bytes;
}

cli_end cli_photo_plan(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run) {
    const char *const others[] = {options->scribbles, options->truth};
    seg_image_header header;
    seg_call_settings *settings = seg_context_settings(ctx);
    if (!settings->max_memory || !is_file(options->photo))
        return CLI_GO_ON;
    /* A limit below the size of the program is refused by the plan, which names a sufficient one. */
    settings->max_memory = larger(options->common.max_memory, LEAST_LIMIT);
    seg_status status = seg_image_header_read(ctx, options->photo, 0, &header);
    if (status != SEG_OK)
        return cli_fail(ctx, status, CLI_READING);
    const size_t pixels = (size_t)header.width * (size_t)header.height;
    seg_plan_job job = {.width = header.width,
                        .height = header.height,
                        .depth = header.depth,
                        .k = options->segment.k ? options->segment.k : LEAST_LABELS,
                        .constraints = options->scribbles || options->model ? SEG_PLAN_SCRIBBLES
                                       : options->constraints               ? SEG_PLAN_PAIRS
                                                                            : SEG_PLAN_NONE,
                        .fixed_patches = options->constraints != NULL,
                        .inputs = header.image_bytes,
                        .reading = header.reading_image,
                        .writing = writing(options, pixels)};
    if (options->overlay && header.depth == 16)
        job.writing += 3 * pixels; /* drawn beside it */
    if (options->legend)
        job.writing += 4 * pixels; /* the picture with the strip, and the strip */
    if (options->overlay_style == CLI_OVERLAY_CUTOUT)
        job.writing += 2 * pixels;
    for (int i = 0; i < 2; i++) { /* labels of one byte per pixel are made of each */
        seg_image_header other;
        if (!is_file(others[i]))
            continue;
        status = seg_image_header_read(ctx, others[i], 0, &other);
        if (status == SEG_ERR_INPUT && i == 0) { /* shapes or an array, or its reader says what is wrong */
            job.inputs += pixels;
            continue;
        }
        if (status != SEG_OK)
            return cli_fail(ctx, status, CLI_READING);
        if (other.width != header.width || other.height != header.height)
            continue; /* its reader says so */
        const size_t labels = (size_t)other.width * (size_t)other.height;
        job.reading = larger(job.reading, job.inputs + other.reading + labels);
        job.inputs += labels;
    }
    settings->max_memory = options->common.max_memory;
    status = seg_plan_photo(ctx, &job, &options->segment, &run->plan);
    return status == SEG_OK ? CLI_GO_ON : cli_fail(ctx, status, CLI_READING);
}

/* The plan of the program includes reading inputs and writing outputs, that of the library the content of the inputs.
 */
json_t *cli_photo_plan_json(const cli_photo_options *options, const cli_photo_run *run) {
    const seg_photo_plan *plan = &run->result->plan;
    return json_pack("{s:o, s:I, s:I, s:i, s:o}", "limit",
                     options->common.max_memory ? json_integer((json_int_t)options->common.max_memory) : json_null(),
                     "predicted", (json_int_t)larger(plan->predicted, run->plan.predicted), "asked",
                     (json_int_t)plan->asked, "threads", plan->threads, "adapted",
                     plan->adapted[0] ? cli_json_text(plan->adapted) : json_null());
}
