/* The server of the page: reachable from this machine only, with the token. */
#ifndef PAINT_SERVER_H
#define PAINT_SERVER_H

#include "paint/requests.h"
#include "paint/server/guard.h"

typedef struct paint_server paint_server;

/* Start listening, on any free port if `port` is 0. NULL after a message on standard error. */
paint_server *paint_server_start(paint_queue *queue, int port);
void paint_server_end(paint_server *server);

const paint_guard *paint_server_guard(const paint_server *server);

#endif
