/* Any bytes as an image; what is read, written as PNG and read again is the same. */
#include "fuzz_picture.h"

#include "../unit/image_in_memory.h"

enum { SMALL = 4096 }; /* pixels: what goes through the pipe */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    seg_context ctx = fuzz_context();
    SCOPED(seg_image) image;
    const seg_status status = image_read_memory(&ctx, bytes, size, "fuzz", &image);
    if (fuzz_outcome(&ctx, status, REFUSED, &image, sizeof image) && image.depth == 8 &&
        fuzz_pixels(image.width, image.height) <= SMALL) {
        SCOPED(seg_image) again;
        CHECK(seg_image_write_png(&ctx, fuzz_sink(), &image, NULL) == SEG_OK);
        const unsigned char *written = fuzz_written(&size);
        CHECK(image_read_memory(&ctx, written, size, "again", &again) == SEG_OK);
        CHECK(again.width == image.width && again.height == image.height && again.depth == 8);
        CHECK(memcmp(again.data, image.data, 3 * fuzz_pixels(image.width, image.height)) == 0);
    }
    return 0;
}
