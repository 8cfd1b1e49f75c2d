/* Breadth-first search over must-links. A group needs no edges of its own: the first member reached brings in all
 * others. */
#include "base/base.h"
#include "constraints/origins.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define UNSEEN      (-2)
#define ROOT        (-1)
#define SHOWN       4 /* samples shown at each end of a long chain */
#define SHOWN_LINKS 3 /* the same of links with their places */

typedef struct search {
    const seg_constraints *constraints;
    size_t *start; /* neighbours of i: neighbour[start[i]] .. neighbour[start[i + 1] - 1] */
    int32_t *neighbour;
    int32_t *parent; /* UNSEEN, ROOT or the sample before */
    int32_t *queue;
    size_t queued;
    seg_arena arena;
} search;

static void search_free(search *s) {
    seg_arena_free(&s->arena);
}

static seg_status search_create(seg_context *ctx, const seg_constraints *constraints, size_t pairs, search *s) {
    const size_t n = constraints->n;
    *s = (search){.constraints = constraints};
    s->start = seg_arena_alloc_zero(ctx, &s->arena, n + 2, sizeof *s->start);
    s->neighbour = seg_arena_alloc(ctx, &s->arena, 2 * pairs, sizeof *s->neighbour);
    s->parent = seg_arena_alloc(ctx, &s->arena, n, sizeof *s->parent);
    s->queue = seg_arena_alloc(ctx, &s->arena, n, sizeof *s->queue);
    if (s->arena.status)
        return s->arena.status;
    for (size_t i = 0; i < n; i++)
        s->parent[i] = UNSEEN;
    for (size_t p = 0; p < pairs; p++)
        if (constraints->pair[p].sign > 0) {
            s->start[constraints->pair[p].i + 2]++;
            s->start[constraints->pair[p].j + 2]++;
        }
    for (size_t i = 0; i < n; i++)
        s->start[i + 2] += s->start[i + 1]; /* start[i + 1] moves on to the end of i while the lists are filled */
    for (size_t p = 0; p < pairs; p++)
        if (constraints->pair[p].sign > 0) {
            int32_t i = constraints->pair[p].i, j = constraints->pair[p].j;
            s->neighbour[s->start[i + 1]++] = j;
            s->neighbour[s->start[j + 1]++] = i;
        }
    return SEG_OK;
}

static void reach(search *s, int32_t sample, int32_t from) {
    if (s->parent[sample] != UNSEEN)
        return;
    s->parent[sample] = from;
    s->queue[s->queued++] = sample;
}

/* Search from what is queued. The goal is the sample `goal`, or where that is negative any sample of a group other than
 * `group`. @return the sample found, -1 for none */
static int32_t run(search *s, int32_t goal, int group) {
    const int16_t *member = s->constraints->group;
    char entered[SEG_MAX_LABELS] = {0}; /* groups whose members are all queued */
    for (size_t next = 0; next < s->queued; next++) {
        int32_t sample = s->queue[next];
        int own = member[sample];
        if (goal >= 0 ? sample == goal : own >= 0 && own != group)
            return sample;
        for (size_t e = s->start[sample]; e < s->start[sample + 1]; e++)
            reach(s, s->neighbour[e], sample);
        if (goal >= 0 && own >= 0 && !entered[own]) {
            entered[own] = 1;
            for (size_t i = 0; i < s->constraints->n; i++)
                if (member[i] == own)
                    reach(s, (int32_t)i, sample);
        }
    }
    return -1;
}

/* The way from the root to `end`, put where the queue was: it has done its work and has room for n. */
static size_t list_way(search *s, int32_t end) {
    size_t length = 0;
    for (int32_t i = end; i >= 0; i = s->parent[i])
        s->queue[length++] = i;
    for (size_t a = 0, b = length; a + 1 < b; a++) {
        const int32_t swap = s->queue[--b];
        s->queue[b] = s->queue[a];
        s->queue[a] = swap;
    }
    return length;
}

/* What is said of a contradiction so far. */
typedef struct sentence {
    char text[768];
    size_t used;
    char last[SEG_END_SIZE]; /* the end named last */
    int file;                /* named last, -1 none */
    int parted;              /* 1: two pixels of one patch were named */
} sentence;

__attribute__((format(printf, 2, 3))) static void add(sentence *out, const char *format, ...) {
    va_list rest;
    va_start(rest, format);
    if (out->used < sizeof out->text)
        out->used += (size_t)vsnprintf(out->text + out->used, sizeof out->text - out->used, format, rest);
    va_end(rest);
}

/* "3 = 17 = ... (20 more) ... = 22", for constraints that nothing is known about but their numbers. */
static void write_numbers(const search *s, size_t length, sentence *out) {
    for (size_t i = 0; i < length; i++) {
        const int32_t sample = s->queue[i];
        const int group = s->constraints->group[sample];
        if (length > 2 * SHOWN + 1 && i == SHOWN) {
            add(out, " = ... (%zu more) ...", length - 2 * SHOWN);
            i = length - SHOWN - 1;
        } else {
            add(out, "%s%d", i ? " = " : "", sample);
            if (group >= 0)
                add(out, " (label %d)", group + 1);
        }
    }
}

/* An end beside the one named last for the same sample. */
static void compare_ends(sentence *out, const char *end) {
    out->parted |= out->last[0] == '(' && end[0] == '(' && strcmp(out->last, end) != 0;
}

/* One must-link: by the file's pair, or because both ends have one label. */
static void write_link(const search *s, int32_t from, int32_t to, sentence *out) {
    const seg_constraints *constraints = s->constraints;
    const seg_pair pair = {.i = from, .j = to, .sign = 1};
    const seg_pair_origin *origin = seg_origins_find(constraints, &pair);
    const int group = constraints->group[from];
    char first[SEG_END_SIZE], second[SEG_END_SIZE], place[SEG_PLACE_SIZE];
    if (!origin && group >= 0 && group == constraints->group[to]) {
        seg_origin_stroke(constraints, from, first);
        seg_origin_stroke(constraints, to, second);
        snprintf(place, sizeof place, " (both label %d)", seg_origin_label(constraints, group));
    } else {
        seg_origin_end(origin, from, first);
        seg_origin_end(origin, to, second);
        seg_origin_place(constraints, origin, &out->file, place);
    }
    compare_ends(out, first);
    if (!out->used || strcmp(out->last, first) != 0)
        add(out, "%s%s", out->used ? ", " : "", first);
    add(out, " = %s%s", second, place);
    memcpy(out->last, second, sizeof out->last);
}

/* @return 1 where the pairs or labels are known by their places: these are named */
static int write_chain(search *s, int32_t end, sentence *out) {
    const seg_constraints *constraints = s->constraints;
    const size_t length = list_way(s, end), links = length ? length - 1 : 0;
    if (!constraints->origins || (!constraints->origins->entries && !constraints->origins->scribbles)) {
        write_numbers(s, length, out);
        return 0;
    }
    for (size_t i = 0; i < links; i++) {
        if (links > 2 * SHOWN_LINKS + 1 && i == SHOWN_LINKS) {
            add(out, " = ... (%zu more) ...", links - 2 * SHOWN_LINKS);
            i = links - SHOWN_LINKS;
            out->last[0] = 0;
        }
        write_link(s, s->queue[i], s->queue[i + 1], out);
    }
    return 1;
}

/* Pixels that are not the same were taken for one sample. */
static const char *note(const search *s, const sentence *out, char *text, size_t size) {
    const seg_pair_origins *origins = s->constraints->origins;
    if (out->parted && origins->grid)
        snprintf(text, size, "; pixels of one patch of %d x %d count as one", origins->grid->side, origins->grid->side);
    else
        snprintf(text, size, "%s", out->parted ? "; pixels of one patch count as one" : "");
    return text;
}

#define REMEDY "remove one of these links, or drop contradicting pairs (contradictions: drop)"

seg_status seg_chain_of_pair(seg_context *ctx, const seg_constraints *constraints, const seg_pair *cannot) {
    SEG_RELEASED(search_free) search s;
    sentence chain = {.file = -1}, but = {.file = -1};
    char text[64], first[SEG_END_SIZE], second[SEG_END_SIZE];
    const seg_status status = search_create(ctx, constraints, constraints->pairs, &s);
    if (status)
        return status;
    const seg_pair_origin *origin = seg_origins_find(constraints, cannot);
    seg_origin_end(origin, cannot->i, first);
    seg_origin_end(origin, cannot->j, second);
    memcpy(chain.last, first, sizeof first);
    reach(&s, cannot->i, ROOT);
    write_chain(&s, run(&s, cannot->j, -1), &chain);
    compare_ends(&chain, second);
    seg_origin_pair(constraints, cannot, &chain.file, but.text, sizeof but.text);
    return seg_fail(ctx, SEG_ERR_CONTRADICTION, "the constraints contradict each other: must link %s, but %s%s; %s",
                    chain.text, but.text, note(&s, &chain, text, sizeof text), REMEDY);
}

seg_status seg_chain_of_group(seg_context *ctx, const seg_constraints *constraints, size_t pairs, int group) {
    SEG_RELEASED(search_free) search s;
    sentence chain = {.file = -1};
    char text[64], first[SEG_END_SIZE], second[SEG_END_SIZE];
    const seg_status status = search_create(ctx, constraints, pairs, &s);
    if (status)
        return status;
    for (size_t i = 0; i < constraints->n; i++)
        if (constraints->group[i] == group)
            reach(&s, (int32_t)i, ROOT);
    const int32_t end = run(&s, -1, group);
    const int one = seg_origin_label(constraints, group);
    const int other = end >= 0 ? seg_origin_label(constraints, constraints->group[end]) : 0;
    const int places = write_chain(&s, end, &chain);
    if (!places || end < 0 || !constraints->origins->scribbles)
        return seg_fail(ctx, SEG_ERR_CONTRADICTION,
                        "the constraints contradict each other: must link %s, but labels %d and %d cannot link; %s",
                        chain.text, one, other, REMEDY);
    seg_origin_stroke(constraints, s.queue[0], first);
    seg_origin_stroke(constraints, end, second);
    return seg_fail(ctx, SEG_ERR_CONTRADICTION,
                    "the constraints contradict each other: must link %s, but the scribbles have label %d at %s and "
                    "label %d at %s%s; %s",
                    chain.text, one, first, other, second, note(&s, &chain, text, sizeof text), REMEDY);
}
