/* Models of series: learned, written, read, applied. */
#include "sweep.h"

#include "model/model.h"
#include "pipeline/option_fields.h"

enum { W = 30, H = 20 };

static void tell_model(const seg_model *model) {
    seg_model_info about;
    DO(seg_model_about, model, 0, &about);
    told_number(about.labels);
    told_number(about.images);
    told_number(about.judged ? about.accuracy : -1);
    told_number(about.sharpness);
    told_number(about.smoothing);
    told_number(about.reach);
    for (int i = 0; i < about.labels || i < about.listed; i++) {
        DO(seg_model_about, model, i, &about);
        told_text(about.label.name);
        told_number((double)about.image.marked);
    }
}

static seg_status add(seg_context *ctx, seg_model *model, const char *name, int channels) {
    SCOPED(seg_mask) scribbles = half_strokes(W, H);
    SCOPED(seg_image) photo = halves(W, channels * H, NULL);
    return CALL(seg_model_add, ctx, model, name, &photo, &scribbles);
}

/* A model of two images; NULL after a failure. */
static seg_status learn(seg_context *ctx, int channels, seg_model **out) {
    seg_options options = seg_options_default();
    options.channels = channels;
    seg_status status = CALL(seg_model_create, ctx, &options, out);
    if (status) {
        if (*out)
            sweep_fault("a model after a failure");
        return status;
    }
    status = add(ctx, *out, "one", channels);
    if (!status)
        status = add(ctx, *out, "two", channels);
    if (!status)
        status = CALL(seg_model_name_label, ctx, *out, 2, "right");
    if (!status)
        status = CALL(seg_model_learn, ctx, *out);
    if (!status)
        return SEG_OK;
    DO(seg_model_free, *out);
    *out = NULL;
    return status;
}

CASE(learned, how) {
    seg_model *model = NULL;
    seg_status status = learn(ctx, how ? 2 : 1, &model);
    if (status)
        return status;
    tell_model(model);
    DO(seg_model_free, model);
    return status;
}

/* The model that the cases of files are about, learned without failures, once; it stands in a file, too. */
static seg_model *made(void) {
    static seg_model *model;
    if (model)
        return model;
    void *bytes = NULL;
    size_t size = 0;
    seg_context plain = seg_context_default();
    must(&plain, seg_model_create(&plain, NULL, &model));
    SCOPED(seg_mask) scribbles;
    SCOPED(seg_image) photo = halves(W, H, &scribbles);
    must(&plain, seg_model_add(&plain, model, "one", &photo, &scribbles));
    must(&plain, seg_model_learn(&plain, model));
    must(&plain, seg_model_bytes(&plain, model, &bytes, &size));
    must(&plain, seg_file_write(&plain, in_folder("made.model"), bytes, size));
    seg_free(bytes);
    seg_context_end(&plain);
    return model;
}

CASE(written, unused) {
    seg_model *model = made(), *again = NULL;
    void *bytes = NULL;
    size_t size = 0;
    seg_status status = CALL(seg_model_read, ctx, in_folder("made.model"), &again);
    if (!status) {
        tell_model(again);
        seg_model_free(again);
        status = CALL(seg_model_bytes, ctx, model, &bytes, &size);
    } else if (again)
        sweep_fault("a model after a failure");
    if (!status) {
        told(bytes, size);
        status = CALL_INSIDE(seg_model_read_memory, ctx, bytes, size, "bytes", &again);
        if (!status)
            seg_model_free(again);
    }
    free(bytes);
    return status;
}

CASE(applied, how) {
    seg_model *model = made();
    SCOPED(seg_mask) scribbles;
    SCOPED(seg_image) photo = halves(W, H, &scribbles);
    seg_result *result = (seg_result *)&photo; /* any but NULL */
    seg_options options = seg_options_default();
    options.model = model;
    const seg_mask *strokes = strcmp(how, "strokes") == 0 ? &scribbles : NULL;
    const seg_status status = CALL(seg_segment_photo, ctx, &photo, strokes, NULL, &options, &result);
    if (!status)
        told_mask(&result->mask);
    else if (result)
        sweep_fault("a result after a failure");
    seg_result_free(result);
    return status;
}

static const sweep_case cases[] = {
    {"learned", learned, NULL, 1},    {"channels", learned, "channels", 1},    {"written", written, NULL, 1},
    {"applied", applied, "alone", 1}, {"with-strokes", applied, "strokes", 2},
};
TOPIC(sweep_model, "model");
