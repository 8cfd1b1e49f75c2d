/* Transitive closure by union-find with path halving [tarjan1975]. Group g is an additional node n + g that its members
 * are joined to, so that the cost is linear in the members of a group, not in their pairs. */
#include "base/base.h"
#include "constraints/origins.h"

typedef struct forest {
    int32_t *parent; /* n samples, then the groups: the parent, or at a root minus the number of its nodes */
    int16_t *holds;  /* the group in the component of a root, -1 if none */
} forest;

static int32_t find(forest *f, int32_t i) {
    while (f->parent[i] >= 0) {
        int32_t above = f->parent[i];
        if (f->parent[above] >= 0)
            f->parent[i] = f->parent[above];
        i = above;
    }
    return i;
}

/* Join two components. @return 0 if they contain different groups */
static int join(forest *f, int32_t i, int32_t j) {
    i = find(f, i);
    j = find(f, j);
    if (i == j)
        return 1;
    if (f->holds[i] >= 0 && f->holds[j] >= 0)
        return 0; /* a group is in one component only, so the groups differ */
    if (f->parent[i] > f->parent[j])
        SEG_SWAP(int32_t, i, j);
    f->parent[i] += f->parent[j];
    f->parent[j] = i;
    if (f->holds[i] < 0)
        f->holds[i] = f->holds[j];
    return 1;
}

static seg_status forest_create(seg_context *ctx, const seg_constraints *constraints, forest *f) {
    const size_t n = constraints->n, nodes = n + (size_t)constraints->groups;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(f->parent, nodes), SEG_ARRAY(f->holds, nodes)));
    for (size_t i = 0; i < nodes; i++) {
        f->parent[i] = -1;
        f->holds[i] = (int16_t)(i < n ? -1 : (int)(i - n));
    }
    for (size_t i = 0; i < n; i++)
        if (constraints->group[i] >= 0)
            join(f, (int32_t)i, (int32_t)n + constraints->group[i]);
    return SEG_OK;
}

/* Say which pair contradicts the ones before it, and refuse or drop it. */
static seg_status contradict(seg_context *ctx, const seg_constraints *constraints, const seg_pair *pair,
                             const char *why, seg_contradictions policy) {
    char text[SEG_MESSAGE_SIZE];
    const char *kind = pair->sign > 0 ? "must-link" : "cannot-link";
    const seg_pair_origin *origin = seg_origins_find(constraints, pair);
    if (origin) /* pairs are dropped in order: the next search begins here */
        constraints->notes->origins->next = (size_t)(origin - constraints->notes->origins->entry);
    seg_origin_pair(constraints, pair, text, sizeof text);
    if (policy == SEG_CONTRADICTIONS_REFUSE)
        return seg_fail(ctx, SEG_ERR_CONTRADICTION,
                        "the constraints contradict each other at the %s %s: %s; remove it or the pairs that speak "
                        "against it, or drop contradicting pairs (contradictions: drop)",
                        kind, text, why);
    seg_log(ctx, SEG_LOG_WARNING, "dropped the %s %s: %s", kind, text, why);
    return SEG_OK;
}

/* Process the pairs of one sign in order: join must-links, or check cannot-links against the components joined. A
 * contradicting pair is refused or dropped; of a chain of must-links that connects two groups, the last one. */
static seg_status enter_pairs(seg_context *ctx, forest *f, seg_constraints *constraints, int sign,
                              seg_contradictions policy) {
    size_t kept = 0;
    for (size_t p = 0; p < constraints->pairs; p++) {
        const seg_pair pair = constraints->pair[p];
        char why[64] = "a chain of must-links joins its ends";
        if (pair.sign != sign || (sign > 0 ? join(f, pair.i, pair.j) : find(f, pair.i) != find(f, pair.j))) {
            constraints->pair[kept++] = pair;
            continue;
        }
        const int first = f->holds[find(f, pair.i)], second = f->holds[find(f, pair.j)];
        if (sign > 0)
            snprintf(why, sizeof why, "it would join the labels %d and %d", seg_origin_label(constraints, first),
                     seg_origin_label(constraints, second));
        else if (constraints->group[pair.i] >= 0 && constraints->group[pair.i] == constraints->group[pair.j])
            snprintf(why, sizeof why, "both ends have label %d", seg_origin_label(constraints, first));
        SEG_TRY(contradict(ctx, constraints, &pair, why, policy));
    }
    constraints->pairs = kept;
    return SEG_OK;
}

/* Number the components of constrained samples in the order of their smallest member. */
static seg_status number_components(seg_context *ctx, forest *f, const seg_constraints *constraints, seg_closure *out) {
    const size_t n = constraints->n, nodes = n + (size_t)constraints->groups;
    SEG_LOCAL(int32_t, number, seg_alloc(ctx, nodes, sizeof *number));
    SEG_TRY(seg_allocated(out->component = seg_alloc(ctx, n, sizeof *out->component)));
    memset(number, 0xff, nodes * sizeof *number);
    for (size_t i = 0; i < n; i++)
        out->component[i] = constraints->group[i] >= 0 ? 0 : -1;
    for (size_t p = 0; p < constraints->pairs; p++)
        out->component[constraints->pair[p].i] = out->component[constraints->pair[p].j] = 0;
    for (size_t i = 0; i < n; i++) {
        if (out->component[i] < 0)
            continue;
        int32_t root = find(f, (int32_t)i);
        if (number[root] < 0)
            number[root] = out->components++;
        out->component[i] = number[root];
    }
    return SEG_OK;
}

static int by_key(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Cannot-links between components: those of the listed pairs and those between any two groups. */
static seg_status list_cannots(seg_context *ctx, const seg_constraints *constraints, seg_closure *out) {
    int32_t home[SEG_MAX_LABELS]; /* component of each group that has samples */
    int homes = 0;
    size_t keys = 0, room;
    char seen[SEG_MAX_LABELS] = {0};
    for (size_t i = 0; i < constraints->n; i++) {
        int group = constraints->group[i];
        if (group >= 0 && !seen[group]) {
            seen[group] = 1;
            home[homes++] = out->component[i];
        }
    }
    room = constraints->pairs + (size_t)homes * (size_t)(homes > 0 ? homes - 1 : 0) / 2;
    SEG_LOCAL(uint64_t, key, seg_alloc(ctx, room, sizeof *key));
    for (size_t p = 0; p < constraints->pairs; p++)
        if (constraints->pair[p].sign < 0)
            key[keys++] = seg_pair_key(out->component[constraints->pair[p].i], out->component[constraints->pair[p].j]);
    for (int g = 0; g < homes; g++)
        for (int h = g + 1; h < homes; h++)
            key[keys++] = seg_pair_key(home[g], home[h]);
    qsort(key, keys, sizeof *key, by_key);
    size_t unique = 0;
    for (size_t i = 0; i < keys; i++)
        if (i == 0 || key[i] != key[i - 1])
            key[unique++] = key[i];
    out->cannot = seg_alloc(ctx, 2 * unique, sizeof *out->cannot);
    for (size_t i = 0; out->cannot && i < unique; i++) {
        out->cannot[2 * i] = (int32_t)(key[i] >> 32);
        out->cannot[2 * i + 1] = (int32_t)(uint32_t)key[i];
    }
    out->cannots = unique;
    return out->cannot ? SEG_OK : SEG_ERR_MEMORY;
}

seg_status seg_closure_compute(seg_context *ctx, seg_constraints *constraints, seg_contradictions policy,
                               seg_closure *out) {
    forest f = {0};
    SEG_RELEASED(seg_closure_free) seg_closure made = {.n = constraints->n};
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_constraints_check(ctx, constraints));
    SEG_TRY(forest_create(ctx, constraints, &f));
    SEG_UNUSED SEG_FREED int32_t *block = f.parent; /* of all arrays */
    SEG_TRY(enter_pairs(ctx, &f, constraints, 1, policy));
    SEG_TRY(enter_pairs(ctx, &f, constraints, -1, policy));
    SEG_TRY(number_components(ctx, &f, constraints, &made));
    SEG_TRY(list_cannots(ctx, constraints, &made));
    return SEG_HANDED_OVER(out, made);
}

void seg_closure_free(seg_closure *closure) {
    SEG_CLEAR(closure, closure->component, closure->cannot);
}

seg_status seg_constraints_close(seg_context *ctx, seg_constraints *constraints, seg_contradictions policy) {
    seg_constraints_notes *notes = seg_constraints_note(ctx, constraints);
    if (notes && notes->closure)
        return SEG_OK;
    SEG_LOCAL(seg_closure, made, notes ? seg_alloc(ctx, 1, sizeof *made) : NULL);
    SEG_TRY(seg_closure_compute(ctx, constraints, policy, made));
    notes->closure = seg_taken(&made);
    return SEG_OK;
}

seg_status seg_closure_of(seg_context *ctx, const seg_constraints *constraints, seg_closure *own,
                          const seg_closure **out) {
    seg_constraints same = *constraints; /* refusing contradictions, the closure leaves them as they are */
    memset(own, 0, sizeof *own);
    const seg_closure *known = seg_constraints_noted(constraints).closure;
    *out = known ? known : own;
    return known ? SEG_OK : seg_closure_compute(ctx, &same, SEG_CONTRADICTIONS_REFUSE, own);
}
