/* Answers to requests that the guard has accepted. */
#ifndef PAINT_ANSWER_H
#define PAINT_ANSWER_H

#include "paint/requests.h"
#include "paint/server/guard.h"

#include <stddef.h>

typedef struct paint_answer {
    int status;       /* HTTP status */
    const char *type; /* MIME type of the content */
    void *bytes;      /* the content; free it if `owned` */
    size_t size;
    int owned;
} paint_answer;

/* `after` is the number in the query of the address, 0 if there is none. */
paint_answer paint_answer_get(paint_queue *queue, const paint_route *route, long long after);
paint_answer paint_answer_post(paint_queue *queue, const paint_route *route, const char *body, size_t size);
/* {"error": SENTENCE}. */
paint_answer paint_answer_error(int status, const char *sentence);

#endif
