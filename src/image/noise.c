/* The noise of an image, and a copy without it. The product of the second differences along both axes has no mean, and
 * is small where an image is smooth [immerkaer1996]. A pixel becomes the mean of those around it, of which near and
 * similar ones count most [tomasi1998], so that borders and thin lines stay. */
#include "base/base.h"
#include "image/shown.h"

enum {
    TILE = 16,      /* side of the squares of pixels in which noise is measured */
    STEPS = 16,     /* noise is counted in this part of a grey value, */
    LEVELS = 1024,  /* up to 64 */
    RARE = 20,      /* one of so many tiles has less than what counts as noise; the others have texture, too */
    MOST = 1 << 20, /* pixels that are measured, approximately */
    REACH = 2,      /* of the smoothing */
    SIDE = 2 * REACH + 1,
    TAPS = SIDE * SIDE,
    UNIT = 256
};
/* Chosen so that no image of the object sets is smoothed (docs/history/noise.md). */
#define LEAST  3.0  /* grey values of 255: noise that changes masks */
#define NEAR   1.5  /* standard deviation of the weights by place */
#define ALIKE  7.0  /* of those by the difference of colours, in standard deviations of the noise of a sample */
#define SINGLE 0.75 /* noise of pixels over that of means of 2 x 2: 1 for independent pixels, less for texture */

/* The standard deviation of normal noise with the mean response that the values of a square have. */
static double spread(const int *value, int side) {
    int sum = 0;
    for (int y = 1; y + 1 < side; y++)
        for (int x = 1; x + 1 < side; x++) {
            const int *v = value + y * side + x, *above = v - side, *below = v + side;
            sum +=
                abs(above[-1] + above[1] + below[-1] + below[1] - 2 * (above[0] + v[-1] + v[1] + below[0]) + 4 * v[0]);
        }
    return sum * sqrt(acos(-1) / 2) / (6 * (side - 2) * (side - 2));
}

static double quantile(const uint32_t *count) {
    uint32_t all = 0, sum = 0;
    int level = 0;
    for (int l = 0; l < LEVELS; l++)
        all += count[l];
    while (level < LEVELS - 1 && (sum += count[level]) * RARE < all)
        level++;
    return (double)level / STEPS;
}

/* Count a tile whose rows are `stride` samples apart, unless it has black or white: noise does not show there. */
static void measure(const uint8_t *row, size_t stride, uint32_t count[2][LEVELS]) {
    int value[TILE * TILE] = {0}, mean[TILE * TILE / 4] = {0};
    for (int p = 0; p < TILE * TILE; p++) {
        const uint8_t v = row[(size_t)(p / TILE) * stride + 3 * (size_t)(p % TILE)];
        if (v == 0 || v == UINT8_MAX)
            return;
        value[p] = v;
        mean[p / (2 * TILE) * (TILE / 2) + p % TILE / 2] += v; /* four times the mean */
    }
    count[0][seg_smaller((int)(STEPS * spread(value, TILE)), LEVELS - 1)]++;
    count[1][seg_smaller((int)(STEPS * spread(mean, TILE / 2) / 2), LEVELS - 1)]++;
}

/* How different colours are (the sum over the samples) that the smoothing takes for one, as a standard deviation. */
static double likeness(const uint8_t *shown, size_t width, size_t height) {
    const size_t step = TILE * (1 + width * height / MOST);
    uint32_t count[2][LEVELS] = {{0}};
    for (size_t top = 0; top + TILE <= height; top += step)
        for (size_t x = 0; x + TILE <= width; x += TILE)
            for (size_t c = 0; c < 3; c++)
                measure(shown + 3 * (top * width + x) + c, 3 * width, count);
    const double fine = quantile(count[0]), coarse = quantile(count[1]);
    const double share = fine > coarse ? 1 : (fine / coarse - SINGLE) / (1 - SINGLE);
    return fine > LEAST && share > 0 ? ALIKE * fine * share * fmin(fine - LEAST, 1) : 0;
}

typedef struct smoothing {
    int width, height;
    uint8_t *shown, *to;
    uint32_t near[TAPS], alike[3 * UINT8_MAX + 1]; /* weights by place and by difference, at most UNIT */
} smoothing;

static void smooth_rows(void *arg, size_t top, size_t bottom, SEG_UNUSED int worker) {
    const smoothing *s = arg;
    const size_t width = (size_t)s->width;
    for (size_t p = top * width; p < bottom * width; p++) {
        const int x = (int)(p % width), y = (int)(p / width);
        const uint8_t *own = s->shown + 3 * p;
        uint32_t all = 0, sum[3] = {0, 0, 0};
        for (int t = 0; t < TAPS; t++) {
            const int v = seg_within(y + t / SIDE - REACH, s->height), u = seg_within(x + t % SIDE - REACH, s->width);
            const uint8_t *other = s->shown + 3 * ((size_t)v * width + (size_t)u);
            const int difference = abs(other[0] - own[0]) + abs(other[1] - own[1]) + abs(other[2] - own[2]);
            const uint32_t weight = s->near[t] * s->alike[difference];
            all += weight;
            for (int c = 0; c < 3; c++)
                sum[c] += weight * other[c];
        }
        for (int c = 0; c < 3; c++)
            s->to[3 * p + (size_t)c] = (uint8_t)((sum[c] + all / 2) / all);
    }
}

static uint32_t normal(double square, double deviation) {
    return (uint32_t)lround(UNIT * exp(-square / (2 * deviation * deviation)));
}

seg_status seg_image_smooth_noise(seg_context *ctx, const seg_image *image, seg_image *out) {
    const size_t stride = 3 * (size_t)image->width, rows = (size_t)image->height;
    SEG_LOCAL(uint8_t, shown, seg_alloc(ctx, stride, rows));
    for (int y = 0; y < image->height; y++)
        seg_shown_row(image, y, shown + (size_t)y * stride);
    const double like = likeness(shown, stride / 3, rows);
    memset(out, 0, sizeof *out);
    if (like <= 0)
        return SEG_OK;
    SEG_TRY(seg_allocated(out->data = seg_alloc(ctx, stride, rows)));
    smoothing s = {image->width, image->height, shown, out->data, {0}, {0}};
    for (int t = 0; t < TAPS; t++)
        s.near[t] = normal(pow(t / SIDE - REACH, 2) + pow(t % SIDE - REACH, 2), NEAR);
    for (int d = 0; d <= 3 * UINT8_MAX; d++)
        s.alike[d] = normal((double)d * d, like);
    seg_log(ctx, SEG_LOG_INFO, "the image has noise, which is smoothed for features and refinement");
    seg_parallel(ctx, rows, 0, smooth_rows, &s);
    *out = (seg_image){image->width, image->height, 8, image->grey, out->data, 0, 0};
    return SEG_OK;
}
