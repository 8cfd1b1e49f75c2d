#include "paint/server/guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

int paint_guard_start(paint_guard *guard) {
    unsigned char bytes[PAINT_TOKEN / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return 0;
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(guard->token + 2 * i, 3, "%02x", bytes[i]);
    return 1;
}

/* Compare in constant time, so that the duration does not reveal the number of correct characters. */
static int is_token(const paint_guard *guard, const char *text) {
    unsigned difference = 0;
    for (size_t i = 0; i < PAINT_TOKEN; i++) {
        if (!text[i])
            return 0;
        difference |= (unsigned)(text[i] ^ guard->token[i]);
    }
    return difference == 0;
}

/* Whether the host is "127.0.0.1:PORT" or "localhost:PORT". Other names of this machine are refused (DNS rebinding). */
static int is_here(const paint_guard *guard, const char *host) {
    static const char *const names[] = {"127.0.0.1", "localhost"};
    char expected[32];
    for (size_t i = 0; i < sizeof names / sizeof *names && host; i++) {
        snprintf(expected, sizeof expected, "%s:%d", names[i], guard->port);
        if (strcmp(host, expected) == 0)
            return 1;
    }
    return 0;
}

/* Whether the request comes from our own page: browsers report others in these headers. */
static int is_own(const paint_guard *guard, const paint_request *request) {
    static const char scheme[] = "http://";
    if (!is_here(guard, request->host))
        return 0;
    if (request->origin && (strncmp(request->origin, scheme, sizeof scheme - 1) != 0 ||
                            strcmp(request->origin + sizeof scheme - 1, request->host) != 0))
        return 0;
    return !request->fetch_site || strcmp(request->fetch_site, "same-origin") == 0 ||
           strcmp(request->fetch_site, "none") == 0;
}

/* Match a path with a pattern, in which # stands for a number of at most six digits. */
static int matches(const char *path, const char *pattern, int number[4]) {
    int count = 0;
    for (; *pattern; pattern++) {
        const size_t digits = strspn(path, "0123456789");
        if (*pattern != '#' ? *path != *pattern : digits < 1 || digits > 6)
            return 0;
        if (*pattern == '#')
            number[count++] = (int)strtol(path, NULL, 10);
        path += *pattern == '#' ? digits : 1;
    }
    return !*path;
}

static int read_route(const char *path, paint_route *out) {
    static const struct {
        const char *pattern;
        paint_target target;
        int is_post, kind;
    } routes[] = {{"api/state", PAINT_TO_STATE, 0, 0},
                  {"api/uncertainty", PAINT_TO_UNCERTAINTY, 1, 0},
                  {"api/item/#", PAINT_TO_ITEM, 0, 0},
                  {"api/item/#/edit", PAINT_TO_EDIT, 1, 0},
                  {"api/item/#/pen", PAINT_TO_PEN, 1, 0},
                  {"api/item/#/news", PAINT_TO_NEWS, 0, 0},
                  {"api/item/#/thumb", PAINT_TO_THUMB, 0, 0},
                  {"api/item/#/mask.png", PAINT_TO_SAVED, 0, 0},
                  {"api/item/#/export", PAINT_TO_EXPORT, 1, 0},
                  {"api/item/#/photo/#/#/#", PAINT_TO_TILE, 0, 0},
                  {"api/item/#/mask/#/#/#", PAINT_TO_TILE, 0, 1},
                  {"api/item/#/uncertainty/#/#/#", PAINT_TO_TILE, 0, 2}};
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        int number[4] = {0};
        if (matches(path, routes[i].pattern, number)) {
            *out = (paint_route){.target = routes[i].target,
                                 .is_post = routes[i].is_post,
                                 .item = number[0],
                                 .kind = routes[i].kind,
                                 .tile = {number[1], number[2], number[3]}};
            return 1;
        }
    }
    out->file = path;
    return !strchr(path, '/');
}

/* Check that the body is JSON, which forms of other pages cannot send, and its length. */
static int check_body(const paint_request *request) {
    static const char json[] = "application/json";
    const char *type = request->content_type, *length = request->content_length;
    if (!type || strncmp(type, json, sizeof json - 1) != 0 || (type[sizeof json - 1] && type[sizeof json - 1] != ';'))
        return 415;
    if (!length)
        return 411;
    const size_t digits = strspn(length, "0123456789");
    return !digits || length[digits] ? 400 : digits > 9 || strtol(length, NULL, 10) > PAINT_MOST_BODY ? 413 : 200;
}

int paint_guard_check(const paint_guard *guard, const paint_request *request, paint_route *out) {
    const char *path = request->path ? request->path : "";
    memset(out, 0, sizeof *out);
    if (!is_own(guard, request) || path[0] != '/' || !is_token(guard, path + 1) || path[1 + PAINT_TOKEN] != '/')
        return 403;
    if (!read_route(path + PAINT_TOKEN + 2, out))
        return 404;
    if (strcmp(request->method ? request->method : "", out->is_post ? "POST" : "GET") != 0)
        return 405;
    if (out->is_post)
        return check_body(request);
    return request->content_length && strcmp(request->content_length, "0") != 0 ? 400 : 200;
}
