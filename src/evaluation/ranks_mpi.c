/* MPI behind ranks.h, a module of its own (ranks_carrier.h says why). */
#include "evaluation/ranks_carrier.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG_ASK = 1, TAG_ITEM, TAG_RESULT };

static void begin(int *rank, int *count) {
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, count);
}

static void end(void) {
    MPI_Request all;
    int arrived = 0;
    /* MPI_Finalize waits for the last rank with a busy processor; sleep until all are there. */
    MPI_Ibarrier(MPI_COMM_WORLD, &all);
    while (MPI_Test(&all, &arrived, MPI_STATUS_IGNORE) == MPI_SUCCESS && !arrived)
        nanosleep(&(struct timespec){0, 5000000}, NULL);
    MPI_Finalize();
}

static int good(int own) {
    int all = own;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return all;
}

static int same(int rank, const char *text) {
    int length = (int)strlen(text) + 1;
    MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
    char *first = malloc((size_t)length);
    if (!first)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 0)
        memcpy(first, text, (size_t)length);
    MPI_Bcast(first, length, MPI_CHAR, 0, MPI_COMM_WORLD);
    const int own = strcmp(first, text) == 0;
    free(first);
    return good(own);
}

static long ask(void) {
    long item = SEG_RANKS_NO_ITEM;
    MPI_Send(&item, 1, MPI_LONG, 0, TAG_ASK, MPI_COMM_WORLD);
    MPI_Recv(&item, 1, MPI_LONG, 0, TAG_ITEM, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return item;
}

/* One message: the item's number as text, a blank, the result. */
static void send(long item, const char *text) {
    const size_t size = strlen(text) + 32;
    char *message = malloc(size);
    if (!message)
        MPI_Abort(MPI_COMM_WORLD, 1);
    const int length = snprintf(message, size, "%ld %s", item, text);
    MPI_Send(message, length + 1, MPI_CHAR, 0, TAG_RESULT, MPI_COMM_WORLD);
    free(message);
}

static seg_rank_event hear(int *rank, long *item, char **text) {
    MPI_Status about;
    int there = 0, length = 0;
    *text = NULL;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &about);
    if (!there)
        return SEG_RANK_QUIET;
    *rank = about.MPI_SOURCE;
    if (about.MPI_TAG == TAG_ASK) {
        MPI_Recv(item, 1, MPI_LONG, *rank, TAG_ASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return SEG_RANK_ASKS;
    }
    MPI_Get_count(&about, MPI_CHAR, &length);
    char *message = malloc((size_t)length + 1), *end;
    if (!message)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Recv(message, length, MPI_CHAR, *rank, TAG_RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    message[length] = 0;
    *item = strtol(message, &end, 10);
    *text = strdup(*end ? end + 1 : end);
    free(message);
    return SEG_RANK_SENDS;
}

static void answer(int rank, long item) {
    MPI_Send(&item, 1, MPI_LONG, rank, TAG_ITEM, MPI_COMM_WORLD);
}

extern const seg_ranks_carrier seg_ranks_by_mpi __attribute__((visibility("default")));
const seg_ranks_carrier seg_ranks_by_mpi = {begin, end, good, same, ask, send, hear, answer};
