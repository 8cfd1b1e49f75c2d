/* An image at work: what was read, what was drawn, and what came out. */
#ifndef PAINT_ITEM_H
#define PAINT_ITEM_H

#include "paint/app.h"
#include "paint/document/journal.h"
#include "paint/solver/questions.h"

typedef enum paint_state { PAINT_CLOSED = 0, PAINT_OPEN, PAINT_BROKEN } paint_state;

/* What the last computation ended with. */
typedef struct paint_outcome {
    int64_t revision;         /* of the acts that it is of */
    int with_pen;             /* the stroke under the pen is in it */
    int64_t number;           /* counts the masks that are shown */
    paint_layer *mask;        /* NULL where there is none: too few labels, or it failed */
    paint_layer *uncertainty; /* NULL where it was not asked for */
    char message[SEG_MESSAGE_SIZE];
    size_t pixels[256]; /* of each label of the mask */
    seg_ambiguous_region ambiguous[SEG_MAX_AMBIGUOUS];
    int ambiguous_count;
    double seconds, accuracy, dice; /* the latter two NAN without a truth */
    int drawn;                      /* labels that the scribbles have */
    int k;                          /* regions, where they are not that many; else 0 */
    size_t pairs;                   /* answers that it is made with */
    char method[64];
} paint_outcome;

typedef struct paint_item {
    const paint_paths *paths;
    /* Under the lock of the work. */
    paint_state state;
    char message[SEG_MESSAGE_SIZE]; /* of a broken one; else a remark */
    int64_t opened;                 /* when it was shown last, in a count of its own */
    int readers;                    /* threads that read image or pyramid without the lock */
    paint_drawing drawing;
    paint_journal journal;
    paint_stroke pen;
    int has_pen, pen_new; /* under the pen; not in a mask yet */
    int64_t pen_number;   /* of strokes under the pen, so that a mask tells which it has seen */
    paint_outcome outcome;
    paint_question question; /* of the last answers that were looked at */
    int64_t solved;          /* revision that was computed last, with success or not; -1 none */
    int64_t saved;           /* revision whose files are written; -1 none */
    int64_t news;            /* counts what is new */
    int is_prepared;
    int is_behind; /* the journal has an edit that could not be applied, or the file another image: to be opened again
                    */
    paint_source source; /* the image's file */
    int has_mask;        /* its mask was written by this process */
    int was_drawn;       /* of one that was closed again: for the strip */
    uint8_t own_colour[256]
                      [3]; /* of what no label says: those of the scribbles that lay there; else the default ones */
    uint8_t file_colour[256][3]; /* of the scribbles that lie there; else the default ones */
    /* By the thread of the work alone, and by readers once open. */
    seg_image image;
    paint_pyramid pyramid;
    seg_mask truth; /* no labels where there is none */
    seg_session *session;
    char *session_key;    /* of the options it was opened with; owned */
    paint_questions *ask; /* NULL before the first question */
} paint_item;

/* Read image, scribbles, answers, truth and journal; `options` are those of the command line. @return SEG_OK; else the
 * sentence is in the context or in the message */
seg_status paint_item_open(seg_context *ctx, paint_item *item, const seg_options *options, paint_labels *labels);
void paint_item_close(paint_item *item);

/* Whether nothing was ever drawn, so that there is nothing that could be lost. */
int paint_item_is_new(const paint_item *item);
/* The revision whose files are there, before any is written: without a model those of nothing drawn, which are none. */
int64_t paint_item_saved(const paint_item *item, const seg_options *options);

#endif
