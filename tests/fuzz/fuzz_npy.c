/* Any bytes as NPY, or as NRRD; a matrix written again reads the same. */
#include "fuzz.h"

#include "base/base.h"
#include "vectors/npy.h"
#include "vectors/vectors_write.h"

#include <segment/vectors.h>

#include <math.h>

static seg_status write_npy(seg_context *ctx, const char *path, const seg_matrix *X) {
    seg_writer writer;
    if (seg_writer_open(ctx, path, &writer) != SEG_OK)
        return SEG_ERR_IO;
    seg_npy_put_header(&writer, 'f', sizeof *X->at, 2, (size_t[]){X->rows, X->cols});
    seg_writer_put(&writer, X->at, X->rows * X->cols * sizeof *X->at);
    return seg_writer_commit(ctx, &writer);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    seg_context ctx = fuzz_context();
    SCOPED(seg_matrix) X, again = {0};
    SEG_FREED unsigned char *own = malloc(size + 1);
    double apart = 1;
    CHECK(own);
    memcpy(own, bytes, size);
    const seg_status status = seg_nrrd_to_npy(&ctx, "fuzz", &own, &size, &apart);
    CHECK(apart > 0 && apart < INFINITY);
    if (!fuzz_outcome(&ctx, status, REFUSED, &X, sizeof X))
        return 0;
    bytes = own;
    if (!fuzz_outcome(&ctx, seg_npy_decode(&ctx, "fuzz", bytes, size, &X), REFUSED, &X, sizeof X))
        return 0;
    CHECK(X.rows > 0 && X.cols > 0);
    for (size_t e = 0; e < X.rows * X.cols; e++)
        CHECK(fabs(X.at[e]) <= SEG_LARGEST_FEATURE);
    CHECK(write_npy(&ctx, fuzz_sink(), &X) == SEG_OK);
    const unsigned char *written = fuzz_written(&size);
    CHECK(seg_npy_is(written, size) && seg_npy_decode(&ctx, "again", written, size, &again) == SEG_OK);
    CHECK(again.rows == X.rows && again.cols == X.cols);
    CHECK(memcmp(again.at, X.at, X.rows * X.cols * sizeof *X.at) == 0);
    return 0;
}
