/* Any bytes as an APP1 segment of EXIF, with and without its mark. */
#include "fuzz_picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    unsigned char *marked = malloc(size + 6);
    CHECK(marked);
    memcpy(marked, "Exif\0\0", 6);
    if (size)
        memcpy(marked + 6, bytes, size);
    const int orientation = seg_exif_orientation(marked, size + 6), plain = seg_exif_orientation(bytes, size);
    CHECK(orientation >= 1 && orientation <= 8);
    CHECK(plain >= 1 && plain <= 8);
    free(marked);
    return 0;
}
