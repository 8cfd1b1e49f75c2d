/* Any bytes as HEIC or AVIF. Of damaged pixels the decoders leave some as they find them: two readings may differ. */
#define PIXELS_MAY_DIFFER
#include "fuzz_picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    fuzz_decode(seg_heif_decode, bytes, size);
    return 0;
}
