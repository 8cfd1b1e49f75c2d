/* Any bytes as the strokes or truth of a GrabCut image. */
#include "fuzz_picture.h"

#include "evaluation/sets/photo_set.h"

/* A truth that is good, of the image's size: the left column one, the rest another. */
static const unsigned char *make_truth(int width, int height, size_t *size) {
    seg_context ctx = fuzz_context();
    uint8_t value[32 * 32];
    for (int i = 0; i < width * height; i++)
        value[i] = i % width ? 0 : 255;
    const seg_mask grey = {.width = width, .height = height, .label = value};
    CHECK(seg_mask_write(&ctx, fuzz_sink(), &grey, SEG_MASK_GREY) == SEG_OK);
    return fuzz_written(size);
}

static void read_item(const char *truth, const char *scribbles, int width, int height) {
    seg_context ctx = fuzz_context();
    uint8_t pixels[3 * 32 * 32];
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(i * 2654435761u >> 13);
    SCOPED(seg_sample) sample = {.photo = {.width = width, .height = height, .depth = 8, .data = pixels}};
    const seg_photo_item item = {.truth = (char *)(uintptr_t)truth, .scribbles = (char *)(uintptr_t)scribbles};
    const seg_status status = seg_photo_layouts[SEG_PHOTO_GRABCUT].read(&ctx, &item, &sample);
    if (fuzz_outcome(&ctx, status, REFUSED, NULL, 0)) {
        CHECK(sample.truth.label); /* its size is compared by seg_photo_set_read */
        fuzz_check_mask(&sample.truth);
        CHECK(!scribbles || sample.scribbles.label);
        if (scribbles)
            fuzz_check_mask(&sample.scribbles);
    }
    sample.photo = (seg_image){0};
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    const int width = (int)(fuzz_take(&bytes, &size) % 32) + 1, height = (int)(fuzz_take(&bytes, &size) % 32) + 1;
    const char *file = fuzz_file(0, bytes, size);
    size_t length;
    const unsigned char *truth = make_truth(width, height, &length);
    read_item(fuzz_file(1, truth, length), file, width, height);
    read_item(file, NULL, width, height);
    return 0;
}
