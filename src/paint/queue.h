/* What the requests and the computing thread share. Everything is under the lock, but for what item.h leaves to the
 * thread, and the settings, which never change. */
#ifndef PAINT_QUEUE_H
#define PAINT_QUEUE_H

#include "paint/solver/item.h"

#include <pthread.h>

typedef enum paint_job {
    PAINT_IDLE = 0,
    PAINT_OPENING,
    PAINT_PREPARING,
    PAINT_SOLVING,
    PAINT_SAVING,
    PAINT_ASKING
} paint_job;

struct paint_app {
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
    int asking;    /* the page shows questions */
    paint_job job; /* of the thread, on this item: */
    int job_item;
    atomic_int outdated; /* the running job is no longer wanted */
    int quitting;        /* finish what is drawn, then end */
    uint8_t *scribbles;  /* the thread's copy of the marks; owned */
    size_t scribbles_size;
};

/* Something is new about an item; the lock is held. */
void paint_tell(paint_app *app, paint_item *item);
/* A job of the thread begins or ends; the lock is held. */
void paint_begin_job(paint_app *app, paint_item *item, paint_job job);
void paint_end_job(paint_app *app, paint_item *item);
/* Whether an image's file is what was opened; where it is not, it is to be opened again, and nothing is written before.
 * The lock is held. @return 200; 410 where it is gone or 412 with a sentence */
int paint_check_source(paint_app *app, paint_item *item, char message[SEG_MESSAGE_SIZE]);
/* The thread. */
void *paint_app_run(void *app);
/* Compute the mask of an item's acts and pen, or write its files: called with the lock, which is released meanwhile. */
void paint_solve(paint_app *app, paint_item *item);
void paint_prepare(paint_app *app, paint_item *item);
void paint_save(paint_app *app, paint_item *item);

#endif
