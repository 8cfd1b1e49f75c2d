/* Contrast, brightness and colour cast of the image that the stages see. A value of a sample counts by the square root
 * of the number of samples that have it: large areas of black or white hardly matter, small objects do. */
#include "base/base.h"
#include "image/raster.h"
#include "image/shown.h"

enum { VALUES = 256, HALVINGS = 16 };
#define LEAST       32   /* shown values that count as used: with fewer, noise would be contrast */
#define RARE        200  /* times what each end leaves out */
#define WHITE       0.85 /* of the channel with the brightest end: those of the others (docs/history/brightness.md), */
#define MOST_GAIN   4.0  /* but a channel that is nearly black has little else than noise */
#define BRIGHT      0.4  /* of white: the mean of an image that is not dark */
#define LEAST_POWER 0.25 /* of a dark one's values, */
#define TOE         0.02 /* to which this is added: near black is mostly noise */

void seg_image_count(const seg_image *rows, int top, int all, uint32_t *count) {
    const size_t width = 3 * (size_t)rows->width;
    const int step = (int)(width * (size_t)all >> 22) + 1;
    for (int y = 0; y < rows->height; y++)
        for (size_t i = (size_t)y * width; (top + y) % step == 0 && i < ((size_t)y + 1) * width; i++)
            count[i % 3 * SEG_SAMPLE_VALUES + seg_image_sample(rows, i)]++;
}

static int last_of(const seg_image *image) {
    return image->depth == 16 ? UINT16_MAX : UINT8_MAX;
}

/* The weights of the values, 0 to 255, as they are shown times the gain of their channel. Their sum is 1. */
static void weigh(const uint32_t *count, const seg_image *image, const double gain[3], double *weight) {
    double all = 0;
    int black, white;
    seg_image_ends(image, &black, &white);
    memset(weight, 0, VALUES * sizeof *weight);
    for (int c = 0; c < 3; c++)
        for (int v = 0; gain[c] > 0 && v <= last_of(image); v++)
            weight[lround(fmin(gain[c] * seg_shown((unsigned)v, black, white), 255))] +=
                count[c * SEG_SAMPLE_VALUES + v];
    for (int v = 0; v < VALUES; v++)
        all += weight[v] = sqrt(weight[v]);
    for (int v = 0; v < VALUES; v++)
        weight[v] /= all;
}

/* The first value from an end on that is not rare. */
static int end_of(const double *weight, int value, int step) {
    for (double sum = weight[value]; sum * RARE < 1; sum += weight[value])
        value += step;
    return value;
}

void seg_image_find_ends(const uint32_t *count, seg_image *image) {
    double weight[VALUES];
    int black, white;
    seg_image_ends(image, &black, &white);
    weigh(count, image, (double[]){1, 1, 1}, weight);
    int low = end_of(weight, 0, 1);
    const int high = end_of(weight, 255, -1), wide = (high - low > LEAST ? high - low : LEAST) * 4 / 3;
    if (wide >= 255)
        return;
    low = (low + high - wide) / 2;
    low = low < 0 ? 0 : seg_smaller(low, 255 - wide);
    image->low = black + low * (white - black) / 255;
    image->high = black + (low + wide) * (white - black) / 255;
}

/* A value, 0 to 1. */
static double brighter(double value, double power) {
    const double black = pow(TOE, power);
    return (pow(value + TOE, power) - black) / (pow(1 + TOE, power) - black);
}

static double mean_of(const double *weight, double power) {
    double mean = 0;
    for (int v = 0; v < VALUES; v++)
        mean += weight[v] * brighter(v / 255.0, power);
    return mean;
}

/* How much brighter each channel has to be, so that none is much darker than the others. */
static void find_gains(const uint32_t *count, const seg_image *image, double gain[3]) {
    double weight[VALUES], end[3], most = 0;
    for (int c = 0; c < 3; c++) {
        weigh(count, image, (double[]){c == 0, c == 1, c == 2}, weight);
        end[c] = end_of(weight, 255, -1);
        most = fmax(most, end[c]);
    }
    for (int c = 0; c < 3; c++)
        gain[c] = fmin(fmax(WHITE * most / fmax(end[c], 1), 1), MOST_GAIN);
}

seg_status seg_image_relight(seg_context *ctx, const seg_image *image, seg_image *out) {
    const size_t samples = 3 * (size_t)image->width * (size_t)image->height;
    double gain[3], weight[VALUES], least = LEAST_POWER, most = 1;
    int black, white;
    memset(out, 0, sizeof *out);
    SEG_LOCAL(uint32_t, count, seg_alloc_zero(ctx, SEG_SAMPLE_COUNTS, sizeof *count));
    SEG_LOCAL(uint8_t, table, seg_alloc(ctx, SEG_SAMPLE_COUNTS, 1));
    seg_image_count(image, 0, image->height, count);
    seg_image_ends(image, &black, &white);
    find_gains(count, image, gain);
    weigh(count, image, gain, weight);
    for (int i = 0; i < HALVINGS; i++) {
        const double power = (least + most) / 2;
        *(mean_of(weight, power) < BRIGHT ? &most : &least) = power;
    }
    if (most >= 1 && gain[0] * gain[1] * gain[2] <= 1)
        return SEG_OK;
    uint8_t *light = out->data = seg_alloc(ctx, samples, 1);
    SEG_TRY(seg_allocated(light));
    for (int c = 0; c < 3; c++)
        for (int v = 0; v <= last_of(image); v++) {
            const double shown = fmax(v - black, 0) / (white - black);
            table[c * SEG_SAMPLE_VALUES + v] = (uint8_t)lround(255 * brighter(fmin(gain[c] * shown, 1), most));
        }
    for (size_t i = 0; i < samples; i++)
        light[i] = table[i % 3 * SEG_SAMPLE_VALUES + seg_image_sample(image, i)];
    seg_log(ctx, SEG_LOG_INFO,
            "features and refinement see the image's red, green and blue times %.2f, %.2f, %.2f, to the power of %.2f",
            gain[0], gain[1], gain[2], most);
    *out = (seg_image){image->width, image->height, 8, image->grey, light, 0, 0};
    return SEG_OK;
}

seg_status seg_image_see(seg_context *ctx, int slices, seg_image *owned, seg_image *seen) {
    SEG_LOCAL(uint32_t, count, seg_alloc(ctx, SEG_SAMPLE_COUNTS, sizeof *count));
    for (int turn = 0; turn < 3; turn++) {
        seg_image copy = {0};
        if (turn == 1 || slices <= 1)
            SEG_TRY(turn == 1 ? seg_image_relight(ctx, seen, &copy) : seg_image_smooth_noise(ctx, seen, &copy));
        if (!copy.data)
            continue;
        seg_image_free(owned);
        *owned = *seen = copy;
        memset(count, 0, SEG_SAMPLE_COUNTS * sizeof *count);
        seg_image_count(seen, 0, seen->height, count);
        seg_image_find_ends(count, seen);
    }
    return SEG_OK;
}
