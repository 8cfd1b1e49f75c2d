/* The options of an image, the command line that makes its mask, and what a model leaves to choose. */
#ifndef PAINT_DOCUMENT_IMAGE_OPTIONS_H
#define PAINT_DOCUMENT_IMAGE_OPTIONS_H

#include "paint/document/image_files.h"
#include "paint/document/shared_labels.h"

#include <segment/segment.h>

#include <stdint.h>

/* The options of an image: those of the command line, then what was set in its acts. */
seg_status paint_drawing_options(seg_context *ctx, const paint_drawing *drawing, const seg_options *initial,
                                 seg_options *out);
/* Every option as a text, for the page: {"name": "value", ...}. */
json_t *paint_options_json(seg_context *ctx, const seg_options *options);
/* What the mask is made of. */
typedef struct paint_given {
    int scribbles, pairs; /* there are some */
    int k;                /* regions that the answers call for; 0: those of the options */
    const char *model;    /* its file, or NULL */
} paint_given;

/* "segment photo.jpg --scribbles photo-scribbles.png ...": with every option that differs from its default, quoted for
 * a shell. To be freed; NULL if out of memory. */
char *paint_command(seg_context *ctx, const paint_paths *paths, const seg_options *options, uint64_t seed,
                    const paint_given *given);

/* Why an edit makes no sense with a model: answers, and other colours of its labels. @return NULL: it is none of these
 */
const char *paint_model_refuses(const paint_labels *labels, const json_t *edit);

/* Whether this method can be used with these options. */
int paint_model_takes(seg_context *ctx, const seg_options *options, const char *method);

/* {"name", "decides"}: how the model's file is called, and the options that it leaves nothing to say about. */
json_t *paint_model_json(const char *path);

#endif
