/* The cells between patches and pixels of very large images: when there are any, and that their borders are the image's
 * where the patches' are staircases. */
#include "check.h"

#include "features/grid.h"
#include "image/shrink.h"
#include "pipeline/run.h"

enum { WIDTH = 847, HEIGHT = 771, SIDE = 70, CELL = 14 };

/* 1 below a slanted line. */
static int below(int x, int y) {
    return 4 * y > x + 3 * HEIGHT / 2;
}

static void draw(uint8_t *rgb, seg_image *photo) {
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const int noise = (x * 31 + y * 17) % 9, b = below(x, y);
            uint8_t *p = rgb + 3 * (y * WIDTH + x);
            p[0] = (uint8_t)((b ? 190 : 60) + noise);
            p[1] = (uint8_t)((b ? 120 : 80) + noise);
            p[2] = (uint8_t)((b ? 50 : 170) + noise);
        }
    *photo = (seg_image){.width = WIDTH, .height = HEIGHT, .depth = 8, .data = rgb};
}

/* Pixels whose cell's larger score is not theirs. */
static size_t wrong(const seg_patch_grid *grid, const seg_matrix *score) {
    size_t count = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const double *row = score->at + seg_patch_of_pixel(grid, x, y) * score->cols;
            count += (row[1] > row[0]) != below(x, y);
        }
    return count;
}

/* Scores of each patch: its shares on both sides, as sure as a clustering is. */
static void score_patches(seg_context *ctx, const seg_patch_grid *grid, seg_matrix *score) {
    *score = new_matrix(ctx, (size_t)(grid->columns * grid->rows), 2);
    memset(score->at, 0, score->rows * 2 * sizeof *score->at);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            score->at[seg_patch_of_pixel(grid, x, y) * 2 + (size_t)below(x, y)]++;
    for (size_t i = 0; i < score->rows; i++) {
        const double sum = score->at[2 * i] + score->at[2 * i + 1];
        score->at[2 * i] /= sum;
        score->at[2 * i + 1] /= sum;
    }
}

TEST(only_patches_beyond_64_pixels_have_cells) {
    seg_options options = seg_options_default();
    for (int side = 5; side <= 210; side += 5) {
        const int width = 790 * side / 5, height = 791 * side / 5; /* the most pixels with patches of that side */
        options.patch = 0;
        seg_patch_layout layout = seg_patch_layout_of(&options, width, height);
        assert_int_equal(layout.grid.side, side);
        assert_int_equal(layout.reduced, side / 5);
        assert_int_equal(layout.cell, side <= 64 ? 0 : side / 5);
        if (side > 64)
            continue;
        options.patch = side; /* asked for */
        layout = seg_patch_layout_of(&options, width, height);
        assert_int_equal(layout.grid.side, side);
        assert_int_equal(layout.reduced, 1);
        assert_int_equal(layout.cell, 0);
    }
}

/* The spread of the features for an image of this width and the side of its patches. */
static double spread_of(const seg_options *options, int width, int *side) {
    seg_photo_plan plan;
    seg_options adapted;
    const seg_plan_job job = {.width = width, .height = 600, .depth = 8};
    assert_ok(&ctx, seg_plan_make(&ctx, &job, options, &plan, &adapted));
    *side = seg_patch_layout_of(&adapted, width, 600 / options->channels).grid.side;
    return adapted.features.weight[SEG_FEATURE_SPREAD];
}

TEST(patches_of_three_pixels_have_no_spread) {
    const struct {
        seg_options set;
        int width, side;
        double spread;
    } cases[] = {
        {{.k = 2}, 800, 5, 0.6},
        {{.k = 2, .object = 1}, 800, 3, 0},
        {{.k = 2, .object = 1}, 8000, 15, 0.6},
        {{.k = 2, .object = 1, .patch = 3}, 800, 3, 0.6},
        {{.k = 2, .object = 1, .channels = 3}, 800, 5, 0.6},
        {{.box = {10, 10, 300, 300}}, 800, 3, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        seg_options options = seg_options_default();
        int side;
        options.k = cases[i].set.k;
        options.object = cases[i].set.object;
        options.patch = cases[i].set.patch;
        options.box = cases[i].set.box;
        options.channels = cases[i].set.channels ? cases[i].set.channels : 1;
        assert_near(spread_of(&options, cases[i].width, &side), cases[i].spread, 0);
        assert_int_equal(side, cases[i].side);
        options.features.weight[SEG_FEATURE_SPREAD] = 0.7; /* asked for */
        assert_near(spread_of(&options, cases[i].width, &side), 0.7, 0);
    }
}

/* Where memory lets an object have larger patches alone, they have the spread that the options ask for. */
TEST(larger_patches_have_their_spread) {
    const seg_plan_job job = {.width = 800, .height = 600, .depth = 8};
    seg_options options = seg_options_default(), adapted;
    seg_photo_plan plan;
    options.object = 1;
    assert_ok(&ctx, seg_plan_make(&ctx, &job, &options, &plan, &adapted));
    ctx.max_memory = plan.predicted - 1;
    for (int i = 0; i < 3; i++) {
        const double spread = 0.6 - 0.2 * i; /* the default, and two that are asked for */
        options.features.weight[SEG_FEATURE_SPREAD] = spread;
        assert_ok(&ctx, seg_plan_make(&ctx, &job, &options, &plan, &adapted));
        assert_true(adapted.patch > 3);
        assert_near(adapted.features.weight[SEG_FEATURE_SPREAD], spread, 0);
    }
    ctx.max_memory = 0;
}

TEST(cells_follow_the_image) {
    AUTOFREE uint8_t *rgb = malloc((size_t)3 * WIDTH * HEIGHT);
    seg_options options = seg_options_default();
    seg_image photo, copy;
    draw(rgb, &photo);
    seg_session session = {.photo = &photo, .layout = {seg_patch_grid_make(WIDTH, HEIGHT, SIDE), CELL, CELL}};
    seg_run whole = {.session = &session, .photo = &photo, .options = &options};
    score_patches(&ctx, &session.layout.grid, &whole.clustering.score);
    seg_run by_copy = whole;
    assert_ptr_equal(seg_run_cells(&whole), &session.layout.grid);

    assert_ok(&ctx, seg_run_make_cells(&ctx, &whole));
    assert_ptr_equal(seg_run_cells(&whole), &whole.fine_grid);
    assert_ptr_equal(seg_run_cell_scores(&whole), &whole.fine);
    assert_int_equal(whole.fine_grid.side, CELL);
    assert_int_equal(whole.fine.rows, ((WIDTH + CELL - 1) / CELL) * ((HEIGHT + CELL - 1) / CELL));
    const size_t before = wrong(&session.layout.grid, &whole.clustering.score),
                 after = wrong(&whole.fine_grid, &whole.fine);
    print_message("%zu pixels of patches are wrong, %zu of cells\n", before, after);
    assert_true(before > 10000 && after < before / 3);

    /* The copy that tiles are reduced to gives the same, on any number of threads. */
    ctx.threads = 3;
    assert_ok(&ctx, seg_image_shrink(&ctx, &photo, (seg_stack){1, 1}, CELL, &copy));
    session.copy = &copy;
    assert_ok(&ctx, seg_run_make_cells(&ctx, &by_copy));
    assert_int_equal(by_copy.fine.rows, whole.fine.rows);
    assert_memory_equal(by_copy.fine.at, whole.fine.at, whole.fine.rows * 2 * sizeof *whole.fine.at);

    seg_matrix_free(&by_copy.fine);
    seg_matrix_free(&whole.fine);
    seg_matrix_free(&whole.clustering.score);
    seg_image_free(&copy);
}
