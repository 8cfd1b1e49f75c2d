/* Any bytes as BMP. */
#include "fuzz_picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    fuzz_decode(seg_bmp_decode, bytes, size);
    return 0;
}
