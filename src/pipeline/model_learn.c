/* Learning a model: images are added one by one. */
#include <segment/model.h>

#include "base/base.h"
#include "model/series.h"
#include "pipeline/run.h"

seg_status seg_model_create(seg_context *ctx, const seg_options *options, seg_model **out) {
    seg_options usual = seg_options_default();
    const seg_options *o = options ? options : &usual;
    *out = NULL;
    SEG_TRY(seg_options_check(ctx, o));
    if (o->graph.kind == SEG_GRAPH_FULL)
        return seg_fail(ctx, SEG_ERR_USAGE, "a model needs a graph of nearest neighbours, not the complete graph");
    SEG_FREED seg_series *series = seg_alloc_zero(ctx, 1, sizeof *series);
    seg_model *made = series ? seg_alloc_zero(ctx, 1, sizeof *made) : NULL;
    SEG_TRY(seg_allocated(made));
    series->graph = o->graph;
    made->series = seg_taken(&series);
    made->features = o->features;
    made->patch = o->patch;
    made->reduce = o->reduce;
    made->channels = o->channels;
    made->accuracy = (seg_model_accuracy){.mean = NAN, .least = NAN, .worst = -1};
    *out = made;
    return SEG_OK;
}

void seg_model_free(seg_model *model) {
    if (!model)
        return;
    seg_series *series = model->series;
    for (int i = 0; series && i < series->images; i++)
        seg_series_image_free(&series->image[i]);
    if (series)
        free(series->image);
    seg_forest_free(&model->forest);
    seg_novelty_free(&model->novelty);
    free(series);
    free(model);
}

/* The label of each patch, and how many have one. */
static seg_status read_strokes(seg_context *ctx, const char *name, const seg_mask *scribbles, seg_series_image *image) {
    SEG_RELEASED(seg_constraints_free) seg_constraints groups = {0};
    SEG_TRY(seg_constraints_from_scribbles(ctx, scribbles, &image->grid, &groups));
    SEG_TRY(seg_allocated(image->label = seg_alloc_zero(ctx, groups.n, 1)));
    for (size_t i = 0; i < groups.n; i++)
        if (groups.group[i] >= 0) {
            image->label[i] = (uint8_t)(groups.group[i] + 1);
            image->marked++;
        }
    if (!image->marked)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%.300s': nothing is marked: draw a stroke in each region", name);
    return SEG_OK;
}

static seg_status read_image(seg_context *ctx, const seg_model *model, const char *name, const seg_image *photo,
                             const seg_mask *scribbles, seg_series_image *out) {
    seg_options options = seg_options_default();
    seg_session *session;
    SEG_RELEASED(seg_matrix_free) seg_matrix F = {0};
    options.features = model->features;
    options.patch = model->patch;
    options.reduce = model->reduce;
    options.channels = model->channels;
    options.graph = model->series->graph;
    options.fixed = 1;
    SEG_TRY(seg_session_open(ctx, photo, &options, &session));
    session->seen = *photo; /* colours of a series must compare, so black and white stay */
    out->grid = session->layout.grid;
    seg_status status = read_strokes(ctx, name, scribbles, out);
    status = status ? status : seg_session_make_graph(ctx, session);
    status = status ? status : seg_session_model_features(ctx, session, &F);
    SEG_SWAP(seg_csr, out->affinity, session->affinity);
    seg_session_close(session);
    SEG_TRY(status);
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_TABLE(out->feature, F.rows, F.cols)));
    out->columns = F.cols;
    for (size_t e = 0; e < F.rows * F.cols; e++)
        out->feature[e] = (float)F.at[e];
    return SEG_OK;
}

/* The labels of the image in ascending order. */
static void enter_labels(seg_model *model, const seg_series_image *image, const seg_mask *scribbles) {
    const size_t n = (size_t)image->grid.columns * (size_t)image->grid.rows;
    for (size_t i = 0; i < n; i++) {
        const uint8_t label = image->label[i];
        int at = model->labels;
        if (!label || seg_model_column(model, label) >= 0)
            continue;
        for (; at > 0 && model->number[at - 1] > label; at--) {
            model->number[at] = model->number[at - 1];
            memcpy(model->colour[at], model->colour[at - 1], 3);
            memcpy(model->name[at], model->name[at - 1], SEG_MODEL_TEXT);
        }
        model->number[at] = label;
        memcpy(model->colour[at], scribbles->colour[label], 3);
        memset(model->name[at], 0, SEG_MODEL_TEXT);
        model->labels++;
    }
}

static seg_status refuse_read(seg_context *ctx, const seg_model *model) {
    return model->series
               ? SEG_OK
               : seg_fail(
                     ctx, SEG_ERR_USAGE,
                     "a model that was read from a file cannot learn more images; learn a new model from all images");
}

seg_status seg_model_add(seg_context *ctx, seg_model *model, const char *name, const seg_image *photo,
                         const seg_mask *scribbles) {
    SEG_RELEASED(seg_series_image_free) seg_series_image added = {.accuracy = NAN};
    seg_series *series = model->series;
    SEG_TRY(refuse_read(ctx, model));
    if (scribbles->width != photo->width || scribbles->height * model->channels != photo->height)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%.300s': the scribbles have %d x %d pixels, but the image has %d x %d; sizes must agree",
                        name, scribbles->width, scribbles->height, photo->width, photo->height / model->channels);
    SEG_TRY(seg_allocated(added.name = seg_alloc(ctx, strlen(name) + 1, 1)));
    memcpy(added.name, name, strlen(name) + 1);
    SEG_TRY(read_image(ctx, model, name, photo, scribbles, &added));
    SEG_TRY(seg_extend(ctx, &series->image, (size_t)series->images, sizeof *series->image));
    series->image[series->images++] = added;
    enter_labels(model, &added, scribbles);
    added = (seg_series_image){0};
    seg_forest_free(&model->forest); /* it was grown for other labels */
    return SEG_OK;
}

seg_status seg_model_learn(seg_context *ctx, seg_model *model) {
    SEG_TRY(refuse_read(ctx, model));
    if (!model->series->images)
        return seg_fail(ctx, SEG_ERR_USAGE, "the model has no images to learn from; add one");
    ctx->stage_count = 0;
    seg_progress_share(ctx, 0, 1);
    return seg_model_grow(ctx, model);
}

seg_status seg_model_name_label(seg_context *ctx, seg_model *model, int label, const char *name) {
    const int at = seg_model_column(model, label);
    const size_t length = strlen(name);
    int fits = length < SEG_MODEL_TEXT;
    for (size_t i = 0; i < length; i++)
        fits &= (unsigned char)name[i] >= 0x20 && name[i] != 0x7F;
    if (!fits)
        return seg_fail(ctx, SEG_ERR_USAGE, "the name of label %d is longer than %d bytes or has a control character",
                        label, SEG_MODEL_TEXT - 1);
    if (at >= 0) {
        memset(model->name[at], 0, SEG_MODEL_TEXT);
        memcpy(model->name[at], name, length);
    }
    return SEG_OK;
}
