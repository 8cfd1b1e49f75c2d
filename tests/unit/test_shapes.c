/* Scribbles that are not images: what is exported is read again to the byte; what annotation programs write; scribbles
 * of another size. */
#include "check.h"

#include "image/mask.h"
#include "scribbles/scribbles.h"

#include <segment/exports.h>

#define WIDTH  23
#define HEIGHT 17

BEFORE_EACH {
    check_listen(&ctx);
}

static seg_status read_text(const char *text, int width, int height, const seg_labelmap *map, seg_mask *out) {
    seg_image photo = {.width = width, .height = height, .depth = 8};
    seg_scribbles_about about;
    return seg_scribbles_from_bytes(&(seg_scribbles_job){&ctx, "given.file", &photo, map, out, &about},
                                    (const unsigned char *)text, strlen(text));
}

/* Rows of digits, one per pixel. */
static void check_labels(const seg_mask *mask, const char *rows) {
    size_t i = 0;
    for (const char *c = rows; *c; c++)
        if (*c != '\n') {
            if (mask->label[i] != *c - '0')
                fail_msg("pixel %zu is %d, not %c", i, mask->label[i], *c);
            i++;
        }
    assert_int_equal(i, mask->width * mask->height);
}

static void check_text(const char *text, int width, int height, const seg_labelmap *map, const char *rows) {
    SCOPED(seg_mask) mask;
    assert_ok(&ctx, read_text(text, width, height, map, &mask));
    check_labels(&mask, rows);
}

static void refuse(const char *text, const char *expected) {
    seg_mask mask;
    assert_int_equal(read_text(text, 6, 4, NULL, &mask), SEG_ERR_INPUT);
    assert_null(mask.label);
    if (!strstr(ctx.message, "given.file") || !strstr(ctx.message, expected))
        fail_msg("'%s' lacks '%s'", ctx.message, expected);
}

/* Holes, islands in holes, pieces that touch at corners, borders, single pixels. */
static void fill(seg_mask *mask, int kind) {
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int x = i % WIDTH, y = i / WIDTH, far = abs(x - 11) > abs(y - 8) ? abs(x - 11) : abs(y - 8);
        mask->label[i] = (uint8_t)(kind == 0   ? 1 + far % 3
                                   : kind == 1 ? ((x + y) % 2 ? 2 : 0)
                                   : kind == 2 ? (i == 5                    ? 254
                                                  : i == WIDTH * HEIGHT - 1 ? 7
                                                                            : 0)
                                               : (x * 7 + y * 13 + x * y) % 5);
    }
    mask->labels = kind == 2 ? 254 : 4;
}

TEST(exports_are_read) {
    static const char *const formats[] = {"labelme", "geojson", "coco", "npy"};
    char path[256];
    snprintf(path, sizeof path, SEGMENT_BINARY_DIR "/shapes-%d", (int)getpid());
    for (int f = 0; f < 4; f++)
        for (int kind = 0; kind < 4; kind++) {
            seg_image photo = {.width = WIDTH, .height = HEIGHT, .depth = 8};
            SCOPED(seg_mask) back;
            seg_scribbles_about found;
            SCOPED(seg_mask) mask = new_mask(&ctx, WIDTH, HEIGHT);
            fill(&mask, kind);
            assert_ok(&ctx, seg_export_write(&ctx, formats[f], path, &mask, NULL));
            assert_ok(&ctx, seg_scribbles_read(&ctx, path, &photo, NULL, &back, &found));
            assert_int_equal(found.kind, f < 3 ? SEG_SCRIBBLES_SHAPES : SEG_SCRIBBLES_ARRAY);
            if (memcmp(back.label, mask.label, WIDTH * HEIGHT) != 0)
                fail_msg("%s, mask %d: other labels came back", formats[f], kind);
        }
    unlink(path);
}

TEST(labelme) {
    seg_labelmap map = {.count = 2, .colour = {{1, 2, 3}, {4, 5, 6}}, .name = {"wall", "cat"}};
    static const char text[] =
        "{\"version\": \"5.0\", \"imageWidth\": 6, \"imageHeight\": 4, \"shapes\": ["
        "{\"label\": \"wall\", \"points\": [[0, 0], [2, 4]], \"shape_type\": \"rectangle\", \"group_id\": null},"
        "{\"label\": \"c\\u0061t\", \"points\": [[4, 0], [6, 0], [6, 1.5], [4, 1.5]]}]}";
    check_text(text, 6, 4, NULL, "220011220000220000220000"); /* cat before wall */
    check_text(text, 6, 4, &map, "110022110000110000110000");
    check_text("{\"imageWidth\":6,\"imageHeight\":4,\"shapes\":[{\"label\":\"a\",\"shape_type\":\"linestrip\","
               "\"points\":[[0,1.5],[6,1.5]]},{\"label\":\"b\",\"shape_type\":\"circle\",\"points\":[[3,4],[3,3.2]]}]}",
               6, 4, NULL, "111111111111111111002200");
    refuse("{\"imageWidth\":6,\"imageHeight\":4,\"shapes\":[{\"label\":\"a\",\"shape_type\":\"mask\",\"points\":[]}]}",
           "'mask'");
    refuse("{\"imageWidth\":6,\"imageHeight\":4,\"shapes\":[]}", "nothing is marked");
    refuse("{\"imageWidth\":6,\"imageHeight\":4,\"shapes\":[{\"points\":[[1,1]]}]}", "label");
    refuse("{\"imageWidth\":6,\"imageHeight\":4,\"shapes\":[{\"label\":\"a\",\"points\":[[1e9,1]]}]}", "far outside");
    refuse("{\"imageWidth\":5,\"imageHeight\":5,\"shapes\":[{\"label\":\"a\",\"points\":[[1,1]]}]}", "5 x 5");
    map.count = 1;
    seg_mask mask;
    assert_fails(&ctx, read_text(text, 6, 4, &map, &mask), SEG_ERR_INPUT, "'cat', which is not in the label map");
}

TEST(coco) {
    check_text("{\"images\":[{\"id\":9,\"width\":6,\"height\":4}],\"categories\":[{\"id\":3,\"name\":\"x\"}],"
               "\"annotations\":[{\"category_id\":3,\"segmentation\":[[1,1,5,1,5,3,1,3]]}]}",
               6, 4, NULL, "000000033330033330000000");
    /* 1 pixel outside, 3 inside, 20 outside, in the packed letters of COCO's tools. */
    check_text("{\"annotations\":[{\"category_id\":1,\"segmentation\":{\"size\":[4,6],\"counts\":\"13d0\"}}]}", 6, 4,
               NULL, "000000100000100000100000");
    refuse("{\"annotations\":[{\"category_id\":1,\"segmentation\":{\"size\":[4,6],\"counts\":[1,30]}}]}",
           "run lengths");
    refuse("{\"annotations\":[{\"category_id\":1,\"segmentation\":{\"size\":[4,6],\"counts\":\"1~\"}}]}", "damaged");
    refuse("{\"annotations\":[{\"category_id\":1,\"segmentation\":{\"size\":[4,3],\"counts\":[12]}}]}",
           "image has 6 x 4");
    refuse("{\"annotations\":[{\"category_id\":1,\"segmentation\":[[1,1,5]]}]}", "x and y");
    refuse("{\"annotations\":[{\"category_id\":1}]}", "no segmentation");
    refuse("{\"images\":[{\"id\":1},{\"id\":2}],\"annotations\":[]}", "several images");
    refuse(
        "{\"images\":[{\"id\":9,\"width\":6,\"height\":4}],\"annotations\":[{\"image_id\":9,\"category_id\":3,"
        "\"segmentation\":[[1,1,5,1,5,3,1,3]]},{\"image_id\":8,\"category_id\":3,\"segmentation\":[[0,0,6,0,6,4]]}]}",
        "one that is not listed");
    refuse("{\"annotations\":[{\"image_id\":1,\"category_id\":1,\"segmentation\":{\"size\":[4,6],\"counts\":\"13d0\"}},"
           "{\"image_id\":2,\"category_id\":1,\"segmentation\":{\"size\":[4,6],\"counts\":\"13d0\"}}]}",
           "several images");
}

TEST(geojson) {
    check_text("{\"type\":\"FeatureCollection\",\"features\":["
               "{\"type\":\"Feature\",\"properties\":{\"label\":2},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":"
               "[[[0,0],[6,0],[6,4],[0,4],[0,0]],[[1,1],[1,3],[5,3],[5,1],[1,1]]]}},"
               "{\"type\":\"Feature\",\"properties\":{\"label\":1},\"geometry\":{\"type\":\"LineString\","
               "\"coordinates\":[[3,1.5],[3,2.5]]}}]}",
               6, 4, NULL, "221122211112211112221122");
    /* As QuPath writes them: a list, classes as objects. */
    check_text(
        "[{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[2,0],[2,4],[0,4],[0,0]]]},"
        "\"properties\":{\"objectType\":\"annotation\",\"classification\":{\"name\":\"Tumor\",\"color\":[200,0,0]}}},"
        "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[4,0],[6,0],[6,4],[4,4],[4,0]]]},"
        "\"properties\":{\"classification\":{\"name\":\"Stroma\"}}}]",
        6, 4, NULL, "220011220011220011220011");
    refuse("{\"type\":\"Feature\",\"properties\":{\"label\":1},\"geometry\":{\"type\":\"GeometryCollection\"}}",
           "GeometryCollection");
    refuse("{\"some\": 1}", "unknown kind");
    refuse("{\"type\":\"Feature\",\n\"geometry\":", "line 2");
    refuse("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "damaged JSON");
    char deep[5001];
    memset(deep, '[', 5000);
    deep[5000] = 0;
    refuse(deep, "damaged JSON");
    refuse("<svg width=\"6\" height=\"4\"><path id=\"label-1\" d=\"M0 0h6v4z\"/></svg>", "text file");
    refuse("{\"shapes\":[{\"label\":\"caf\xe9\",\"points\":[]}]}", "not UTF-8");
    refuse("{\"annotations\":[{\"category_id\":1,\"segmentation\":{\"counts\":[24]}}]}", "size");
}

/* An array as NumPy writes it. */
static seg_status read_array(const char *type, int rows, int columns, const void *data, size_t size, seg_mask *out) {
    unsigned char bytes[1024] = "\x93NUMPY\1";
    char *header = (char *)bytes + 10;
    seg_image photo = {.width = 6, .height = 4, .depth = 8};
    seg_scribbles_about about;
    memset(header, ' ', 118);
    header[sprintf(header, "{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }", type, rows, columns)] = ' ';
    header[117] = '\n';
    bytes[8] = 118;
    memcpy(bytes + 128, data, size);
    return seg_scribbles_from_bytes(&(seg_scribbles_job){&ctx, "given.npy", &photo, NULL, out, &about}, bytes,
                                    128 + size);
}

TEST(arrays) {
    seg_mask mask;
    uint8_t small[24] = {1, 0, 0, 0, 0, 255};
    int64_t large[24] = {0};
    double odd[24] = {1.5};
    assert_ok(&ctx, read_array("|u1", 4, 6, small, 24, &mask));
    assert_int_equal(mask.label[0], 1);
    assert_int_equal(mask.label[5], 0); /* 255 is void */
    seg_mask_free(&mask);
    large[23] = 254;
    assert_ok(&ctx, read_array("<i8", 4, 6, large, sizeof large, &mask));
    assert_int_equal(mask.label[23], 254);
    assert_int_equal(mask.labels, 254);
    seg_mask_free(&mask);
    large[23] = -1;
    assert_fails(&ctx, read_array("<i8", 4, 6, large, sizeof large, &mask), SEG_ERR_INPUT,
                 "number -1 in row 3, column 5");
    assert_fails(&ctx, read_array("<f8", 4, 6, odd, sizeof odd, &mask), SEG_ERR_INPUT, "1.5");
    assert_int_equal(read_array("|u1", 6, 4, small, 24, &mask), SEG_ERR_INPUT);
    memset(small, 0, sizeof small);
    assert_fails(&ctx, read_array("|u1", 4, 6, small, 24, &mask), SEG_ERR_INPUT, "nothing is marked");
}

/* A file of shapes, or a PGM of labels: its samples are letters, of which '@' is 0. */
static seg_status read_scaled(const char *text, int width, int height, seg_mask *out) {
    static uint8_t black[3 * WIDTH * HEIGHT];
    seg_image photo = {.width = width, .height = height, .depth = 8, .data = black};
    seg_scribbles_about about;
    char bytes[200];
    const size_t size = strlen(strcpy(bytes, text));
    for (size_t i = 11; bytes[0] == 'P' && i < size; i++)
        bytes[i] = (char)(bytes[i] - '@');
    check_listen(&ctx);
    return seg_scribbles_from_bytes(&(seg_scribbles_job){&ctx, "given.pgm", &photo, NULL, out, &about},
                                    (const unsigned char *)bytes, size);
}

TEST(other_sizes) {
    static const char text[] = "P5 3 2 255\nA@B@@C";
    SCOPED(seg_mask) mask;
    assert_ok(&ctx, read_scaled(text, 6, 4, &mask));
    check_labels(&mask, "110022110022000033000033");
    assert_non_null(strstr(check_warnings, "3 x 2 pixels and was scaled to the image's 6 x 4"));
    seg_mask_free(&mask);
    assert_ok(&ctx, read_scaled(text, 3, 2, &mask));
    check_labels(&mask, "102003");
    assert_int_equal(check_warned, 0);
    seg_mask_free(&mask);
    assert_int_equal(read_scaled(text, 6, 5, &mask), SEG_ERR_INPUT);
    assert_fails(&ctx, read_scaled(text, 2, 3, &mask), SEG_ERR_INPUT, "on its side");
    /* Smaller: label 1 has no pixel that is the nearest of one. */
    assert_fails(&ctx, read_scaled("P5 6 3 255\nA@@B@AA@@@@AA@@@@A", 2, 1, &mask), SEG_ERR_INPUT, "nothing of label 1");
    /* Of a polygon, too: the file is about a smaller copy of the photo. */
    assert_ok(&ctx, read_scaled("{\"imageWidth\":3,\"imageHeight\":2,\"shapes\":[{\"label\":\"a\",\"points\":"
                                "[[0,0],[1,0],[1,2],[0,2]]}]}",
                                6, 4, &mask));
    check_labels(&mask, "110000110000110000110000");
}
