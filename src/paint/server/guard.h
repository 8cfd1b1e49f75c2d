/* Checks of a request before it is processed. */
#pragma once

#include "paint/document/pyramid.h"

enum { PAINT_TOKEN = 32, PAINT_MOST_BODY = 4 << 20 };

typedef struct paint_guard {
    char token[PAINT_TOKEN + 1];
    int port;
} paint_guard;

/* Method, path and headers of a request; NULL if missing. */
typedef struct paint_request {
    const char *method, *path, *host, *origin, *fetch_site, *content_type, *content_length;
} paint_request;

typedef enum paint_target {
    PAINT_TO_FILE = 0, /* a file of the page */
    PAINT_TO_STATE,
    PAINT_TO_UNCERTAINTY, /* switch it on or off */
    PAINT_TO_ITEM,
    PAINT_TO_EDIT,
    PAINT_TO_PEN,
    PAINT_TO_NEWS,
    PAINT_TO_TILE,
    PAINT_TO_THUMB,
    PAINT_TO_SAVED, /* the file of the mask */
    PAINT_TO_EXPORT
} paint_target;

/* What a path asks for. */
typedef struct paint_route {
    paint_target target;
    int is_post;
    int item; /* number of the image in api/item/N */
    int kind; /* paint_tiles of a tile */
    paint_tile tile;
    const char *file; /* file of the page, "" for the page itself; borrowed from the path */
} paint_route;

/* Make a random token. @return 1, or 0 if the system has no random numbers */
int paint_guard_start(paint_guard *guard);

/* @return 200 with the route, or the HTTP status of the refusal: 400, 403, 404, 405, 411, 413 or 415 */
int paint_guard_check(const paint_guard *guard, const paint_request *request, paint_route *out);
