/* Active choice of constraints, question by question. */
#include "sweep.h"

enum { N = 40, K = 3, QUESTIONS = 25 };

static seg_active_strategy by_name(const char *name) {
    static const char *const names[] = {"explore-consolidate", "explore", "minmax", "random", "npu", "aipc"};
    seg_active_strategy strategy = 0;
    while (strategy < SEG_ACTIVE_STRATEGIES && strcmp(names[strategy], name) != 0)
        strategy++;
    return strategy;
}

static void tell_history(const seg_active *active) {
    const seg_active_tally tally = GET(seg_active_about, active);
    const seg_question *question = tally.history;
    for (size_t i = 0; i < tally.asked + tally.inferred; i++) {
        told_number(question[i].i);
        told_number(question[i].j);
        told_number(question[i].answer);
        told_number(question[i].inferred);
    }
    told_number((double)tally.asked);
    told_number(tally.neighbourhoods);
}

/* A whole life of a selector. After a failure it can still tell what it knows, and be freed. */
CASE(ask, strategy) {
    int32_t i, j;
    int more = 1, undone = 0;
    seg_matrix X = blobs(N, K);
    seg_constraints known = groups_of(N, K, 1), out = DIRTY(seg_constraints);
    seg_active *active = (seg_active *)&X;
    const seg_active_spec spec = {
        .strategy = by_name(strategy), .k = K, .budget = QUESTIONS, .n = N, .features = &X, .known = &known};
    seg_status status = CALL(seg_active_create, ctx, &spec, &active);
    if (status != SEG_OK) {
        if (active)
            sweep_fault("a selector after a failure");
        goto done;
    }
    for (int asked = 0; status == SEG_OK && asked < QUESTIONS; asked++) {
        status = CALL(seg_active_next, ctx, active, &i, &j, &more);
        if (status != SEG_OK || !more)
            break;
        const seg_answer answer = asked == 4       ? SEG_ANSWER_UNKNOWN
                                  : i % K == j % K ? SEG_ANSWER_MUST
                                                   : SEG_ANSWER_CANNOT;
        status = CALL(seg_active_answer, ctx, active, answer);
        if (status == SEG_OK && asked == 8)
            status = CALL(seg_active_undo, ctx, active, &undone);
    }
    tell_history(active);
    if (status == SEG_OK) {
        status = CALL(seg_active_constraints, ctx, active, &out);
        TOLD_OR_ZEROED(status, told_constraints, out);
        seg_constraints_free(&out);
    }
    if (status == SEG_OK)
        status = OVERWRITE("answers.csv", CALL(seg_active_write, ctx, in_folder("answers.csv"), "# before\n", active));
done:
    DO(seg_active_free, active);
    seg_constraints_free(&known);
    seg_matrix_free(&X);
    return status;
}

CASE(from_labels, strategy) {
    int32_t label[N];
    seg_active_tally tally;
    for (int i = 0; i < N; i++)
        label[i] = i % K;
    SCOPED(seg_matrix) X = blobs(N, K);
    const seg_active_spec spec = {.strategy = by_name(strategy), .k = K, .budget = QUESTIONS, .n = N, .features = &X};
    const seg_label_oracle oracle = {label, 0.1, 0};
    SCOPED(seg_constraints) out = DIRTY(seg_constraints);
    return TELL(CALL(seg_active_from_labels, ctx, &spec, &oracle, &out, &tally), told_constraints, out);
}

static const sweep_case cases[] = {
    {"explore-consolidate", ask, "explore-consolidate", 1},
    {"explore", ask, "explore", 1},
    {"minmax", ask, "minmax", 1},
    {"random", ask, "random", 1},
    {"npu", ask, "npu", 1},
    {"aipc", ask, "aipc", 1},
    {"labels", from_labels, "explore-consolidate", 1},
    {"labels-minmax", from_labels, "minmax", 1},
};
TOPIC(sweep_active, "active");
