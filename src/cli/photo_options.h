/* The options of the main job. */
#ifndef CLI_PHOTO_OPTIONS_H
#define CLI_PHOTO_OPTIONS_H

#include "exports.h"
#include "fields.h"
#include "progress.h"

#include <segment/segment.h>

typedef struct cli_photo_options {
    cli_arguments arguments;
    cli_texts photos;      /* all that were named */
    const char *photo;     /* the first; "-" is standard input, as for the other inputs */
    const char *scribbles; /* NULL where there are none; likewise the next three */
    const char *constraints;
    const char *labelmap;
    const char *truth;
    const char *mask;        /* "-" is standard output */
    const char *overlay;     /* NULL where none is wanted */
    const char *probability; /* NULL where it is not wanted; likewise the next */
    const char *uncertainty;
    const char *save_run; /* likewise */
    int no_overlay;
    char *default_mask, *default_overlay; /* owned */
    cli_texts param, export_texts;        /* the texts of --param and --export */
    cli_exports exports;
    const char *method_name, *features;
    seg_options segment;
    int knn_given; /* --knn */
    seg_overlay_style style;
    int64_t seed;
    int threads;
    size_t max_memory; /* bytes, 0 for no limit */
    double timeout;    /* seconds, likewise */
    int progress;      /* cli_progress_mode */
    int json, quiet, verbose;
} cli_photo_options;

/* Names of the options' choices, NULL-ended. */
extern const char *const cli_graph_names[];          /* position + 1 = seg_graph_kind */
extern const char *const cli_contradictions_names[]; /* position = seg_contradictions */
extern const char *const cli_refine_names[];         /* position = seg_refine */

/* Parse the arguments alone, several images too. Likewise. */
int cli_photo_options_read(int argc, char **argv, cli_photo_options *out);

/* Parse and check the arguments of one image; the files are not opened yet.
 * @return CLI_GO_ON, else how to end. Free with cli_photo_options_free in every case. */
int cli_photo_options_parse(seg_context *ctx, int argc, char **argv, cli_photo_options *out);
void cli_photo_options_free(cli_photo_options *options);

/* The long name and the text of every option that has a value, given or by default. */
void cli_photo_options_each(const cli_photo_options *options,
                            void (*put)(void *user, const char *name, const char *text), void *user);

#endif
