/* What is answered to a request that may be asked. */
#ifndef PAINT_ANSWER_H
#define PAINT_ANSWER_H

#include "paint/requests.h"
#include "paint/server/guard.h"

#include <stddef.h>

typedef struct paint_answer {
    int status;       /* of HTTP */
    const char *type; /* of the content */
    void *bytes;      /* the content; to be freed where `owned` */
    size_t size;
    int owned;
} paint_answer;

/* `after` is the number of the same name in the query, 0 where there is none. */
paint_answer paint_answer_get(paint_queue *queue, const paint_route *route, long long after);
paint_answer paint_answer_post(paint_queue *queue, const paint_route *route, const char *body, size_t size);
/* {"error": SENTENCE}. */
paint_answer paint_answer_error(int status, const char *sentence);

#endif
