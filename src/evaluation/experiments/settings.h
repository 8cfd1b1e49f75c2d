/* What the results of an evaluation depend on. */
#ifndef SEG_EVALUATION_EXPERIMENTS_SETTINGS_H
#define SEG_EVALUATION_EXPERIMENTS_SETTINGS_H

#include "evaluation/runner/item.h"

typedef struct seg_settings {
    const char *dataset; /* layout: "msrc" ... */
    char *title;         /* the folder's name without the path; owned, as the others */
    char *source;        /* "strokes", "50 must-links ...", "simulated user, ..." */
    char *how;  /* options of every method that are not the defaults: "features histogram, refine none"; may be empty */
    char *line; /* all of it and a checksum of the names and sizes of all files, on one line */
    const char **label; /* of the methods; borrows them */
    int labels;
    int clicks;       /* of a simulated user, else 0 */
    int object_first; /* 1: the first click was answered alone */
    size_t items;
    uint64_t seed;
} seg_settings;

/* Describe a run; free it in every case. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_settings_make(seg_context *ctx, const seg_photo_set *set, const seg_plan *plan, seg_settings *out);
void seg_settings_free(seg_settings *settings);

#endif
