/* Any bytes as WebP. */
#include "fuzz_picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    fuzz_decode(seg_webp_decode, bytes, size);
    return 0;
}
