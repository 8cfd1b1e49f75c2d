/* The steps of k-means with pairwise constraints. Samples in no constraint do not depend on each other and go through
 * Lloyd's step; the others are assigned one after the other, each seeing where those before it went. */
#ifndef SEG_CLUSTERING_PCKMEANS_STEP_H
#define SEG_CLUSTERING_PCKMEANS_STEP_H

#include "clustering/kmeans_step.h"
#include "clustering/pckmeans.h"
#include "clustering/penalties.h"

typedef struct seg_pck {
    seg_context *ctx;
    const seg_matrix *X; /* borrowed */
    const seg_pckmeans_options *options;
    const seg_neighbourhoods *f;
    seg_lloyd lloyd;
    seg_penalties penalties;
    double w;               /* in the data's unit; infinite where constraints are hard */
    int follow;             /* constraints have a say in the assignment */
    int16_t *start;         /* n: the cluster that a sample starts, -1 none */
    int16_t *hold;          /* n: the cluster of a sample that Lloyd's step leaves alone, -1 free */
    int32_t *sample;        /* samples in constraints, in the run's order */
    int32_t *neighbourhood; /* neighbourhoods, in the run's order */
    size_t samples;
    double *distance, *penalty; /* k */
} seg_pck;

/* n k d; below it waiting for threads in every step costs more than it saves, and whole runs go side by side instead.
 */
#define SEG_PCK_SMALL_WORK 8e6

seg_status seg_pck_create(seg_context *ctx, const seg_matrix *X, const seg_constraints *constraints,
                          const seg_neighbourhoods *neighbourhoods, const seg_pckmeans_options *options, seg_pck *out);
void seg_pck_free(seg_pck *pck);
/* Draw the orders, set the first centres. */
seg_status seg_pck_begin(seg_pck *pck, seg_random *random);
/* The assignment step; *changed = 0 where nothing moved. Given the centres, the objective never rises, but for a sample
 * that is put into an empty cluster, whose centre then follows. */
seg_status seg_pck_assign(seg_pck *pck, size_t *changed);
/* The centroid step. */
void seg_pck_update(seg_pck *pck);
double seg_pck_objective(seg_pck *pck, double *broken);

#endif
