/* features: colours are the published ones, columns stand where they should, borders and sizes do not matter. */
#include "check.h"

#include "features/grid.h"
#include "features/lab.h"
#include "features/spec.h"

static seg_image make_image(int width, int height, int depth) {
    seg_image image = {width, height, depth, 0, NULL};
    image.data = calloc((size_t)width * (size_t)height * 3, (size_t)depth / 8);
    assert_non_null(image.data);
    return image;
}

static void set_pixel(seg_image *image, int x, int y, int red, int green, int blue) {
    const size_t at = 3 * ((size_t)y * (size_t)image->width + (size_t)x);
    const int rgb[3] = {red, green, blue};
    for (size_t c = 0; c < 3; c++) {
        if (image->depth == 16)
            ((uint16_t *)image->data)[at + c] = (uint16_t)rgb[c];
        else
            ((uint8_t *)image->data)[at + c] = (uint8_t)rgb[c];
    }
}

static seg_image random_image(int width, int height, int depth, uint64_t seed) {
    seg_image image = make_image(width, height, depth);
    const uint64_t values = depth == 16 ? 65536 : 256;
    seg_random random = seg_random_seeded(seed, 0);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int red = (int)seg_random_below(&random, values), green = (int)seg_random_below(&random, values);
            set_pixel(&image, x, y, red, green, (int)seg_random_below(&random, values));
        }
    return image;
}

/* Every kind switched on, with weights that differ. */
static const seg_feature_spec everything = {{1, 0.5, 2, 0.25, 3, 1.5}};
enum { ALL_COLUMNS = 3 + 3 + 2 + 24 + 24 + 16 };

static seg_matrix compute(seg_context *ctx, const seg_image *image, int side, const seg_feature_spec *spec) {
    seg_patch_grid grid = seg_patch_grid_make(image->width, image->height, side);
    seg_matrix X;
    assert_ok(ctx, seg_features_compute(ctx, image, &grid, spec, &X));
    assert_int_equal(X.rows, grid.columns * grid.rows);
    return X;
}

static seg_matrix compute_text(seg_context *ctx, const seg_image *image, int side, const char *text) {
    seg_feature_spec spec;
    assert_ok(ctx, seg_feature_spec_parse(ctx, text, &spec));
    return compute(ctx, image, side, &spec);
}

static void assert_same_bytes(const seg_matrix *a, const seg_matrix *b) {
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->cols, b->cols);
    assert_memory_equal(a->at, b->at, a->rows * a->cols * sizeof(double));
}

TEST(lab_of_known_colours) {
    /* sRGB primaries and their mixtures as published for D65 (Lindbloom's calculator, rounded to 1e-4). */
    static const struct {
        int rgb[3];
        double lab[3];
    } known[] = {
        {{0, 0, 0}, {0, 0, 0}},
        {{255, 255, 255}, {100, 0, 0}},
        {{255, 0, 0}, {53.2408, 80.0925, 67.2032}},
        {{0, 255, 0}, {87.7347, -86.1827, 83.1793}},
        {{0, 0, 255}, {32.2970, 79.1875, -107.8602}},
        {{255, 255, 0}, {97.1393, -21.5537, 94.4780}},
        {{0, 255, 255}, {91.1132, -48.0875, -14.1312}},
        {{255, 0, 255}, {60.3242, 98.2343, -60.8249}},
        {{119, 119, 119}, {50.0344, 0, 0}},
    };
    seg_image image = make_image(sizeof known / sizeof *known, 1, 8);
    float L[sizeof known / sizeof *known], a[sizeof known / sizeof *known], b[sizeof known / sizeof *known];
    for (int i = 0; i < image.width; i++)
        set_pixel(&image, i, 0, known[i].rgb[0], known[i].rgb[1], known[i].rgb[2]);
    assert_ok(&ctx, seg_lab_planes(&ctx, &image, (seg_lab){L, a, b}));
    for (int i = 0; i < image.width; i++) {
        assert_near(L[i], known[i].lab[0], 5e-3);
        assert_near(a[i], known[i].lab[1], 1e-2);
        assert_near(b[i], known[i].lab[2], 1e-2);
    }
    free(image.data);
}

/* The definition, in double precision, sharing nothing with the library. */
static void lab_by_definition(const double sample[3], double lab[3]) {
    static const double m[3][3] = {
        {0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}};
    static const double white[3] = {0.95047, 1.0000001, 1.08883};
    double f[3];
    for (int i = 0; i < 3; i++) {
        double t = 0;
        for (int j = 0; j < 3; j++) {
            double s = sample[j];
            t += m[i][j] * (s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4));
        }
        t /= white[i];
        f[i] = t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
    }
    lab[0] = 116 * f[1] - 16;
    lab[1] = 500 * (f[0] - f[1]);
    lab[2] = 200 * (f[1] - f[2]);
}

static void check_lab_of(seg_context *ctx, const seg_image *image) {
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    const double top = image->depth == 16 ? 65535 : 255;
    float *L = malloc(4 * pixels * sizeof *L), *a = L + pixels, *b = a + pixels, *lightness = b + pixels;
    double worst = 0;
    assert_non_null(L);
    assert_ok(ctx, seg_lab_planes(ctx, image, (seg_lab){L, a, b}));
    for (size_t i = 0; i < pixels; i++) {
        double sample[3], lab[3];
        for (size_t c = 0; c < 3; c++)
            sample[c] = (image->depth == 16 ? ((uint16_t *)image->data)[3 * i + c]
                                            : (double)((uint8_t *)image->data)[3 * i + c]) /
                        top;
        lab_by_definition(sample, lab);
        worst = fmax(worst, fmax(fabs(L[i] - lab[0]), fmax(fabs(a[i] - lab[1]), fabs(b[i] - lab[2]))));
    }
    assert_near(worst, 0, 1e-3);
    assert_ok(ctx, seg_lab_planes(ctx, image, (seg_lab){lightness, NULL, NULL}));
    assert_memory_equal(L, lightness, pixels * sizeof *L);
    free(L);
}

TEST(lab_is_the_exact_formula) {
    seg_image lattice = make_image(52 * 52, 52, 8), deep = random_image(301, 97, 16, 5);
    for (int red = 0; red < 52; red++)
        for (int green = 0; green < 52; green++)
            for (int blue = 0; blue < 52; blue++)
                set_pixel(&lattice, red * 52 + green, blue, red * 5, green * 5, blue * 5);
    /* Dark pixels of 16 bits: around the change from the straight line to the root. */
    for (int x = 0; x < 301; x++)
        set_pixel(&deep, x, 0, 20 * x, 19 * x, 18 * x);
    check_lab_of(&ctx, &lattice);
    check_lab_of(&ctx, &deep);
    free(lattice.data);
    free(deep.data);
}

TEST(grid_covers_every_pixel) {
    seg_patch_grid grid = seg_patch_grid_make(12, 7, 5);
    assert_int_equal(grid.columns, 3);
    assert_int_equal(grid.rows, 2);
    assert_int_equal(seg_patch_of_pixel(&grid, 0, 0), 0);
    assert_int_equal(seg_patch_of_pixel(&grid, 4, 4), 0);
    assert_int_equal(seg_patch_of_pixel(&grid, 5, 4), 1);
    assert_int_equal(seg_patch_of_pixel(&grid, 11, 6), 5);
    grid = seg_patch_grid_make(10, 10, 5);
    assert_int_equal(grid.columns * grid.rows, 4);
    grid = seg_patch_grid_make(65535, 3, 2147483647);
    assert_int_equal(grid.columns * grid.rows, 1);
    grid = seg_patch_grid_make(10, 10, 0);
    assert_int_equal(grid.columns + grid.rows, 0);
}

/* Layers of several slices: each row of pixels is in one row of patches, which begins where it says. */
TEST(layers_cover_every_slice) {
    for (int slices = 1; slices <= 12; slices++)
        for (int deep = 1; deep <= slices; deep++) {
            const seg_patch_grid grid = seg_patch_grid_stack(9, 7 * slices, slices, deep, 5);
            const int layers = seg_patch_layers(&grid), own = seg_patch_deep(&grid);
            assert_true(layers == (slices + deep - 1) / deep && own <= deep && grid.rows == 2 * layers);
            int met = 0;
            for (int r = 0; r < grid.rows; r++)
                for (int y = seg_patch_top(&grid, r); y < grid.height; y = seg_patch_row_after(&grid, r, y), met++)
                    assert_int_equal(seg_patch_row(&grid, y), r);
            assert_int_equal(met, grid.height);
            for (int y = 0; y < grid.height; y++) {
                const int row = seg_patch_row(&grid, y), top = seg_patch_top(&grid, row);
                assert_int_equal(row, y / 7 / own * 2 + (y % 7 >= 5));
                assert_int_equal(top, y / 7 / own * own * 7 + y % 7 / 5 * 5);
                assert_int_equal(seg_patch_bottom(&grid, row) - top, y % 7 < 5 ? 5 : 2);
            }
        }
}

TEST(names_and_weights_are_parsed) {
    seg_feature_spec spec;
    assert_ok(&ctx, seg_feature_spec_parse(&ctx, "mean,spread=0.5,position=2e1", &spec));
    assert_near(spec.weight[SEG_FEATURE_MEAN], 1, 0);
    assert_near(spec.weight[SEG_FEATURE_SPREAD], 0.5, 0);
    assert_near(spec.weight[SEG_FEATURE_POSITION], 20, 0);
    assert_near(spec.weight[SEG_FEATURE_TEXTURE], 0, 0);
    for (int kind = 0; kind < SEG_FEATURE_KINDS; kind++) {
        assert_ok(&ctx, seg_feature_spec_parse(&ctx, seg_feature_names[kind], &spec));
        for (int other = 0; other < SEG_FEATURE_KINDS; other++)
            assert_near(spec.weight[other], other == kind, 0);
    }
    static const char *const bad[] = {"",         "mena",     "mean,",         "mean=",   "mean=-1",
                                      "mean=nan", "mean=inf", "mean=1x",       "mean=0",  "mean,mean=2",
                                      "=2",       "mean=1=2", ",mean",         "mean =1", "mean;spread",
                                      "Meam",     "mean=1 ",  "texture=1e999", "mea",     "histogram8"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        memset(&spec, 1, sizeof spec);
        ctx.message[0] = 0;
        assert_int_equal(seg_feature_spec_parse(&ctx, bad[i], &spec), SEG_ERR_USAGE);
        assert_true(strlen(ctx.message) > 10);
        for (int kind = 0; kind < SEG_FEATURE_KINDS; kind++)
            assert_true(spec.weight[kind] == 0);
    }
    assert_int_equal(seg_feature_spec_parse(&ctx, "colour", &spec), SEG_ERR_USAGE);
    for (int kind = 0; kind < SEG_FEATURE_KINDS; kind++)
        assert_says(&ctx, seg_feature_names[kind]);
}

/* 7 x 4 in patches of 5: the second patch has 2 x 4 pixels. Compared with sums over the pixels in double. */
TEST(partial_patches_count_their_own_pixels) {
    seg_image image = random_image(7, 4, 8, 3);
    float lab[3][28];
    assert_ok(&ctx, seg_lab_planes(&ctx, &image, (seg_lab){lab[0], lab[1], lab[2]}));
    SCOPED(seg_matrix) X = compute_text(&ctx, &image, 5, "mean,spread,position,histogram,lab-histogram");
    assert_int_equal(X.rows, 2);
    assert_int_equal(X.cols, 56);
    for (int patch = 0; patch < 2; patch++) {
        const double *row = X.at + 56 * patch;
        int left = patch ? 5 : 0, right = patch ? 7 : 5, pixels = 4 * (right - left);
        for (int c = 0; c < 3; c++) {
            double sum = 0, squares = 0, share[8] = {0}, colour_share[8] = {0};
            for (int y = 0; y < 4; y++)
                for (int x = left; x < right; x++) {
                    double value = lab[c][7 * y + x], t = (value + (c ? 64 : 0)) / (c ? 16 : 12.5);
                    sum += value;
                    share[t < 0 ? 0 : t > 7 ? 7 : (int)t] += 1.0 / pixels;
                    colour_share[((uint8_t *)image.data)[3 * (7 * y + x) + c] / 32] += 1.0 / pixels;
                }
            for (int y = 0; y < 4; y++)
                for (int x = left; x < right; x++)
                    squares += pow(lab[c][7 * y + x] - sum / pixels, 2);
            assert_near(row[c], sum / pixels / 100, 1e-12);
            assert_near(row[3 + c], sqrt(squares / pixels) / 100, 1e-12);
            for (int bin = 0; bin < 8; bin++) {
                assert_near(row[8 + 8 * c + bin], colour_share[bin], 1e-12);
                assert_near(row[32 + 8 * c + bin], share[bin], 1e-12);
            }
        }
        assert_near(row[6], (patch ? 6 : 2.5) / 7, 1e-15);
        assert_near(row[7], 2.0 / 7, 1e-15);
    }
    free(image.data);
}

TEST(histograms_sum_to_one) {
    seg_image image = random_image(53, 38, 8, 8);
    SCOPED(seg_matrix) X = compute_text(&ctx, &image, 4, "histogram,lab-histogram");
    assert_int_equal(X.cols, 48);
    for (size_t i = 0; i < X.rows; i++)
        for (size_t channel = 0; channel < 6; channel++) {
            double sum = 0;
            for (size_t bin = 0; bin < 8; bin++) {
                assert_true(X.at[i * 48 + channel * 8 + bin] >= 0);
                sum += X.at[i * 48 + channel * 8 + bin];
            }
            assert_near(sum, 1, 1e-12);
        }
    free(image.data);
}

TEST(columns_are_in_order_and_weighted) {
    seg_image image = random_image(31, 22, 8, 4);
    size_t first = 0;
    SCOPED(seg_matrix) all = compute(&ctx, &image, 5, &everything);
    assert_int_equal(all.cols, ALL_COLUMNS);
    for (int kind = 0; kind < SEG_FEATURE_KINDS; kind++) {
        SCOPED(seg_matrix) one = compute_text(&ctx, &image, 5, seg_feature_names[kind]);
        for (size_t i = 0; i < one.rows; i++)
            for (size_t c = 0; c < one.cols; c++)
                assert_near(all.at[i * all.cols + first + c], everything.weight[kind] * one.at[i * one.cols + c],
                            1e-14);
        first += one.cols;
    }
    assert_int_equal(first, all.cols);
    free(image.data);
}

TEST(one_colour_has_no_spread) {
    seg_image image = make_image(23, 11, 8);
    for (int y = 0; y < 11; y++)
        for (int x = 0; x < 23; x++)
            set_pixel(&image, x, y, 201, 37, 93);
    SCOPED(seg_matrix) X = compute_text(&ctx, &image, 4, "spread,texture");
    for (size_t i = 0; i < X.rows * X.cols; i++)
        assert_true(X.at[i] == 0);
    free(image.data);
}

TEST(tiny_images_and_large_patches) {
    static const int sizes[][3] = {{1, 1, 1},  {1, 1, 64}, {3, 2, 5},         {1, 40, 3},
                                   {40, 1, 3}, {2, 2, 1},  {9, 9, 2000000000}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int depth = 8; depth <= 16; depth += 8) {
            seg_image image = random_image(sizes[s][0], sizes[s][1], depth, s);
            SCOPED(seg_matrix) X = compute(&ctx, &image, sizes[s][2], &everything);
            assert_int_equal(X.cols, ALL_COLUMNS);
            for (size_t i = 0; i < X.rows * X.cols; i++)
                assert_true(isfinite(X.at[i]));
            free(image.data);
        }
    seg_image pixel = make_image(1, 1, 8);
    set_pixel(&pixel, 0, 0, 255, 255, 255);
    SCOPED(seg_matrix) X = compute_text(&ctx, &pixel, 5, "mean,position");
    const double expected[5] = {1, 0, 0, 0.5, 0.5};
    for (int i = 0; i < 5; i++)
        assert_near(X.at[i], expected[i], 1e-6);
    free(pixel.data);
}

TEST(sixteen_bits_equal_eight) {
    seg_image shallow = random_image(47, 33, 8, 6), deep = make_image(47, 33, 16);
    for (size_t i = 0; i < 3 * 47 * 33; i++)
        ((uint16_t *)deep.data)[i] = (uint16_t)(((uint8_t *)shallow.data)[i] * 257);
    SCOPED(seg_matrix) X = compute(&ctx, &shallow, 5, &everything), Y = compute(&ctx, &deep, 5, &everything);
    assert_same_bytes(&X, &Y);
    free(shallow.data);
    free(deep.data);
}

TEST(threads_do_not_matter) {
    seg_image image = random_image(131, 77, 8, 7);
    ctx.threads = 1;
    SCOPED(seg_matrix) X = compute(&ctx, &image, 4, &everything);
    for (int threads = 2; threads <= 7; threads++) {
        ctx.threads = threads;
        SCOPED(seg_matrix) Y = compute(&ctx, &image, 4, &everything);
        assert_same_bytes(&X, &Y);
    }
    free(image.data);
}

TEST(wrong_arguments_are_refused) {
    seg_image image = make_image(10, 10, 8);
    seg_patch_grid grid = seg_patch_grid_make(10, 10, 5);
    seg_feature_spec none = {{0}}, negative = {{1, -1}}, nan_weight = {{NAN}}, good = {{1}};
    seg_matrix X;
    assert_int_equal(seg_features_compute(&ctx, &image, &grid, &none, &X), SEG_ERR_USAGE);
    assert_fails(&ctx, seg_features_compute(&ctx, &image, &grid, &negative, &X), SEG_ERR_USAGE, "spread");
    assert_int_equal(seg_features_compute(&ctx, &image, &grid, &nan_weight, &X), SEG_ERR_USAGE);
    grid.columns = 3;
    X.at = (double *)&X;
    assert_int_equal(seg_features_compute(&ctx, &image, &grid, &good, &X), SEG_ERR_USAGE);
    assert_null(X.at);
    grid = seg_patch_grid_make(10, 11, 5);
    assert_int_equal(seg_features_compute(&ctx, &image, &grid, &good, &X), SEG_ERR_USAGE);
    grid = seg_patch_grid_make(10, 10, 0);
    assert_int_equal(seg_features_compute(&ctx, &image, &grid, &good, &X), SEG_ERR_USAGE);
    free(image.data);
}
