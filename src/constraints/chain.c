/* Breadth-first search over must-links. A group needs no edges of its own: the first member reached brings in all
 * others. */
#include "constraints/chain.h"
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNSEEN (-2)
#define ROOT   (-1)
#define SHOWN  4 /* things shown at each end of a long chain */

typedef struct search {
    const seg_constraints *constraints;
    size_t *start; /* neighbours of i: neighbour[start[i]] .. neighbour[start[i + 1] - 1] */
    int32_t *neighbour;
    int32_t *parent; /* UNSEEN, ROOT or the thing before */
    int32_t *queue;
    size_t queued;
} search;

static void search_free(search *s) {
    free(s->start);
    free(s->neighbour);
    free(s->parent);
    free(s->queue);
}

static seg_status search_create(seg_context *ctx, const seg_constraints *constraints, size_t pairs, search *s) {
    const size_t n = constraints->n;
    memset(s, 0, sizeof *s);
    s->constraints = constraints;
    s->start = seg_alloc_zero(ctx, n + 2, sizeof *s->start);
    s->neighbour = seg_alloc(ctx, 2 * pairs, sizeof *s->neighbour);
    s->parent = seg_alloc(ctx, n, sizeof *s->parent);
    s->queue = seg_alloc(ctx, n, sizeof *s->queue);
    if (!s->start || !s->neighbour || !s->parent || !s->queue)
        return SEG_ERR_MEMORY;
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

static void reach(search *s, int32_t thing, int32_t from) {
    if (s->parent[thing] != UNSEEN)
        return;
    s->parent[thing] = from;
    s->queue[s->queued++] = thing;
}

/* Search from what is queued. The goal is the thing `goal`, or where that is negative any thing of a group other than
 * `group`. @return the thing found, -1 for none */
static int32_t run(search *s, int32_t goal, int group) {
    const int16_t *member = s->constraints->group;
    char entered[SEG_MAX_LABELS] = {0}; /* groups whose members are all queued */
    for (size_t next = 0; next < s->queued; next++) {
        int32_t thing = s->queue[next];
        int own = member[thing];
        if (goal >= 0 ? thing == goal : own >= 0 && own != group)
            return thing;
        for (size_t e = s->start[thing]; e < s->start[thing + 1]; e++)
            reach(s, s->neighbour[e], thing);
        if (goal >= 0 && own >= 0 && !entered[own]) {
            entered[own] = 1;
            for (size_t i = 0; i < s->constraints->n; i++)
                if (member[i] == own)
                    reach(s, (int32_t)i, thing);
        }
    }
    return -1;
}

/* "3 (label 1) = 17 = ... (20 more) ... = 22" from the root to `end`. */
static void write_chain(search *s, int32_t end, char *text, size_t size) {
    size_t length = 0, used = 0;
    for (int32_t i = end; i >= 0; i = s->parent[i])
        s->queue[length++] = i; /* the queue has done its work and holds n things */
    text[0] = 0;
    for (size_t i = 0; i < length && used < size; i++) {
        int32_t thing = s->queue[length - 1 - i];
        int group = s->constraints->group[thing];
        const char *link = i ? " = " : "";
        if (length > 2 * SHOWN + 1 && i == SHOWN) {
            used += (size_t)snprintf(text + used, size - used, " = ... (%zu more) ...", length - 2 * SHOWN);
            i = length - SHOWN - 1;
        } else if (group >= 0) {
            used += (size_t)snprintf(text + used, size - used, "%s%d (label %d)", link, thing, group + 1);
        } else {
            used += (size_t)snprintf(text + used, size - used, "%s%d", link, thing);
        }
    }
}

#define REMEDY "take one of these links back, or have contradicting pairs left out (--contradictions drop)"

seg_status seg_chain_of_pair(seg_context *ctx, const seg_constraints *constraints, const seg_pair *cannot) {
    search s;
    char text[512];
    seg_status status = search_create(ctx, constraints, constraints->pairs, &s);
    if (status == SEG_OK) {
        reach(&s, cannot->i, ROOT);
        write_chain(&s, run(&s, cannot->j, -1), text, sizeof text);
        status = seg_fail(ctx, SEG_ERR_CONTRADICTION,
                          "the constraints contradict each other: must link %s, but %d != %d; %s", text, cannot->i,
                          cannot->j, REMEDY);
    }
    search_free(&s);
    return status;
}

seg_status seg_chain_of_group(seg_context *ctx, const seg_constraints *constraints, size_t pairs, int group) {
    search s;
    char text[512];
    seg_status status = search_create(ctx, constraints, pairs, &s);
    if (status == SEG_OK) {
        for (size_t i = 0; i < constraints->n; i++)
            if (constraints->group[i] == group)
                reach(&s, (int32_t)i, ROOT);
        int32_t end = run(&s, -1, group);
        write_chain(&s, end, text, sizeof text);
        status = seg_fail(ctx, SEG_ERR_CONTRADICTION,
                          "the constraints contradict each other: must link %s, but labels %d and %d cannot link; %s",
                          text, group + 1, end >= 0 ? constraints->group[end] + 1 : 0, REMEDY);
    }
    search_free(&s);
    return status;
}
