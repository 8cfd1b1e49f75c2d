/* One more stroke on an image at work: what it costs, and that the bytes are those of a fresh run. */
#include "base/base.h"
#include "bench.h"
#include "evaluation/runner/runner.h"
#include "pipeline/option_fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The run-th stroke: along a row, in the label that the mask has there, so that it agrees with what is seen. */
static void add_stroke(const seg_mask *mask, int run, seg_mask *scribbles) {
    const int y = (2 * run + 1) * scribbles->height / 23 % scribbles->height,
              x0 = (5 * run + 3) * scribbles->width / 37 % scribbles->width;
    const size_t row = (size_t)y * (size_t)scribbles->width;
    const int x1 = x0 + scribbles->width / 20 < scribbles->width ? x0 + scribbles->width / 20 : scribbles->width;
    for (int x = x0; x < x1; x++)
        if (mask->label[row + (size_t)x] == mask->label[row + (size_t)x0] && !scribbles->label[row + (size_t)x])
            scribbles->label[row + (size_t)x] = mask->label[row + (size_t)x];
}

static seg_status photo_of(const seg_image *photo, int width, int height, seg_image *out) {
    uint8_t *data = bench_alloc((size_t)width * (size_t)height, 3);
    for (int y = 0; y < height; y++)
        bench_scaled_row(photo, width, height, y, data + 3 * (size_t)y * (size_t)width);
    *out = (seg_image){width, height, 8, 0, data};
    return SEG_OK;
}

static seg_status measure(seg_context *ctx, const bench_options *options, const seg_image *photo, const seg_mask *given,
                          double megapixels) {
    const double factor = sqrt(megapixels * 1e6 / ((double)photo->width * photo->height));
    const int width = (int)lround(photo->width * factor), height = (int)lround(photo->height * factor);
    const size_t runs = (size_t)options->runs, pixels = (size_t)width * (size_t)height;
    double *wall = bench_alloc(2 * runs, sizeof *wall), *cpu = wall + runs, first;
    double stage[SEG_MAX_STAGES] = {0};
    const char *name[SEG_MAX_STAGES] = {0};
    seg_options settings = seg_options_default();
    seg_session *session = NULL;
    seg_image large = {0};
    seg_mask scribbles = {0};
    seg_result *result = NULL, *fresh = NULL;
    int same = 1, stages = 0;
    seg_status status = photo_of(photo, width, height, &large);
    const double started = seg_now();
    if (status || (status = bench_scaled_scribbles(ctx, given, width, height, &scribbles)) ||
        (status = seg_session_open(ctx, &large, &settings, &session)) ||
        (status = seg_session_segment(ctx, session, &scribbles, NULL, &result)))
        goto done;
    first = seg_now() - started;
    for (size_t run = 0; run < runs && !status; run++) {
        add_stroke(&result->mask, (int)run, &scribbles);
        seg_result_free(result);
        const double now = seg_now(), busy = seg_processor_seconds();
        status = seg_session_segment(ctx, session, &scribbles, NULL, &result);
        wall[run] = seg_now() - now;
        cpu[run] = seg_processor_seconds() - busy;
        stages = ctx->stage_count;
        for (int s = 0; s < stages; s++) {
            name[s] = ctx->stages[s].name;
            stage[s] += ctx->stages[s].seconds / (double)runs;
        }
        if (!status && (status = seg_segment_photo(ctx, &large, &scribbles, NULL, &settings, &fresh)) == SEG_OK)
            same &= !memcmp(fresh->mask.label, result->mask.label, pixels);
        seg_result_free(fresh);
    }
    if (status)
        goto done;
    printf("%.2f megapixels: first mask %.0f ms; one more stroke %.0f ms (median of %zu), %.0f ms of processor time",
           (double)pixels / 1e6, 1e3 * first, 1e3 * bench_median(wall, runs), runs, 1e3 * bench_median(cpu, runs));
    for (int s = 0; s < stages; s++)
        printf("%s %s %.0f", s ? "," : ";", name[s], 1e3 * stage[s]);
    printf("; %s\n", same ? "same bytes as fresh runs" : "OTHER BYTES than fresh runs");
done:
    seg_session_close(session);
    seg_image_free(&large);
    seg_mask_free(&scribbles);
    seg_result_free(result);
    free(wall);
    if (!status && !same)
        exit(bench_fail("a session's mask differs from a fresh run's"));
    return status;
}

int bench_session(const bench_options *options) {
    SCOPED(seg_image) photo = {0};
    SCOPED(seg_mask) scribbles = {0};
    seg_context ctx = seg_context_default();
    ctx.threads = options->threads < 0 ? 0 : options->threads;
    int code = bench_read_with_scribbles(&ctx, options->folder, &photo, &scribbles);
    if (!code && (measure(&ctx, options, &photo, &scribbles, options->small ? 0.05 : 0.25) ||
                  (!options->small && measure(&ctx, options, &photo, &scribbles, 1))))
        code = bench_fail("%s", ctx.message);
    seg_context_end(&ctx);
    return code;
}
