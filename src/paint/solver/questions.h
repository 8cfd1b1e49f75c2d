/* Questions to the person: which two places of an image to ask about next. A selector of the library (Explore, then
 * Consolidate) chooses among the patches, knowing the strokes and the answers so far. */
#ifndef PAINT_QUESTIONS_H
#define PAINT_QUESTIONS_H

#include "paint/document/document.h"

#include <segment/segment.h>

#include <stdint.h>

typedef struct paint_question {
    int64_t revision; /* of the acts that it follows, -1 none */
    int is_open;      /* 1: a question; 0: none is left, or the message says why there is none */
    int x[2], y[2];   /* the pixels in the middle of two patches */
    int side;         /* of the patches, pixels */
    int regions;      /* found so far */
    char message[SEG_MESSAGE_SIZE];
} paint_question;

/* The selector of an image, and what it was made with. One thread. */
typedef struct paint_questions paint_questions;

/* Whether the next question follows from the last by an answer alone, in no time. */
int paint_questions_is_quick(const paint_questions *ask, int64_t marked);

/* Find the next question. *ask is made where it is NULL, and stays as it is usable after a failure.
 * @return SEG_OK: a question, none left, or the reason in out->message; SEG_ERR_CANCELLED: to be asked again */
seg_status paint_questions_next(seg_context *ctx, paint_questions **ask, const seg_image *image,
                                const paint_snapshot *of, paint_question *out);
void paint_questions_free(paint_questions *ask);

#endif
