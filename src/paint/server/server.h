/* The server of the page: reachable from this machine only, with the token. */
#pragma once

#include "paint/queue.h"
#include "paint/server/guard.h"

typedef struct paint_server {
    paint_guard guard;
    paint_queue *queue;
    struct MHD_Daemon *daemon;
} paint_server;

/* Start listening, on any free port if `port` is 0. NULL after a message on standard error. */
paint_server *paint_server_start(paint_queue *queue, int port);
void paint_server_end(paint_server *server);

/* --- Answers to requests that the guard has accepted. --- */

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

/* The files of page/, which are part of the program, in a table that CMake makes. */
typedef struct paint_embedded {
    const char *name, *text;
} paint_embedded;
extern const paint_embedded paint_embedded_files[]; /* ended by a row of zeros */
