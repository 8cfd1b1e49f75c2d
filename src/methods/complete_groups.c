/* Groups for clusters that have none, by the methods that find them. */
#include "methods/steps.h"

#include "constraints/closed.h"
#include "groups/groups.h"
#include "methods/assign.h"

#include <string.h>

static seg_status complete(seg_context *ctx, const seg_method_row *finder, const seg_problem *problem,
                           seg_constraints *out) {
    const char *name = finder->info.name;
    seg_clustering found;
    memset(out, 0, sizeof *out);
    seg_status status = seg_clustering_begin(ctx, problem, &found);
    if (!status && (status = seg_method_solve(ctx, finder, problem, &found)) == SEG_OK &&
        (status = seg_fill_clusters(ctx, name, problem, &found)) == SEG_OK &&
        (status = seg_join_linked(ctx, name, problem, &found)) == SEG_OK)
        status = seg_groups_from_clusters(ctx, problem, &found, out);
    seg_clustering_free(&found);
    return status;
}

seg_status seg_groups_by_ccskl(seg_context *ctx, const seg_problem *problem, seg_constraints *out) {
    return complete(ctx, &seg_method_ccskl, problem, out);
}

seg_status seg_groups_by_pckmeans(seg_context *ctx, const seg_problem *problem, seg_constraints *out) {
    const seg_constraints *given = problem->constraints;
    if (given->groups != problem->k)
        return complete(ctx, &seg_method_pckmeans, problem, out);
    const seg_status status = seg_constraints_create(ctx, given->n, out);
    return status ? status : seg_constraints_append(ctx, given, out);
}
