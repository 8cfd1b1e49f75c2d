/* The baseline: pairs of samples drawn evenly among those whose answer is neither implied nor refused. */
#include "active/selector.h"

#include "base/base.h"

#include <stdlib.h>

#define DRAWS 256 /* then hardly any pair is left, and they are searched for */

/* A pair of members of two components that was not refused. */
static int find_members(seg_active *active, int32_t a, int32_t b) {
    int32_t i = a, j = b;
    do {
        do {
            if (seg_relations_open(&active->relations, i, j)) {
                seg_active_pose(active, i, j);
                return 1;
            }
            j = active->relations.ring[j];
        } while (j != b);
        i = active->relations.ring[i];
    } while (i != a);
    return 0;
}

/* Every pair of components is an answer, refused member by member, or the pair wanted: O(n + answers). */
static seg_status search(seg_context *ctx, seg_active *active, int *more) {
    const size_t n = active->spec.n, first = seg_random_below(&active->random, n);
    int32_t *root = seg_alloc(ctx, n, sizeof *root);
    size_t roots = 0;
    if (!root)
        return SEG_ERR_MEMORY;
    for (size_t t = 0; t < n; t++) {
        const int32_t i = (int32_t)((first + t) % n);
        if (seg_relations_root(&active->relations, i) == i)
            root[roots++] = i;
    }
    *more = 0;
    for (size_t a = 0; a < roots && !*more; a++)
        for (size_t b = a + 1; b < roots && !*more; b++)
            *more = seg_relations_between(&active->relations, root[a], root[b]) == 0 &&
                    find_members(active, root[a], root[b]);
    free(root);
    return SEG_OK;
}

seg_status seg_active_next_random(seg_context *ctx, seg_active *active, int *more) {
    const size_t n = active->spec.n;
    *more = n > 1;
    for (int draw = 0; draw < DRAWS && n > 1; draw++) {
        const int32_t i = (int32_t)seg_random_below(&active->random, n);
        int32_t j = (int32_t)seg_random_below(&active->random, n - 1);
        j += j >= i; /* evenly over all but i */
        if (seg_relations_open(&active->relations, i, j)) {
            seg_active_pose(active, i, j);
            return SEG_OK;
        }
    }
    return n > 1 ? search(ctx, active, more) : SEG_OK;
}

seg_status seg_active_answer_random(seg_context *ctx, seg_active *active, seg_answer answer) {
    if (answer == SEG_ANSWER_MUST)
        return seg_relations_must(ctx, &active->relations, active->i, active->j);
    return answer == SEG_ANSWER_CANNOT ? seg_relations_cannot(ctx, &active->relations, active->i, active->j) : SEG_OK;
}
