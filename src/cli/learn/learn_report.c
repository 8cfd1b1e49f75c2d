#include "cli/common/process.h"
#include "cli/common/report_parts.h"
#include "cli/learn/learn.h"

#include <segment/names.h>

#include <stdio.h>
#include <string.h>

/* A file name in the form in which it is printed; to be freed. */
static char *name_of(const cli_learned *learned, int image) {
    return seg_name_encode(learned->inputs->photos.at[image], SEG_NAME_LINE);
}

cli_end cli_learned_print(const cli_learned *learned) {
    FILE *to = strcmp(learned->options->model, "-") == 0 ? stderr : stdout;
    seg_model_info about;
    seg_model_about(learned->model, 0, &about);
    fprintf(to, "images %d\nlabels %d\n", about.images, about.labels);
    if (about.judged) {
        char *name = name_of(learned, about.worst);
        fprintf(to, "accuracy %.4f\nworst %.4f %s\n", about.accuracy, about.least, name ? name : "?");
        seg_free(name);
    } else {
        fprintf(to, "accuracy unknown: %s\n",
                about.labels < 2   ? "there is only one label"
                : about.images < 2 ? "there is only one image; its scribbles can be predicted only from another image"
                                   : "no label is in two images");
    }
    fprintf(to, "bytes %zu\n", learned->bytes);
    return cli_finish_output(CLI_OK);
}

static json_t *labels_json(const seg_model *model) {
    json_t *labels = json_array();
    seg_model_info about;
    seg_model_about(model, 0, &about);
    for (int i = 0; i < about.labels; i++) {
        const seg_model_label_info *label = &about.label;
        seg_model_about(model, i, &about);
        json_array_append_new(labels, json_pack("{s:i, s:o, s:o}", "label", label->number, "name",
                                                cli_json_text(label->name[0] ? label->name : NULL), "colour",
                                                cli_json_colour(label->colour)));
    }
    return labels;
}

cli_end cli_learned_json(const cli_learned *learned) {
    json_t *images = json_array();
    seg_model_info about;
    seg_model_about(learned->model, 0, &about);
    for (int i = 0; i < about.listed; i++) {
        seg_model_about(learned->model, i, &about);
        json_array_append_new(
            images, json_pack("{s:o, s:o, s:I, s:I, s:o}", "photo", cli_json_text(learned->inputs->photos.at[i]),
                              "scribbles", cli_json_text(learned->inputs->scribbles.at[i]), "marked_patches",
                              (json_int_t)about.image.marked, "judged_patches", (json_int_t)about.image.judged,
                              "accuracy", cli_json_real(about.image.accuracy)));
    }
    return cli_json_print(
        stdout,
        json_pack("{s:s, s:s, s:o, s:I, s:o, s:o, s:i, s:i, s:o, s:o, s:o, s:f, s:f, s:f, s:i, s:I, s:I}", "program",
                  "segment", "version", seg_version(), "model", cli_json_text(learned->options->model), "bytes",
                  (json_int_t)learned->bytes, "labels", labels_json(learned->model), "images", images,
                  "without_scribbles", learned->inputs->without, "judged_images", about.judged, "accuracy",
                  cli_json_real(about.accuracy), "worst_accuracy", cli_json_real(about.least), "worst_photo",
                  cli_json_text(about.worst >= 0 ? learned->inputs->photos.at[about.worst] : NULL), "sharpness",
                  about.sharpness, "smoothing", about.smoothing, "reach", about.reach, "trees", about.trees,
                  "feature_columns", (json_int_t)about.columns, "seed", (json_int_t)about.seed));
}
