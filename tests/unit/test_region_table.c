/* What is measured of regions, against a count pixel by pixel and known shapes. */
#include "check.h"

static seg_region region[SEG_MAX_LABELS];

static seg_mask blank(int width, int height, int label) {
    seg_mask mask = new_mask(&ctx, width, height);
    memset(mask.label, label, (size_t)width * (size_t)height);
    return mask;
}

static int label_at(const seg_mask *mask, int x, int y) {
    return x < 0 || y < 0 || x >= mask->width || y >= mask->height ? -1 : mask->label[y * mask->width + x];
}

/* Slow twin: each label by itself, each number by its definition; lines are crossed in four directions. */
static void check_label(const seg_mask *mask, const seg_image *image, const float *score, const uint8_t *column_label,
                        int columns, int label) {
    const seg_region *r = &region[label - 1];
    double n = 0, x_sum = 0, y_sum = 0, colour[3] = {0}, p = 0, crossed[4] = {0};
    int left = mask->width, top = mask->height, right = 0, bottom = 0, column = -1;
    static const int step[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    for (int c = 0; c < columns; c++)
        column = column_label[c] == label ? c : column;
    for (int y = -1; y <= mask->height; y++)
        for (int x = -1; x <= mask->width; x++) {
            const int own = label_at(mask, x, y) == label;
            for (int d = 0; d < 4; d++)
                crossed[d] += own != (label_at(mask, x + step[d][0], y + step[d][1]) == label);
            if (!own)
                continue;
            n++;
            x_sum += x + 0.5;
            y_sum += y + 0.5;
            left = x < left ? x : left;
            top = y < top ? y : top;
            right = x + 1 > right ? x + 1 : right;
            bottom = y + 1 > bottom ? y + 1 : bottom;
            for (int c = 0; c < 3; c++)
                colour[c] += ((const uint8_t *)image->data)[3 * (y * mask->width + x) + c];
            p += column >= 0 ? (double)score[(y * mask->width + x) * columns + column] : 0;
        }
    assert_int_equal(r->label, label);
    assert_int_equal(r->pixels, n);
    assert_near(r->share, n / (mask->width * mask->height), 1e-12);
    assert_near(r->outline, crossed[0] + crossed[1], 0);
    assert_near(r->perimeter, acos(-1) / 8 * (crossed[0] + crossed[1] + (crossed[2] + crossed[3]) / sqrt(2)), 1e-9);
    if (!n) {
        assert_true(isnan(r->x) && isnan(r->y) && isnan(r->colour[1]) && isnan(r->probability));
        assert_true(r->left == 0 && r->top == 0 && r->right == 0 && r->bottom == 0);
        return;
    }
    assert_true(r->left == left && r->top == top && r->right == right && r->bottom == bottom);
    assert_near(r->x, x_sum / n, 1e-9);
    assert_near(r->y, y_sum / n, 1e-9);
    for (int c = 0; c < 3; c++)
        assert_near(r->colour[c], colour[c] / n, 1e-9);
    if (column < 0)
        assert_true(isnan(r->probability));
    else
        assert_near(r->probability, p / n, 1e-9);
}

TEST(same_as_pixel_by_pixel) {
    seg_random random = seg_random_seeded(5, 0);
    for (int round = 0; round < 30; round++) {
        const int width = 1 + (int)seg_random_below(&random, 30), height = 1 + (int)seg_random_below(&random, 30);
        const size_t pixels = (size_t)width * (size_t)height;
        static const uint8_t column_label[] = {7, 1, 254};
        SCOPED(seg_mask) mask = blank(width, height, 0);
        AUTOFREE uint8_t *samples = malloc(3 * pixels);
        AUTOFREE float *score = malloc(3 * pixels * sizeof *score);
        const uint8_t labels[] = {0, 1, 1, 7, 7, 100, SEG_VOID, 254};
        for (size_t i = 0; i < pixels; i++) {
            mask.label[i] = i > 0 && seg_random_below(&random, 3) ? mask.label[i - 1]
                                                                  : labels[seg_random_below(&random, sizeof labels)];
            for (int c = 0; c < 3; c++) {
                samples[3 * i + (size_t)c] = (uint8_t)seg_random_below(&random, 256);
                score[3 * i + (size_t)c] = (float)seg_random_below(&random, 1000) / 1000;
            }
        }
        seg_image image = {.width = width, .height = height, .depth = 8, .data = samples};
        const seg_region_scores scores = {score, column_label, 3};
        assert_ok(&ctx, seg_regions_measure(&ctx, &mask, &image, &scores, region));
        for (int l = 1; l <= SEG_MAX_LABELS; l++)
            check_label(&mask, &image, score, column_label, 3, l);
    }
}

TEST(known_shapes) {
    SCOPED(seg_mask) mask = blank(200, 160, 2);
    for (int y = 0; y < 160; y++)
        for (int x = 0; x < 200; x++)
            if ((x - 90) * (x - 90) + (y - 80) * (y - 80) <= 60 * 60)
                mask.label[y * 200 + x] = 1;
    mask.label[0] = 3; /* one pixel */
    assert_ok(&ctx, seg_regions_measure(&ctx, &mask, NULL, NULL, region));
    const double round = 2 * acos(-1) * 60.5; /* the disc's radius reaches to the pixels' far sides */
    assert_near(region[0].perimeter, round, 0.02 * round);
    assert_near(region[0].x, 90.5, 1e-9);
    assert_true(region[0].left == 30 && region[0].right == 151 && region[0].top == 20 && region[0].bottom == 141);
    assert_true(region[2].pixels == 1 && region[2].outline == 4 && region[2].right == 1 && region[2].bottom == 1);
    assert_near(region[2].x, 0.5, 0);
    assert_true(isnan(region[0].colour[0]) && isnan(region[0].probability)); /* nobody gave any */
    seg_mask_free(&mask);

    mask = blank(7, 3, 254); /* everything */
    assert_ok(&ctx, seg_regions_measure(&ctx, &mask, NULL, NULL, region));
    assert_true(region[253].pixels == 21 && region[253].share == 1 && region[253].outline == 20);
    assert_true(region[253].right == 7 && region[253].bottom == 3 && region[0].pixels == 0);
}

/* The unit of the samples changes nothing; 16 bits that fill a part of the scale are measured as they are shown. */
TEST(depth_changes_nothing) {
    uint8_t eight[6] = {0, 128, 255, 10, 20, 30};
    uint16_t sixteen[6], low[6];
    SCOPED(seg_mask) mask = blank(2, 1, 1);
    seg_image image = {.width = 2, .height = 1, .depth = 8, .data = eight};
    for (int i = 0; i < 6; i++) {
        sixteen[i] = (uint16_t)(257 * eight[i]);
        low[i] = (uint16_t)(1000 + 10 * eight[i]);
    }
    assert_ok(&ctx, seg_regions_measure(&ctx, &mask, &image, NULL, region));
    const double expected[3] = {5, 74, 142.5};
    for (int c = 0; c < 3; c++)
        assert_near(region[0].colour[c], expected[c], 1e-9);
    image.depth = 16;
    image.data = sixteen;
    assert_ok(&ctx, seg_regions_measure(&ctx, &mask, &image, NULL, region));
    for (int c = 0; c < 3; c++)
        assert_near(region[0].colour[c], expected[c], 1e-9);
    image.data = low;
    image.low = 1000;
    image.high = 3550;
    assert_ok(&ctx, seg_regions_measure(&ctx, &mask, &image, NULL, region));
    for (int c = 0; c < 3; c++)
        assert_near(region[0].colour[c], expected[c], 1e-9);
    image.width = 1;
    image.height = 2;
    assert_int_equal(seg_regions_measure(&ctx, &mask, &image, NULL, region), SEG_ERR_INPUT);
}

/* --- Names. --- */

static seg_labelmap map;

TEST(names_are_set) {
    memset(&map, 0, sizeof map);
    assert_ok(&ctx, seg_labelmap_set_names(&ctx, " background,big cat\t,dog", &map));
    assert_int_equal(map.count, 3);
    assert_string_equal(map.name[0], "background");
    assert_string_equal(map.name[1], "big cat");
    assert_string_equal(map.name[2], "dog");
    /* Over a map's: an empty name leaves the map's own, and so do names that are not there; colours stay. */
    map.colour[1][0] = 200;
    assert_ok(&ctx, seg_labelmap_set_names(&ctx, ",katze", &map));
    assert_int_equal(map.count, 3);
    assert_string_equal(map.name[0], "background");
    assert_string_equal(map.name[1], "katze");
    assert_string_equal(map.name[2], "dog");
    assert_int_equal(map.colour[1][0], 200);
    assert_ok(&ctx, seg_labelmap_set_names(&ctx, "", &map));
    assert_int_equal(map.count, 3);
    assert_ok(&ctx, seg_labelmap_set_names(&ctx, ",,,,\xc3\xa9", &map));
    assert_int_equal(map.count, 5);
    assert_string_equal(map.name[4], "\xc3\xa9");
}

TEST(names_are_refused) {
    char text[2048] = "";
    const char *const wrong[] = {"a,a", "a\nb", "\xff", ",dog"};
    memset(&map, 0, sizeof map);
    assert_ok(&ctx, seg_labelmap_set_names(&ctx, "dog", &map));
    seg_labelmap before = map;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(seg_labelmap_set_names(&ctx, wrong[i], &map), SEG_ERR_USAGE);
        assert_memory_equal(&map, &before, sizeof map);
    }
    memset(text, 'x', 63);
    assert_ok(&ctx, seg_labelmap_set_names(&ctx, text, &map));
    text[63] = 'x';
    assert_int_equal(seg_labelmap_set_names(&ctx, text, &map), SEG_ERR_USAGE);
    memset(text, ',', 253); /* 254 names */
    text[253] = 0;
    assert_ok(&ctx, seg_labelmap_set_names(&ctx, text, &map));
    assert_int_equal(map.count, SEG_MAX_LABELS);
    text[253] = ',';
    text[254] = 0;
    assert_int_equal(seg_labelmap_set_names(&ctx, text, &map), SEG_ERR_USAGE);
}
