/* The report's layers: strokes with a line around them, stripes where mask and truth differ. */
#include "check.h"

#include "evaluation/experiments/layers.h"
#include "image/mask.h"

#include <string.h>

static seg_mask mask_of(int width, int height, const char *labels) {
    seg_mask mask;
    assert_ok(&ctx, seg_mask_create(&ctx, width, height, &mask));
    for (int p = 0; p < width * height; p++)
        mask.label[p] = labels[p] == 'v' ? SEG_VOID : (uint8_t)(labels[p] - '0');
    memcpy(mask.colour[1], (uint8_t[]){10, 20, 30}, 3);
    memcpy(mask.colour[2], (uint8_t[]){255, 255, 0}, 3);
    return mask;
}

TEST(strokes) {
    seg_mask mask = mask_of(6, 3,
                            "000000"
                            "010000"
                            "00000v");
    seg_layer layer;
    assert_ok(&ctx, seg_layer_strokes(&ctx, &mask, &layer));
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 6; x++) {
            const uint32_t pixel = layer.pixel[y * 6 + x];
            if (x == 1 && y == 1)
                assert_int_equal(pixel, 0xff0a141e);
            else if (x <= 2)
                assert_true(pixel >> 24 > 0x80 && (pixel & 0xffffff) == 0); /* dark around it */
            else
                assert_int_equal(pixel, 0); /* void is not marked */
        }
    seg_layer_free(&layer);
    seg_mask_free(&mask);
    /* None, and all. */
    for (int all = 0; all < 2; all++) {
        mask = mask_of(3, 2, all ? "222222" : "000000");
        assert_ok(&ctx, seg_layer_strokes(&ctx, &mask, &layer));
        for (int p = 0; p < 6; p++)
            assert_int_equal(layer.pixel[p], all ? 0xffffff00 : 0);
        seg_layer_free(&layer);
        seg_mask_free(&mask);
    }
}

TEST(differences) {
    seg_mask truth = mask_of(4, 2,
                             "1122"
                             "1v22");
    seg_mask mask = mask_of(4, 2,
                            "1222"
                            "2221");
    seg_layer layer;
    assert_ok(&ctx, seg_layer_difference(&ctx, &truth, &mask, &layer));
    static const int wrong[] = {0, 1, 0, 0, 1, 0, 0, 1};
    for (int p = 0; p < 8; p++)
        assert_int_equal(layer.pixel[p] != 0, wrong[p]);
    seg_layer_free(&layer);
    assert_ok(&ctx, seg_layer_difference(&ctx, &truth, &truth, &layer));
    for (int p = 0; p < 8; p++)
        assert_int_equal(layer.pixel[p], 0);
    seg_layer_free(&layer);
    /* A mask of half the size is sampled. */
    SCOPED(seg_mask) half = mask_of(2, 1, "12");
    assert_ok(&ctx, seg_layer_difference(&ctx, &truth, &half, &layer));
    for (int p = 0; p < 8; p++)
        assert_int_equal(layer.pixel[p], 0);
    seg_layer_free(&layer);
    seg_mask_free(&mask);
    seg_mask_free(&truth);
}
