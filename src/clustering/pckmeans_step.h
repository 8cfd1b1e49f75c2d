/* The steps of k-means with and without pairwise constraints. Samples in no constraint are independent of each other
 * and are assigned by Lloyd's step; the others are assigned one after the other, given the labels of those before. */
#pragma once

#include "clustering/kmeans_step.h"
#include "clustering/pckmeans.h"

/* ---- Penalties of broken constraints [basu2004active, Eq. 2.1], from counts of the members of neighbourhoods in
 * clusters: computing the penalties of a sample for all clusters is O(k), however large its group is. ---- */

typedef struct seg_penalties {
    const seg_neighbourhoods *f; /* borrowed */
    size_t n, k;
    int32_t counted;   /* neighbourhoods with all pairs implied: all of them (closure), or the groups only (listed) */
    int32_t *label;    /* n: cluster of each constrained sample, -1 before its first assignment */
    uint32_t *count;   /* counted x k: number of members of a neighbourhood in a cluster */
    uint32_t *grouped; /* k: number of members of all groups in a cluster */
    seg_csr pairs;     /* the listed pairs by sample (seg_pairs_by_sample), if not counted */
} seg_penalties;

/* closure: 1: all implied pairs; 0: those of groups and listed ones, each with its weight. Free `out` in any case. */
seg_status seg_penalties_create(seg_context *ctx, const seg_constraints *constraints,
                                const seg_neighbourhoods *neighbourhoods, int k, int closure, seg_penalties *out);
void seg_penalties_free(seg_penalties *penalties);
/* Put a sample into a cluster. */
void seg_penalties_move(seg_penalties *penalties, int32_t sample, int32_t to);
/* row[h]: weight of the constraints with already labelled samples that the sample would break in cluster h. */
void seg_penalties_of_sample(const seg_penalties *penalties, int32_t sample, double *row);
/* The same for all members of a counted neighbourhood together. */
void seg_penalties_of_neighbourhood(const seg_penalties *penalties, int32_t which, double *row);
/* Weight of all broken constraints. */
double seg_penalties_total(const seg_penalties *penalties);
/* Number of constraints, broken or not. */
double seg_penalties_constraints(const seg_penalties *penalties);

/* ---- The steps. ---- */

/* Input shared by all runs; borrowed. */
typedef struct seg_pck_problem {
    const seg_matrix *X;
    seg_kmeans_options plain;
    const seg_constraints *constraints; /* this and the next two NULL: k-means without constraints */
    const seg_neighbourhoods *f;
    const seg_pckmeans_options *soft;
    int together; /* 1: all runs pass over the rows together */
} seg_pck_problem;

typedef struct seg_pck {
    seg_context *ctx;
    const seg_pck_problem *problem;
    const seg_neighbourhoods *f;
    seg_lloyd lloyd;
    seg_penalties penalties;
    double w;               /* penalty weight, scaled to the data; infinite if constraints are hard */
    int follow;             /* 1: constraints take part in the assignment */
    int16_t *start;         /* n: the cluster that a sample helps to start, -1 none */
    int16_t *hold;          /* n: the cluster in which Lloyd's step keeps a sample, -1 free */
    int32_t *sample;        /* samples in constraints, in the order of the run */
    int32_t *neighbourhood; /* neighbourhoods, in the order of the run */
    size_t samples;
    double *distance, *penalty; /* k */
    size_t dead_end;            /* COP-KMeans as printed: the row that no cluster could take */
} seg_pck;

/* n k d; below it waiting for threads in every step costs more than it saves: whole runs are then done in parallel. */
#define SEG_PCK_SMALL_WORK 8e6

/* like: as in seg_lloyd_create. Free `out` in any case. */
seg_status seg_pck_create(seg_context *ctx, const seg_pck_problem *problem, const seg_lloyd *like, seg_pck *out);
void seg_pck_free(seg_pck *pck);
/* Draw the orders and set the first centres. COP-KMeans as printed starts at k rows drawn at random. */
seg_status seg_pck_begin(seg_pck *pck, seg_random *random);
/* The assignment step; *changed = 0 where nothing moved. seg_lloyd_update follows. Given the centres, the objective
 * never increases, except when a sample is moved to an empty cluster, whose centre is updated later. COP-KMeans as
 * printed: SEG_ERR_USAGE, without a message, where no cluster is left for a row, which ends the run. */
seg_status seg_pck_assign(seg_pck *pck, size_t *changed);
double seg_pck_objective(seg_pck *pck, double *broken);
