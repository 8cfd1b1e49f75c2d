/* What the results in a journal depend on: a JSON object in its first line, so that a report can be made from the
 * journal alone. */
#ifndef SEG_EVALUATION_EXPERIMENTS_SETTINGS_H
#define SEG_EVALUATION_EXPERIMENTS_SETTINGS_H

#include "evaluation/runner/item.h"

typedef struct seg_settings {
    char *dataset; /* layout: "msrc" ...; owned, as the others */
    char *title;   /* the folder's name without the path */
    char *source;  /* "strokes", "50 pairs a class", "simulated user, 10 corrections" */
    char *void_is; /* "ignored" or "a class" */
    char *how;     /* options of every method that are not the defaults: "features histogram, refine none"; may be empty
                    */
    char **label;  /* labels of the methods */
    int labels, repeats;
    int corrections;  /* of a simulated user that draws strokes, else 0 */
    int clicks;       /* of a simulated user that clicks, else 0 */
    int object_first; /* 1: the first click was answered alone */
    size_t items;
    uint64_t seed;
} seg_settings;

/* The line of a run, with a checksum of the names and sizes of all files. To be freed; NULL if out of memory. */
char *seg_settings_line(seg_context *ctx, const seg_photo_set *set, const seg_plan *protocol);
/* SEG_OK or SEG_ERR_INPUT (no such line). */
seg_status seg_settings_parse(seg_context *ctx, const char *line, seg_settings *out);
/* The line of a journal. *line is to be freed. SEG_OK, SEG_ERR_IO, SEG_ERR_INPUT, SEG_ERR_MEMORY. */
seg_status seg_settings_of_journal(seg_context *ctx, const char *path, char **line);
void seg_settings_free(seg_settings *settings);

#endif
