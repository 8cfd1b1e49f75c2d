#include "evaluation/sets/wrong_pairs.h"

#include "base/base.h"
#include "base/random.h"
#include "constraints/closed.h"

#include <math.h>
#include <stdlib.h>

#define WRONG_STREAM 0x77726f6eu /* "wron" */

static seg_status turn(seg_context *ctx, seg_constraints *constraints, size_t p, size_t *turned) {
    seg_closure closure;
    constraints->pair[p].sign *= -1;
    const seg_status status = seg_closure_compute(ctx, constraints, SEG_CONTRADICTIONS_REFUSE, &closure);
    seg_closure_free(&closure);
    if (status)
        constraints->pair[p].sign *= -1;
    else
        ++*turned;
    return status == SEG_ERR_CONTRADICTION ? SEG_OK : status;
}

seg_status seg_wrong_pairs_put(seg_context *ctx, double share, seg_constraints *constraints) {
    const size_t pairs = constraints->pairs, wanted = (size_t)lround(share * (double)pairs);
    if (wanted == 0)
        return SEG_OK;
    size_t *order = seg_alloc(ctx, pairs, sizeof *order), turned = 0;
    if (!order)
        return SEG_ERR_MEMORY;
    for (size_t p = 0; p < pairs; p++)
        order[p] = p;
    seg_random random;
    seg_random_seed(&random, ctx->seed, WRONG_STREAM);
    seg_status status = SEG_OK;
    for (size_t p = 0; p < pairs && turned < wanted && !status; p++) {
        const size_t other = p + (size_t)seg_random_below(&random, pairs - p), chosen = order[other];
        order[other] = order[p];
        status = turn(ctx, constraints, chosen, &turned);
    }
    free(order);
    return status;
}
