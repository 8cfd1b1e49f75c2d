/* Any bytes as a ground truth and as scribbles, alone, on a photograph and on the very picture. */
#include "fuzz_picture.h"

#include "image/labels.h"

/* A photograph of that size that is nobody's. */
static seg_image make_photo(int width, int height) {
    seg_image photo = {.width = width, .height = height, .depth = 8, .data = malloc(3 * fuzz_pixels(width, height))};
    CHECK(photo.data);
    for (size_t i = 0; i < 3 * fuzz_pixels(width, height); i++)
        ((uint8_t *)photo.data)[i] = (uint8_t)(i * 2654435761u >> 13);
    return photo;
}

static void read_marks(const seg_raster *raster, const seg_image *photo) {
    seg_context ctx = fuzz_context();
    seg_mask marks;
    seg_marks_kind kind = 0;
    const seg_status status = seg_marks_from_raster(&ctx, raster, "fuzz", photo, NULL, &marks, &kind);
    if (fuzz_outcome(&ctx, status, REFUSED, &marks, sizeof marks)) {
        CHECK(kind >= SEG_MARKS_PALETTE && kind <= SEG_MARKS_SNAPPED);
        fuzz_check_mask(&marks);
        CHECK(!memchr(marks.label, SEG_VOID, fuzz_pixels(marks.width, marks.height)));
    }
    seg_mask_free(&marks);
}

static void read_truth(const seg_raster *raster) {
    seg_context ctx = fuzz_context();
    seg_mask truth;
    if (fuzz_outcome(&ctx, seg_truth_from_raster(&ctx, raster, "fuzz", &truth), REFUSED, &truth, sizeof truth)) {
        fuzz_check_mask(&truth);
        CHECK(!memchr(truth.label, 0, fuzz_pixels(truth.width, truth.height)));
    }
    seg_mask_free(&truth);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    seg_context ctx = fuzz_context();
    seg_raster raster;
    seg_image photo, other;
    const seg_status status = seg_raster_decode(&ctx, bytes, size, "fuzz", &raster);
    if (!fuzz_outcome(&ctx, status, REFUSED, &raster, sizeof raster))
        return 0;
    read_truth(&raster);
    read_marks(&raster, NULL);
    CHECK(seg_image_from_raster(&ctx, &raster, &photo) == SEG_OK);
    read_marks(&raster, &photo);
    other = make_photo(raster.width, raster.height);
    read_marks(&raster, &other);
    seg_image_free(&photo);
    seg_image_free(&other);
    seg_raster_free(&raster);
    return 0;
}
