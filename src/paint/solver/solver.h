/* Computes masks and questions from snapshots, independently of the lock and the page. */
#ifndef PAINT_SOLVER_SOLVER_H
#define PAINT_SOLVER_SOLVER_H

#include "paint/document/document.h"

#include <segment/segment.h>

#include <stdatomic.h>
#include <stdint.h>

/* A shared raster of one byte per pixel: labels or uncertainty. */
typedef struct paint_layer {
    atomic_int uses;
    seg_mask mask;
} paint_layer;

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
    double seconds, accuracy, dice; /* accuracy and dice are -1 without a ground truth */
    int drawn;                      /* number of labels in the scribbles */
    int k;                          /* number of regions, if it is not `drawn`; else 0 */
    size_t pairs;                   /* number of answers used */
    char method[64];
} paint_outcome;

void paint_outcome_free(paint_outcome *outcome);

/* --- Questions to the user: which two pixels of an image to ask about next. --- */

typedef struct paint_question {
    int64_t revision; /* of the drawing when it was found; -1: none */
    int is_open;      /* 1: there is a question; 0: none is left, or the message says why */
    int x[2], y[2];   /* the pixels in the middle of two patches */
    int side;         /* of the patches in pixels */
    int regions;      /* number of regions found so far */
    char message[SEG_MESSAGE_SIZE];
} paint_question;

/* The selector of the library (Explore and Consolidate) of an image, which chooses two patches given the strokes and
 * the answers so far, and its inputs; for one thread. */
typedef struct paint_questions paint_questions;

/* Whether the next question needs no computation because only answers were added. */
int paint_questions_is_quick(const paint_questions *ask, int64_t marked);

/* Find the next question. *ask is created if it is NULL, and remains usable after a failure. @return SEG_OK: a
 * question, none left, or the reason in out->message; SEG_ERR_CANCELLED: call it again */
seg_status paint_questions_next(seg_context *ctx, paint_questions **ask, const seg_image *image,
                                const paint_snapshot *of, paint_question *out);
void paint_questions_free(paint_questions *ask);

/* State of an image between computations, for one thread. */
typedef struct paint_solver {
    seg_session *session;
    char *key;                  /* text of its options; owned */
    paint_questions *questions; /* NULL before the first question */
} paint_solver;

void paint_solver_close(paint_solver *solver);

/* Compute what depends on the image alone. */
seg_status paint_solver_prepare(seg_context *ctx, paint_solver *solver, const seg_image *image,
                                const seg_options *options);

/* Segment a snapshot; if that is impossible, out->message says why. The options of the snapshot become those that were
 * used. `limited`: 1 with a memory limit. @return SEG_OK, or SEG_ERR_CANCELLED */
seg_status paint_solver_segment(seg_context *ctx, paint_solver *solver, const paint_document *doc, int limited,
                                paint_snapshot *snapshot, paint_outcome *out);

/* The message for contradictions if there are answers. */
extern const char paint_contradiction[];

/* Check a snapshot before segmenting it. *answers gets the answers as constraints between patches, to be freed. If no
 * number of regions was chosen and the answers require more than the labels drawn, options.k is set to it. Sets
 * `drawn`, `k` and `pairs` of the outcome, and the message if no mask can be made. */
seg_status paint_check_snapshot(seg_context *ctx, paint_snapshot *snapshot, seg_constraints *answers,
                                paint_outcome *out);

#endif
