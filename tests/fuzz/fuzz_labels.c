/* Any bytes as labels of 0..255 samples; written again in each form they read the same. */
#include "fuzz.h"

#include <segment/vectors.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    seg_context ctx = fuzz_context();
    SCOPED(seg_labels) labels, again = {0};
    const size_t n = fuzz_take(&bytes, &size);
    const seg_status status = seg_labels_read(&ctx, fuzz_file(0, bytes, size), n, &labels);
    if (!fuzz_outcome(&ctx, status, REFUSED, &labels, sizeof labels))
        return 0;
    CHECK(labels.n == n && labels.classes >= 1);
    for (size_t i = 0; i < n; i++)
        CHECK(labels.label[i] >= 0 && labels.label[i] < labels.classes);
    CHECK(seg_labels_write(&ctx, fuzz_sink(), labels.label, n) == SEG_OK);
    const unsigned char *written = fuzz_written(&size);
    CHECK(seg_labels_read(&ctx, fuzz_file(1, written, size), n, &again) == SEG_OK);
    CHECK(again.classes == labels.classes && memcmp(again.label, labels.label, n * sizeof *again.label) == 0);
    return 0;
}
