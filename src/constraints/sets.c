/* Constraint sets: creation, growth, release, and repeated pairs. */
#include "base/base.h"
#include "constraints/origins.h"

seg_status seg_constraints_create(seg_context *ctx, size_t n, seg_constraints *out) {
    memset(out, 0, sizeof *out);
    if (n > INT32_MAX - SEG_MAX_LABELS) /* the closure numbers the groups after the samples */
        return seg_fail(ctx, SEG_ERR_USAGE, "%zu samples are too many for constraints; at most %d are possible", n,
                        INT32_MAX - SEG_MAX_LABELS);
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->group, n)));
    memset(out->group, 0xff, n * sizeof *out->group); /* -1: unconstrained */
    out->n = n;
    return SEG_OK;
}

seg_constraints_notes *seg_constraints_note(seg_context *ctx, seg_constraints *constraints) {
    if (!constraints->notes)
        constraints->notes = seg_alloc_zero(ctx, 1, sizeof *constraints->notes);
    return constraints->notes;
}

void seg_constraints_forget_closure(seg_constraints *constraints) {
    seg_constraints_notes *notes = constraints->notes;
    seg_closure_free(notes ? notes->closure : NULL);
    if (notes)
        free(seg_taken(&notes->closure));
}

void seg_constraints_free(seg_constraints *constraints) {
    if (!constraints)
        return;
    seg_constraints_forget_closure(constraints);
    seg_origins_free(seg_constraints_noted(constraints).origins);
    SEG_CLEAR(constraints, constraints->group, constraints->pair, constraints->notes);
}

static seg_status check_pair(seg_context *ctx, size_t n, const seg_pair *pair) {
    if (pair->i < 0 || pair->j < 0 || (size_t)pair->i >= n || (size_t)pair->j >= n)
        return seg_fail(ctx, SEG_ERR_USAGE, "the pair %d, %d names a sample outside 0..%zd", pair->i, pair->j,
                        (ssize_t)n - 1);
    if (pair->i == pair->j)
        return seg_fail(ctx, SEG_ERR_USAGE, "the pair %d, %d joins a sample with itself", pair->i, pair->j);
    if (pair->sign != 1 && pair->sign != -1)
        return seg_fail(ctx, SEG_ERR_USAGE, "the pair %d, %d has the sign %d; use 1 (must link) or -1 (cannot link)",
                        pair->i, pair->j, pair->sign);
    if (!seg_is_weight(pair->weight))
        return seg_fail(ctx, SEG_ERR_USAGE, "the pair %d, %d has the weight %g; weights are from %g to %g", pair->i,
                        pair->j, pair->weight, SEG_LEAST_WEIGHT, SEG_LARGEST_WEIGHT);
    return SEG_OK;
}

seg_status seg_constraints_add(seg_context *ctx, seg_constraints *constraints, seg_pair pair) {
    SEG_TRY(check_pair(ctx, constraints->n, &pair));
    SEG_TRY(seg_extend(ctx, &constraints->pair, constraints->pairs, sizeof *constraints->pair));
    constraints->pair[constraints->pairs++] = pair;
    seg_constraints_forget_closure(constraints);
    return SEG_OK;
}

seg_status seg_constraints_append(seg_context *ctx, const seg_constraints *from, seg_constraints *out) {
    if (!from)
        return SEG_OK;
    if (from->groups) {
        out->groups = from->groups;
        memcpy(out->group, from->group, out->n * sizeof *out->group);
        seg_constraints_forget_closure(out);
    }
    for (size_t p = 0; p < from->pairs; p++)
        SEG_TRY(seg_constraints_add(ctx, out, from->pair[p]));
    return SEG_OK;
}

seg_status seg_constraints_copy(seg_context *ctx, size_t n, const seg_constraints *from, seg_constraints *out) {
    SEG_TRY(seg_constraints_create(ctx, n, out));
    return seg_constraints_append(ctx, from, out);
}

seg_status seg_constraints_check(seg_context *ctx, const seg_constraints *constraints) {
    if (constraints->groups < 0 || constraints->groups > SEG_MAX_LABELS)
        return seg_fail(ctx, SEG_ERR_USAGE, "the constraints have %d groups; 0..%d are possible", constraints->groups,
                        SEG_MAX_LABELS);
    for (size_t i = 0; i < constraints->n; i++)
        if (constraints->group[i] < -1 || constraints->group[i] >= constraints->groups)
            return seg_fail(ctx, SEG_ERR_USAGE, "sample %zu is in group %d, but there are %d groups (numbered from 0)",
                            i, constraints->group[i], constraints->groups);
    for (size_t p = 0; p < constraints->pairs; p++)
        SEG_TRY(check_pair(ctx, constraints->n, &constraints->pair[p]));
    return SEG_OK;
}

typedef struct listed {
    uint64_t key;
    double weight;
    size_t place;
    int sign;
} listed;

/* Order by pair, then by weight, so that sums do not depend on the order of the list. */
static int by_pair(const void *a, const void *b) {
    const listed *x = a, *y = b;
    SEG_ORDER_BY(x->key, y->key);
    SEG_ORDER_BY(x->sign, y->sign);
    SEG_ORDER_BY(x->weight, y->weight);
    return x->place < y->place ? -1 : x->place > y->place;
}

seg_status seg_constraints_once(seg_context *ctx, seg_constraints *constraints, size_t *repeated) {
    const size_t count = constraints->pairs;
    size_t kept = 0;
    *repeated = 0;
    SEG_LOCAL(listed, all, seg_alloc(ctx, count, sizeof *all));
    for (size_t p = 0; p < count; p++) {
        const seg_pair *pair = &constraints->pair[p];
        all[p] = (listed){seg_pair_key(pair->i, pair->j), pair->weight, p, pair->sign};
    }
    qsort(all, count, sizeof *all, by_pair);
    for (size_t first = 0, last; first < count; first = last) {
        size_t place = all[first].place;
        double sum = 0;
        for (last = first; last < count && all[last].key == all[first].key && all[last].sign == all[first].sign;
             last++) {
            sum += all[last].weight / 2; /* two of the largest weights must not be added */
            place = all[last].place < place ? all[last].place : place;
        }
        if (last - first == 1)
            continue;
        for (size_t l = first; l < last; l++)
            if (all[l].place != place)
                constraints->pair[all[l].place].sign = 0; /* removed below */
        constraints->pair[place].weight = 2 * (sum / (double)(last - first));
        *repeated += last - first - 1;
    }
    for (size_t p = 0; p < count && *repeated; p++)
        if (constraints->pair[p].sign)
            constraints->pair[kept++] = constraints->pair[p];
    constraints->pairs = *repeated ? kept : count;
    return SEG_OK;
}

/* ---- A hash set of pairs. ---- */

#define FREE_SLOT UINT64_MAX

/* The slot of the key, or the free slot in which to insert it. */
static size_t find(const seg_pair_set *set, uint64_t key) {
    uint64_t hash = key * 0x9e3779b97f4a7c15u;
    size_t slot = (size_t)(hash ^ hash >> 32) & (set->capacity - 1);
    while (set->key[slot] != FREE_SLOT && set->key[slot] != key)
        slot = (slot + 1) & (set->capacity - 1);
    return slot;
}

static seg_status resize(seg_context *ctx, seg_pair_set *set, size_t capacity) {
    seg_pair_set larger = {.capacity = capacity, .used = set->used};
    SEG_TRY(seg_allocated(larger.key = seg_alloc(ctx, capacity, sizeof *larger.key)));
    memset(larger.key, 0xff, capacity * sizeof *larger.key);
    for (size_t slot = 0; slot < set->capacity; slot++)
        if (set->key[slot] != FREE_SLOT)
            larger.key[find(&larger, set->key[slot])] = set->key[slot];
    free(set->key);
    *set = larger;
    return SEG_OK;
}

seg_status seg_pair_set_create(seg_context *ctx, seg_pair_set *out) {
    memset(out, 0, sizeof *out);
    return resize(ctx, out, 64);
}

void seg_pair_set_free(seg_pair_set *set) {
    SEG_CLEAR(set, set->key);
}

int seg_pair_set_has(const seg_pair_set *set, uint64_t key) {
    return set->key[find(set, key)] == key;
}

seg_status seg_pair_set_put(seg_context *ctx, seg_pair_set *set, uint64_t key, int *added) {
    size_t slot = find(set, key);
    *added = set->key[slot] != key;
    if (!*added)
        return SEG_OK;
    set->key[slot] = key;
    set->used++;
    return set->used * 2 > set->capacity ? resize(ctx, set, set->capacity * 2) : SEG_OK;
}
