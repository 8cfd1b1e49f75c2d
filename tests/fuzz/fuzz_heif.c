/* Any bytes as HEIC or AVIF. */
#include "fuzz_picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    fuzz_decode(seg_heif_decode, bytes, size);
    return 0;
}
