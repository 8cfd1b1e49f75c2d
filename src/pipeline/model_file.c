/* Reading and writing models, and their properties. */
#include <segment/model.h>

#include "base/base.h"
#include "image/file.h"
#include "model/series.h"

seg_status seg_model_read_memory(seg_context *ctx, const void *bytes, size_t size, const char *name, seg_model **out) {
    seg_model *made = *out = seg_alloc_zero(ctx, 1, sizeof *made);
    SEG_TRY(seg_allocated(made));
    SEG_RETURN_OR(seg_model_decode(ctx, bytes, size, name, made), seg_model_free(seg_taken(out)));
}

seg_status seg_model_bytes(seg_context *ctx, const seg_model *model, void **bytes, size_t *size) {
    *bytes = NULL;
    *size = 0;
    return model->forest.tree
               ? seg_model_encode(ctx, model, bytes, size)
               : seg_fail(ctx, SEG_ERR_USAGE, "the model has not learned yet; call seg_model_learn first");
}

seg_status seg_model_read(seg_context *ctx, const char *path, seg_model **out) {
    SEG_FREED unsigned char *bytes = NULL;
    size_t size;
    *out = NULL;
    SEG_TRY(seg_file_read(ctx, path, &bytes, &size));
    return seg_model_read_memory(ctx, bytes, size, seg_file_label(path, "standard input"), out);
}

void seg_model_about(const seg_model *model, int i, seg_model_info *out) {
    const int listed = model->series ? model->series->images : 0;
    *out = (seg_model_info){.labels = model->labels,
                            .images = model->series ? listed : model->images,
                            .listed = listed,
                            .judged = model->accuracy.images,
                            .accuracy = model->accuracy.mean,
                            .least = model->accuracy.least,
                            .worst = model->series ? model->accuracy.worst : -1,
                            .sharpness = model->sharpness,
                            .smoothing = model->prior,
                            .reach = model->novelty.reach,
                            .trees = model->forest.tree ? model->forest.trees : 0,
                            .columns = model->forest.columns,
                            .channels = model->channels,
                            .seed = model->seed,
                            .version = model->version,
                            .label.name = "",
                            .image.name = ""};
    if (i >= 0 && i < model->labels) {
        out->label.number = model->number[i];
        out->label.name = model->name[i];
        memcpy(out->label.colour, model->colour[i], 3);
    }
    if (i >= 0 && i < listed) {
        const seg_series_image *image = &model->series->image[i];
        out->image = (seg_model_image_info){image->name, image->marked, image->judged, image->accuracy};
    }
}
