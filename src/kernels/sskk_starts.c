#include "kernels/sskk_starts.h"
#include "base/base.h"
#include "base/random.h"
#include "constraints/closed.h"
#include "graph/geodesic.h"

enum { SEED_STREAM = 0x4b1 }; /* of the context's seed */

typedef struct start {
    seg_context *ctx;
    const seg_similarities *A;
    size_t n, k, seeds;
    int32_t *label;
    const seg_closure *closure;
    seg_closure own;    /* the closure, if the constraints do not have it */
    size_t *members;    /* of each component; 0 once it is a seed or belongs to a group */
    double *far;        /* of each component */
    int32_t *sample;    /* members of one seed */
    int32_t *none, *to; /* n each, for the update of the sums */
    double *distance;   /* n: squared distance, or path, to the nearest seed */
    int32_t *owner;     /* n: that seed */
    double *sum;        /* n x k */
    seg_geodesic paths;
    seg_random random;
} start;

static seg_status prepare(start *s, const seg_constraints *given) {
    SEG_TRY(seg_closure_of(s->ctx, given, &s->own, &s->closure));
    const size_t components = (size_t)s->closure->components;
    SEG_TRY(SEG_ALLOC_ARRAYS(s->ctx, SEG_ARRAY(s->members, components), SEG_ARRAY(s->far, components),
                             SEG_ARRAY(s->sample, s->n), SEG_ARRAY(s->none, s->n), SEG_ARRAY(s->to, s->n)));
    for (size_t i = 0; i < s->n; i++) {
        s->label[i] = s->none[i] = -1;
        if (s->closure->component[i] >= 0)
            s->members[s->closure->component[i]]++;
    }
    SEG_TRY(seg_geodesic_create(s->ctx, s->n, s->A->sparse, &s->paths));
    s->distance = s->paths.distance;
    s->owner = s->paths.owner;
    return s->A->sparse ? SEG_OK : SEG_ALLOC_ARRAYS(s->ctx, SEG_TABLE(s->sum, s->n, s->k));
}

static void release(start *s) {
    seg_geodesic_free(&s->paths);
    seg_closure_free(&s->own);
    SEG_CLEAR(s, s->members, s->sum);
}

/* Make sample[0..count-1] the next seed and update the distances. */
static seg_status seed(start *s, size_t count) {
    const size_t c = s->seeds++;
    double inside = 0;
    for (size_t t = 0; t < count; t++) {
        s->label[s->sample[t]] = (int32_t)c;
        s->to[t] = (int32_t)c;
    }
    if (s->A->sparse)
        return seg_geodesic_grow(s->ctx, &s->paths, count, s->sample, (int32_t)c);
    SEG_TRY(
        seg_kernel_sums_update(s->ctx, s->A, &(seg_kernel_moves){count, s->sample, s->none, s->to}, (int)s->k, s->sum));
    for (size_t t = 0; t < count; t++)
        inside += s->sum[(size_t)s->sample[t] * s->k + c];
    inside /= (double)count * (double)count;
    for (size_t i = 0; i < s->n; i++) {
        const double own = seg_similarities_diagonal(s->A, i);
        const double distance = fmax(own - 2 * s->sum[i * s->k + c] / (double)count + inside, 0);
        if (distance < s->distance[i]) {
            s->distance[i] = distance;
            s->owner[i] = (int32_t)c;
        }
    }
    return SEG_OK;
}

static seg_status seed_component(start *s, int32_t component) {
    size_t count = 0;
    for (size_t i = 0; i < s->n; i++)
        if (s->closure->component[i] == component)
            s->sample[count++] = (int32_t)i;
    s->members[component] = 0;
    return seed(s, count);
}

static seg_status seed_groups(start *s, const seg_constraints *constraints) {
    for (int g = 0; g < constraints->groups; g++) {
        size_t count = 0;
        for (size_t i = 0; i < s->n; i++)
            if (constraints->group[i] == g) {
                s->sample[count++] = (int32_t)i;
                s->members[s->closure->component[i]] = 0;
            }
        SEG_TRY(seed(s, count));
    }
    return SEG_OK;
}

/* The farthest component, or -1 if none is left. Of components out of reach it is the largest. */
static int32_t farthest_component(start *s) {
    int32_t best = -1;
    memset(s->far, 0, (size_t)s->closure->components * sizeof *s->far);
    for (size_t i = 0; i < s->n; i++)
        if (s->closure->component[i] >= 0)
            s->far[s->closure->component[i]] += s->distance[i];
    for (int c = 0; c < s->closure->components; c++)
        if (s->members[c] > 0 &&
            (best < 0 || s->far[c] > s->far[best] || (s->far[c] == s->far[best] && s->members[c] > s->members[best])))
            best = c;
    return best;
}

/* Of samples out of reach of all seeds, the one with the largest degree is taken. */
static size_t neighbours(const start *s, size_t i) {
    return s->A->sparse ? s->A->sparse->start[i + 1] - s->A->sparse->start[i] : 0;
}

static size_t farthest_sample(const start *s) {
    size_t best = s->n;
    for (size_t i = 0; i < s->n; i++)
        if (s->label[i] < 0 && (best == s->n || s->distance[i] > s->distance[best] ||
                                (s->distance[i] == s->distance[best] && neighbours(s, i) > neighbours(s, best))))
            best = i;
    return best;
}

/* If samples are out of reach, these have equal weights and the others none; else weights are squared distances. */
static double chance(const start *s, size_t i, int unreached) {
    if (s->label[i] >= 0)
        return 0;
    return unreached ? isinf(s->distance[i]) != 0 : s->A->sparse ? s->distance[i] * s->distance[i] : s->distance[i];
}

static size_t drawn_sample(start *s) {
    double total = 0, aim, sum = 0;
    size_t last = s->n;
    int unreached = 0;
    for (size_t i = 0; i < s->n; i++)
        unreached |= s->label[i] < 0 && isinf(s->distance[i]);
    for (size_t i = 0; i < s->n; i++)
        total += chance(s, i, unreached);
    if (!(total > 0) || isinf(total))
        return farthest_sample(s);
    aim = seg_random_uniform(&s->random) * total;
    for (size_t i = 0; i < s->n; i++) {
        const double share = chance(s, i, unreached);
        if (share > 0) {
            sum += share;
            last = i;
            if (aim < sum)
                break;
        }
    }
    return last;
}

/* Samples that no path reaches go to the smallest cluster, one part of the graph at a time. */
static seg_status place_rest(start *s) {
    SEG_LOCAL(size_t, size, seg_alloc_zero(s->ctx, s->k, sizeof *size));
    for (size_t i = 0; i < s->n; i++)
        if (s->owner[i] >= 0)
            size[s->owner[i]]++;
    for (size_t i = 0; i < s->n; i++) {
        if (s->label[i] < 0 && s->owner[i] < 0) {
            size_t least = 0;
            for (size_t c = 1; c < s->k; c++)
                if (size[c] < size[least])
                    least = c;
            if (s->A->sparse) {
                SEG_TRY(seg_geodesic_grow(s->ctx, &s->paths, 1, &(int32_t){(int32_t)i}, (int32_t)least));
                for (size_t j = i; j < s->n; j++)
                    size[least] += s->label[j] < 0 && s->owner[j] == (int32_t)least;
            } else
                s->owner[i] = (int32_t)least; /* if a distance is not a number */
        }
        if (s->label[i] < 0)
            s->label[i] = s->owner[i];
    }
    return SEG_OK;
}

/* Draw a sample of a component, all with the same probability; n if no component is left. */
static size_t drawn_member(start *s) {
    size_t count = 0, at;
    for (size_t i = 0; i < s->n; i++)
        count += s->closure->component[i] >= 0 && s->members[s->closure->component[i]] > 0;
    if (!count)
        return s->n;
    at = seg_random_below(&s->random, count);
    for (size_t i = 0; i < s->n; i++)
        if (s->closure->component[i] >= 0 && s->members[s->closure->component[i]] > 0 && at-- == 0)
            return i;
    return s->n;
}

/* Algorithm 3: take components until there are k seeds or no more components. */
static seg_status seed_farthest(start *s, uint64_t run) {
    int32_t component;
    const size_t first = run > 0 && s->seeds == 0 && s->k > 0 ? drawn_member(s) : s->n;
    if (first < s->n)
        SEG_TRY(seed_component(s, s->closure->component[first]));
    while (s->seeds < s->k && (component = farthest_component(s)) >= 0) {
        SEG_TRY(seg_poll(s->ctx));
        SEG_TRY(seed_component(s, component));
    }
    return SEG_OK;
}

static seg_status run_all(start *s, const seg_constraints *constraints, const seg_seeding *seeding, int *seeded) {
    const seg_seeds how = seeding->how;
    SEG_TRY(prepare(s, constraints));
    SEG_TRY(seed_groups(s, constraints));
    if (how == SEG_SEEDS_FARTHEST)
        SEG_TRY(seed_farthest(s, seeding->run));
    if (seeded)
        *seeded = (int)s->seeds;
    while (s->seeds < s->k) {
        if (farthest_sample(s) == s->n)
            return seg_fail(s->ctx, SEG_ERR_USAGE,
                            "%zu clusters cannot start: those that must link count as one, which leaves %zu", s->k,
                            s->seeds);
        const int first_of_all = s->seeds == 0 && (!s->A->sparse || how == SEG_SEEDS_RANDOM);
        const size_t next = first_of_all                                     ? seg_random_below(&s->random, s->n)
                            : seeding->run == 0 && how == SEG_SEEDS_FARTHEST ? farthest_sample(s)
                                                                             : drawn_sample(s);
        SEG_TRY(seg_poll(s->ctx));
        const int32_t component = s->closure->component[next]; /* all that must link to the sample is a seed, too */
        s->sample[0] = (int32_t)next;
        SEG_TRY(component >= 0 && s->members[component] > 0 ? seed_component(s, component) : seed(s, 1));
    }
    return place_rest(s);
}

seg_status seg_farthest_first(seg_context *ctx, const seg_similarities *similarities,
                              const seg_constraints *constraints, const seg_seeding *seeding, int32_t *label,
                              int *seeded) {
    SEG_RELEASED(release)
    start s = {.ctx = ctx, .A = similarities, .n = similarities->n, .k = (size_t)seeding->k, .label = label};
    s.random = seg_random_seeded(ctx->seed, SEED_STREAM + (seeding->run << 32) + (seeding->how == SEG_SEEDS_RANDOM));
    return run_all(&s, constraints, seeding, seeded);
}
