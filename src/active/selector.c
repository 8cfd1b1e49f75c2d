/* The selector: it gives questions and takes answers; answers from labels, and as a file of pairs. */
#include "active/selector.h"
#include "base/base.h"
#include "image/file.h"

#include <inttypes.h>

#define RANDOM_STREAM 0x61637476u /* "actv" */
#define ORACLE_STREAM 0x6f72636cu /* "orcl" */
#define DRAWS         256         /* random attempts; if all fail, hardly any pair is left, and it is searched for */

static seg_status check_spec(seg_context *ctx, const seg_active_spec *spec) {
    const seg_matrix *X = spec->features;
    if ((unsigned)spec->strategy >= SEG_ACTIVE_STRATEGIES)
        return seg_fail(ctx, SEG_ERR_USAGE, "there is no query strategy %d", (int)spec->strategy);
    if (spec->k < 0 || spec->k > SEG_MAX_LABELS)
        return seg_fail(ctx, SEG_ERR_USAGE, "k = %d clusters; k must be 1..%d, or 0 if it is not known", spec->k,
                        SEG_MAX_LABELS);
    if (spec->strategy == SEG_ACTIVE_AIPC && spec->k == 0)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "the strategy aipc begins with a clustering: it needs the number of clusters k, 1..%d",
                        SEG_MAX_LABELS);
    if (spec->strategy != SEG_ACTIVE_RANDOM && (!X || X->rows != spec->n || (spec->n && !X->cols)))
        return seg_fail(ctx, SEG_ERR_USAGE, "the strategy measures distances: it needs a row of features per sample");
    if ((spec->known && spec->known->n != spec->n) || (spec->unknown && spec->unknown->n != spec->n))
        return seg_fail(ctx, SEG_ERR_USAGE, "the known constraints do not have %zu samples", spec->n);
    for (size_t t = 0; spec->strategy != SEG_ACTIVE_RANDOM && t < X->rows * X->cols; t++)
        if (!isfinite(X->at[t]))
            return seg_fail(ctx, SEG_ERR_INPUT, "feature %zu of sample %zu is not finite", t % X->cols, t / X->cols);
    return SEG_OK;
}

/* Enter the known constraints, component by component. */
static seg_status enter_known(seg_context *ctx, seg_active *active) {
    const seg_closure *closure = &active->closure;
    SEG_LOCAL(int32_t, first, seg_alloc(ctx, (size_t)closure->components, sizeof *first));
    memset(first, 0xff, (size_t)closure->components * sizeof *first);
    for (size_t i = 0; i < closure->n; i++) {
        const int32_t c = closure->component[i];
        if (c >= 0 && first[c] < 0)
            first[c] = (int32_t)i;
        else if (c >= 0)
            SEG_TRY(seg_relations_must(ctx, &active->relations, first[c], (int32_t)i));
    }
    for (size_t e = 0; e < closure->cannots; e++)
        SEG_TRY(seg_relations_cannot(ctx, &active->relations, first[closure->cannot[2 * e]],
                                     first[closure->cannot[2 * e + 1]]));
    for (size_t p = 0; p < active->unknown.pairs; p++)
        SEG_TRY(seg_relations_refuse(ctx, &active->relations, active->unknown.pair[p].i, active->unknown.pair[p].j));
    return SEG_OK;
}

static int builds_hoods(const seg_active *active) {
    return active->spec.strategy != SEG_ACTIVE_RANDOM && active->spec.strategy != SEG_ACTIVE_AIPC;
}

static seg_status reset(seg_context *ctx, seg_active *active) {
    const size_t n = active->spec.n;
    seg_relations_free(&active->relations);
    active->hood_count = active->answers = active->asked = active->passed = 0;
    active->candidate = -1;
    active->unanswered = active->start_unanswered = active->open = active->guessed = 0;
    active->random = seg_random_seeded(active->seed, RANDOM_STREAM);
    for (size_t i = 0; i < n; i++) {
        active->hood[i] = -1;
        active->aside[i] = 0;
        active->distance[i] = INFINITY;
    }
    SEG_TRY(seg_relations_create(ctx, n, &active->relations));
    SEG_TRY(enter_known(ctx, active));
    return builds_hoods(active) ? seg_hoods_from_known(ctx, active) : SEG_OK;
}

static seg_status create(seg_context *ctx, const seg_active_spec *spec, seg_active *active) {
    const size_t n = spec->n;
    active->spec = *spec;
    active->seed = ctx->seed;
    SEG_TRY(spec->known ? seg_constraints_check(ctx, spec->known) : SEG_OK);
    SEG_TRY(spec->unknown ? seg_constraints_check(ctx, spec->unknown) : SEG_OK);
    SEG_TRY(seg_constraints_copy(ctx, n, spec->known, &active->known));
    SEG_TRY(seg_constraints_copy(ctx, n, spec->unknown, &active->unknown));
    seg_constraints named = active->known;
    named.notes = spec->known ? spec->known->notes : NULL; /* borrowed for messages */
    SEG_TRY(seg_closure_compute(ctx, &named, SEG_CONTRADICTIONS_REFUSE, &active->closure));
    if (spec->strategy != SEG_ACTIVE_RANDOM) {
        SEG_TRY(seg_in_unit_create(ctx, spec->features, 1, "features", &active->unit));
        active->spec.features = active->unit.X;
    }
    active->spec.known = &active->known;
    active->spec.unknown = &active->unknown;
    SEG_TRY(
        SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(active->hood, n), SEG_ARRAY(active->aside, n), SEG_ARRAY(active->distance, n)));
    if (spec->strategy == SEG_ACTIVE_AIPC)
        SEG_TRY(seg_aipc_prepare(ctx, active));
    return reset(ctx, active);
}

seg_status seg_active_create(seg_context *ctx, const seg_active_spec *spec, seg_active **out) {
    *out = NULL;
    SEG_TRY(check_spec(ctx, spec));
    seg_active *active = *out = seg_alloc_zero(ctx, 1, sizeof *active);
    SEG_TRY(seg_allocated(active));
    SEG_RETURN_OR(create(ctx, spec, active), seg_active_free(seg_taken(out)));
}

void seg_active_free(seg_active *active) {
    if (!active)
        return;
    seg_in_unit_free(&active->unit);
    seg_constraints_free(&active->known);
    seg_constraints_free(&active->unknown);
    seg_closure_free(&active->closure);
    seg_relations_free(&active->relations);
    SEG_CLEAR(active, active->hood, active->hoods, active->sum, active->similarity, active->weak, active->history);
    free(active);
}

void seg_active_pose(seg_active *active, int32_t i, int32_t j) {
    active->i = i;
    active->j = j;
    active->open = 1;
}

seg_status seg_active_record(seg_context *ctx, seg_active *active, seg_question entry) {
    SEG_TRY(seg_extend(ctx, &active->history, active->answers, sizeof *active->history));
    active->history[active->answers++] = entry;
    return SEG_OK;
}

/* The baseline: pairs drawn uniformly from those whose answer is neither implied nor refused. */

/* Ask about a pair of members of two components that was not refused; 0 if there is none. */
static int find_members(seg_active *active, int32_t a, int32_t b) {
    int32_t i = a, j = b;
    do {
        do {
            if (seg_relations_open(&active->relations, i, j)) {
                seg_active_pose(active, i, j);
                return 1;
            }
            j = active->relations.ring[j];
        } while (j != b);
        i = active->relations.ring[i];
    } while (i != a);
    return 0;
}

/* Find an open pair. Each pair of components is cannot-linked, refused for all members, or the end: O(n + answers). */
static seg_status search(seg_context *ctx, seg_active *active, int *more) {
    const size_t n = active->spec.n, first = seg_random_below(&active->random, n);
    size_t roots = 0;
    SEG_LOCAL(int32_t, root, seg_alloc(ctx, n, sizeof *root));
    for (size_t t = 0; t < n; t++) {
        const int32_t i = (int32_t)((first + t) % n);
        if (seg_relations_root(&active->relations, i) == i)
            root[roots++] = i;
    }
    *more = 0;
    for (size_t a = 0; a < roots && !*more; a++)
        for (size_t b = a + 1; b < roots && !*more; b++)
            *more = seg_relations_between(&active->relations, root[a], root[b]) == 0 &&
                    find_members(active, root[a], root[b]);
    return SEG_OK;
}

static seg_status next_random(seg_context *ctx, seg_active *active, int *more) {
    const size_t n = active->spec.n;
    *more = n > 1;
    for (int draw = 0; draw < DRAWS && n > 1; draw++) {
        const int32_t i = (int32_t)seg_random_below(&active->random, n);
        int32_t j = (int32_t)seg_random_below(&active->random, n - 1);
        j += j >= i; /* uniform over all samples but i */
        if (seg_relations_open(&active->relations, i, j)) {
            seg_active_pose(active, i, j);
            return SEG_OK;
        }
    }
    return n > 1 ? search(ctx, active, more) : SEG_OK;
}

seg_status seg_active_next(seg_context *ctx, seg_active *active, int32_t *i, int32_t *j, int *more) {
    seg_status status = SEG_OK;
    *more = active->open;
    if (!active->open && active->asked < active->spec.budget)
        status = builds_hoods(active)                         ? seg_active_next_by_hoods(ctx, active, more)
                 : active->spec.strategy == SEG_ACTIVE_RANDOM ? next_random(ctx, active, more)
                                                              : seg_aipc_next(ctx, active, more);
    if (status != SEG_OK)
        *more = 0;
    *i = *more ? active->i : -1;
    *j = *more ? active->j : -1;
    return status;
}

seg_status seg_active_answer(seg_context *ctx, seg_active *active, seg_answer answer) {
    if (!active->open)
        return seg_fail(ctx, SEG_ERR_USAGE, "there is no question to answer; ask for the next first");
    if (answer < SEG_ANSWER_CANNOT || answer > SEG_ANSWER_MUST)
        return seg_fail(ctx, SEG_ERR_USAGE, "%d is not an answer; -1, 0 and 1 are", (int)answer);
    SEG_TRY(seg_active_record(ctx, active, (seg_question){active->i, active->j, answer, 0}));
    active->open = 0;
    active->asked++;
    if (answer == SEG_ANSWER_UNKNOWN)
        SEG_TRY(seg_relations_refuse(ctx, &active->relations, active->i, active->j));
    if (builds_hoods(active))
        return seg_active_answer_by_hoods(ctx, active, answer);
    if (answer == SEG_ANSWER_MUST)
        SEG_TRY(seg_relations_must(ctx, &active->relations, active->i, active->j));
    else if (answer == SEG_ANSWER_CANNOT)
        SEG_TRY(seg_relations_cannot(ctx, &active->relations, active->i, active->j));
    return active->spec.strategy == SEG_ACTIVE_AIPC ? seg_aipc_pass(ctx, active) : SEG_OK;
}

/* Start again with all answers but the last: the same answers lead to the same questions. */
seg_status seg_active_undo(seg_context *ctx, seg_active *active, int *undone) {
    size_t kept = 0, asked = active->asked;
    int32_t i, j;
    int more;
    *undone = asked > 0;
    if (asked == 0)
        return SEG_OK;
    SEG_FREED seg_question *past = seg_taken(&active->history);
    SEG_TRY(reset(ctx, active));
    for (; active->asked + 1 < asked; kept++)
        if (!past[kept].inferred) {
            SEG_TRY(seg_active_next(ctx, active, &i, &j, &more));
            SEG_TRY(seg_active_answer(ctx, active, past[kept].answer));
        }
    return seg_active_next(ctx, active, &i, &j, &more);
}

seg_active_tally seg_active_about(const seg_active *active) {
    seg_active_tally tally = {
        .asked = active->asked, .neighbourhoods = (int)active->hood_count, .history = active->history};
    for (size_t a = 0; a < active->answers; a++) {
        const seg_question *entry = &active->history[a];
        tally.inferred += entry->inferred != 0;
        tally.must += !entry->inferred && entry->answer == SEG_ANSWER_MUST;
        tally.cannot += entry->answer == SEG_ANSWER_CANNOT;
        tally.unknown += entry->answer == SEG_ANSWER_UNKNOWN;
    }
    return tally;
}

seg_status seg_active_constraints(seg_context *ctx, const seg_active *active, seg_constraints *out) {
    seg_status status = seg_constraints_copy(ctx, active->spec.n, &active->known, out);
    for (size_t a = 0; a < active->answers && status == SEG_OK; a++) {
        const seg_question *entry = &active->history[a];
        if (entry->answer != SEG_ANSWER_UNKNOWN)
            status = seg_constraints_add(ctx, out, (seg_pair){entry->i, entry->j, (int)entry->answer, 1});
    }
    SEG_RETURN_OR(status, seg_constraints_free(out));
}

/* ---- Answers from labels, and as a file of pairs. ---- */

static seg_answer answer_of(const seg_label_oracle *oracle, seg_random *random, int32_t i, int32_t j) {
    const int32_t a = oracle->label[i], b = oracle->label[j];
    const double knows = seg_random_uniform(random), errs = seg_random_uniform(random); /* always two draws */
    if (a < 0 || b < 0 || knows < oracle->unknown_rate)
        return SEG_ANSWER_UNKNOWN;
    return (a == b) != (errs < oracle->wrong_rate) ? SEG_ANSWER_MUST : SEG_ANSWER_CANNOT;
}

static void free_selector(seg_active **active) {
    seg_active_free(*active);
}

seg_status seg_active_from_labels(seg_context *ctx, const seg_active_spec *spec, const seg_label_oracle *oracle,
                                  seg_constraints *out, seg_active_tally *tally) {
    SEG_RELEASED(free_selector) seg_active *active = NULL;
    int32_t i, j;
    memset(out, 0, sizeof *out);
    if (!(oracle->unknown_rate >= 0 && oracle->unknown_rate <= 1 && oracle->wrong_rate >= 0 && oracle->wrong_rate <= 1))
        return seg_fail(ctx, SEG_ERR_USAGE, "the rates of unknown and wrong answers are shares, 0 to 1");
    SEG_TRY(seg_active_create(ctx, spec, &active));
    seg_random random = seg_random_seeded(ctx->seed, ORACLE_STREAM);
    for (int more = 1; more;) {
        SEG_TRY(seg_poll(ctx));
        SEG_TRY(seg_active_next(ctx, active, &i, &j, &more));
        if (more)
            SEG_TRY(seg_active_answer(ctx, active, answer_of(oracle, &random, i, j)));
    }
    if (tally) {
        *tally = seg_active_about(active);
        tally->history = NULL;
    }
    return seg_active_constraints(ctx, active, out);
}

seg_status seg_active_write(seg_context *ctx, const char *path, const char *before, const seg_active *active) {
    static const char *const unasked[] = {"", "# follows from the number of clusters:\n",
                                          "# guessed from a cannot-link with the second most similar cluster:\n"};
    seg_writer writer;
    const size_t length = before ? strlen(before) : 0;
    SEG_TRY(seg_writer_open(ctx, path, &writer));
    seg_writer_put(&writer, before, length);
    if (length && before[length - 1] != '\n')
        seg_writer_put(&writer, "\n", 1);
    fprintf(writer.file, "# i,j,sign: 1 must link, -1 cannot link, 0 not known\n#:samples %zu\n", active->spec.n);
    for (size_t a = 0; a < active->answers; a++) {
        const seg_question *one = &active->history[a];
        fprintf(writer.file, "%s%" PRId32 ",%" PRId32 ",%d\n", unasked[one->inferred], one->i, one->j,
                (int)one->answer);
    }
    return seg_writer_commit(ctx, &writer);
}
