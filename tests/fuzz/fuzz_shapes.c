/* Any bytes as scribbles that are shapes or an array, of an image of 24 x 16 pixels, with a label map and without. */
#include "fuzz_picture.h"

#include "scribbles/scribbles.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const seg_labelmap map = {.count = 2, .colour = {{255, 0, 0}, {0, 0, 255}}, .name = {"cat", "wall"}};
    const seg_image photo = {.width = 24, .height = 16, .depth = 8};
    unsigned char *text = malloc(size + 1); /* a file is ended by 0 */
    CHECK(text);
    if (size)
        memcpy(text, bytes, size);
    text[size] = 0;
    for (int mapped = 0; mapped < 2; mapped++) {
        seg_context ctx = fuzz_context();
        seg_scribbles_about about;
        SCOPED(seg_mask) mask;
        const seg_scribbles_job job = {&ctx, "fuzz", &photo, mapped ? &map : NULL, &mask, &about};
        const seg_status status = seg_scribbles_from_bytes(&job, text, size);
        if (fuzz_outcome(&ctx, status, REFUSED, &mask, sizeof mask)) {
            fuzz_check_mask(&mask);
            CHECK(mask.width == photo.width && mask.height == photo.height && about.marked > 0);
        }
    }
    free(text);
    return 0;
}
