/* What a method is inside the library: its public row and its solver. One method, one file, one row in
 * selection/registry.c. Also what methods do with a problem and its result. */
#pragma once

#include "graph/laplacian.h"
#include "graph/spectrum/spectrum.h"
#include "linalg/wide_rows.h"

#include <segment/methods.h>

/* What was made of a problem's affinity before. */
typedef struct seg_prepared {
    const seg_laplacian *laplacian; /* may be NULL */
    seg_spectra spectra;            /* eigenvectors that an experiment shares; borrowed where the struct is copied */
} seg_prepared;
static inline seg_prepared seg_prepared_of(const seg_problem *problem) {
    return problem->prepared ? *problem->prepared : (seg_prepared){0};
}

/* Solve the problem. `param` has one checked value for each of the row's parameters. The problem's constraints are not
 * NULL, closed (a sample that must link to a group's is in the group) and free of contradictions; k >= groups, and
 * every group has samples. Fill out->label and score, which are allocated, and what else the method reports. */
typedef seg_status (*seg_solve)(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out);

typedef struct seg_method_row {
    seg_method info;
    seg_solve solve;
} seg_method_row;

/* Fields of a row: the number of parameters and their array. */
#define SEG_PARAMS(array) sizeof(array) / sizeof *(array), (array)

/* Rows that other methods use; selection/registry.c lists all. */
extern const seg_method_row seg_method_walk, seg_method_kmeans, seg_method_ncut, seg_method_ccskl, seg_method_enpakl,
    seg_method_pckmeans, seg_method_mixture;

/* The mean distance to the `count` nearest neighbours of a row, or to the last of them alone; where there are fewer
 * others, to these. 0 for one row. SEG_OK, SEG_ERR_MEMORY. Cost as an exact seg_nearest_search. */
seg_status seg_neighbour_distance(seg_context *ctx, const seg_matrix *X, int count, int last_alone, double *mean);

/* The smoothest eigenvectors of the problem's graph; errors of seg_spectrum_compute. A method that needs nothing else
 * of the graph has SEG_EIGENVECTORS_ONLY. */
seg_status seg_smoothest(seg_context *ctx, const seg_problem *problem, int count, seg_spectrum *out);
/* How many of them ncut, ccskl and ccsr use for n samples in k clusters; 0 for other methods: not known. */
int seg_smoothest_columns(const seg_method *method, const seg_params *params, size_t n, int k);

/* An empty result of the problem's size: label and score are allocated, and nothing is known yet. */
seg_status seg_clustering_begin(seg_context *ctx, const seg_problem *problem, seg_clustering *out);

/* Solve with the method's defaults a problem that another method was given; out: of seg_clustering_begin. */
seg_status seg_method_solve(seg_context *ctx, const seg_method_row *row, const seg_problem *problem,
                            seg_clustering *out);

/* The defaults. */
seg_params seg_params_default(const seg_method *method);
/* Set one from "NAME=VALUE". SEG_OK or SEG_ERR_USAGE (the message names the legal range). */
seg_status seg_params_set(seg_context *ctx, const seg_method *method, const char *text, seg_params *params);
/* Fill in the values of a variant. @return SEG_OK or SEG_ERR_USAGE (no paper prints the method). */
seg_status seg_params_variant(seg_context *ctx, const seg_method *method, seg_method_variant variant, seg_params *out);

/* Read "NAME", "NAME:paper" or "NAME:improved". @return SEG_OK or SEG_ERR_USAGE (no such method, variant or paper). */
seg_status seg_method_parse(seg_context *ctx, const char *text, const seg_method **method, seg_method_variant *variant);

/* "knn, grid, both or full" of NULL-ended names. */
void seg_list_choices(const char *const *names, char *list, size_t size);
