#include "cli/query/query_inputs.h"
#include "cli/common/errors.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static seg_status read_photo(seg_context *ctx, const cli_query_options *options, cli_query_run *run) {
    seg_options segment;
    seg_options_default(&segment);
    segment.patch = options->patch;
    seg_status status = seg_image_read(ctx, options->data, &run->photo);
    if (status == SEG_OK)
        status = seg_photo_features(ctx, &run->photo, &segment, &run->grid, &run->features);
    run->n = run->features.rows;
    return status;
}

static seg_status read_table(seg_context *ctx, const cli_query_options *options, cli_query_run *run) {
    seg_status status = seg_vectors_read(ctx, options->data, options->label_column, &run->shown, &run->labels);
    run->n = run->shown.rows;
    if (status != SEG_OK || !options->standardise)
        return status;
    status = seg_matrix_create(ctx, run->shown.rows, run->shown.cols, &run->features);
    if (status == SEG_OK) {
        memcpy(run->features.at, run->shown.at, run->shown.rows * run->shown.cols * sizeof *run->shown.at);
        status = seg_scale(ctx, SEG_SCALING_STANDARDISED, &run->features);
    }
    return status;
}

/* Read the file of answers unchanged; new answers are appended to these bytes. */
static cli_end read_earlier(const char *path, cli_query_run *run) {
    struct stat about;
    if (strcmp(path, "-") == 0 || stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return CLI_GO_ON;
    FILE *file = fopen(path, "rb");
    size_t size = (size_t)about.st_size;
    run->earlier = file ? calloc(size + 1, 1) : NULL;
    const int complete = run->earlier && fread(run->earlier, 1, size, file) == size;
    if (!complete)
        cli_say("cannot read the answers so far from '%s': %s", path, errno ? strerror(errno) : "it is truncated");
    if (file)
        fclose(file);
    return complete ? CLI_GO_ON : CLI_INPUT;
}

static seg_status begin(seg_context *ctx, const cli_query_options *options, cli_query_run *run) {
    seg_status status = seg_constraints_create(ctx, run->n, &run->known);
    if (status == SEG_OK)
        status = seg_constraints_create(ctx, run->n, &run->unknown);
    if (status == SEG_OK && run->earlier) {
        status = seg_constraints_read(ctx, options->output, options->is_photo ? &run->grid : NULL, 0, &run->known,
                                      &run->unknown);
    }
    const seg_active_spec spec = {
        .strategy = (seg_active_strategy)options->strategy,
        .k = options->k,
        .budget = options->queries ? (size_t)options->queries : SIZE_MAX,
        .n = run->n,
        .features = run->features.at ? &run->features : &run->shown,
        .known = &run->known,
        .unknown = &run->unknown,
    };
    return status == SEG_OK ? seg_active_create(ctx, &spec, &run->active) : status;
}

cli_end cli_query_read(seg_context *ctx, const cli_query_options *options, cli_query_run *run) {
    seg_status status = options->is_photo ? read_photo(ctx, options, run) : read_table(ctx, options, run);
    if (status == SEG_OK) {
        cli_end end = read_earlier(options->output, run);
        if (end != CLI_GO_ON)
            return end;
        status = begin(ctx, options, run);
    }
    if (status == SEG_OK && run->known.pairs + run->unknown.pairs && !options->common.quiet) {
        cli_say("'%s' exists: its %zu answers are kept and new ones appended; use -o for another file", options->output,
                run->known.pairs + run->unknown.pairs);
    }
    return status == SEG_OK ? CLI_GO_ON : cli_fail(ctx, status, CLI_READING);
}

void cli_query_run_free(cli_query_run *run) {
    seg_active_free(run->active);
    seg_constraints_free(&run->known);
    seg_constraints_free(&run->unknown);
    seg_matrix_free(&run->shown);
    seg_matrix_free(&run->features);
    seg_labels_free(&run->labels);
    seg_image_free(&run->photo);
    free(run->earlier);
    memset(run, 0, sizeof *run);
}
