/* Any bytes as GIF. */
#include "fuzz_picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    fuzz_decode(seg_gif_decode, bytes, size);
    return 0;
}
