/* What is printed and what was found to help: the variants of the methods. */
#include "methods/method.h"

#include "base/base.h"
#include "graph/nearest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NEIGHBOURS = 20 };

seg_status seg_params_variant(seg_context *ctx, const seg_method *method, seg_method_variant variant, seg_params *out) {
    seg_status status = SEG_OK;
    seg_params_default(method, out);
    if (variant == SEG_VARIANT_IMPROVED)
        return SEG_OK;
    if (variant != SEG_VARIANT_PAPER)
        return seg_fail(ctx, SEG_ERR_USAGE, "there is no variant %d; the variants are paper and improved",
                        (int)variant);
    if (!method->paper)
        return seg_fail(ctx, SEG_ERR_USAGE, "the method %s is of no paper as it stands and has no variant paper",
                        method->name);
    for (int i = 0; method->paper[i] && !status; i++)
        status = seg_params_set(ctx, method, method->paper[i], out);
    return status;
}

seg_status seg_method_parse(seg_context *ctx, const char *text, const seg_method **method,
                            seg_method_variant *variant) {
    const char *colon = strchr(text, ':');
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(colon ? colon - text : (long)strlen(text)), text);
    const seg_method *found = seg_method_find(name);
    if (!found)
        return seg_fail(ctx, SEG_ERR_USAGE, "there is no method '%s'", name);
    if (colon && strcasecmp(colon + 1, "improved") == 0)
        *variant = SEG_VARIANT_IMPROVED;
    else if (colon && strcasecmp(colon + 1, "paper") == 0) {
        seg_params unused;
        const seg_status status = seg_params_variant(ctx, found, SEG_VARIANT_PAPER, &unused);
        if (status)
            return status;
        *variant = SEG_VARIANT_PAPER;
    } else if (colon)
        return seg_fail(ctx, SEG_ERR_USAGE, "'%s' is not a variant of %s; they are %s:paper and %s:improved", colon + 1,
                        found->name, found->name, found->name);
    *method = found;
    return SEG_OK;
}

/* The mean distance to the 20th nearest neighbour, the farthest there is where there are fewer. */
static seg_status distance_to_last(seg_context *ctx, const seg_matrix *X, double *mean) {
    const size_t n = X->rows;
    const int count = n > NEIGHBOURS ? NEIGHBOURS : (int)n - 1;
    int32_t *neighbour = seg_alloc(ctx, n, (size_t)count * sizeof *neighbour);
    double *distance2 = seg_alloc(ctx, n, (size_t)count * sizeof *distance2), sum = 0;
    seg_status status =
        neighbour && distance2 ? seg_nearest_neighbours(ctx, X, count, neighbour, distance2) : SEG_ERR_MEMORY;
    for (size_t i = 0; i < n && !status; i++)
        sum += sqrt(distance2[i * (size_t)count + (size_t)count - 1]);
    *mean = sum / (double)n;
    free(neighbour);
    free(distance2);
    return status;
}

seg_status seg_graph_of_paper(seg_context *ctx, const seg_method *method, const seg_matrix *X, seg_graph_spec *spec) {
    seg_status status = SEG_OK;
    double width = 0;
    if (X->rows < 2)
        return seg_fail(ctx, SEG_ERR_USAGE, "a graph of %zu sample has no edges", X->rows);
    if (method->graph == SEG_PAPER_GRAPH_NONE)
        return SEG_OK;
    if (method->graph == SEG_PAPER_GRAPH_KNN && (status = distance_to_last(ctx, X, &width)) != SEG_OK)
        return status;
    spec->kind = method->graph == SEG_PAPER_GRAPH_FULL ? SEG_GRAPH_FULL : SEG_GRAPH_KNN;
    spec->neighbours = NEIGHBOURS;
    spec->sigma = isfinite(width) ? width : 0; /* 0: of all pairs their mean distance */
    spec->sigma_scale = 1;
    spec->mutual = spec->local_scaling = spec->more_sigmas = 0;
    return SEG_OK;
}
