/* Any bytes as a table of vectors, with a column of labels or without;
 * vectors and labels written again read the same. */
#include "fuzz.h"

#include "base/base.h"
#include "vectors/vectors_write.h"

#include <segment/vectors.h>

#include <math.h>
#include <string.h>

#define MOST_MEMORY ((size_t)64 << 20)

static void check_labels(const seg_labels *labels) {
    CHECK(labels->n > 0 && labels->classes >= 1 && labels->label && labels->name);
    for (size_t i = 0; i < labels->n; i++)
        CHECK(labels->label[i] >= 0 && labels->label[i] < labels->classes);
}

static void write_and_read(seg_context *ctx, const seg_matrix *X) {
    size_t size;
    if (X->rows * X->cols > 4096)
        return;
    SCOPED(seg_matrix) again;
    CHECK(seg_matrix_write(ctx, fuzz_sink(), X, 0) == SEG_OK);
    const unsigned char *written = fuzz_written(&size);
    CHECK(seg_vectors_read(ctx, fuzz_file(1, written, size), SEG_LABELS_NONE, &again, NULL) == SEG_OK);
    CHECK(again.rows == X->rows && again.cols == X->cols);
    CHECK(memcmp(again.at, X->at, X->rows * X->cols * sizeof *X->at) == 0);
}

/* Rows of length one, or zeros, or a refusal. */
static void weigh(seg_context *ctx, const seg_matrix *X) {
    AUTOFREE double *copy = NULL;
    if (X->rows * X->cols > 4096 || !(copy = malloc(X->rows * X->cols * sizeof *copy)))
        return;
    memcpy(copy, X->at, X->rows * X->cols * sizeof *copy);
    seg_matrix weights = {.rows = X->rows, .cols = X->cols, .at = copy};
    if (fuzz_outcome(ctx, seg_scale(ctx, SEG_SCALING_TF_IDF, &weights), REFUSED, NULL, 0))
        for (size_t i = 0; i < X->rows; i++) {
            double square = 0;
            for (size_t c = 0; c < X->cols; c++)
                square += copy[i * X->cols + c] * copy[i * X->cols + c];
            CHECK(square == 0 || fabs(square - 1) < 1e-9);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    seg_context ctx = fuzz_context();
    SCOPED(seg_matrix) X;
    SCOPED(seg_labels) labels;
    const seg_label_column column = (seg_label_column)(fuzz_take(&bytes, &size) % 3);
    const char *path = fuzz_file(0, bytes, size);
    ctx.max_memory = seg_memory_held() + MOST_MEMORY; /* a line of a sparse file declares any size */
    const seg_status status = seg_vectors_read(&ctx, path, column, &X, &labels);
    const unsigned limit = ctx.over_limit ? ALLOW(SEG_ERR_MEMORY) | ALLOW(SEG_ERR_LIMIT) : 0;
    const int good = fuzz_outcome(&ctx, status, REFUSED | limit, &X, sizeof X);
    ctx.max_memory = 0;
    if (good) {
        CHECK(X.rows > 0 && X.cols > 0);
        for (size_t e = 0; e < X.rows * X.cols; e++)
            CHECK(fabs(X.at[e]) <= SEG_LARGEST_FEATURE);
        write_and_read(&ctx, &X);
        weigh(&ctx, &X);
    }
    if (column != SEG_LABELS_NONE && good) {
        CHECK(labels.n == X.rows);
        check_labels(&labels);
    }
    CHECK(good || fuzz_is_zero(&labels, sizeof labels));
    for (size_t c = 0; good && labels.column && c < X.cols; c++)
        CHECK(strlen(labels.column[c]) <= size);
    return 0;
}
