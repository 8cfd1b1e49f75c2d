/* Any bytes as a ground truth and as scribbles, alone, on an image and on the very picture. */
#include "fuzz_picture.h"

#include "scribbles/scribbles.h"

/* An image of that size that is nobody's. */
static seg_image make_photo(int width, int height) {
    seg_image photo = {.width = width, .height = height, .depth = 8, .data = malloc(3 * fuzz_pixels(width, height))};
    CHECK(photo.data);
    for (size_t i = 0; i < 3 * fuzz_pixels(width, height); i++)
        ((uint8_t *)photo.data)[i] = (uint8_t)(i * 2654435761u >> 13);
    return photo;
}

static void read_scribbles(const seg_raster *raster, const seg_image *photo) {
    seg_context ctx = fuzz_context();
    SCOPED(seg_mask) scribbles;
    seg_scribbles_about about = {0};
    const seg_scribbles_job job = {&ctx, "fuzz", photo, NULL, &scribbles, &about};
    const seg_status status = seg_scribbles_from_raster(&job, raster);
    if (fuzz_outcome(&ctx, status, REFUSED, &scribbles, sizeof scribbles)) {
        CHECK(about.kind >= SEG_SCRIBBLES_PALETTE && about.kind <= SEG_SCRIBBLES_SNAPPED);
        fuzz_check_mask(&scribbles);
        CHECK(!memchr(scribbles.label, SEG_VOID, fuzz_pixels(scribbles.width, scribbles.height)));
    }
}

static void read_truth(const seg_raster *raster) {
    seg_context ctx = fuzz_context();
    SCOPED(seg_mask) truth;
    if (fuzz_outcome(&ctx, seg_truth_from_raster(&ctx, raster, "fuzz", &truth), REFUSED, &truth, sizeof truth)) {
        fuzz_check_mask(&truth);
        CHECK(!memchr(truth.label, 0, fuzz_pixels(truth.width, truth.height)));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    seg_context ctx = fuzz_context();
    SCOPED(seg_raster) raster;
    SCOPED(seg_image) photo = {0}, other = {0};
    const seg_status status = seg_raster_decode(&ctx, bytes, size, "fuzz", &raster);
    if (!fuzz_outcome(&ctx, status, REFUSED, &raster, sizeof raster))
        return 0;
    read_truth(&raster);
    read_scribbles(&raster, NULL);
    CHECK(seg_image_from_raster(&ctx, &raster, &photo) == SEG_OK);
    read_scribbles(&raster, &photo);
    other = make_photo(raster.width, raster.height);
    read_scribbles(&raster, &other);
    return 0;
}
