/* The images that are painted on, and where their files are. */
#ifndef PAINT_IMAGES_H
#define PAINT_IMAGES_H

#include "paint/work.h"

#include "cli/paint_options.h"

typedef struct paint_images {
    paint_paths *paths; /* owned, and what they point at */
    int count;
    char *labels; /* of the label map; owned */
} paint_images;

/* @return CLI_GO_ON, else how to end. Free in every case. */
cli_end paint_images_find(const cli_paint_options *options, paint_images *out);
void paint_images_free(paint_images *images);

#endif
