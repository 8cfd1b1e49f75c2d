/* Constraints: from scribbles, files and lists; samples of them; their closure. */
#include "sweep.h"

#include "constraints/closed.h"
#include "features/grid.h"

enum { N = 60, K = 3 };

CASE(create_and_add, unused) {
    seg_constraints c = DIRTY(seg_constraints);
    seg_status status = CALL(seg_constraints_create, ctx, N, &c);
    if (status != SEG_OK) {
        ZEROED(c);
        return status;
    }
    for (int i = 0; i + 1 < N && status == SEG_OK; i++) { /* the list grows */
        const size_t before = c.pairs;
        status = CALL(seg_constraints_add, ctx, &c, (seg_pair){i, i + 1, i % 2 ? 1 : -1, 1});
        if (c.pairs != before + (status == SEG_OK))
            sweep_fault("%zu pairs of %zu after adding one", c.pairs, before);
    }
    if (status == SEG_OK)
        told_constraints(&c);
    DO(seg_constraints_free, &c);
    return status;
}

CASE(from_scribbles, unused) {
    const seg_patch_grid grid = seg_patch_grid_make(24, 16, 4);
    SCOPED(seg_mask) scribbles = half_strokes(24, 16);
    SCOPED(seg_constraints) c = DIRTY(seg_constraints);
    return TELL(CALL(seg_constraints_from_scribbles, ctx, &scribbles, &grid, &c), told_constraints, c);
}

/* A file of pairs; after a failure what was there before is there still. */
CASE(read_file, kind) {
    const seg_patch_grid grid = seg_patch_grid_make(24, 16, 4);
    const int answers = strcmp(kind, "answers") == 0;
    seg_status status;
    FILE *to = fopen(in_folder("pairs.csv"), "w");
    fputs("# pairs\ni,j,sign\n", to);
    for (int i = 1; i < 21; i++)
        fprintf(to, "%d,%d,%d\n", i, i + 1, answers ? i % 3 - 1 : i % 2 ? 1 : -1);
    fclose(to);
    SCOPED(seg_constraints) c = groups_of(24, 2, 2), unknown = groups_of(24, 2, 0);
    const size_t before = c.pairs;
    if (answers)
        status = CALL(seg_constraints_read, ctx, in_folder("pairs.csv"), &grid, 0, &c, &unknown);
    else if (strcmp(kind, "base") == 0)
        status = CALL(seg_constraints_read, ctx, in_folder("pairs.csv"), NULL, 1, &c, NULL);
    else
        status = CALL(seg_constraints_read, ctx, in_folder("pairs.csv"), &grid, 0, &c, NULL);
    if (status == SEG_OK) {
        told_constraints(&c);
        told_constraints(&unknown);
    } else if (c.pairs < before) {
        sweep_fault("pairs were lost");
    }
    return status;
}

CASE(sample, unused) {
    SCOPED(seg_constraints) groups = groups_of(N, K, 6), c = DIRTY(seg_constraints);
    return TELL(CALL(seg_constraints_sample, ctx, &groups, 5, &c), told_constraints, c);
}

CASE(close_constraints, policy) {
    const int drop = strcmp(policy, "drop") == 0;
    SCOPED(seg_constraints) c = groups_of(N, K, 3);
    if (drop) {
        must(ctx, seg_constraints_add(ctx, &c, (seg_pair){0, 1, 1, 1}));    /* two groups */
        must(ctx, seg_constraints_add(ctx, &c, (seg_pair){30, 33, -1, 1})); /* which a chain links */
    }
    const seg_status status =
        CALL(seg_constraints_close, ctx, &c, drop ? SEG_CONTRADICTIONS_DROP : SEG_CONTRADICTIONS_REFUSE);
    if (status == SEG_OK) {
        told_constraints(&c);
        const seg_closure *closure = seg_constraints_noted(&c).closure;
        told(closure->component, closure->n * sizeof *closure->component);
        told(closure->cannot, 2 * closure->cannots * sizeof *closure->cannot);
    } else if (seg_constraints_noted(&c).closure) {
        sweep_fault("a closure after a failure");
    }
    return status;
}

/* A contradiction, and no memory to say which: either is an answer. */
CASE(contradiction, unused) {
    seg_constraints c = groups_of(N, K, 3);
    must(ctx, seg_constraints_add(ctx, &c, (seg_pair){30, 33, -1, 1}));
    must(ctx, seg_constraints_add(ctx, &c, (seg_pair){30, 33, 1, 1}));
    const seg_status status = CALL(seg_constraints_close, ctx, &c, SEG_CONTRADICTIONS_REFUSE);
    seg_constraints_free(&c);
    if (status == SEG_OK)
        sweep_fault("a contradiction was accepted");
    else if (status == SEG_ERR_CONTRADICTION)
        told_text(ctx->message);
    return status == SEG_ERR_CONTRADICTION ? SEG_OK : status;
}

static const sweep_case cases[] = {
    {"list", create_and_add, NULL, 1},
    {"scribbles", from_scribbles, NULL, 1},
    {"file", read_file, "pairs", 1},
    {"pairs-from-1", read_file, "base", 1},
    {"answers", read_file, "answers", 1},
    {"sample", sample, NULL, 1},
    {"closure", close_constraints, "refuse", 1},
    {"drop", close_constraints, "drop", 1},
    {"contradiction", contradiction, NULL, 1},
};
TOPIC(sweep_constraints, "constraints");
