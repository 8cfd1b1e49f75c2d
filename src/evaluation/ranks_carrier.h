/* What carries items and results among the processes of mpirun: the functions of the module segment-ranks
 * (ranks_mpi.c). Open MPI's network libraries take 10 to 150 ms to load, so neither the program nor the library is
 * linked with them. */
#ifndef SEG_EVALUATION_RANKS_CARRIER_H
#define SEG_EVALUATION_RANKS_CARRIER_H

#define SEG_RANKS_NO_ITEM (-1)
#define SEG_RANKS_MODULE  "segment-ranks.so" /* lies beside the program that loads it */
#define SEG_RANKS_SYMBOL  "seg_ranks_by_mpi" /* the seg_ranks_carrier in it */

typedef enum seg_rank_event { SEG_RANK_QUIET = 0, SEG_RANK_ASKS, SEG_RANK_SENDS } seg_rank_event;

/* As the functions of the same names in ranks.h, between at least two ranks. */
typedef struct seg_ranks_carrier {
    void (*begin)(int *rank, int *count);
    void (*end)(void);
    int (*good)(int good);
    int (*same)(int rank, const char *text); /* 1 where the text is that of rank 0 on all ranks */
    long (*ask)(void);
    void (*send)(long item, const char *text);
    seg_rank_event (*hear)(int *rank, long *item, char **text);
    void (*answer)(int rank, long item);
} seg_ranks_carrier;

#endif
