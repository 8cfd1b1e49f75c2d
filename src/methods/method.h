/* What a method is inside the library: its public row and its solver. One method, one file, one row in registry.c. */
#ifndef SEG_METHODS_METHOD_H
#define SEG_METHODS_METHOD_H

#include "linalg/rows.h"

#include <segment/methods.h>

/* Solve the problem. `param` holds one value for each of the row's parameters, checked. The problem's constraints are
 * never NULL here, closed (a sample that must link to a group's is in the group) and free of contradictions; k >=
 * groups, every group has samples. Fill out->label, score (both allocated) and what else the method knows of itself. */
typedef seg_status (*seg_solve)(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out);

typedef struct seg_method_row {
    seg_method info;
    seg_solve solve;
} seg_method_row;

extern const seg_method_row seg_method_auto, seg_method_walk, seg_method_forest, seg_method_mixture;
extern const seg_method_row seg_method_kmeans, seg_method_ncut, seg_method_ccskl, seg_method_enpakl;
extern const seg_method_row seg_method_tragek, seg_method_pcp, seg_method_enpakl1;
extern const seg_method_row seg_method_seeded_kmeans, seg_method_constrained_kmeans, seg_method_pckmeans,
    seg_method_cop_kmeans, seg_method_hmrf_kmeans;
extern const seg_method_row seg_method_ccsr, seg_method_spectral_learning, seg_method_sskk,
    seg_method_kernel_hmrf_kmeans, seg_method_kernel_kmeans;

/* The rows of the problem's features, or of its floats; there are some. */
seg_rows seg_problem_rows(const seg_problem *problem);

/* An empty result of the problem's size: label and score allocated, the rest as before a method's solve. */
seg_status seg_clustering_begin(seg_context *ctx, const seg_problem *problem, seg_clustering *out);

/* Refuse k where the constraints, which are closed, leave fewer clusters, or have more groups or an empty one. */
seg_status seg_check_k(seg_context *ctx, const seg_problem *problem, const seg_constraints *closed);

/* seg_cluster, also for a method that learns from constraints where there are none: where its own curve begins. Such
 * methods run as they do, with nothing to keep; those whose program has no solution then fail with SEG_ERR_USAGE. */
seg_status seg_cluster_any(seg_context *ctx, const seg_method *method, const seg_params *params,
                           const seg_problem *problem, seg_clustering *out);

/* The row of a public method. */
const seg_method_row *seg_method_row_of(const seg_method *method);

/* Fill in the values of a variant. @return SEG_OK or SEG_ERR_USAGE (no paper prints the method). */
seg_status seg_params_variant(seg_context *ctx, const seg_method *method, seg_method_variant variant, seg_params *out);

/* Read "NAME", "NAME:paper" or "NAME:improved". @return SEG_OK or SEG_ERR_USAGE (no such method or variant; no paper
 * prints the method). */
seg_status seg_method_parse(seg_context *ctx, const char *text, const seg_method **method, seg_method_variant *variant);

#endif
