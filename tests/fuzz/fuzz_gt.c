/* Any bytes as a .gt truth of the Graz benchmark; what is read and written again reads the same. */
#include "fuzz_picture.h"

#include "evaluation/sets/photo_set.h"

/* VALUE LENGTH pairs of a mask. */
static size_t write_runs(const seg_mask *mask, int first, char *text, size_t room) {
    const size_t pixels = fuzz_pixels(mask->width, mask->height);
    size_t used = 0, run;
    for (size_t i = 0; i < pixels; i += run) {
        for (run = 1; i + run < pixels && mask->label[i + run] == mask->label[i];)
            run++;
        used += (size_t)snprintf(text + used, room - used, "%d %zu\n", mask->label[i] - first, run);
    }
    return used;
}

static void write_and_read(const seg_sample *sample) {
    seg_context ctx = fuzz_context();
    const seg_mask *truth = &sample->truth;
    const size_t pixels = fuzz_pixels(truth->width, truth->height), room = 256 + 40 * pixels;
    AUTOFREE char *text = malloc(room);
    CHECK(text);
    size_t used = (size_t)snprintf(text, room, "IMAGE: a\nWIDTH: %d\nHEIGHT: %d\n#LABELS: %d\nLABELS:\n", truth->width,
                                   truth->height, truth->labels);
    used += write_runs(truth, 1, text + used, room - used);
    used += (size_t)snprintf(text + used, room - used, "\nSEEDS:\n");
    used += write_runs(&sample->scribbles, 0, text + used, room - used);
    const seg_photo_item item = {.truth = (char *)(uintptr_t)fuzz_file(1, text, used)};
    SCOPED(seg_sample) again = {.photo = {.width = truth->width, .height = truth->height}};
    CHECK(seg_photo_layouts[SEG_PHOTO_ICGBENCH].read(&ctx, &item, &again) == SEG_OK);
    CHECK(again.truth.labels == truth->labels && memcmp(again.truth.label, truth->label, pixels) == 0);
    CHECK(memcmp(again.scribbles.label, sample->scribbles.label, pixels) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    seg_context ctx = fuzz_context();
    SCOPED(seg_sample) sample = {.photo = {.width = (int)(fuzz_take(&bytes, &size) % 64) + 1}};
    sample.photo.height = (int)(fuzz_take(&bytes, &size) % 64) + 1;
    const seg_photo_item item = {.truth = (char *)(uintptr_t)fuzz_file(0, bytes, size)};
    const seg_status status = seg_photo_layouts[SEG_PHOTO_ICGBENCH].read(&ctx, &item, &sample);
    if (fuzz_outcome(&ctx, status, REFUSED, NULL, 0)) {
        CHECK(sample.truth.width == sample.photo.width);
        fuzz_check_mask(&sample.truth);
        fuzz_check_mask(&sample.scribbles);
        CHECK(!memchr(sample.truth.label, 0, fuzz_pixels(sample.photo.width, sample.photo.height)));
        write_and_read(&sample);
    }
    return 0;
}
