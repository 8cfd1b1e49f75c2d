/* Steps of methods that other methods are made of. Each is defined in the file of its method. */
#pragma once

#include "methods/method.h"

#define SEG_LEARN_FROM 8 /* listed pairs per cluster from which on methods that learn are worth it, by default */

/* Normalized cuts from the first k of `spectrum`, k or more smoothest eigenvectors; out as in a solve (ncut.c). */
seg_status seg_ncut_solve(seg_context *ctx, const seg_problem *problem, const seg_spectrum *spectrum,
                          seg_clustering *out);

/* How many eigenvectors CCSR uses by default (spectral_methods.c). */
int seg_ccsr_columns(const seg_problem *problem);
/* CCSR with all eigenvectors of `spectrum`, which are the problem's smoothest; share, extras: of seg_diagonal_weight
 * and seg_assign_linked; out as in a method's solve. */
seg_status seg_ccsr_solve(seg_context *ctx, const seg_problem *problem, const seg_spectrum *spectrum, double share,
                          int extras, seg_clustering *out);

/* seg_groups_from_pairs with the kernel that CCSR learns by default from those eigenvectors; the graph is enough. */
seg_status seg_ccsr_groups(seg_context *ctx, const seg_problem *problem, const seg_spectrum *spectrum,
                           seg_constraints *out);
/* seg_groups_from_pairs with the kernel that ENPAKL learns by default (enpakl.c). */
seg_status seg_enpakl_groups(seg_context *ctx, const seg_problem *problem, seg_constraints *out);
/* With ENPAKL's kernel, or without features, where ENPAKL has no smoother, with CCSR's, which needs the graph alone
 * (random_walk.c). spectrum: of CCSR, made here if it is empty; the caller frees it. */
seg_status seg_pair_groups(seg_context *ctx, const seg_problem *problem, seg_spectrum *spectrum, seg_constraints *out);

/* seg_assign_kmeans (random_walk.c). In an image and with extras, the groups are those that listed pairs form by Z
 * (seg_groups_from_pairs), where none are given and there are cannot-links. If all clusters have groups, the scores are
 * then the priors of walks on the graph from the groups' samples [grady2005priors, Eq. 8], since near patches mostly
 * belong together. Z NULL: out has the labels and scores of a clustering. Errors: as seg_groups_from_pairs. */
seg_status seg_assign_linked(seg_context *ctx, const seg_problem *problem, const seg_matrix *Z, int extras,
                             seg_clustering *out);

/* seg_groups_from_clusters with the clusters that the mixture finds; for pairs alone CCSKL, which the mixture may ask
 * for; without a graph PCKMeans, which needs features; a copy of the constraints where every cluster has a group
 * (random_walk.c). */
seg_status seg_complete_groups(seg_context *ctx, const seg_problem *problem, seg_constraints *out);

/* --- A random walker with the priors of a forest [grady2005priors, Eq. 8; geurts2006]: the scores of the default
 * method where every cluster has a group (random_walk.c). --- */

typedef struct seg_random_walk_options {
    double prior;       /* weight of the forest at each step, as a share of a sample's degree */
    double termination; /* probability that the walk ends there without a label, likewise */
    double blend;       /* share of the forest's votes in the scores (geometric mean) */
    int trees;          /* of the forest; 0: no forest, as where the problem has no features */
    double tolerance;   /* of the solver; 0: enough where a prior bounds the scores from below */
} seg_random_walk_options;

/* The problem has as many groups as clusters, no pairs and an affinity graph. Fills label, score and iterations.
 * SEG_OK, SEG_ERR_USAGE (fewer groups), SEG_ERR_NUMERIC, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_random_walk(seg_context *ctx, const seg_problem *problem, const seg_random_walk_options *options,
                           seg_clustering *out);

/* The walk with problem->prior and the marked samples, if there are any. At each step it ends in the prior, with the
 * share options->prior of the degree. With marked samples it ends more rarely, and in the geometric mean of the prior
 * and the votes of a forest grown on them. Clusters need no groups. Sets label, score, iterations; errors as above. */
seg_status seg_walk_with_prior(seg_context *ctx, const seg_problem *problem, const seg_random_walk_options *options,
                               seg_clustering *out);
