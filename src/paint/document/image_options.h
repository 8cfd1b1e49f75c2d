/* The options of an image, the command line that makes the same mask, and the restrictions of a model. */
#pragma once

#include "paint/document/image_files.h"
#include "paint/document/shared_labels.h"
#include "pipeline/option_fields.h"

/* The first options of an image: those of the command line, and the object mode of an image that was new. */
seg_options paint_first_options(const paint_drawing *drawing, const seg_options *given);
/* The options of an image: the first ones, changed by its acts. */
seg_status paint_drawing_options(seg_context *ctx, const paint_drawing *drawing, const seg_options *given,
                                 seg_options *out);
/* Every option as a text, for the page: {"name": "value", ...}. */
json_t *paint_options_json(seg_context *ctx, const seg_options *options);
/* "segment photo.jpg --scribbles photo-scribbles.png ..." with every option that differs from its default, quoted for a
 * shell. `scribbles`: 1 if there are some; `model`: its file, or NULL. Free it; NULL if out of memory. */
char *paint_command(seg_context *ctx, const paint_paths *paths, const seg_options *options, uint64_t seed,
                    int scribbles, const char *model);

/* Whether this method can be used with these options. */
int paint_model_takes(seg_context *ctx, const seg_options *options, const char *method);

/* {"name", "decides"}: the name of the model file, and the options that the model determines. */
json_t *paint_model_json(const char *path);
