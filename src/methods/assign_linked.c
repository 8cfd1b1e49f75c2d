/* Clusters of a kernel learned from listed pairs. */
#include "methods/assign.h"

#include "base/base.h"
#include "clustering/kmeans.h"

#include <stdlib.h>
#include <string.h>

#define LINKED_STREAM     0x2100
#define LINKED_ITERATIONS 100

/* The rows of things that some pair names; *count of them, which[] their numbers. */
static seg_status linked_rows(seg_context *ctx, const seg_problem *problem, const seg_matrix *Z, size_t *which,
                              seg_matrix *out) {
    size_t count = 0;
    uint8_t *linked = seg_alloc_zero(ctx, problem->n, 1);
    if (!linked)
        return SEG_ERR_MEMORY;
    for (size_t p = 0; p < problem->constraints->pairs; p++)
        linked[problem->constraints->pair[p].i] = linked[problem->constraints->pair[p].j] = 1;
    for (size_t i = 0; i < problem->n; i++)
        if (linked[i])
            which[count++] = i;
    free(linked);
    seg_status status = seg_matrix_create(ctx, count, Z->cols, out);
    for (size_t c = 0; c < count && status == SEG_OK; c++)
        memcpy(out->at + c * Z->cols, Z->at + which[c] * Z->cols, Z->cols * sizeof *Z->at);
    return status;
}

seg_status seg_assign_linked(seg_context *ctx, const seg_problem *problem, const seg_matrix *Z, seg_clustering *out) {
    const size_t k = (size_t)problem->k;
    const seg_kmeans_options options = {
        .k = problem->k, .restarts = problem->restarts, .iterations = LINKED_ITERATIONS, .stream = LINKED_STREAM};
    seg_kmeans_result result;
    seg_matrix rows = {0};
    seg_constraints groups = {0};
    seg_problem grouped = *problem;
    size_t *which = seg_alloc(ctx, problem->n, sizeof *which);
    int32_t *label = NULL;
    double *centre = seg_alloc(ctx, k, Z->cols * sizeof *centre);
    seg_status status = which && centre ? linked_rows(ctx, problem, Z, which, &rows) : SEG_ERR_MEMORY;
    if (status)
        goto done;
    if (rows.rows < k) {
        status = seg_assign_kmeans(ctx, problem, Z, 0, out);
        goto done;
    }
    label = seg_alloc(ctx, rows.rows, sizeof *label);
    status = label ? seg_constraints_create(ctx, problem->n, &groups) : SEG_ERR_MEMORY;
    if (status || (status = seg_kmeans(ctx, &rows, &options, label, centre, &result)) != SEG_OK)
        goto done;
    groups.groups = problem->k;
    for (size_t c = 0; c < rows.rows; c++)
        groups.group[which[c]] = (int16_t)label[c];
    grouped.constraints = &groups;
    status = seg_assign_mixture(ctx, &grouped, Z, out);
done:
    seg_constraints_free(&groups);
    seg_matrix_free(&rows);
    free(which);
    free(label);
    free(centre);
    return status;
}
