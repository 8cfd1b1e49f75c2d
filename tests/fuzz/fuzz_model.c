/* Any bytes as a model, also with the size and the checksum that they should have; a model written again reads the
 * same, and gives a patch shares that sum to 1. */
#include "fuzz.h"

#include "model/model.h"

#include <segment/segment.h>

#include <math.h>
#include <zlib.h>

static void read_one(const uint8_t *bytes, size_t size) {
    seg_context ctx = fuzz_context();
    seg_model *model;
    void *again;
    size_t written;
    const seg_status status = seg_model_read_memory(&ctx, bytes, size, "fuzz", &model);
    if (!fuzz_outcome(&ctx, status, REFUSED, &model, sizeof model))
        return;
    CHECK(seg_model_bytes(&ctx, model, &again, &written) == SEG_OK);
    CHECK(written == size);
    seg_model *second; /* what is not used, as the threshold of a leaf, is written as 0 */
    void *last;
    CHECK(seg_model_read_memory(&ctx, again, written, "again", &second) == SEG_OK);
    CHECK(seg_model_bytes(&ctx, second, &last, &size) == SEG_OK);
    CHECK(written == size && memcmp(again, last, size) == 0);
    seg_model_free(second);
    free(again);
    free(last);
    SCOPED(seg_matrix) F, P;
    double distance;
    CHECK(seg_matrix_create(&ctx, 1, model->forest.columns, &F) == SEG_OK);
    for (size_t c = 0; c < F.cols; c++)
        F.at[c] = 0.1 * (double)(c % 9);
    CHECK(seg_model_posterior(&ctx, model, &F, &P) == SEG_OK);
    double sum = 0;
    for (size_t c = 0; c < P.cols; c++)
        sum += P.at[c];
    CHECK(fabs(sum - 1) < 2e-3);
    CHECK(seg_novelty_distance(&ctx, &model->novelty, &F, &distance) == SEG_OK);
    CHECK(!(seg_novelty_share(&model->novelty, distance) < 0));
    seg_model_free(model);
}

static void put(uint8_t *at, uint64_t value, int bytes) {
    for (int b = 0; b < bytes; b++)
        at[b] = (uint8_t)(value >> 8 * b);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    read_one(bytes, size);
    if (size < SEG_MODEL_HEADER + SEG_MODEL_CHECK)
        return 0;
    AUTOFREE uint8_t *right = malloc(size);
    CHECK(right);
    memcpy(right, bytes, size);
    memcpy(right, SEG_MODEL_MAGIC, 8);
    put(right + 8, bytes[8] == SEG_MODEL_FORMAT + 1 ? bytes[8] : SEG_MODEL_FORMAT, 4);
    put(right + 12, size, 8);
    put(right + size - SEG_MODEL_CHECK, crc32_z(crc32(0, NULL, 0), right, size - SEG_MODEL_CHECK), SEG_MODEL_CHECK);
    read_one(right, size);
    return 0;
}
