/* Answer questions from labels, and write answers as a file of pairs. */
#include "active/selector.h"

#include "base/base.h"
#include "base/random.h"
#include "image/file.h"

#include <inttypes.h>
#include <string.h>

#define RANDOM_STREAM 0x6f72636cu /* "orcl" */

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
    seg_random random;
    int32_t i, j;
    int more;
    memset(out, 0, sizeof *out);
    if (!(oracle->unknown_rate >= 0 && oracle->unknown_rate <= 1 && oracle->wrong_rate >= 0 && oracle->wrong_rate <= 1))
        return seg_fail(ctx, SEG_ERR_USAGE, "the rates of unknown and wrong answers are shares, 0 to 1");
    SEG_TRY(seg_active_create(ctx, spec, &active));
    seg_random_seed(&random, ctx->seed, RANDOM_STREAM);
    for (;;) {
        SEG_TRY(seg_poll(ctx));
        SEG_TRY(seg_active_next(ctx, active, &i, &j, &more));
        if (!more)
            break;
        SEG_TRY(seg_active_answer(ctx, active, answer_of(oracle, &random, i, j)));
    }
    if (tally) {
        *tally = seg_active_about(active);
        tally->history = NULL;
    }
    return seg_active_constraints(ctx, active, out);
}

seg_status seg_active_write(seg_context *ctx, const char *path, const char *before, const seg_active *active) {
    seg_writer writer;
    const size_t length = before ? strlen(before) : 0;
    SEG_TRY(seg_writer_open(ctx, path, &writer));
    seg_writer_put(&writer, before, length);
    if (length && before[length - 1] != '\n')
        seg_writer_put(&writer, "\n", 1);
    fprintf(writer.file, "# i,j,sign: 1 must link, -1 cannot link, 0 not known\n#:samples %zu\n", active->spec.n);
    for (size_t a = 0; a < active->answers; a++) {
        const seg_question *one = &active->history[a];
        fprintf(writer.file, "%s%" PRId32 ",%" PRId32 ",%d\n",
                one->inferred ? "# follows from the number of clusters:\n" : "", one->i, one->j, (int)one->answer);
    }
    return seg_writer_commit(ctx, &writer);
}
