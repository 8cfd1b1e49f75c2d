/* texture: the bank answers to gratings as it should, and equals the plain definition. */
#include "check.h"

#include "features/columns.h"
#include "features/grid.h"
#include "features/lab.h"
#include "linalg/fft.h"

#include <complex.h>

#define PI 3.14159265358979323846

static seg_image grey_image(int width, int height) {
    seg_image image = {width, height, 8, 1, calloc((size_t)width * (size_t)height * 3, 1)};
    assert_non_null(image.data);
    return image;
}

static void set_grey(seg_image *image, int x, int y, double value) {
    memset((uint8_t *)image->data + 3 * ((size_t)y * (size_t)image->width + (size_t)x), (int)lround(value), 3);
}

/* A grating of 16-column texture features, a row per patch. */
static double *texture_of(seg_context *ctx, const seg_image *image, int side, size_t *patches) {
    seg_patch_grid grid = seg_patch_grid_make(image->width, image->height, side);
    *patches = (size_t)grid.columns * (size_t)grid.rows;
    double *out = malloc(*patches * 16 * sizeof *out);
    assert_non_null(out);
    assert_ok(ctx, seg_texture_columns(ctx, image, &grid, 1, out, 16));
    return out;
}

TEST(good_lengths) {
    assert_int_equal(seg_fft_good_length(0), 2);
    assert_int_equal(seg_fft_good_length(49), 50);
    assert_int_equal(seg_fft_good_length(261), 270);
    assert_int_equal(seg_fft_good_length(368), 384);
    for (size_t n = 1; n < 3000; n++) {
        size_t good = seg_fft_good_length(n), rest = good;
        assert_true(good >= n && good % 2 == 0 && good <= 2 * n + 2);
        while (rest % 2 == 0)
            rest /= 2;
        while (rest % 3 == 0)
            rest /= 3;
        while (rest % 5 == 0)
            rest /= 5;
        assert_int_equal(rest, 1);
    }
}

/* In the middle of the image, the largest of the 16 columns is that of the grating's own wavelength and direction. */
TEST(a_grating_is_answered_by_its_filter) {
    for (int scale = 0; scale < 4; scale++)
        for (int orientation = 0; orientation < 4; orientation++) {
            seg_image image = grey_image(150, 140);
            double f = 1 / (3.0 * (1 << scale)), angle = orientation * PI / 4;
            size_t patches, best = 0;
            for (int y = 0; y < 140; y++)
                for (int x = 0; x < 150; x++)
                    set_grey(&image, x, y, 128 + 60 * cos(2 * PI * f * (x * cos(angle) + y * sin(angle)) + 0.4));
            AUTOFREE double *out = texture_of(&ctx, &image, 5, &patches);
            const double *middle = out + 16 * (14 * 30 + 15);
            for (size_t c = 0; c < 16; c++)
                if (middle[c] > middle[best])
                    best = c;
            assert_int_equal(best, scale * 4 + orientation);
            for (size_t i = 0; i < 16 * patches; i++)
                assert_true(out[i] >= 0 && out[i] < 1);
            free(image.data);
        }
}

/* Turned by 90 degrees, (x, y) -> (y, N-1-x): directions 0 <-> 90 and 45 <-> 135 degrees. */
TEST(turning_the_picture_permutes_directions) {
    enum { N = 80, SIDE = 5, P = N / SIDE };
    seg_image image = grey_image(N, N), turned = grey_image(N, N);
    size_t patches;
    seg_random random = seg_random_seeded(9, 0);
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            double v = 120 + 50 * sin(0.4 * x + 0.2 * y) + 40 * sin(0.02 * x * y) + 30 * seg_random_uniform(&random);
            set_grey(&image, x, y, v);
            set_grey(&turned, y, N - 1 - x, v);
        }
    AUTOFREE double *a = texture_of(&ctx, &image, SIDE, &patches), *b = texture_of(&ctx, &turned, SIDE, &patches);
    double unlike = 0;
    for (int r = 0; r < P; r++)
        for (int c = 0; c < P; c++)
            for (int s = 0; s < 4; s++)
                for (int o = 0; o < 4; o++) {
                    double x = a[16 * (r * P + c) + 4 * s + o];
                    double y = b[16 * ((P - 1 - c) * P + r) + 4 * s + (o + 2) % 4];
                    assert_near(x, y, 2e-3);
                    unlike = fmax(unlike, fabs(x - b[16 * ((P - 1 - c) * P + r) + 4 * s + o]));
                }
    assert_true(unlike > 0.05); /* the permutation was needed */
    free(image.data);
    free(turned.data);
}

TEST(a_constant_picture_has_no_texture) {
    static const int sizes[][2] = {{1, 1}, {64, 48}, {31, 7}, {1, 90}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int value = 0; value < 256; value += 51) {
            seg_image image = grey_image(sizes[s][0], sizes[s][1]);
            size_t patches;
            memset(image.data, value, 3 * (size_t)image.width * (size_t)image.height);
            AUTOFREE double *out = texture_of(&ctx, &image, 5, &patches);
            for (size_t i = 0; i < 16 * patches; i++)
                assert_true(out[i] == 0);
            free(image.data);
        }
}

static size_t reflect(long i, long n) {
    while (i < 0 || i >= n)
        i = i < 0 ? -1 - i : 2 * n - 1 - i;
    return (size_t)i;
}

/* Naive transform along one axis: `count` lines of n samples. */
static void slow_transform(double complex *data, size_t n, size_t step, size_t count, size_t line, int sign) {
    AUTOFREE double complex *copy = malloc(n * sizeof *copy), *turn = malloc(n * sizeof *turn);
    assert_true(copy && turn);
    for (size_t k = 0; k < n; k++)
        turn[k] = cexp(sign * 2 * PI * I * (double)k / (double)n);
    for (size_t l = 0; l < count; l++) {
        for (size_t k = 0; k < n; k++)
            copy[k] = data[l * line + k * step];
        for (size_t k = 0; k < n; k++) {
            double complex sum = 0;
            for (size_t j = 0; j < n; j++)
                sum += copy[j] * turn[j * k % n];
            data[l * line + k * step] = sum;
        }
    }
}

/* The filter straight from the formulas. */
static double filter_by_definition(double fx, double fy, int scale, int orientation) {
    double r = hypot(fx, fy), towards = orientation * PI / 4, ln_sigma = log(0.65), sigma = PI / 4 / 1.5, difference;
    double along = fx * cos(towards) + fy * sin(towards), beside = fy * cos(towards) - fx * sin(towards);
    if (r == 0)
        return 0;
    difference = atan2(beside, along);
    if (fabs(difference) > PI / 2 - 1e-9)
        return 0;
    return exp(-pow(log(r * 3 * (1 << scale)), 2) / (2 * ln_sigma * ln_sigma)) *
           exp(-difference * difference / (2 * sigma * sigma)) / (1 + pow(r / 0.45, 30));
}

enum { W = 27, H = 22, MW = 80, MH = 72 }; /* an image and its transforms */

/* The amplitude of each filter at each pixel, in double precision with naive transforms. */
static void amplitudes_by_definition(const float *L, double (*amplitude)[W * H]) {
    static double complex spectrum[MW * MH], response[MW * MH];
    for (long y = 0; y < MH; y++)
        for (long x = 0; x < MW; x++) {
            long from_x = x < W + (MW - W) / 2 ? x : x - MW, from_y = y < H + (MH - H) / 2 ? y : y - MH;
            spectrum[y * MW + x] = L[reflect(from_y, H) * W + reflect(from_x, W)];
        }
    slow_transform(spectrum, MW, 1, MH, MW, -1);
    slow_transform(spectrum, MH, MW, MW, 1, -1);
    for (int filter = 0; filter < 16; filter++) {
        for (int v = 0; v < MH; v++)
            for (int u = 0; u < MW; u++) {
                double fx = (u <= MW / 2 ? u : u - MW) / (double)MW, fy = (v <= MH / 2 ? v : v - MH) / (double)MH;
                response[v * MW + u] =
                    spectrum[v * MW + u] * filter_by_definition(fx, fy, filter / 4, filter % 4) * 2 / (MW * MH);
            }
        slow_transform(response, MW, 1, MH, MW, 1);
        slow_transform(response, MH, MW, MW, 1, 1);
        for (int i = 0; i < W * H; i++)
            amplitude[filter][i] = cabs(response[i / W * MW + i % W]);
    }
}

/* The mean over a patch's pixels. */
static double patch_mean(const double *amplitude, int side, int column, int row) {
    const int left = column * side, top = row * side;
    const int right = left + side < W ? left + side : W, bottom = top + side < H ? top + side : H;
    double sum = 0;
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++)
            sum += amplitude[y * W + x];
    return sum / ((right - left) * (bottom - top));
}

/* Features of patches of this side, 16 each. */
static void features_by_definition(double (*amplitude)[W * H], int side, double *out) {
    const int C = (W + side - 1) / side, R = (H + side - 1) / side;
    double total = 0;
    for (int p = 0; p < C * R; p++)
        for (int filter = 0; filter < 16; filter++) {
            double sigma = 1.5 * (1 << filter / 4), sum = 0, weights = 0;
            for (int q = 0; q < C * R; q++) {
                double dx = side * (q % C - p % C), dy = side * (q / C - p / C);
                if (fabs(dx) > 3 * sigma || fabs(dy) > 3 * sigma)
                    continue;
                double g = exp(-(dx * dx + dy * dy) / (2 * sigma * sigma));
                g *= fmin(side, W - side * (q % C)) * fmin(side, H - side * (q / C));
                sum += g * patch_mean(amplitude[filter], side, q % C, q / C);
                weights += g;
            }
            out[16 * p + filter] = sum / weights;
            total += sum / weights;
        }
    for (int i = 0; i < 16 * C * R; i++)
        out[i] /= out[i] + total / (C * R * 16);
}

TEST(the_bank_equals_its_definition) {
    static double amplitude[16][W * H], expected[16 * W * H];
    seg_image image = grey_image(W, H);
    float L[W * H];
    seg_random random = seg_random_seeded(2, 0);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            set_grey(&image, x, y, 100 + 60 * (x > 13) + 20 * sin(1.1 * y) + 40 * seg_random_uniform(&random));
    assert_ok(&ctx, seg_lab_planes(&ctx, &image, (seg_lab){L, NULL, NULL}));
    amplitudes_by_definition(L, amplitude);
    for (int side = 1; side <= 5; side++) {
        size_t patches;
        AUTOFREE double *out = texture_of(&ctx, &image, side, &patches);
        features_by_definition(amplitude, side, expected);
        for (size_t i = 0; i < 16 * patches; i++)
            assert_near(out[i], expected[i], 1e-3);
    }
    free(image.data);
}

/* The average of a constant is the constant, whatever the borders; a single spike is spread symmetrically. */
TEST(averages_keep_constants) {
    seg_patch_grid grid = seg_patch_grid_make(43, 29, 4);
    double sum[88], out[88];
    assert_int_equal(grid.columns * grid.rows, 88);
    for (double sigma = 0.1; sigma < 1e6; sigma *= 7) {
        for (int r = 0; r < 8; r++)
            for (int c = 0; c < 11; c++)
                sum[r * 11 + c] = 2.5 * (c < 10 ? 4 : 3) * (r < 7 ? 4 : 1);
        assert_ok(&ctx, seg_patch_average(&ctx, &grid, sigma, sum, out, 1));
        for (int p = 0; p < 88; p++)
            assert_near(out[p], 2.5, 1e-12);
    }
    memset(sum, 0, sizeof sum);
    sum[3 * 11 + 5] = 16;
    assert_ok(&ctx, seg_patch_average(&ctx, &grid, 3, sum, out, 1));
    assert_true(out[3 * 11 + 5] > out[3 * 11 + 6] && out[3 * 11 + 6] > out[4 * 11 + 6] && out[4 * 11 + 6] > 0);
    assert_near(out[3 * 11 + 6], out[3 * 11 + 4], 1e-15);
    assert_near(out[3 * 11 + 6] / out[3 * 11 + 5], exp(-16.0 / 18), 1e-12);
    assert_true(out[3 * 11 + 8] == 0); /* 12 pixels away: behind 3 sigma */
}
