/* What is to be computed for which image: what requests and the computing thread share, and that thread. Everything is
 * under the lock, but for what is said of a field, and the settings, which never change. */
#ifndef PAINT_QUEUE_H
#define PAINT_QUEUE_H

#include "paint/solver/solver.h"

#include <pthread.h>

typedef struct paint_settings {
    seg_options options; /* those of the command line, and the model */
    const char *model;   /* its file, or NULL */
    int threads;
    uint64_t seed;
    size_t max_memory;
    int verbosity;
    const char *labels_path;
    const paint_paths *paths; /* of all images; borrowed */
    int count;
} paint_settings;

typedef enum paint_state { PAINT_CLOSED = 0, PAINT_OPEN, PAINT_BROKEN } paint_state;

typedef struct paint_item {
    paint_document doc;  /* its image, pyramid and truth are read without the lock while readers are counted */
    paint_solver solver; /* the thread's */
    paint_state state;
    int64_t opened; /* when it was shown last, in a count of its own */
    int readers;    /* threads that read image or pyramid without the lock */
    paint_stroke pen;
    int has_pen, pen_new; /* under the pen; not in a mask yet */
    paint_outcome outcome;
    paint_question question; /* of the last answers that were looked at */
    int64_t solved;          /* revision that was computed last, with success or not; -1 none */
    int64_t saved;           /* revision whose files are written; -1 none */
    int64_t news;            /* counts what is new */
    int is_prepared;
    int is_behind; /* the journal has an edit that could not be applied, or the file another image: to be opened again
                    */
    int has_mask;  /* its mask was written by this process */
    int was_drawn; /* of one that was closed again: for the strip */
} paint_item;

typedef enum paint_job {
    PAINT_IDLE = 0,
    PAINT_OPENING,
    PAINT_PREPARING,
    PAINT_SOLVING,
    PAINT_SAVING,
    PAINT_FINDING_QUESTION
} paint_job;

typedef struct paint_queue {
    paint_settings settings;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* anything */
    seg_context *ctx;       /* of the thread */
    paint_item *items;
    paint_labels labels;
    int current; /* the item that is shown, -1 none yet */
    int64_t openings;
    int wants_uncertainty;
    int shows_questions; /* the page does */
    paint_job job;       /* of the thread, on this item: */
    int job_item;
    atomic_int outdated; /* the running job is no longer wanted */
    int quitting;        /* finish what is drawn, then end */
} paint_queue;

/* Begin; nothing is read yet but the label map. NULL after a message on standard error. */
paint_queue *paint_queue_start(const paint_settings *settings);
/* No call waits any longer. */
void paint_queue_quit(paint_queue *queue);
/* Finish what is drawn, write it, and end the thread. */
void paint_queue_end(paint_queue *queue);

/* --- The lock is held. --- */

/* Something is new about an item. */
void paint_tell(paint_queue *queue, paint_item *item);
/* What was computed of an older state is not wanted any more. */
void paint_outdate(paint_queue *queue, const paint_item *item);
/* Nothing is lost where the running job ends early, because another image is wanted, or none. */
int paint_can_be_given_up(const paint_queue *queue);
/* Whether an image's file is what was opened; where it is not, it is to be opened again, and nothing is written before.
 * @return 200; 410 where it is gone or 412 with a sentence */
int paint_check_source(paint_queue *queue, paint_item *item, char message[SEG_MESSAGE_SIZE]);
/* A job of the thread begins or ends. */
void paint_begin_job(paint_queue *queue, paint_item *item, paint_job job);
void paint_end_job(paint_queue *queue, paint_item *item);
/* Forget the stroke under the pen. */
void paint_lift_pen(paint_item *item);
/* Write the files of an item; the lock is released meanwhile. */
void paint_save(paint_queue *queue, paint_item *item);

#endif
