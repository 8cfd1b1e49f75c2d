/* Any bytes as the colour profile of a small image: it may change colours, never fail. */
#include "fuzz_picture.h"

#include "image/colour.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    for (int kind = 0; kind < 3; kind++) { /* RGB of 8 bits, of 16, grey */
        seg_context ctx = fuzz_context();
        uint16_t sample[12] = {0, 1, 2, 257, 20000, 40000, 65535, 300, 0, 77, 77, 77};
        if (kind == 2)
            for (int i = 0; i < 12; i++)
                sample[i] = sample[i / 3 * 3];
        SCOPED(seg_raster) raster = {.width = 2, .height = 2, .kind = SEG_RASTER_RGB, .channels = 3, .bits = 16};
        seg_image image = {
            .width = kind ? 2 : 4, .height = 2, .depth = kind ? 16 : 8, .grey = kind == 2, .data = sample};
        CHECK(seg_raster_keep_profile(&ctx, "fuzz", bytes, size, &raster) == SEG_OK);
        CHECK(seg_image_to_srgb(&ctx, "fuzz", &raster, &image) == SEG_OK);
        for (int i = 0; kind == 2 && i < 12; i++)
            CHECK(sample[i] == sample[i / 3 * 3]);
    }
    return 0;
}
