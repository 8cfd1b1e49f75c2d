#include "groups/groups.h"
#include "groups/pair_labels.h"

#include <string.h>

#define STARTS 10

seg_status seg_groups_from_pairs(seg_context *ctx, const seg_problem *problem, const seg_matrix *Z,
                                 seg_constraints *out) {
    seg_pair_labels l;
    memset(out, 0, sizeof *out);
    int found = 0;
    seg_status status = seg_pair_labels_create(ctx, problem, Z, &l);
    if (!status)
        status = seg_constraints_create(ctx, problem->n, out);
    if (status || l.count < (size_t)problem->k)
        goto done;
    if ((status = seg_labels_by_vote(ctx, problem, &l, &found)) != SEG_OK)
        goto done;
    if (!found && ((status = seg_labels_by_kernel(ctx, problem, STARTS, &l)) != SEG_OK ||
                   (status = seg_labels_by_walk(ctx, problem, &l)) != SEG_OK))
        goto done;
    for (int c = 0; c < problem->k; c++)
        if (l.size[c] == 0)
            goto done; /* must-links leave fewer neighbourhoods than clusters */
    out->groups = problem->k;
    for (size_t c = 0; c < l.count; c++)
        out->group[l.sample[c]] = (int16_t)l.label[c];
done:
    seg_pair_labels_free(&l);
    if (status)
        seg_constraints_free(out);
    return status;
}
