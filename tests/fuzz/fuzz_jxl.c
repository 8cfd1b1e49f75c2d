/* Any bytes as JPEG XL. */
#include "fuzz_picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    fuzz_decode(seg_jxl_decode, bytes, size);
    return 0;
}
