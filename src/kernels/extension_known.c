#include "kernels/extension.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

seg_status seg_extension_known(seg_context *ctx, const seg_constraints *constraints, const int32_t *member, size_t m,
                               const double *V, uint8_t *known, seg_matrix *F) {
    const size_t n = constraints->n, r = F->cols, groups = (size_t)constraints->groups;
    double *sum = seg_alloc_zero(ctx, groups * r, sizeof *sum);
    double *links = seg_alloc_zero(ctx, n, sizeof *links); /* must-links between a sample outside and the subset */
    double *size = seg_alloc_zero(ctx, groups, sizeof *size);
    seg_status status = SEG_ERR_MEMORY;
    if (!sum || !links || !size)
        goto done;
    memset(known, 0, n);
    for (size_t i = 0; i < m; i++) {
        size_t sample = (size_t)member[i];
        known[sample] = 1;
        memcpy(F->at + sample * r, V + i * r, r * sizeof *V);
        if (groups && constraints->group[sample] >= 0) {
            size_t g = (size_t)constraints->group[sample];
            size[g] += 1;
            for (size_t c = 0; c < r; c++)
                sum[g * r + c] += V[i * r + c];
        }
    }
    for (size_t i = 0; groups && i < n; i++) {
        if (known[i] || constraints->group[i] < 0)
            continue;
        size_t g = (size_t)constraints->group[i];
        links[i] += size[g];
        for (size_t c = 0; c < r; c++)
            F->at[i * r + c] += sum[g * r + c];
    }
    for (size_t p = 0; p < constraints->pairs; p++) {
        const seg_pair *pair = &constraints->pair[p];
        if (pair->sign < 0 || known[pair->i] == known[pair->j])
            continue;
        size_t inside = (size_t)(known[pair->i] ? pair->i : pair->j);
        size_t outside = (size_t)(known[pair->i] ? pair->j : pair->i);
        links[outside] += pair->weight;
        for (size_t c = 0; c < r; c++)
            F->at[outside * r + c] += pair->weight * F->at[inside * r + c];
    }
    for (size_t i = 0; i < n; i++) {
        if (!(links[i] > 0))
            continue;
        known[i] = 1;
        for (size_t c = 0; c < r; c++)
            F->at[i * r + c] /= links[i];
    }
    status = SEG_OK;
done:
    free(sum);
    free(links);
    free(size);
    return status;
}
