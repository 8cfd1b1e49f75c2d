/* The server of the page: on this machine's own address only, and for who has the token. */
#ifndef PAINT_SERVER_H
#define PAINT_SERVER_H

#include "paint/requests.h"
#include "paint/server/guard.h"

typedef struct paint_server paint_server;

/* Begin to listen, on any free port where it is 0. NULL after a message on standard error. */
paint_server *paint_server_start(paint_queue *queue, int port);
void paint_server_end(paint_server *server);

const paint_guard *paint_server_guard(const paint_server *server);

#endif
