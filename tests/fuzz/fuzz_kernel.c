/* Any bytes as a kernel: square and symmetric, no entry above what the diagonal allows. */
#include "fuzz.h"

#include "vectors/vectors_write.h"

#include <segment/vectors.h>

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    seg_context ctx = fuzz_context();
    SCOPED(seg_matrix) K, again = {0};
    const seg_status status = seg_kernel_read(&ctx, fuzz_file(0, bytes, size), &K);
    if (!fuzz_outcome(&ctx, status, REFUSED, &K, sizeof K))
        return 0;
    const size_t n = K.rows;
    CHECK(n > 0 && K.cols == n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            CHECK(K.at[i * n + j] == K.at[j * n + i] && isfinite(K.at[i * n + j]));
    CHECK(seg_matrix_write(&ctx, fuzz_sink(), &K, 0) == SEG_OK);
    const unsigned char *written = fuzz_written(&size);
    CHECK(seg_kernel_read(&ctx, fuzz_file(0, written, size), &again) == SEG_OK);
    CHECK(again.rows == n && memcmp(again.at, K.at, n * n * sizeof *K.at) == 0);
    return 0;
}
