/* Labels as runs against labels as arrays, shapes drawn some rows at a time, and the end of a run that is cancelled. */
#include "check.h"

#include "base/random.h"
#include "features/grid.h"
#include "image/label_rows.h"
#include "masks/islands.h"
#include "masks/keep.h"
#include "masks/specks.h"
#include "scribbles/shapes.h"

#include <segment/segment.h>

#include <stdlib.h>
#include <string.h>
#include <tiffio.h>
#include <unistd.h>

static seg_context ctx;

static int start(void **state) {
    (void)state;
    seg_context_end(&ctx);
    seg_context_init(&ctx);
    return 0;
}

/* Blocks of labels 0 .. 2 with specks. */
static void fill(seg_random *random, int width, int height, uint8_t *label) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            label[y * width + x] = (uint8_t)(seg_random_below(random, 12) == 0 ? seg_random_below(random, 3)
                                                                               : (unsigned)(x / 13 + y / 9) % 3);
}

static void same_labels(const seg_label_rows *rows, const uint8_t *label) {
    uint8_t *line = malloc((size_t)rows->width);
    for (int y = 0; y < rows->height; y++) {
        seg_label_rows_read(rows, y, 0, rows->width, line);
        assert_memory_equal(line, label + (size_t)y * (size_t)rows->width, (size_t)rows->width);
        for (size_t i = rows->first[y] + 1; i < rows->first[y + 1]; i++)
            assert_int_equal(rows->run[i - 1].to, rows->run[i].from);
    }
    free(line);
}

/* Appended at once, in parts, and as runs; read back in parts. */
static void runs_hold_the_labels(void **state) {
    (void)state;
    seg_random random;
    seg_random_seed(&random, 3, 0);
    for (int round = 0; round < 20; round++) {
        const int width = 1 + (int)seg_random_below(&random, 70), height = 1 + (int)seg_random_below(&random, 50);
        const int part = 1 + (int)seg_random_below(&random, (unsigned)height);
        uint8_t *label = malloc((size_t)(width * height)), line[70];
        seg_label_rows all = {0}, parts = {0}, again = {0};
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
        seg_label_rows_free(&all);
        seg_label_rows_free(&parts);
        seg_label_rows_free(&again);
        free(label);
    }
}

/* Specks, islands and lost regions: the same with marks as runs as with marks in an array. */
static void marks_may_be_runs(void **state) {
    (void)state;
    enum { SIDE = 5 };
    seg_random random;
    seg_random_seed(&random, 4, 0);
    for (int round = 0; round < 20; round++) {
        const int width = 6 + (int)seg_random_below(&random, 70), height = 6 + (int)seg_random_below(&random, 50);
        const size_t pixels = (size_t)width * (size_t)height;
        const seg_patch_grid grid = seg_patch_grid_make(width, height, SIDE);
        uint8_t *label = malloc(pixels), *mark = calloc(pixels, 1);
        seg_matrix score;
        seg_label_rows rows = {0}, other = {0}, mark_rows = {0};
        uint8_t rule[256];
        size_t changed, changed_rows;
        seg_island found[9], found_rows[9];
        seg_island_list list = {10, 1, found, 9, 0, NULL}, list_rows = {10, 1, found_rows, 9, 0, NULL};
        fill(&random, width, height, label);
        for (int i = 0; i < 6; i++)
            mark[seg_random_below(&random, (unsigned)pixels)] = (uint8_t)(1 + i % 3);
        assert_ok(&ctx, seg_matrix_create(&ctx, (size_t)grid.columns * (size_t)grid.rows, 4, &score));
        for (size_t i = 0; i < score.rows; i++)
            for (size_t c = 0; c < 4; c++)
                score.at[i * 4 + c] = (0.1 + seg_random_uniform(&random)) / 4;
        score.at[3] = 2; /* a region of which no pixel is left */
        assert_ok(&ctx, seg_label_rows_append(&ctx, width, height, label, &rows));
        assert_ok(&ctx, seg_label_rows_append(&ctx, width, height, label, &other));
        assert_ok(&ctx, seg_label_rows_append(&ctx, width, height, mark, &mark_rows));
        seg_pixel_scribbles marks = {.label = mark}, marks_of_rows = {.rows = &mark_rows};
        for (int l = 0; l < 256; l++)
            marks.column[l] = marks_of_rows.column[l] = (int16_t)(l >= 1 && l <= 3 ? l - 1 : -1);
        const seg_pixel_scores nothing = {0};
        const seg_island_scores scores = {&grid, &score, NULL};
        assert_ok(&ctx, seg_specks_remove(&ctx, &marks, 9, &other));
        assert_ok(&ctx, seg_specks_remove(&ctx, &marks_of_rows, 9, &rows));
        seg_label_rows_paint(&other, label);
        same_labels(&rows, label);
        assert_ok(&ctx, seg_regions_keep(&ctx, &grid, &score, &marks, &nothing, &other));
        assert_ok(&ctx, seg_regions_keep(&ctx, &grid, &score, &marks_of_rows, &nothing, &rows));
        seg_label_rows_paint(&other, label);
        same_labels(&rows, label);
        assert_non_null(memchr(label, 3, pixels));
        assert_ok(&ctx, seg_islands_list(&ctx, &marks, &scores, &other, &list));
        assert_ok(&ctx, seg_islands_list(&ctx, &marks_of_rows, &scores, &rows, &list_rows));
        assert_int_equal(list.count, list_rows.count);
        for (int i = 0; i < list.count; i++)
            assert_int_equal(found[i].pixels, found_rows[i].pixels);
        memset(rule, round % 2 ? SEG_ISLAND_GOES : SEG_ISLAND_IS_JUDGED, sizeof rule);
        assert_ok(&ctx, seg_islands_settle(&ctx, &marks, rule, &scores, &other, &changed));
        assert_ok(&ctx, seg_islands_settle(&ctx, &marks_of_rows, rule, &scores, &rows, &changed_rows));
        assert_int_equal(changed, changed_rows);
        seg_label_rows_paint(&other, label);
        same_labels(&rows, label);
        seg_label_rows_free(&rows);
        seg_label_rows_free(&other);
        seg_label_rows_free(&mark_rows);
        seg_matrix_free(&score);
        free(label);
        free(mark);
    }
}

/* Areas, lines and points, also across and beyond the borders, in bands of any height. */
static void shapes_in_bands(void **state) {
    (void)state;
    enum { WIDTH = 61, HEIGHT = 47 };
    seg_random random;
    seg_random_seed(&random, 5, 0);
    for (int round = 0; round < 20; round++) {
        seg_shapes shapes = {.ctx = &ctx, .file = "shapes", .width = WIDTH, .height = HEIGHT};
        seg_mask whole;
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
        seg_mask_free(&whole);
        seg_shapes_free(&shapes);
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

static int calls;
static int stop_at(void *user, double done, const char *stage) {
    (void)done, (void)stage;
    return ++calls > *(int *)user;
}

/* Cancelled at every call: the end is orderly and no mask is there; in the end it is, whatever was there before. */
static void cancelled_anywhere(void **state) {
    (void)state;
    const char *image = "tiled-image.tif", *mask = "tiled-mask.tif";
    seg_options own_options, *options = &own_options;
    seg_options_default(options);
    seg_tiled_job job = {.image = image, .options = options, .mask = mask};
    seg_result *result = NULL;
    int last = 0;
    write_image(image);
    unlink(mask);
    options->k = 2;
    ctx.progress = stop_at;
    ctx.progress_user = &last;
    for (;; last += 3) {
        calls = 0;
        const seg_status status = seg_segment_tiled(&ctx, &job, &result);
        if (status == SEG_OK)
            break;
        assert_int_equal(status, SEG_ERR_CANCELLED);
        assert_null(result);
        assert_int_not_equal(access(mask, F_OK), 0);
    }
    assert_true(last > 6);
    const seg_tiled_result *tiled = result->tiled;
    assert_int_equal(tiled->width, 150);
    assert_int_equal(tiled->view.width, 150);
    assert_int_equal(tiled->pixels[1] + tiled->pixels[2], 150 * 100);
    assert_int_equal(result->k, 2);
    seg_mask read;
    assert_ok(&ctx, seg_truth_read(&ctx, mask, &read));
    assert_memory_equal(read.label, tiled->view_mask.label, 150 * 100);
    seg_mask_free(&read);
    seg_result_free(result);
    ctx.progress = NULL;
    options->patch = 10;
    assert_int_equal(seg_segment_tiled(&ctx, &job, &result), SEG_ERR_USAGE);
    assert_non_null(strstr(ctx.message, "patch"));
    unlink(image);
    unlink(mask);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(runs_hold_the_labels, start),
        cmocka_unit_test_setup(marks_may_be_runs, start),
        cmocka_unit_test_setup(shapes_in_bands, start),
        cmocka_unit_test_setup(cancelled_anywhere, start),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    seg_context_end(&ctx);
    return failed;
}
