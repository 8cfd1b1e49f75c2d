/* Pairs drawn at random from groups. The candidate pairs of a group are numbered 0 .. count-1 and drawn by number, so
 * that they need not be listed if few of many are wanted; if most are wanted, they are listed and shuffled. */
#include "base/base.h"
#include "base/random.h"
#include "constraints/closed.h"

#define RANDOM_STREAM 0x70616972u /* "pair" */

typedef struct sampler {
    seg_context *ctx;
    seg_random random;
    seg_pair_set drawn;
    int32_t *member; /* grouped samples, group after group, ascending within */
    size_t *start;   /* groups + 1 offsets into member */
    size_t members;
    size_t *touching; /* cannot-links drawn so far that touch each group */
    const seg_constraints *groups;
    seg_constraints *out;
} sampler;

static void release(sampler *s) {
    seg_pair_set_free(&s->drawn);
    free(s->start); /* with touching and member */
}

/* The candidate pairs of one group: within it (sign +1) or with members of other groups (-1). */
typedef struct offer {
    int group, sign;
    size_t size, others;
    uint64_t count;
} offer;

static offer make_offer(const sampler *s, int group, int sign) {
    offer o = {.group = group, .sign = sign};
    o.size = s->start[group + 1] - s->start[group];
    o.others = s->members - o.size;
    o.count = sign > 0 ? (o.size < 2 ? 0 : (uint64_t)o.size * (o.size - 1) / 2) : (uint64_t)o.size * o.others;
    return o;
}

/* The pair with the given number. */
static seg_pair pair_at(const sampler *s, const offer *o, uint64_t number) {
    const int32_t *own = s->member + s->start[o->group];
    seg_pair pair = {.sign = o->sign, .weight = 1};
    if (o->sign < 0) {
        size_t other = (size_t)(number % o->others);
        pair.i = own[number / o->others];
        pair.j = s->member[other < s->start[o->group] ? other : other + o->size];
    } else {
        /* number = b (b - 1) / 2 + a with a < b; the square root is a first guess, corrected for rounding. */
        uint64_t b = (uint64_t)((1 + sqrt(1 + 8 * (double)number)) / 2);
        while (b * (b - 1) / 2 > number)
            b--;
        while (b * (b + 1) / 2 <= number)
            b++;
        pair.i = own[number - b * (b - 1) / 2];
        pair.j = own[b];
    }
    if (pair.i > pair.j)
        SEG_SWAP(int32_t, pair.i, pair.j);
    return pair;
}

/* Add a pair unless it was drawn before. */
static seg_status keep(sampler *s, seg_pair pair, int *added) {
    SEG_TRY(seg_pair_set_put(s->ctx, &s->drawn, seg_pair_key(pair.i, pair.j), added));
    if (!*added)
        return SEG_OK;
    if (pair.sign < 0) {
        s->touching[s->groups->group[pair.i]]++;
        s->touching[s->groups->group[pair.j]]++;
    }
    return seg_constraints_add(s->ctx, s->out, pair);
}

/* List the candidates that were not drawn before, and draw `want` of them by a partial shuffle. */
static seg_status draw_most(sampler *s, const offer *o, uint64_t available, uint64_t want) {
    int added;
    uint64_t listed = 0;
    SEG_LOCAL(uint64_t, number, seg_alloc(s->ctx, (size_t)available, sizeof *number));
    for (uint64_t i = 0; i < o->count; i++) {
        seg_pair pair = pair_at(s, o, i);
        if (!seg_pair_set_has(&s->drawn, seg_pair_key(pair.i, pair.j)))
            number[listed++] = i;
    }
    for (uint64_t i = 0; i < want; i++) {
        uint64_t other = i + seg_random_below(&s->random, listed - i), chosen = number[other];
        number[other] = number[i];
        SEG_TRY(keep(s, pair_at(s, o, chosen), &added));
    }
    return SEG_OK;
}

static seg_status draw(sampler *s, int group, int sign, size_t per_cluster) {
    offer o = make_offer(s, group, sign);
    uint64_t available = o.count - (sign < 0 ? s->touching[group] : 0);
    uint64_t want = per_cluster < available ? per_cluster : available;
    if (want && available / 4 <= want)
        return draw_most(s, &o, available, want);
    while (want > 0) {
        int added = 0;
        SEG_TRY(keep(s, pair_at(s, &o, seg_random_below(&s->random, o.count)), &added));
        want -= added ? 1 : 0;
    }
    return SEG_OK;
}

/* Sort the grouped samples by group. */
static seg_status collect(sampler *s) {
    const size_t n = s->groups->n, groups = (size_t)s->groups->groups;
    SEG_LOCAL(int32_t, key, seg_alloc(s->ctx, n, sizeof *key));
    SEG_TRY(SEG_ALLOC_ARRAYS(s->ctx, SEG_ARRAY(s->start, groups + 1), SEG_ARRAY(s->touching, groups + 1),
                             SEG_ARRAY(s->member, n)));
    for (size_t i = 0; i < n; i++)
        key[i] = groups ? s->groups->group[i] : -1;
    seg_list_by_key(n, key, groups, s->start, s->member);
    s->members = s->start[groups];
    return SEG_OK;
}

seg_status seg_constraints_sample(seg_context *ctx, const seg_constraints *groups, size_t per_cluster,
                                  seg_constraints *out) {
    SEG_RELEASED(seg_constraints_free) seg_constraints made = {0};
    SEG_RELEASED(release) sampler s = {.ctx = ctx, .groups = groups, .out = &made};
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_constraints_check(ctx, groups));
    SEG_TRY(seg_constraints_create(ctx, groups->n, &made));
    s.random = seg_random_seeded(ctx ? ctx->seed : 1, RANDOM_STREAM);
    SEG_TRY(seg_pair_set_create(ctx, &s.drawn));
    SEG_TRY(collect(&s));
    for (int sign = 1; sign >= -1; sign -= 2)
        for (int group = 0; group < groups->groups; group++)
            SEG_TRY(draw(&s, group, sign, per_cluster));
    return SEG_HANDED_OVER(out, made);
}
