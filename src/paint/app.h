/* The images at app, and the one thread that computes for them. Requests come from other threads; everything here may
 * be called by any of them. */
#ifndef PAINT_APP_H
#define PAINT_APP_H

#include "paint/document/labels.h"
#include "paint/document/options.h"
#include "paint/document/pyramid.h"

#include <segment/segment.h>

#include <stdatomic.h>

/* One byte per pixel that several threads read: labels of a mask, or uncertainty. */
typedef struct paint_layer {
    atomic_int uses;
    seg_mask mask;
} paint_layer;

typedef struct paint_app paint_app;

typedef struct paint_settings {
    seg_options options; /* those of the command line, and the model */
    const char *model;   /* its file, or NULL */
    int threads;
    uint64_t seed;
    size_t max_memory;
    int verbosity;
    const char *labels_path;
    const paint_paths *paths; /* of all images; borrowed */
    int count;
} paint_settings;

/* Begin; nothing is read yet but the label map. NULL after a sentence on standard error. */
paint_app *paint_app_start(const paint_settings *settings);
/* Finish what is drawn, write it, and end the thread. */
void paint_app_end(paint_app *app);
/* No call waits any longer. */
void paint_app_quit(paint_app *app);

int paint_app_count(const paint_app *app);
const paint_paths *paint_app_paths(const paint_app *app, int item);

/* Make an image the one that is shown, and wait until it is open: size, tiles, acts, options. NULL with a sentence. */
json_t *paint_app_open(paint_app *app, int item, char message[SEG_MESSAGE_SIZE]);

/* An edit, of the acts of that revision. @return 200; 409: the page is behind; 400 and 500 with a sentence */
int paint_app_edit(paint_app *app, int item, int64_t revision, const json_t *edit, char message[SEG_MESSAGE_SIZE]);
/* The stroke under the pen, which is not kept; NULL: the pen was lifted without one. Nothing happens where
 * an edit came first. @return 200; 400 with a sentence */
int paint_app_pen(paint_app *app, int item, int64_t revision, const json_t *stroke, char message[SEG_MESSAGE_SIZE]);
/* Whether the page shows the uncertainty. */
void paint_app_show_uncertainty(paint_app *app, int shown);
/* Whether it shows questions. @return 0 where none can be asked, with a sentence */
int paint_app_ask(paint_app *app, int asking, char message[SEG_MESSAGE_SIZE]);

/* What is known of an image, as soon as it is newer than `after`; a new reference. Waits a while at most. */
json_t *paint_app_news(paint_app *app, int item, int64_t after);

/* Labels of all images. */
json_t *paint_app_labels(paint_app *app);
/* {"name", "decides": names of options that the page does not offer with it}; null without a model. */
json_t *paint_app_model(const paint_app *app);
/* Whether a mask can be made by this method. */
int paint_app_takes_method(const paint_app *app, const char *method);
seg_labelmap paint_app_labelmap(paint_app *app);

/* A tile of an image that is open; NULL where there is none. To be freed. */
typedef enum paint_tiles { PAINT_PHOTO, PAINT_MASK, PAINT_UNCERTAINTY } paint_tiles;
uint8_t *paint_app_tile(paint_app *app, int item, paint_tiles kind, int level, int column, int row, size_t *size);

/* The mask of everything that is drawn, once it is there and no stroke is newer; to be released. NULL where it is not.
 */
paint_layer *paint_app_mask(paint_app *app, int item);
void paint_layer_release(paint_layer *layer);

/* "empty", "drawn" or "done" of each image, for the strip of a folder. */
json_t *paint_app_states(paint_app *app);

#endif
