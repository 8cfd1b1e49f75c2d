#include "evaluation/ranks.h"

#include "base/base.h"
#include "evaluation/mpirun.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SEGMENT_MPI

#include <mpi.h>
#include <time.h>

enum { TAG_ASK = 1, TAG_ITEM, TAG_RESULT };

seg_status seg_ranks_begin(seg_context *ctx, seg_ranks *out) {
    (void)ctx;
    *out = (seg_ranks){0, 1};
    if (!seg_started_by_mpirun())
        return SEG_OK;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &out->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &out->count);
    return SEG_OK;
}

void seg_ranks_end(const seg_ranks *ranks) {
    MPI_Request all;
    int arrived = 0;
    if (ranks->count < 2)
        return;
    /* MPI_Finalize waits for the last rank with a busy processor; sleep until all are there. */
    MPI_Ibarrier(MPI_COMM_WORLD, &all);
    while (MPI_Test(&all, &arrived, MPI_STATUS_IGNORE) == MPI_SUCCESS && !arrived)
        nanosleep(&(struct timespec){0, 5000000}, NULL);
    MPI_Finalize();
}

int seg_ranks_good(const seg_ranks *ranks, int good) {
    int all = good;
    if (ranks->count > 1)
        MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return all;
}

seg_status seg_ranks_agree(seg_context *ctx, const seg_ranks *ranks, const char *text) {
    if (ranks->count < 2)
        return SEG_OK;
    int length = (int)strlen(text) + 1;
    MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
    char *first = malloc((size_t)length);
    if (!first)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (ranks->rank == 0)
        memcpy(first, text, (size_t)length);
    MPI_Bcast(first, length, MPI_CHAR, 0, MPI_COMM_WORLD);
    const int same = strcmp(first, text) == 0;
    free(first);
    if (seg_ranks_good(ranks, same))
        return SEG_OK;
    return seg_fail(ctx, SEG_ERR_USAGE,
                    "the processes of mpirun do not see the same data or options; the data set must "
                    "be the same on every machine");
}

long seg_ranks_ask(void) {
    long item = SEG_RANKS_NO_ITEM;
    MPI_Send(&item, 1, MPI_LONG, 0, TAG_ASK, MPI_COMM_WORLD);
    MPI_Recv(&item, 1, MPI_LONG, 0, TAG_ITEM, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return item;
}

/* One message: the item's number as text, a blank, the result. */
void seg_ranks_send(long item, const char *text) {
    const size_t size = strlen(text) + 32;
    char *message = malloc(size);
    if (!message)
        MPI_Abort(MPI_COMM_WORLD, 1);
    const int length = snprintf(message, size, "%ld %s", item, text);
    MPI_Send(message, length + 1, MPI_CHAR, 0, TAG_RESULT, MPI_COMM_WORLD);
    free(message);
}

seg_rank_event seg_ranks_hear(const seg_ranks *ranks, int *rank, long *item, char **text) {
    MPI_Status about;
    int there = 0, length = 0;
    *text = NULL;
    if (ranks->count < 2)
        return SEG_RANK_QUIET;
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

void seg_ranks_answer(int rank, long item) {
    MPI_Send(&item, 1, MPI_LONG, rank, TAG_ITEM, MPI_COMM_WORLD);
}

#else

seg_status seg_ranks_begin(seg_context *ctx, seg_ranks *out) {
    *out = (seg_ranks){0, 1};
    if (seg_started_by_mpirun())
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "started by mpirun, but built without MPI; build with -DSEGMENT_MPI=ON, or "
                        "divide the work with --shard");
    return SEG_OK;
}

void seg_ranks_end(const seg_ranks *ranks) {
    (void)ranks;
}

int seg_ranks_good(const seg_ranks *ranks, int good) {
    (void)ranks;
    return good;
}

seg_status seg_ranks_agree(seg_context *ctx, const seg_ranks *ranks, const char *text) {
    (void)ctx;
    (void)ranks;
    (void)text;
    return SEG_OK;
}

long seg_ranks_ask(void) {
    return SEG_RANKS_NO_ITEM;
}

void seg_ranks_send(long item, const char *text) {
    (void)item;
    (void)text;
}

seg_rank_event seg_ranks_hear(const seg_ranks *ranks, int *rank, long *item, char **text) {
    (void)ranks;
    (void)rank;
    (void)item;
    *text = NULL;
    return SEG_RANK_QUIET;
}

void seg_ranks_answer(int rank, long item) {
    (void)rank;
    (void)item;
}

#endif
