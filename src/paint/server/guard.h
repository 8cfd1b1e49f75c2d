/* Who may ask for what: a request is looked at before anything is done for it. */
#ifndef PAINT_GUARD_H
#define PAINT_GUARD_H

#include "paint/document/pyramid.h"

#include <stddef.h>

enum { PAINT_TOKEN = 32, PAINT_MOST_BODY = 4 << 20 };

typedef struct paint_guard {
    char token[PAINT_TOKEN + 1];
    int port;
} paint_guard;

/* What a request says of itself; NULL where it does not. */
typedef struct paint_request {
    const char *method, *path, *host, *origin, *fetch_site, *content_type, *content_length;
} paint_request;

typedef enum paint_target {
    PAINT_TO_FILE = 0, /* of the page */
    PAINT_TO_STATE,
    PAINT_TO_UNCERTAINTY, /* switch it */
    PAINT_TO_ASK,         /* likewise */
    PAINT_TO_ITEM,
    PAINT_TO_EDIT,
    PAINT_TO_PEN,
    PAINT_TO_NEWS,
    PAINT_TO_TILE,
    PAINT_TO_THUMB,
    PAINT_TO_SAVED, /* the mask's file */
    PAINT_TO_EXPORT
} paint_target;

/* What is asked for, of a path behind the token. */
typedef struct paint_route {
    paint_target target;
    int is_post;
    int item; /* of those behind api/item/ */
    int kind; /* of a tile, a paint_tiles */
    paint_tile tile;
    const char *file; /* of the page, "" for the page itself; borrowed from the path */
} paint_route;

/* A token nobody can guess. @return 1, or 0 where the system gives no random numbers */
int paint_guard_start(paint_guard *guard);

/* 200 and the route, or the HTTP status to refuse with: 400, 403, 404, 405, 411, 413 or 415. */
int paint_guard_check(const paint_guard *guard, const paint_request *request, paint_route *out);

#endif
