/* The choice of start and weight on part of the samples. It is much the same as on all if all named samples are in the
 * part, because a mixture has k d parameters for any number of rows. */
#include "selection/mixture_chooser.h"

#include "base/base.h"
#include "base/random.h"
#include "constraints/closed.h"

#include <stdlib.h>
#include <string.h>

#define STREAM 0x7601

/* Divide the samples that are not named into `most` stretches of nearly equal length and pick a random one of each. The
 * selection is even for rows in any order, a periodic one too. */
static size_t pick(seg_context *ctx, const unsigned char *named, size_t n, size_t others, size_t most, size_t *picked) {
    seg_random random;
    size_t count = 0, met = 0, stretch = 0, chosen = 0;
    seg_random_seed(&random, ctx ? ctx->seed : 1, STREAM);
    for (size_t i = 0; i < n; i++) {
        if (named[i]) {
            picked[count++] = i;
            continue;
        }
        const size_t from = stretch * others / most, to = (stretch + 1) * others / most;
        if (met == from)
            chosen = from + seg_random_below(&random, to - from);
        if (met == chosen)
            picked[count++] = i;
        if (++met == to)
            stretch++;
    }
    return count;
}

static seg_status take_rows(seg_context *ctx, const seg_mixture_chooser *whole, size_t m, seg_mixture_chooser *out) {
    const size_t d = whole->data.d;
    const seg_status status = seg_matrix_create(ctx, m, d, &out->Z);
    if (status)
        return status;
    for (size_t i = 0; i < m; i++)
        memcpy(out->Z.at + i * d, whole->data.Z + out->picked[i] * d, d * sizeof *out->Z.at);
    out->data = whole->data;
    out->data.n = m;
    out->data.Z = out->Z.at;
    out->data.moments = NULL;
    return seg_mixture_prepare(ctx, &out->data);
}

static seg_status take_starts(seg_context *ctx, const seg_mixture_chooser *whole, size_t m, seg_mixture_chooser *out) {
    for (int which = 0; which < STARTS; which++) {
        if (!whole->start[which])
            continue;
        out->start[which] = seg_alloc(ctx, m, sizeof *out->start[which]);
        if (!out->start[which])
            return SEG_ERR_MEMORY;
        for (size_t i = 0; i < m; i++)
            out->start[which][i] = whole->start[which][out->picked[i]];
    }
    return SEG_OK;
}

/* New indices keep the order of the samples, so the order of the pairs is kept too. */
static seg_status take_constraints(seg_context *ctx, const seg_mixture_chooser *whole, size_t m,
                                   seg_mixture_chooser *out) {
    const seg_constraints *all = &whole->all;
    int32_t *number = seg_alloc(ctx, all->n, sizeof *number);
    seg_status status = number ? seg_constraints_create(ctx, m, &out->all) : SEG_ERR_MEMORY;
    for (size_t i = 0; i < m && !status; i++) {
        number[out->picked[i]] = (int32_t)i;
        out->all.group[i] = all->group[out->picked[i]];
    }
    for (size_t p = 0; p < all->pairs && !status; p++) {
        seg_pair pair = all->pair[p];
        pair.i = number[pair.i];
        pair.j = number[pair.j];
        status = seg_constraints_add(ctx, &out->all, pair);
    }
    free(number);
    if (status)
        return status;
    out->all.groups = all->groups;
    out->now.left_out = seg_alloc(ctx, all->pairs, sizeof *out->now.left_out);
    if (!out->now.left_out)
        return SEG_ERR_MEMORY;
    memcpy(out->now.left_out, whole->now.left_out, all->pairs * sizeof *out->now.left_out);
    return seg_mixture_kept_pairs(ctx, out);
}

static seg_status take_part(seg_context *ctx, const seg_mixture_chooser *whole, const unsigned char *named,
                            size_t names, size_t most, seg_mixture_chooser *out) {
    const size_t n = whole->data.n, others = n - names;
    out->picked = seg_alloc(ctx, names + most, sizeof *out->picked);
    if (!out->picked)
        return SEG_ERR_MEMORY;
    const size_t m = pick(ctx, named, n, others, most, out->picked);
    out->stands_for = (double)others / (double)most;
    seg_status status = take_rows(ctx, whole, m, out);
    if (!status)
        status = take_starts(ctx, whole, m, out);
    if (!status)
        status = take_constraints(ctx, whole, m, out);
    if (!status)
        seg_log(ctx, SEG_LOG_INFO, "mixture: chosen on %zu of %zu samples, %zu of them in constraints", m, n, names);
    return status;
}

seg_status seg_mixture_sample(seg_context *ctx, seg_mixture_chooser *whole, size_t most, seg_mixture_chooser *out) {
    unsigned char *named = NULL;
    size_t names = 0;
    *out = (seg_mixture_chooser){.problem = whole->problem, .param = whole->param, .whole = whole};
    if (whole->data.n <= most)
        return SEG_OK;
    seg_status status = seg_constraints_named(ctx, &whole->all, &named, &names);
    if (!status && whole->data.n - names > most)
        status = take_part(ctx, whole, named, names, most, out);
    free(named);
    return status;
}

seg_status seg_mixture_constraints_of_all(seg_context *ctx, const seg_mixture_chooser *s, const seg_constraints *among,
                                          seg_constraints *out) {
    seg_status status = seg_constraints_create(ctx, s->whole->data.n, out);
    for (size_t p = 0; p < among->pairs && !status; p++) {
        seg_pair pair = among->pair[p];
        pair.i = (int32_t)s->picked[pair.i];
        pair.j = (int32_t)s->picked[pair.j];
        status = seg_constraints_add(ctx, out, pair);
    }
    for (size_t i = 0; i < among->n && !status; i++)
        out->group[s->picked[i]] = among->group[i];
    if (!status)
        out->groups = among->groups;
    return status ? status : seg_constraints_close(ctx, out, SEG_CONTRADICTIONS_REFUSE);
}
