/* The processes of mpirun. Built without MPI (SEGMENT_MPI), there is one. Rank 0 keeps the journal and hands out items;
 * the others ask for items and send back what came out. MPI lies in a module that is loaded where mpirun started the
 * program and nowhere else (ranks_carrier.h). */
#ifndef SEG_EVALUATION_RANKS_H
#define SEG_EVALUATION_RANKS_H

#include "evaluation/ranks_carrier.h"

#include <segment/context.h>

#include <stddef.h>

typedef struct seg_ranks {
    int rank, count;                  /* 0 and 1 where mpirun did not start the program */
    const seg_ranks_carrier *carrier; /* NULL where the program is alone */
} seg_ranks;

/* Join the others, where mpirun started the program. SEG_OK; SEG_ERR_USAGE (started by mpirun, built without MPI);
 * SEG_ERR_IO (the module is missing or cannot be loaded). */
seg_status seg_ranks_begin(seg_context *ctx, seg_ranks *out);
void seg_ranks_end(const seg_ranks *ranks);

/* All ranks call it: 1 where samples are good on all of them. */
int seg_ranks_good(const seg_ranks *ranks, int good);
/* All ranks call it: SEG_OK where all have the same text, else SEG_ERR_USAGE on all. */
seg_status seg_ranks_agree(seg_context *ctx, const seg_ranks *ranks, const char *text);

/* Other ranks: the next item to do; SEG_RANKS_NO_ITEM where none is left. */
long seg_ranks_ask(const seg_ranks *ranks);
/* Other ranks: what came out of an item. */
void seg_ranks_send(const seg_ranks *ranks, long item, const char *text);

/* Rank 0: what another rank wants, if one wants anything. SENDS: *item and *text, to be freed by the caller (NULL: out
 * of memory). ASKS: answer *rank. */
seg_rank_event seg_ranks_hear(const seg_ranks *ranks, int *rank, long *item, char **text);
void seg_ranks_answer(const seg_ranks *ranks, int rank, long item);

#endif
