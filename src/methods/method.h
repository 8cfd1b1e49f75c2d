/* What a method is inside the library: its public row and its solver. One method, one file, one row in registry.c. */
#ifndef SEG_METHODS_METHOD_H
#define SEG_METHODS_METHOD_H

#include <segment/methods.h>

/* Solve the problem. `param` holds one value for each of the row's parameters, checked. The problem's constraints are
 * never NULL here, closed (a thing that must link to a group's is in the group) and free of contradictions; k >=
 * groups, every group has things. Fill out->label, score (both allocated) and what else the method knows of itself. */
typedef seg_status (*seg_solve)(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out);

typedef struct seg_method_row {
    seg_method info;
    seg_solve solve;
} seg_method_row;

extern const seg_method_row seg_method_kmeans, seg_method_ncut, seg_method_ccskl, seg_method_enpakl;

/* The row of a public method. */
const seg_method_row *seg_method_row_of(const seg_method *method);

#endif
