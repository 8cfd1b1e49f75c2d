/* The command line that makes the mask of the page. */
#ifndef PAINT_COMMAND_H
#define PAINT_COMMAND_H

#include "paint/paths.h"

#include <segment/segment.h>

#include <stdint.h>

/* What the mask is made of. */
typedef struct paint_given {
    int scribbles, pairs; /* there are some */
    int k;                /* regions that the answers call for; 0: those of the options */
    const char *model;    /* its file, or NULL */
} paint_given;

/* "segment photo.jpg --scribbles photo-scribbles.png ...": with every option that differs from its default, quoted for
 * a shell. To be freed; NULL without memory. */
char *paint_command(seg_context *ctx, const paint_paths *paths, const seg_options *options, uint64_t seed,
                    const paint_given *given);

#endif
