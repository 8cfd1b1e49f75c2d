/* Questions to the user: which two pixels of an image to ask about next. The selector of the library (Explore and
 * Consolidate) chooses two patches, given the strokes and the answers so far. */
#ifndef PAINT_QUESTIONS_H
#define PAINT_QUESTIONS_H

#include "paint/document/document.h"

#include <segment/segment.h>

#include <stdint.h>

typedef struct paint_question {
    int64_t revision; /* of the drawing when it was found; -1: none */
    int is_open;      /* 1: there is a question; 0: none is left, or the message says why */
    int x[2], y[2];   /* the pixels in the middle of two patches */
    int side;         /* of the patches in pixels */
    int regions;      /* number of regions found so far */
    char message[SEG_MESSAGE_SIZE];
} paint_question;

/* The selector of an image and its inputs, for one thread. */
typedef struct paint_questions paint_questions;

/* Whether the next question needs no computation because only answers were added. */
int paint_questions_is_quick(const paint_questions *ask, int64_t marked);

/* Find the next question. *ask is created if it is NULL, and remains usable after a failure. @return SEG_OK: a
 * question, none left, or the reason in out->message; SEG_ERR_CANCELLED: call it again */
seg_status paint_questions_next(seg_context *ctx, paint_questions **ask, const seg_image *image,
                                const paint_snapshot *of, paint_question *out);
void paint_questions_free(paint_questions *ask);

#endif
