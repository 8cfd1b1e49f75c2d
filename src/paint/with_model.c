#include "paint/with_model.h"

#include "paint/text.h"

#include <stdio.h>
#include <string.h>

const char *paint_model_refuses(const paint_labels *labels, const json_t *edit) {
    if (json_object_get(edit, "answer"))
        return "pairs cannot be joined with a model; draw strokes, or start segment paint without --model";
    return paint_labels_recolours(labels, json_object_get(edit, "label"))
               ? "the colours of the model's labels are the model's; a label can have another name"
               : NULL;
}

void paint_model_solvable(seg_context *ctx, const seg_options *options, paint_outcome *out) {
    if (out->pairs)
        snprintf(out->message, sizeof out->message,
                 "Answers cannot be joined with a model: delete them, or start segment paint without --model.");
    else if (seg_options_check(ctx, options) != SEG_OK)
        snprintf(out->message, sizeof out->message,
                 "%.300s (options of this image: O, As the defaults, takes them back)", seg_context_message(ctx));
}

int paint_model_takes(seg_context *ctx, const seg_options *options, const char *method) {
    seg_options with = *options;
    with.method = method;
    with.params_set = 0;
    return seg_options_check(ctx, &with) == SEG_OK;
}

json_t *paint_model_json(const char *path) {
    static const char *const decided[] = {"regions", "object", "pairs", "features", "patch", "reduce"};
    const char *slash = strrchr(path, '/');
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof decided / sizeof *decided; i++)
        json_array_append_new(list, json_string(decided[i]));
    return json_pack("{s:o, s:o}", "name", paint_text(slash ? slash + 1 : path), "decides", list);
}
