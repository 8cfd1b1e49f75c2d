/* Inside the selector. */
#pragma once

#include "base/random.h"
#include "constraints/closed.h"
#include "linalg/wide_rows.h"

#include <segment/active.h>

/* ---- Transitive closure, updated with each answer: must-linked samples form a component, and cannot-links join
 * components. Answers are added only if nothing was implied, so no contradiction can arise (relations.c). ---- */

typedef struct seg_cannot_edge {
    int32_t other; /* a member of the other component */
    int32_t next;  /* next edge of this component, -1 at the end */
} seg_cannot_edge;

typedef struct seg_relations {
    int32_t *parent;       /* n; a root is its own parent */
    int32_t *ring;         /* n: the next member of the component (a circular list) */
    int32_t *size;         /* n, for roots: number of members */
    int32_t *degree;       /* n, for roots: number of edges */
    int32_t *first, *last; /* n, for roots: first and last edge, -1 for none */
    seg_cannot_edge *edge; /* `edges` entries */
    size_t edges;
    seg_pair_set cannot;  /* keys of pairs of roots; those of former roots stay and are never looked up */
    seg_pair_set refused; /* keys of pairs that must not be asked about */
} seg_relations;

/* Free it in every case. */
seg_status seg_relations_create(seg_context *ctx, size_t n, seg_relations *out);
void seg_relations_free(seg_relations *relations);

/* The root of a sample's component; path halving, near O(1). */
int32_t seg_relations_root(seg_relations *relations, int32_t sample);

/* +1 must link, -1 cannot link, 0 nothing is implied. */
int seg_relations_between(seg_relations *relations, int32_t i, int32_t j);

/* Add a link that is new (seg_relations_between is 0) or already implied. A must-link merges two components and enters
 * the edges of the one with fewer edges again: over all answers, O(log edges) per edge. */
seg_status seg_relations_must(seg_context *ctx, seg_relations *relations, int32_t i, int32_t j);
seg_status seg_relations_cannot(seg_context *ctx, seg_relations *relations, int32_t i, int32_t j);

seg_status seg_relations_refuse(seg_context *ctx, seg_relations *relations, int32_t i, int32_t j);

/* 1 if the pair may be asked about: nothing is implied and it was not refused. */
int seg_relations_open(seg_relations *relations, int32_t i, int32_t j);

/* ---- The fields of a selector, shared by its strategies. ---- */

/* Why a sample is not asked about. */
enum { ASIDE_NOT = 0, ASIDE_DOUBTED, ASIDE_BAD_START };

typedef struct seg_weak seg_weak;

typedef struct seg_hood {
    int32_t member; /* its first member */
    size_t size;
    int unanswered; /* "unknown" answers about the current sample and this neighbourhood */
} seg_hood;

struct seg_active {
    seg_active_spec spec; /* known, unknown and features point to the copies below */
    seg_in_unit unit;     /* of the features, if the strategy uses them */
    uint64_t seed;
    seg_constraints known, unknown;
    seg_closure closure; /* of the known constraints */

    /* Everything that depends on the answers; rebuilt by reset (selector.c). */
    seg_relations relations;
    seg_random random;
    int32_t *hood;    /* n: neighbourhood of each sample, -1 none */
    uint8_t *aside;   /* n */
    double *distance; /* n: squared distance to the nearest sample in a neighbourhood, while needed */
    seg_hood *hoods;
    size_t hood_count;
    double *sum;          /* hood_count x d: sums of the members */
    double *similarity;   /* hood_count x n, for NPU: log of each sample's summed similarity to the members */
    double inverse_width; /* of these similarities */
    seg_weak *weak;       /* n, for AIPC: the samples in the order of its questions; the same after a reset */
    int guessed;          /* 1 after the first must-link that does not follow */
    size_t passed;        /* how many of them were asked about, or need no question */
    int32_t candidate;    /* the sample that is being placed, -1 none */
    int unanswered;       /* "unknown" answers about it */
    int start_unanswered; /* "unknown" answers about the first sample, before any other answer */
    int open;             /* a question waits for its answer: */
    int32_t i, j;
    seg_question *history;
    size_t answers, asked;
};

/* Append to the history. */
seg_status seg_active_record(seg_context *ctx, seg_active *active, seg_question entry);

/* Make i, j the next question. */
void seg_active_pose(seg_active *active, int32_t i, int32_t j);

/* explore.c: find the next question by neighbourhoods; *more = 0 if there is none. */
seg_status seg_active_next_by_hoods(seg_context *ctx, seg_active *active, int *more);
seg_status seg_active_answer_by_hoods(seg_context *ctx, seg_active *active, seg_answer answer);
/* Make neighbourhoods from the known constraints: components, largest first, that cannot link to any earlier one. */
seg_status seg_hoods_from_known(seg_context *ctx, seg_active *active);
/* 1 if the sample is in no neighbourhood and not put aside. */
int seg_active_is_free(const seg_active *active, size_t i);

/* aipc.c, all for AIPC alone. Order the samples. Find the next question; *more = 0 if there is none. Go on to the next
 * sample, with a must-link that follows from the cannot-link of the last one, or is guessed from it. */
seg_status seg_aipc_prepare(seg_context *ctx, seg_active *active);
seg_status seg_aipc_next(seg_context *ctx, seg_active *active, int *more);
seg_status seg_aipc_pass(seg_context *ctx, seg_active *active);

/* npu.c, all for NPU alone. A neighbourhood without members is started, and a sample joins it. */
seg_status seg_npu_start(seg_context *ctx, seg_active *active, size_t hood);
void seg_npu_join(seg_context *ctx, seg_active *active, int32_t sample, size_t hood);
/* The log of the mean similarity of a sample to the members. */
double seg_npu_similarity(const seg_active *active, int32_t sample, size_t hood);
/* The sample to ask about next; -1 if none is more uncertain than others. */
seg_status seg_npu_choose(seg_context *ctx, seg_active *active, int32_t *out);
