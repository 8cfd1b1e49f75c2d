#include "paint/server/server.h"

#include <microhttpd.h>
#include <netinet/in.h>

enum {
    MOST_CONNECTIONS = 64,
    IDLE_SECONDS = 30, /* idle time after which a connection is closed; longer than a request for news waits */
    MOST_HEADERS = 32 << 10,
    STACK = 1 << 20
};

/* A request whose body is being received. */
typedef struct call {
    paint_route route;
    char *body; /* owned */
    size_t size;
} call;

static const char *const headers[][2] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
     "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cache-Control", "no-store"},
};

static enum MHD_Result send_answer(struct MHD_Connection *connection, paint_answer answer) {
    struct MHD_Response *response = MHD_create_response_from_buffer(
        answer.size, answer.bytes, answer.owned ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
    if (!response) {
        if (answer.owned)
            free(answer.bytes);
        return MHD_NO;
    }
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, answer.type);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    const enum MHD_Result result = MHD_queue_response(connection, (unsigned)answer.status, response);
    MHD_destroy_response(response);
    return result;
}

static const char *header_of(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static enum MHD_Result refuse(struct MHD_Connection *connection, int status) {
    static const seg_code_text whys[] = {{400, "the request is malformed"},
                                         {403, "this address needs the token that was printed"},
                                         {404, "there is nothing at this path"},
                                         {405, "this path needs another HTTP method"},
                                         {411, "the length of the body is needed"},
                                         {413, "the body is too long"},
                                         {415, "the body must be JSON"},
                                         {0}};
    return send_answer(connection, paint_answer_error(status, seg_text_of_code(status, whys, "")));
}

/* The headers have arrived: refuse bad requests before the body is read. */
static enum MHD_Result begin(paint_server *server, struct MHD_Connection *connection, const char *path,
                             const char *method, void **state) {
    const paint_request request = {.method = method,
                                   .path = path,
                                   .host = header_of(connection, "Host"),
                                   .origin = header_of(connection, "Origin"),
                                   .fetch_site = header_of(connection, "Sec-Fetch-Site"),
                                   .content_type = header_of(connection, "Content-Type"),
                                   .content_length = header_of(connection, "Content-Length")};
    paint_route route;
    const int status = paint_guard_check(&server->guard, &request, &route);
    if (status != 200)
        return refuse(connection, status);
    call *made = calloc(1, sizeof *made);
    if (!made)
        return MHD_NO;
    made->route = route;
    *state = made;
    return MHD_YES;
}

/* @return 0 if it is too long, or out of memory */
static int take_body(call *request, const char *data, size_t size) {
    if (size > PAINT_MOST_BODY - request->size)
        return 0;
    char *grown = realloc(request->body, request->size + size + 1);
    if (!grown)
        return 0;
    memcpy(grown + request->size, data, size);
    request->body = grown;
    request->size += size;
    return 1;
}

static enum MHD_Result on_request(void *user, struct MHD_Connection *connection, const char *path, const char *method,
                                  SEG_UNUSED const char *version, const char *data, size_t *size, void **state) {
    paint_server *server = user;
    call *request = *state;
    if (!request)
        return begin(server, connection, path, method, state);
    if (*size > 0) {
        const int good = take_body(request, data, *size);
        *size = 0;
        return good ? MHD_YES : MHD_NO;
    }
    if (request->route.is_post)
        return send_answer(connection, paint_answer_post(server->queue, &request->route,
                                                         request->body ? request->body : "", request->size));
    const char *after = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "after");
    /* the name of a file of the page is part of the path, which lives as long as the request */
    request->route.file = request->route.target == PAINT_TO_FILE ? path + PAINT_TOKEN + 2 : NULL;
    return send_answer(connection,
                       paint_answer_get(server->queue, &request->route, after ? strtoll(after, NULL, 10) : 0));
}

static void on_end(SEG_UNUSED void *user, SEG_UNUSED struct MHD_Connection *connection, void **state,
                   SEG_UNUSED enum MHD_RequestTerminationCode code) {
    call *request = *state;
    if (request)
        free(request->body);
    free(request);
    *state = NULL;
}

/* Drop the messages of libmicrohttpd about broken requests. */
static void on_log(SEG_UNUSED void *user, SEG_UNUSED const char *format, SEG_UNUSED va_list values) {}

/* Open a listening socket for this machine only, and store its port; -1 with errno on failure. */
static int listen_here(int *port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)*port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    const int on = 1, made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made >= 0 && setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
        bind(made, (struct sockaddr *)&address, size) == 0 && listen(made, SOMAXCONN) == 0 &&
        getsockname(made, (struct sockaddr *)&address, &size) == 0) {
        *port = ntohs(address.sin_port);
        return made;
    }
    const int error = errno;
    if (made >= 0)
        close(made);
    errno = error;
    return -1;
}

paint_server *paint_server_start(paint_queue *queue, int port) {
    SEG_FREED paint_server *server = calloc(1, sizeof *server);
    if (!server || !paint_guard_start(&server->guard)) {
        cli_say("cannot create a random token; is the system out of memory?");
        return NULL;
    }
    server->queue = queue;
    server->guard.port = port;
    const int listening = listen_here(&server->guard.port);
    if (listening < 0) {
        cli_say("cannot listen on port %d of 127.0.0.1: %s; choose another port with --port, or 0 for any free port",
                port, strerror(errno));
        return NULL;
    }
    server->daemon = MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ITC |
            MHD_USE_ERROR_LOG,
        0, NULL, NULL, on_request, server, MHD_OPTION_EXTERNAL_LOGGER, on_log, NULL, MHD_OPTION_LISTEN_SOCKET,
        listening, MHD_OPTION_CONNECTION_LIMIT, (unsigned)MOST_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)IDLE_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MOST_HEADERS, MHD_OPTION_THREAD_STACK_SIZE,
        (size_t)STACK, MHD_OPTION_NOTIFY_COMPLETED, on_end, server, MHD_OPTION_END);
    if (!server->daemon) {
        cli_say("the server cannot be started; is the system out of memory?");
        close(listening);
        return NULL;
    }
    return seg_taken(&server);
}

void paint_server_end(paint_server *server) {
    if (server && server->daemon)
        MHD_stop_daemon(server->daemon);
    free(server);
}
