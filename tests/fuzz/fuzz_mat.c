/* Any bytes as a MATLAB file of truths. */
#include "fuzz_picture.h"

#include "evaluation/sets/photo_set.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    seg_context ctx = fuzz_context();
    seg_sample sample = {.photo = {.width = (int)(fuzz_take(&bytes, &size) % 64) + 1}};
    sample.photo.height = (int)(fuzz_take(&bytes, &size) % 64) + 1;
    const seg_status status = seg_mat_truths_read(&ctx, fuzz_file(0, bytes, size), &sample);
    if (fuzz_outcome(&ctx, status, REFUSED, NULL, 0))
        CHECK(sample.truths >= 1);
    for (int t = 0; t < sample.truths; t++) {
        CHECK(sample.truth[t].width == sample.photo.width && sample.truth[t].height == sample.photo.height);
        fuzz_check_mask(&sample.truth[t]);
    }
    seg_sample_free(&sample);
    return 0;
}
