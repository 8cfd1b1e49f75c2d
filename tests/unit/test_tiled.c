/* Labels as runs against labels as arrays, shapes drawn some rows at a time, and the end of a run that is cancelled. */
#include "label_arrays.h"

#include "features/grid.h"
#include "image/label_rows.h"
#include "masks/pieces.h"
#include "pipeline/scan.h"
#include "scribbles/scribbles.h"

#include <tiffio.h>

/* Blocks of labels 0 .. 2 with specks. */
static void fill(seg_random *random, int width, int height, uint8_t *label) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            label[y * width + x] = (uint8_t)(seg_random_below(random, 12) == 0 ? seg_random_below(random, 3)
                                                                               : (unsigned)(x / 13 + y / 9) % 3);
}

static void same_labels(const seg_label_rows *rows, const uint8_t *label) {
    AUTOFREE uint8_t *line = malloc((size_t)rows->width);
    for (int y = 0; y < rows->height; y++) {
        seg_label_rows_read(rows, y, 0, rows->width, line);
        assert_memory_equal(line, label + (size_t)y * (size_t)rows->width, (size_t)rows->width);
        for (size_t i = rows->first[y] + 1; i < rows->first[y + 1]; i++)
            assert_int_equal(rows->run[i - 1].to, rows->run[i].from);
    }
}

/* Appended at once, in parts, and as runs; read back in parts. */
TEST(runs_hold_the_labels) {
    seg_random random = seg_random_seeded(3, 0);
    for (int round = 0; round < 20; round++) {
        const int width = 1 + (int)seg_random_below(&random, 70), height = 1 + (int)seg_random_below(&random, 50);
        const int part = 1 + (int)seg_random_below(&random, (unsigned)height);
        uint8_t *label = malloc((size_t)(width * height)), line[70];
        SCOPED(seg_label_rows) all = {0}, parts = {0}, again = {0};
        fill(&random, width, height, label);
        assert_ok(&ctx, seg_label_rows_append(&ctx, width, height, label, &all));
        for (int y = 0; y < height; y += part)
            assert_ok(&ctx, seg_label_rows_append(&ctx, width, height - y < part ? height - y : part,
                                                  label + (size_t)(y * width), &parts));
        for (int y = 0; y < height; y++)
            assert_ok(&ctx, seg_label_rows_append_runs(&ctx, width, all.run + all.first[y],
                                                       all.first[y + 1] - all.first[y], &again));
        same_labels(&all, label);
        same_labels(&parts, label);
        same_labels(&again, label);
        assert_int_equal(all.first[height], parts.first[height]);
        assert_int_equal(all.first[height], again.first[height]);
        const int y = (int)seg_random_below(&random, (unsigned)height),
                  x = (int)seg_random_below(&random, (unsigned)width);
        seg_label_rows_read(&all, y, x, width, line);
        assert_memory_equal(line, label + y * width + x, (size_t)(width - x));
        assert_int_equal(all.run[seg_label_rows_at(&all, x, y)].label, label[y * width + x]);
        for (size_t i = 0; i < all.first[height]; i++) /* one label only: a run a row */
            all.run[i].label = 7;
        seg_label_rows_merge(&all);
        assert_int_equal(all.first[height], (size_t)height);
        free(label);
    }
}

/* The same scene with the numbers of the columns shifted by `turn`. */
static void check_kept(int turn) {
    enum { WIDTH = 28, HEIGHT = 23, SIDE = 5, K = 4, PIXELS = WIDTH * HEIGHT };
    static const char best[] = "220003"
                               "002022"
                               "220000"
                               "000220"
                               "222020";
    const seg_patch_grid grid = seg_patch_grid_make(WIDTH, HEIGHT, SIDE);
    const int last = 16 * WIDTH + 17, marked = 17 * WIDTH + 21;
    const uint8_t column[K] = {(uint8_t)(turn % K), (uint8_t)((1 + turn) % K), (uint8_t)((2 + turn) % K),
                               (uint8_t)((3 + turn) % K)};
    uint8_t label[PIXELS], mark[PIXELS] = {0}, expected[PIXELS], uncertainty[PIXELS];
    static float probability[PIXELS][K];
    const seg_pixel_scores out = {probability[0], uncertainty};
    SCOPED(seg_label_rows) rows = {0};
    char wanted[512];
    SCOPED(seg_matrix) score = new_matrix(&ctx, sizeof best - 1, K);
    for (size_t i = 0; i < score.rows; i++)
        for (int c = 0; c < K; c++)
            score.at[i * K + column[c]] = best[i] == '0' + c ? 0.7 : 0.1;
    for (int p = 0; p < PIXELS; p++) {
        const size_t patch = seg_patch_of_pixel(&grid, p % WIDTH, p / WIDTH);
        expected[p] = column[patch == 5 ? 3 : patch == 21 || patch == 22 || patch == 28 ? 2 : 0];
        uncertainty[p] = 7;
        label[p] = column[0];
        for (int c = 0; c < K; c++)
            probability[p][c] = -1;
    }
    mark[marked] = 1;
    label[last] = expected[last] = column[1];
    SCOPED(seg_label_rows) mark_rows;
    const seg_pixel_scribbles marks = marks_of(&ctx, WIDTH, HEIGHT, mark, &mark_rows);
    expected[marked] = column[0];
    assert_ok(&ctx, seg_label_rows_append(&ctx, WIDTH, HEIGHT, label, &rows));
    check_listen(&ctx);
    snprintf(wanted, sizeof wanted,
             "region %d is too small for refinement: its 63 pixels are patches with straight borders\n"
             "region %d is too small for refinement: its 15 pixels are patches with straight borders\n",
             column[2] + 1, column[3] + 1);
    for (int again = 0; again < 2; again++) { /* the second time nothing is lost */
        assert_ok(&ctx, seg_regions_keep(&ctx, &grid, &score, &marks, &out, &rows));
        same_labels(&rows, expected);
        for (int p = 0; p < PIXELS; p++) {
            const int given = expected[p] == column[2] || expected[p] == column[3];
            assert_int_equal(uncertainty[p], given ? 102 : 7); /* 255 (1 - 0.6) */
            for (int c = 0; c < K; c++)
                assert_near(probability[p][c], !given ? -1 : c == expected[p] ? 0.7 : 0.1, 1e-7);
        }
        assert_string_equal(check_infos, wanted);
    }
}

/* The largest piece of patches of a lost region becomes its own, but for marked pixels and the last pixel of another;
 * neither corners nor the ends of rows join patches, and of equal pieces the first is taken. */
TEST(lost_regions_get_their_largest_piece) {
    check_kept(0);
    check_kept(2);
}

/* Patches of 4 x 4 in a row, a letter a pixel: a is label 1, e is 5, i is 9. */
static void check_settled(const char *pixels, const int *wanted, const char *says) {
    const int width = (int)strlen(pixels) / 4;
    const seg_patch_grid grid = seg_patch_grid_make(width, 4, 4);
    SCOPED(seg_mask) strokes = new_mask(&ctx, width, 4);
    strokes.labels = 9;
    for (int p = 0; p < 4 * width; p++)
        strokes.label[p] = (uint8_t)(pixels[p] == '.' ? 0 : pixels[p] - 'a' + 1);
    SCOPED(seg_constraints) groups;
    seg_scan found;
    assert_ok(&ctx, seg_scan_scribbles(&ctx, &strokes, NULL, &grid, &found, &groups));
    assert_int_equal(found.labels, 3);
    assert_true(found.label[0] == 1 && found.label[1] == 5 && found.label[2] == 9);
    assert_true(found.marks.column[5] == 1 && found.marks.column[9] == 2 && found.marks.column[2] == -1);
    for (size_t i = 0; i < groups.n; i++) /* a has most pixels of each patch, or as many */
        assert_int_equal(groups.group[i], 0);
    const seg_status status = seg_scan_settle(&ctx, &found, &grid, &groups);
    assert_int_equal(status, says ? SEG_ERR_INPUT : SEG_OK);
    if (says)
        assert_says(&ctx, says);
    assert_int_equal(groups.groups, 3);
    for (size_t i = 0; i < groups.n && wanted; i++)
        assert_int_equal(groups.group[i], wanted[i]);
    seg_label_rows_free(&found.own);
}

/* It gets the patch where it has most pixels, the first of equals, unless that is the last of another. */
TEST(a_label_without_a_patch_gets_one) {
    check_settled("aaaeaaaeaaai"
                  ".......e...."
                  "..........aa"
                  "....a.......",
                  (const int[]){0, 1, 2}, NULL);
    check_settled("aaaeaaaeaaai"
                  "............"
                  "............"
                  "............",
                  (const int[]){1, 0, 2}, NULL);
    check_settled("aaaeaaai"
                  "........"
                  "........"
                  "........",
                  NULL, "label 9 is marked only where other labels mark the same patches");
}

TEST(regions_without_strokes_are_numbered_last) {
    const seg_patch_grid grid = seg_patch_grid_make(8, 4, 4);
    SCOPED(seg_constraints) groups;
    seg_scan found;
    assert_ok(&ctx, seg_scan_scribbles(&ctx, NULL, NULL, &grid, &found, &groups));
    assert_true(found.pixels == 0 && found.labels == 0 && !found.marks.label);
    assert_true(groups.n == 2 && groups.group[0] == -1 && groups.group[1] == -1);
    assert_ok(&ctx, seg_scan_extend(&ctx, 2, &found));
    assert_true(found.label[0] == 1 && found.label[1] == 2);
    found.labels = 2;
    found.label[1] = 252;
    assert_ok(&ctx, seg_scan_extend(&ctx, 4, &found));
    assert_true(found.label[1] == 252 && found.label[2] == 253 && found.label[3] == 254 && found.label[4] == 0);
    assert_fails(&ctx, seg_scan_extend(&ctx, 5, &found), SEG_ERR_USAGE,
                 "k = 5: regions without strokes get numbers after label 252, but the largest number is 254");
}

/* Areas, lines and points, also across and beyond the borders, in bands of any height. */
TEST(shapes_in_bands) {
    enum { WIDTH = 61, HEIGHT = 47 };
    seg_random random = seg_random_seeded(5, 0);
    for (int round = 0; round < 20; round++) {
        SCOPED(seg_shapes) shapes = {.ctx = &ctx, .file = "shapes", .width = WIDTH, .height = HEIGHT};
        SCOPED(seg_mask) whole;
        uint8_t colour[256][3], label[WIDTH * HEIGHT], toggled[(WIDTH + 1) * HEIGHT];
        int labels;
        for (int s = 0; s < 6; s++) {
            assert_ok(&ctx, seg_shapes_add(&shapes, (seg_shape_kind)(1 + s % 3), 1 + s % 3, NULL));
            for (int ring = 0; ring < 2; ring++) {
                for (int p = 0; p < 5; p++)
                    assert_ok(&ctx, seg_shapes_add_point(&shapes, 90 * seg_random_uniform(&random) - 15,
                                                         70 * seg_random_uniform(&random) - 12));
                assert_ok(&ctx, seg_shapes_end_ring(&shapes));
            }
        }
        assert_ok(&ctx, seg_shapes_draw(&shapes, NULL, &whole));
        assert_ok(&ctx, seg_shapes_number(&shapes, NULL, colour, &labels));
        assert_int_equal(labels, 3);
        const int step = 1 + round * 3;
        for (int top = 0; top < HEIGHT; top += step) {
            const int bottom = top + step < HEIGHT ? top + step : HEIGHT;
            seg_shapes_draw_rows(&shapes, top, bottom, toggled, label);
            assert_memory_equal(label, whole.label + top * WIDTH, (size_t)((bottom - top) * WIDTH));
        }
    }
}

/* Noise of two colours, left and right. */
static void write_image(const char *path) {
    TIFF *tiff = TIFFOpen(path, "w");
    uint8_t tile[32 * 32 * 3];
    assert_non_null(tiff);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 150);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 100);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 3);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_LZW);
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, 32);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, 32);
    for (uint32_t y = 0; y < 100; y += 32)
        for (uint32_t x = 0; x < 150; x += 32) {
            for (size_t i = 0; i < sizeof tile; i++)
                tile[i] = (uint8_t)(x < 64 ? 40 + i * 7 % 9 : 180 + i * 5 % 9);
            assert_true(TIFFWriteTile(tiff, tile, x, y, 0, 0) > 0);
        }
    TIFFClose(tiff);
}

/* Cancelled at every call: the end is orderly and no mask is there; in the end it is, whatever was there before. */
TEST(cancelled_anywhere) {
    const char *image = "tiled-image.tif", *mask = "tiled-mask.tif";
    seg_options own_options, *options = &own_options;
    *options = seg_options_default();
    seg_tiled_job job = {.image = image, .options = options, .mask = mask};
    seg_result *result = NULL;
    SCOPED(seg_image) view;
    int calls = 0, left;
    write_image(image);
    unlink(mask);
    options->k = 2;
    ctx.progress = check_stop;
    ctx.progress_user = &left;
    for (;; calls += 3) {
        left = calls;
        const seg_status status = seg_segment_tiled(&ctx, &job, &view, &result);
        if (status == SEG_OK)
            break;
        assert_int_equal(status, SEG_ERR_CANCELLED);
        assert_null(result);
        assert_int_not_equal(access(mask, F_OK), 0);
    }
    assert_true(calls > 6);
    assert_true(view.width == 150 && view.height == 100);
    assert_int_equal(result->k, 2);
    SCOPED(seg_mask) read;
    assert_ok(&ctx, seg_truth_read(&ctx, mask, &read));
    assert_memory_equal(read.label, result->mask.label, 150 * 100);
    seg_result_free(result);
    ctx.progress = NULL;
    options->patch = 10;
    assert_fails(&ctx, seg_segment_tiled(&ctx, &job, NULL, &result), SEG_ERR_USAGE, "patch");
    unlink(image);
    unlink(mask);
}
