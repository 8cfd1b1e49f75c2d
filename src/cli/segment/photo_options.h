/* The options of the main job. */
#ifndef CLI_SEGMENT_PHOTO_OPTIONS_H
#define CLI_SEGMENT_PHOTO_OPTIONS_H

#include "cli/common/arguments.h"
#include "cli/segment/exports.h"
#include "pipeline/option_fields.h"

#include <segment/segment.h>

#include <stdio.h>

enum { CLI_MOST_OWNED = 14 };

typedef enum cli_overlay_style {
    CLI_OVERLAY_BOTH = 0,
    CLI_OVERLAY_TINT,
    CLI_OVERLAY_OUTLINE,
    CLI_OVERLAY_CUTOUT
} cli_overlay_style;

typedef struct cli_photo_options {
    cli_common common;     /* its words are the images that were named */
    const char *photo;     /* "-" is standard input, as for the other inputs */
    const char *scribbles; /* or NULL; likewise the next three */
    const char *constraints;
    const char *labelmap;
    const char *truth;
    const char *model;
    const char *mask;        /* "-" is standard output */
    const char *overlay;     /* NULL: none */
    const char *probability; /* NULL: none; likewise the next */
    const char *uncertainty;
    const char *save_run; /* likewise */
    const char *table;    /* likewise; also if the images of a batch share one */
    const char *names;    /* NULL if not given */
    const char *shard;    /* as given, or NULL */
    int jobs;             /* images at once, 0: one per processor; -1: not given */
    int resume;
    cli_combined *gather; /* of a batch; else NULL */
    FILE *out;            /* for scores and the JSON report */
    int no_overlay;
    int tiled;              /* 1: asked for */
    seg_texts export_texts; /* of --export */
    cli_exports exports;
    seg_options segment;
    seg_overlay_style style;
    cli_overlay_style overlay_style;
    uint8_t cutout_labels[32];
    double simplify;             /* of exports, pixels */
    char *owned[CLI_MOST_OWNED]; /* generated names */
    int owned_count;
    int is_copy; /* the arrays of texts are borrowed */
} cli_photo_options;

extern const cli_table cli_photo_table;

/* A file of the main job. */
typedef struct cli_photo_file {
    const char *name;    /* in records and reports */
    const char *option;  /* without dashes; NULL of the image */
    const char *said;    /* in messages */
    size_t offset;       /* of its name in cli_photo_options */
    const char *endings; /* of an output; NULL: an input */
    const char *tail;    /* with several images, of the file's name in the folder of the option; or NULL */
} cli_photo_file;

enum { CLI_PHOTO_INPUTS = 6, CLI_PHOTO_FILES = 12 };
extern const cli_photo_file cli_photo_files[CLI_PHOTO_FILES]; /* inputs first, of which the first is the image */

/* The name of the i-th file, or NULL; and to set it. */
const char *cli_photo_path(const cli_photo_options *options, int i);
void cli_photo_set_path(cli_photo_options *options, int i, const char *path);

/* Every option at its default. */
void cli_photo_options_default(cli_photo_options *out);

/* Read the arguments without checking them, also for several images. Free with cli_photo_options_free in every case. */
cli_end cli_photo_options_read(int argc, char **argv, cli_photo_options *out);

/* Copy the options for one of several images; the copy borrows the texts. */
void cli_photo_options_copy(const cli_photo_options *from, const char *photo, cli_photo_options *out);

void cli_photo_options_free(cli_photo_options *options);

/* Store an allocated name, to be freed with the options. @return it; NULL after a message if it is NULL */
const char *cli_photo_own(cli_photo_options *options, char *name);

/* Whether a record stores the option as text. Options with this trait that are files are recorded as inputs. */
int cli_is_recorded(const seg_option *row);

#endif
