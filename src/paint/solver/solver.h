/* Masks and questions of an image from a snapshot of what was drawn. It knows neither the lock nor the page. */
#ifndef PAINT_SOLVER_H
#define PAINT_SOLVER_H

#include "paint/document/document.h"
#include "paint/solver/questions.h"

#include <stdatomic.h>

/* One byte per pixel that several threads read: labels of a mask, or uncertainty. */
typedef struct paint_layer {
    atomic_int uses;
    seg_mask mask;
} paint_layer;

void paint_layer_release(paint_layer *layer);

/* What the last computation ended with. */
typedef struct paint_outcome {
    int64_t revision;         /* of the acts that it is of */
    int with_pen;             /* the stroke under the pen is in it */
    int64_t number;           /* counts the masks that are shown */
    paint_layer *mask;        /* or NULL: too few labels, or it failed */
    paint_layer *uncertainty; /* NULL where it was not asked for */
    char message[SEG_MESSAGE_SIZE];
    size_t pixels[256]; /* of each label of the mask */
    seg_ambiguous_region ambiguous[SEG_MAX_AMBIGUOUS];
    int ambiguous_count;
    double seconds, accuracy, dice; /* the latter two -1 without a truth */
    int drawn;                      /* labels that the scribbles have */
    int k;                          /* regions, where they are not that many; else 0 */
    size_t pairs;                   /* answers that it is made with */
    char method[64];
} paint_outcome;

void paint_outcome_free(paint_outcome *outcome);

/* What is kept of an image between computations. One thread; close it with the image. */
typedef struct paint_solver {
    seg_session *session;
    char *key;                  /* of the options it was opened with; owned */
    paint_questions *questions; /* NULL before the first one */
} paint_solver;

void paint_solver_close(paint_solver *solver);

/* Compute what does not depend on strokes. */
seg_status paint_solver_prepare(seg_context *ctx, paint_solver *solver, const seg_image *image,
                                const seg_options *options);

/* The mask of a snapshot, or why there is none in the outcome's message. Changes the snapshot's options to those that
 * the mask is made by. `limited`: memory is. @return SEG_OK, or SEG_ERR_CANCELLED */
seg_status paint_solver_segment(seg_context *ctx, paint_solver *solver, const paint_document *doc, int limited,
                                paint_snapshot *snapshot, paint_outcome *out);

/* Told where the library finds a contradiction and there are answers. */
extern const char paint_contradiction[];

/* Look at the marks and the answers of a snapshot: *answers gets these as constraints of the patches, free it with
 * seg_constraints_free; options.k becomes the number of regions that they call for where none was chosen and it is not
 * that of the labels drawn; of the outcome `drawn`, `k` and `pairs` are set, and the message where there is no mask to
 * make. */
seg_status paint_check_snapshot(seg_context *ctx, paint_snapshot *snapshot, seg_constraints *answers,
                                paint_outcome *out);

#endif
