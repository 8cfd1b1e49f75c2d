/* The fields of a selector, shared by its strategies. */
#ifndef SEG_ACTIVE_SELECTOR_H
#define SEG_ACTIVE_SELECTOR_H

#include "active/relations.h"
#include "base/random.h"
#include "constraints/closed.h"
#include "linalg/wide_rows.h"

#include <segment/active.h>

/* Why a sample is not asked about. */
enum { ASIDE_NOT = 0, ASIDE_DOUBTED, ASIDE_BAD_START };

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
    size_t hood_count, hood_room;
    double *sum;          /* hood_room x d: sums of the members */
    int32_t candidate;    /* the sample that is being placed, -1 none */
    int unanswered;       /* "unknown" answers about it */
    int start_unanswered; /* "unknown" answers about the first sample, before any other answer */
    int open;             /* a question waits for its answer: */
    int32_t i, j;
    seg_question *history;
    size_t answers, answer_room, asked;
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

#endif
