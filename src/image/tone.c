/* Contrast and brightness of the image that the stages see. A value of a sample counts by the square root of the number
 * of samples that have it: large areas of black or white hardly matter, small objects do. */
#include "base/base.h"
#include "image/raster.h"
#include "image/shown.h"

enum { VALUES = 256, HALVINGS = 16 };
#define LEAST       32   /* shown values that count as used: with fewer, noise would be contrast */
#define RARE        200  /* times what each end leaves out */
#define BRIGHT      0.4  /* of white: the mean of an image that is not dark (docs/history/brightness.md) */
#define LEAST_POWER 0.25 /* of a dark one's values, */
#define TOE         0.02 /* to which this is added: near black is mostly noise */

void seg_image_count(const seg_image *rows, int top, int all, uint32_t *count) {
    const size_t width = 3 * (size_t)rows->width;
    const int step = (int)(width * (size_t)all >> 22) + 1;
    for (int y = 0; y < rows->height; y++)
        for (size_t i = (size_t)y * width; (top + y) % step == 0 && i < ((size_t)y + 1) * width; i++)
            count[seg_image_sample(rows, i)]++;
}

/* The weights of the values as they are shown, 0 to 255. Their sum is 1. */
static void weigh(const uint32_t *count, const seg_image *image, double *weight) {
    double all = 0;
    int black, white;
    seg_image_ends(image, &black, &white);
    memset(weight, 0, VALUES * sizeof *weight);
    for (int v = 0; v <= (image->depth == 16 ? UINT16_MAX : UINT8_MAX); v++)
        weight[seg_shown((unsigned)v, black, white)] += count[v];
    for (int v = 0; v < VALUES; v++)
        all += weight[v] = sqrt(weight[v]);
    for (int v = 0; v < VALUES; v++)
        weight[v] /= all;
}

void seg_image_find_ends(const uint32_t *count, seg_image *image) {
    double weight[VALUES], below = 0, above = 0;
    int black, white, low = 0, high = 255;
    seg_image_ends(image, &black, &white);
    weigh(count, image, weight);
    while ((below += weight[low]) * RARE < 1)
        low++;
    while ((above += weight[high]) * RARE < 1)
        high--;
    const int wide = (high - low > LEAST ? high - low : LEAST) * 4 / 3;
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

seg_status seg_image_brighten(seg_context *ctx, const seg_image *image, const uint32_t *count, seg_image *out) {
    const size_t samples = 3 * (size_t)image->width * (size_t)image->height;
    double weight[VALUES], least = LEAST_POWER, most = 1;
    int black, white;
    seg_image_ends(image, &black, &white);
    weigh(count, image, weight);
    memset(out, 0, sizeof *out);
    if (mean_of(weight, 1) >= BRIGHT)
        return SEG_OK;
    for (int i = 0; i < HALVINGS; i++) {
        const double power = (least + most) / 2;
        *(mean_of(weight, power) < BRIGHT ? &most : &least) = power;
    }
    SEG_LOCAL(uint8_t, table, seg_alloc(ctx, UINT16_MAX + 1, 1));
    uint8_t *bright = out->data = seg_alloc(ctx, samples, 1);
    SEG_TRY(seg_allocated(bright));
    for (int v = 0; v <= (image->depth == 16 ? UINT16_MAX : UINT8_MAX); v++)
        table[v] = (uint8_t)lround(255 * brighter(fmin(fmax(v - black, 0) / (white - black), 1), most));
    for (size_t i = 0; i < samples; i++)
        bright[i] = table[seg_image_sample(image, i)];
    seg_log(ctx, SEG_LOG_INFO, "the image is dark; features and refinement see its values to the power of %.2f", most);
    *out = (seg_image){image->width, image->height, 8, image->grey, bright, 0, 0};
    return SEG_OK;
}
