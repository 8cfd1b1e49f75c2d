#include "photo_plan.h"
#include "exit_codes.h"
#include "json_out.h"

#include <string.h>

/* What the strokes hold is not known yet: this plan is of the least they can be, the library's next one of what they
 * are. */
enum { LEAST_LABELS = 2, LEAST_LIMIT = 32000000 };

/* Tracing outlines (masks/outlines.c) takes five bytes per pixel; rings, texts and JSON follow the borders' length. */
enum { OUTLINE_BYTES = 5, TEXT_BYTES = 16 << 20 };

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

static int is_file(const char *path) {
    return path && strcmp(path, "-") != 0;
}

static size_t writing(const cli_photo_options *options, size_t pixels) {
    size_t bytes = 0;
    for (int i = 0; i < options->exports.count; i++) {
        bytes = larger(bytes, OUTLINE_BYTES * pixels + TEXT_BYTES);
    }
    return bytes;
}

int cli_photo_plan(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run) {
    const char *const others[] = {options->scribbles, options->truth};
    seg_image_header header;
    if (!seg_context_max_memory(ctx) || !is_file(options->photo)) {
        return -1;
    }
    /* A limit that the program alone passes is refused by the plan, which names one that would do. */
    seg_context_set_max_memory(ctx, larger(options->max_memory, LEAST_LIMIT));
    seg_status status = seg_image_header_read(ctx, options->photo, &header);
    if (status != SEG_OK) {
        return cli_fail(ctx, status, CLI_READING);
    }
    const size_t pixels = (size_t)header.width * (size_t)header.height;
    seg_plan_job job = {.width = header.width,
                        .height = header.height,
                        .depth = header.depth,
                        .k = options->segment.k ? options->segment.k : LEAST_LABELS,
                        .marked = LEAST_LABELS,
                        .unmarked = !options->scribbles && !options->constraints,
                        .fixed_patches = options->constraints != NULL,
                        .inputs = header.image_bytes,
                        .reading = header.reading_image,
                        .writing = writing(options, pixels)};
    if (options->overlay && header.depth == 16) {
        job.writing += 3 * pixels; /* drawn beside it */
    }
    for (int i = 0; i < 2; i++) { /* labels of one byte per pixel are made of each */
        seg_image_header other;
        if (!is_file(others[i])) {
            continue;
        }
        if ((status = seg_image_header_read(ctx, others[i], &other)) != SEG_OK) {
            return cli_fail(ctx, status, CLI_READING);
        }
        if (other.width != header.width || other.height != header.height) {
            continue; /* its reader says so */
        }
        const size_t labels = (size_t)other.width * (size_t)other.height;
        job.reading = larger(job.reading, job.inputs + other.reading + labels);
        job.inputs += labels;
    }
    seg_context_set_max_memory(ctx, options->max_memory);
    status = seg_plan_photo(ctx, &job, &options->segment, &run->plan);
    return status == SEG_OK ? -1 : cli_fail(ctx, status, CLI_READING);
}

json_t *cli_photo_plan_json(const cli_photo_options *options, const cli_photo_run *run) {
    const seg_photo_plan *plan = &run->result->plan;
    size_t predicted = plan->predicted;
    json_t *stages = json_object();
    for (int s = 0; s < plan->stages; s++) {
        size_t bytes = plan->stage[s].bytes;
        for (int e = 0; e < run->plan.stages; e++) { /* what only the program knows: how outputs are written */
            if (strcmp(run->plan.stage[e].name, plan->stage[s].name) == 0 &&
                strcmp(plan->stage[s].name, "write") == 0) {
                bytes = larger(bytes, run->plan.stage[e].bytes);
            }
        }
        json_object_set_new(stages, plan->stage[s].name, json_integer((json_int_t)bytes));
        predicted = larger(predicted, bytes);
    }
    if (run->plan.stages && strcmp(run->plan.stage[0].name, "read") == 0) {
        json_object_set_new(stages, "read", json_integer((json_int_t)run->plan.stage[0].bytes));
        predicted = larger(predicted, run->plan.stage[0].bytes);
    }
    return json_pack("{s:o, s:I, s:I, s:i, s:o, s:o}", "limit",
                     options->max_memory ? json_integer((json_int_t)options->max_memory) : json_null(), "predicted",
                     (json_int_t)predicted, "asked", (json_int_t)plan->asked, "threads", plan->threads, "adapted",
                     plan->adapted[0] ? cli_json_text(plan->adapted) : json_null(), "stages", stages);
}
