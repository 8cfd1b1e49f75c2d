#include "paint/server/guard.h"

#include <errno.h>
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

/* Whether the host is "127.0.0.1:PORT" or "localhost:PORT". Other names that resolve to this machine are refused (DNS
 * rebinding). */
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

/* Read a number of at most six digits, and move *path behind it. */
static int take_number(const char **path, int *out) {
    const size_t digits = strspn(*path, "0123456789");
    if (digits < 1 || digits > 6)
        return 0;
    *out = (int)strtol(*path, NULL, 10);
    *path += digits;
    return 1;
}

static int take(const char **path, const char *text) {
    const size_t length = strlen(text);
    if (strncmp(*path, text, length) != 0)
        return 0;
    *path += length;
    return 1;
}

static int read_tile(const char *path, paint_route *out) {
    static const char *const kinds[] = {"photo/", "mask/", "uncertainty/"};
    out->target = PAINT_TO_TILE;
    for (out->kind = 0; out->kind < 3; out->kind++)
        if (take(&path, kinds[out->kind]))
            break;
    return out->kind < 3 && take_number(&path, &out->tile.level) && take(&path, "/") &&
           take_number(&path, &out->tile.column) && take(&path, "/") && take_number(&path, &out->tile.row) && !*path;
}

static int read_item(const char *path, paint_route *out) {
    static const struct {
        const char *name;
        paint_target target;
        int is_post;
    } ends[] = {{"", PAINT_TO_ITEM, 0},         {"/edit", PAINT_TO_EDIT, 1},   {"/pen", PAINT_TO_PEN, 1},
                {"/news", PAINT_TO_NEWS, 0},    {"/thumb", PAINT_TO_THUMB, 0}, {"/mask.png", PAINT_TO_SAVED, 0},
                {"/export", PAINT_TO_EXPORT, 1}};
    if (!take_number(&path, &out->item))
        return 0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (strcmp(path, ends[i].name) == 0) {
            out->target = ends[i].target;
            out->is_post = ends[i].is_post;
            return 1;
        }
    }
    return take(&path, "/") && read_tile(path, out);
}

static int read_route(const char *path, paint_route *out) {
    memset(out, 0, sizeof *out);
    if (!take(&path, "api/")) {
        out->file = path;
        return !strchr(path, '/');
    }
    if (take(&path, "item/"))
        return read_item(path, out);
    out->target = strcmp(path, "state") == 0 ? PAINT_TO_STATE
                  : strcmp(path, "ask") == 0 ? PAINT_TO_ASK
                                             : PAINT_TO_UNCERTAINTY;
    out->is_post = out->target != PAINT_TO_STATE;
    return out->target != PAINT_TO_UNCERTAINTY || strcmp(path, "uncertainty") == 0;
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
    if (!digits || length[digits])
        return 400;
    return digits > 9 || strtol(length, NULL, 10) > PAINT_MOST_BODY ? 413 : 200;
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
