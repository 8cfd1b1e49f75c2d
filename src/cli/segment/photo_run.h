/* Inputs and results of the run of one image. */
#ifndef CLI_SEGMENT_PHOTO_RUN_H
#define CLI_SEGMENT_PHOTO_RUN_H

#include <segment/segment.h>

#include <jansson.h>

/* Everything that one run reads and makes. */
typedef struct cli_photo_run {
    seg_image photo;
    seg_mask scribbles, truth;
    seg_scribbles_about scribbles_about;
    seg_labelmap labelmap;
    seg_constraints pairs;
    seg_model *model;   /* or NULL */
    seg_result *result; /* NULL before there is one */
    seg_scores scores;
    seg_photo_plan plan; /* made from the headers of the inputs; zero without a limit */
    json_t *record;      /* the inputs of --save-run, else NULL */
    char *table;         /* lines of --table; NULL: none */
    size_t table_size;
    uint8_t *alpha;                                       /* of an overlay that is a cut-out; else NULL */
    double started, read_seconds, write_seconds, seconds; /* of a monotonic clock */
    size_t read_memory;                                   /* highest resident size when the inputs were read, bytes */
} cli_photo_run;

#endif
