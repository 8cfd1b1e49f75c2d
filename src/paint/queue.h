/* The computing thread, and what it shares with the requests. The lock protects everything except the settings, which
 * never change, and fields whose comment says otherwise. */
#pragma once

#include "paint/solver/solver.h"

#include <pthread.h>

typedef struct paint_settings {
    seg_options options; /* of the command line, with the model */
    const char *model;   /* its file, or NULL */
    int threads;
    uint64_t seed;
    size_t max_memory;
    int verbosity;
    int objects; /* new images are in object mode, unless there is a label map */
    const char *labels_path;
    const paint_paths *paths; /* one per image; borrowed */
    int count;
} paint_settings;

typedef enum paint_state { PAINT_CLOSED = 0, PAINT_OPEN, PAINT_BROKEN } paint_state;

typedef struct paint_item {
    paint_document doc;  /* image and pyramid may be read without the lock while `readers` is not 0 */
    paint_solver solver; /* used by the computing thread only */
    paint_state state;
    int64_t opened; /* sequence number of the last time it was shown */
    int readers;    /* threads that read the image or pyramid without the lock */
    paint_stroke pen;
    int has_pen, pen_new; /* there is an unfinished stroke; it is not in the mask yet */
    paint_outcome outcome;
    int64_t solved; /* the last revision that was computed, successfully or not; -1: none */
    int64_t saved;  /* the revision whose files are written; -1: none */
    int64_t news;   /* number of changes so far */
    int is_prepared;
    int is_behind; /* must be opened again: an edit in the journal could not be applied, or the image file changed */
    int has_mask;  /* its mask was written by this process */
    int failed;    /* its files could not be written */
    int was_drawn; /* whether it had marks when it was closed */
} paint_item;

typedef enum paint_job { PAINT_IDLE = 0, PAINT_OPENING, PAINT_PREPARING, PAINT_SOLVING, PAINT_SAVING } paint_job;

typedef struct paint_queue {
    paint_settings settings;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* signalled on any change */
    seg_context *ctx;       /* of the computing thread */
    paint_item *items;
    paint_labels labels;
    int current; /* number of the shown item; -1: none yet */
    int64_t openings;
    int wants_uncertainty;
    paint_job job; /* the running job, and its item: */
    int job_item;
    atomic_int outdated; /* 1: the running job is to stop */
    int quitting;        /* 1: finish and end */
} paint_queue;

/* Start the thread; only the label map is read yet. NULL after a message on standard error. */
paint_queue *paint_queue_start(const paint_settings *settings);
/* End all waits, and run only jobs that must be finished. */
void paint_queue_quit(paint_queue *queue);
/* Finish and write what was drawn, and end the thread. @return 1 if all files were written */
int paint_queue_end(paint_queue *queue);

/* Hold the lock until the scope ends. */
#define PAINT_HOLD(queue)                                                                                              \
    SEG_UNUSED SEG_RELEASED(paint_unlock)                                                                              \
    paint_queue *held = (queue);                                                                                       \
    pthread_mutex_lock(&held->lock)
static inline void paint_unlock(paint_queue **held) {
    pthread_mutex_unlock(&(*held)->lock);
}

/* --- The caller holds the lock. --- */

/* Announce a change of an item. */
void paint_tell(paint_queue *queue, paint_item *item);
/* Cancel a job on an older state of the item. */
void paint_outdate(paint_queue *queue, const paint_item *item);
/* Cancel the running job if nothing is lost. */
void paint_give_up(paint_queue *queue);
/* Check that the image file is the one that was opened. If not, the item must be opened again, and nothing is written
 * before. @return 200; 410 (missing) or 412 (changed) with a sentence */
int paint_check_source(paint_queue *queue, paint_item *item, char message[SEG_MESSAGE_SIZE]);
/* Begin or end a job of the thread. */
void paint_begin_job(paint_queue *queue, paint_item *item, paint_job job);
void paint_end_job(paint_queue *queue, paint_item *item);
/* Discard the unfinished stroke. */
void paint_lift_pen(paint_item *item);
/* Write the files of an item; the lock is released meanwhile. */
void paint_save(paint_queue *queue, paint_item *item);

/* --- Requests of the page: every function may be called by any thread. --- */

/* Show an image, and wait until it is open: its size, tiles, acts and options. NULL with a sentence. */
json_t *paint_request_open(paint_queue *queue, int item, char message[SEG_MESSAGE_SIZE]);

/* Apply an edit to that revision. @return 200; or 409 (the page is out of date), 400, 410, 412, 500 with a sentence */
int paint_request_edit(paint_queue *queue, int item, int64_t revision, const json_t *edit,
                       char message[SEG_MESSAGE_SIZE]);
/* Show an unfinished stroke, which is not stored; NULL: remove it. Ignored if the revision is not the current one.
 * @return 200; 400 with a sentence */
int paint_request_pen(paint_queue *queue, int item, int64_t revision, const json_t *stroke,
                      char message[SEG_MESSAGE_SIZE]);
/* Tell whether the page shows the uncertainty. */
void paint_request_show_uncertainty(paint_queue *queue, int shown);

/* The state of an image, once its number is not `after` any more, or after 20 seconds; a new reference. */
json_t *paint_request_news(paint_queue *queue, int item, int64_t after);

/* The labels. */
json_t *paint_request_labels(paint_queue *queue);
seg_labelmap paint_request_labelmap(paint_queue *queue, int item); /* as the page names them for the image */

/* A tile of an open image; free it. NULL if there is none. */
typedef enum paint_tiles { PAINT_PHOTO, PAINT_MASK, PAINT_UNCERTAINTY } paint_tiles;
uint8_t *paint_request_tile(paint_queue *queue, int item, paint_tiles kind, const paint_tile *at, size_t *size);

/* The mask of everything drawn; release it. NULL if it is not computed yet. */
paint_layer *paint_request_mask(paint_queue *queue, int item);

/* {"name", "drawn", "broken"} of each image. */
json_t *paint_request_states(paint_queue *queue);
