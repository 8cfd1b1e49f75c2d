/* Computes masks from snapshots, independently of the lock and the page. */
#pragma once

#include "paint/document/document.h"

#include <stdatomic.h>

/* A shared raster of one byte per pixel: labels or uncertainty. */
typedef struct paint_layer {
    atomic_int uses;
    seg_mask mask;
} paint_layer;

/* One more use of a layer, or of none: release it. */
paint_layer *paint_layer_share(paint_layer *layer);
void paint_layer_release(paint_layer *layer);

/* The result of the last computation. */
typedef struct paint_outcome {
    int64_t revision;         /* of the drawing */
    int with_pen;             /* 1: the unfinished stroke is included */
    int64_t number;           /* number of the result */
    paint_layer *mask;        /* NULL: too few labels, or a failure */
    paint_layer *uncertainty; /* NULL if not requested */
    char message[SEG_MESSAGE_SIZE];
    size_t pixels[256]; /* pixels of each label */
    seg_ambiguous_region ambiguous[SEG_MAX_AMBIGUOUS];
    int ambiguous_count;
    double seconds;
    int drawn; /* number of labels in the scribbles */
    int rest;  /* in object mode the label of what is of no object, else 0 */
    char method[64];
} paint_outcome;

void paint_outcome_free(paint_outcome *outcome);

enum { PAINT_KNOWN = 32 }; /* steps that undo need not compute anew */

/* State of an image between computations, for one thread. */
typedef struct paint_solver {
    seg_session *session;
    char *key; /* text of its options; owned */
    paint_step
        step[PAINT_KNOWN]; /* in object mode the steps whose mask is known, and what a session has to know of it */
    seg_last_mask *memory[PAINT_KNOWN]; /* owned */
    int known;
} paint_solver;

void paint_solver_close(paint_solver *solver);

/* Compute what depends on the image alone. */
seg_status paint_solver_prepare(seg_context *ctx, paint_solver *solver, const seg_image *image,
                                const seg_options *options);

/* Segment a snapshot; if that is impossible, out->message says why. @return SEG_OK, or SEG_ERR_CANCELLED */
seg_status paint_solver_segment(seg_context *ctx, paint_solver *solver, const seg_image *image,
                                paint_snapshot *snapshot, paint_outcome *out);
