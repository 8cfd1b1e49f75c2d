/* From the image to the mask, at once and in a session. */
#include "sweep.h"

#include "pipeline/option_fields.h"
#include "pipeline/option_values.h"

enum { W = 16, H = 16, SMALL = 7 }; /* SMALL: where the net takes the time */

static void set_options(const char *how, seg_options *options) {
    *options = seg_options_default();
    options->restarts = 2;
    if (strcmp(how, "scores") == 0) {
        options->probability = options->uncertainty = 1;
    } else if (strcmp(how, "blind") == 0) {
        options->k = 2;
    } else if (strcmp(how, "blind-many") == 0) {
        options->k = 12; /* refinement leaves some without a pixel */
    } else if (strcmp(how, "full") == 0) {
        options->method = "ncut";
        options->graph.kind = SEG_GRAPH_FULL;
        options->refine = SEG_REFINE_NONE;
    } else if (strcmp(how, "sampled") == 0) {
        options->method = "pckmeans";
        options->sample_pairs = 4;
    } else if (strcmp(how, "islands") == 0) {
        options->islands.usual = SEG_ISLANDS_REMOVE;
    }
}

static void tell_result(seg_status status, const seg_result *result) {
    if (status != SEG_OK) {
        if (result)
            sweep_fault("a result after a failure");
        return;
    }
    const size_t pixels = (size_t)result->mask.width * (size_t)result->mask.height;
    told_mask(&result->mask);
    if (result->probability)
        told(result->probability, pixels * (size_t)result->k * sizeof *result->probability);
    if (result->uncertainty)
        told(result->uncertainty, pixels);
    told_number(result->ambiguous_count);
}

CASE(segment, how) {
    seg_options options;
    SCOPED(seg_mask) scribbles;
    const int side = strcmp(how, "scores") == 0 || strcmp(how, "islands") == 0 ? SMALL : W;
    SCOPED(seg_image) photo = halves(side, side, &scribbles);
    seg_result *result = (seg_result *)&photo; /* any but NULL */
    set_options(how, &options);
    seg_status status = CALL_INSIDE(seg_options_check, ctx, &options);
    if (status == SEG_OK) {
        status = CALL(seg_segment_photo, ctx, &photo, strncmp(how, "blind", 5) == 0 ? NULL : &scribbles, NULL, &options,
                      &result);
        tell_result(status, result);
        DO(seg_result_free, result);
    }
    return status;
}

CASE(plan, how) {
    const seg_plan_job job = {.width = 4000, .height = 3000, .depth = 8, .k = 3};
    seg_options options;
    seg_photo_plan *out = malloc(sizeof *out);
    set_options(how, &options);
    memset(out, 1, sizeof *out);
    const seg_status status = CALL(seg_plan_photo, ctx, &job, &options, out);
    if (status == SEG_OK)
        told_number((double)(out->asked - out->predicted));
    else
        sweep_zeroed("plan", out, sizeof *out);
    free(out);
    return status;
}

CASE(features, unused) {
    seg_options options = seg_options_default();
    seg_patch_grid grid;
    SCOPED(seg_image) photo = halves(W, H, NULL);
    SCOPED(seg_matrix) X = DIRTY(seg_matrix);
    return TELL(CALL(seg_photo_features, ctx, &photo, &options, &grid, &X), told_matrix, X);
}

/* After a failure the session can be used on, and gives what it would have given. */
CASE(session, how) {
    seg_options options;
    seg_mask scribbles;
    seg_image photo = halves(SMALL, SMALL, &scribbles);
    seg_session *open = (seg_session *)&photo;
    seg_result *result = (seg_result *)&photo; /* any but NULL */
    int failed = 0;
    set_options(how, &options);
    seg_status status = CALL(seg_session_open, ctx, &photo, &options, &open);
    if (status != SEG_OK) {
        if (open)
            sweep_fault("a session after a failure");
        goto done;
    }
    if (strcmp(how, "scores") == 0) {
        status = CALL(seg_session_prepare, ctx, open);
        failed |= status != SEG_OK;
    }
    for (int stroke = 0; stroke < 2; stroke++) {
        scribbles.label[5 * SMALL + 1 + 4 * stroke] = (uint8_t)(1 + stroke);
        seg_status now = CALL(seg_session_segment, ctx, open, &scribbles, NULL, &result);
        tell_result(now, result);
        if (now != SEG_OK) {
            failed = 1;
            if (status == SEG_OK)
                status = now;
            now = seg_session_segment(ctx, open, &scribbles, NULL, &result); /* as if nothing had been */
            if (now != SEG_OK)
                sweep_fault("the session cannot be used on: %s", ctx->message);
            else
                tell_result(now, result);
        }
        seg_result_free(result);
    }
    sweep_whole_anyway(failed);
    DO(seg_session_close, open);
done:
    seg_image_free(&photo);
    seg_mask_free(&scribbles);
    return status;
}

/* Every option by its name: the default is set, and read again. */
CASE(options_by_name, unused) {
    const seg_option *row;
    seg_options *options = (seg_options *)&row; /* any but NULL */
    seg_texts texts = {NULL, 0};
    const seg_option several = {SEG_OPTION_ROW("texts", 0, TEXTS, 0)};
    char text[256] = "";
    seg_status status = CALL(seg_options_create_for, ctx, SEG_VERSION_NUMBER, &options);
    if (status != SEG_OK) {
        if (options)
            sweep_fault("options after a failure");
        return status;
    }
    DO(seg_options_want, options, SEG_WANT_PROBABILITY);
    DO(seg_options_set_known, options, NULL, NULL);
    for (int i = 0; (row = GET(seg_option_at, i)) != NULL && status == SEG_OK; i++) {
        if (GET(seg_option_find, row->name) != row)
            sweep_fault("%s is not found", row->name);
        if (row->initial)
            status = CALL(seg_options_set, ctx, options, row->name, row->initial);
        if (status == SEG_OK)
            status = CALL(seg_options_get, ctx, options, row->name, text, sizeof text);
        told_text(text);
    }
    if (status == SEG_OK)
        status = seg_option_set(ctx, &several, &texts, "one");
    told_number(texts.count);
    told_text(seg_option_get(seg_option_find("graph"), options, text, sizeof text));
    told_number(GET(seg_options_graph, options)->neighbours);
    told_number(GET(seg_options_params, options)->value[0]);
    DO(seg_options_free, options);
    free(texts.at);
    return status;
}

/* A mask as TIFF is an image that can be read by tiles, and as PNG strokes on it. */
static void make_tiled(const char *image, const char *strokes) {
    SCOPED(seg_mask) scribbles = half_strokes(W, H);
    char path[512];
    snprintf(path, sizeof path, "%s", in_folder(image));
    must(&own, seg_mask_write(&own, in_folder(strokes), &scribbles, SEG_MASK_PNG));
    for (int i = 0; i < W * H; i++)
        scribbles.label[i] = (uint8_t)(i % W < W / 2 ? 1 : 2);
    must(&own, seg_mask_write(&own, path, &scribbles, SEG_MASK_TIFF));
}

CASE(by_tiles, unused) {
    seg_options options;
    seg_image_header header;
    seg_result *result = (seg_result *)&options; /* any but NULL */
    seg_image view;
    char image[512], strokes[512], mask[512];
    spare_libvips();
    make_tiled("tiled.tif", "strokes.png");
    snprintf(image, sizeof image, "%s", in_folder("tiled.tif"));
    snprintf(strokes, sizeof strokes, "%s", in_folder("strokes.png"));
    snprintf(mask, sizeof mask, "%s", in_folder("tiled-mask.tif"));
    options = seg_options_default();
    seg_status status = CALL(seg_image_header_read, ctx, image, 1, &header);
    if (status != SEG_OK)
        return status;
    told_number(header.width + 1e3 * header.tile_width);
    const seg_tiled_job job = {.image = image, .scribbles = strokes, .options = &options, .mask = mask};
    status = CALL(seg_segment_tiled, ctx, &job, &view, &result);
    if (status != SEG_OK && result)
        sweep_fault("a result after a failure");
    if (status == SEG_OK) {
        told_mask(&result->mask);
        told_image(&view);
        DO(seg_image_free, &view);
        DO(seg_result_free, result);
    }
    return status;
}

static const sweep_case cases[] = {
    {"auto", segment, "auto", 2},       {"scores", segment, "scores", 1},
    {"blind", segment, "blind", 1},     {"blind-many", segment, "blind-many", 1},
    {"full", segment, "full", 1},       {"sampled", segment, "sampled", 1},
    {"features", features, NULL, 1},    {"plan", plan, "scores", 1},
    {"islands", segment, "islands", 1}, {"options", options_by_name, NULL, 1},
    {"session", session, "auto", 1},    {"session-scores", session, "scores", 1},
    {"tiled", by_tiles, NULL, 1},
};
TOPIC(sweep_photo, "photo");
