/* The outline of an object by the colours on its two sides: local linear regression of the label on the colour
 * [he2013guided], of which only the side of one half matters. */
#include "base/base.h"
#include "image/shown.h"
#include "masks/photo_passes.h"

#define REACH  5    /* pixels to each side of the window around a pixel */
#define NOISE  10.0 /* added to the variances of colours, 0..255, so that small differences decide nothing */
#define ROUNDS 2
#define ROWS   32 /* of one block of parallel work */

/* Sums over pixels, exact in integers: how many are of the first column, the colours, the colours of the first column,
 * and the products of colours. */
enum { FIRST, COLOUR, OF_FIRST = COLOUR + 3, PRODUCT = OF_FIRST + 3, SUMS = 16 };

typedef struct outlining {
    int width, height;
    const uint8_t *colour; /* three bytes each */
    const seg_pixel_scribbles *scribbles;
    const uint8_t *from;
    uint8_t *to;
    int32_t *rooms; /* of each worker: SUMS for each column of pixels */
} outlining;

static void add_row(const outlining *o, int y, int32_t sign, int32_t *sums) {
    const size_t row = (size_t)y * (size_t)o->width;
    for (int x = 0; y >= 0 && y < o->height && x < o->width; x++, sums += SUMS) {
        const uint8_t *colour = o->colour + 3 * (row + (size_t)x);
        const int32_t c[3] = {sign * colour[0], sign * colour[1], sign * colour[2]},
                      first = o->from[row + (size_t)x] == 0;
        sums[FIRST] += sign * first;
        for (int i = 0, at = PRODUCT; i < 3; i++) {
            sums[COLOUR + i] += c[i];
            sums[OF_FIRST + i] += first * c[i];
            for (int j = 0; j <= i; j++)
                sums[at++] += c[i] * colour[j];
        }
    }
}

/* What the regression over n pixels with these sums says of a colour: the first column, 0, or the other, 1. The share
 * of the first column plus v' C^-1 d, where v are the covariances of colours and label, C those of colours, and d is
 * the colour without the mean: with C = F F', the product of F^-1 v and F^-1 d. */
static uint8_t side_of(const int32_t *sums, double n, const uint8_t *colour) {
    const double share = sums[FIRST] / n;
    double F[3][3], v[3], d[3], said = share;
    for (int i = 0, at = PRODUCT; i < 3; i++) {
        const double mean = sums[COLOUR + i] / n;
        v[i] = sums[OF_FIRST + i] / n - share * mean;
        d[i] = colour[i] - mean;
        for (int j = 0; j <= i; j++) {
            F[i][j] = sums[at++] / n - mean * (sums[COLOUR + j] / n) + (i == j ? NOISE : 0);
            for (int k = 0; k < j; k++)
                F[i][j] -= F[i][k] * F[j][k];
            F[i][j] = i == j ? sqrt(F[i][j]) : F[i][j] / F[j][j];
        }
        for (int j = 0; j < i; j++) {
            v[i] -= F[i][j] * v[j];
            d[i] -= F[i][j] * d[j];
        }
        v[i] /= F[i][i];
        d[i] /= F[i][i];
        said += v[i] * d[i];
    }
    return said > 0.5 ? 0 : 1;
}

static void outline_rows(void *arg, size_t first, size_t last, int worker) {
    const outlining *o = arg;
    int32_t *columns = o->rooms + (size_t)worker * (size_t)o->width * SUMS;
    memset(columns, 0, (size_t)o->width * SUMS * sizeof *columns);
    for (int y = (int)first - REACH; y < (int)first + REACH; y++)
        add_row(o, y, 1, columns);
    for (int y = (int)first; y < (int)last; y++) {
        const int high = (y + REACH < o->height ? y + REACH : o->height - 1) - (y > REACH ? y - REACH : 0) + 1;
        int32_t sums[SUMS] = {0};
        add_row(o, y + REACH, 1, columns);
        if (y > (int)first)
            add_row(o, y - REACH - 1, -1, columns);
        for (int x = -REACH; x < o->width; x++) {
            for (int s = 0; x + REACH < o->width && s < SUMS; s++)
                sums[s] += columns[(size_t)(x + REACH) * SUMS + (size_t)s];
            for (int s = 0; x > REACH && s < SUMS; s++)
                sums[s] -= columns[(size_t)(x - REACH - 1) * SUMS + (size_t)s];
            if (x < 0)
                continue;
            const size_t p = (size_t)y * (size_t)o->width + (size_t)x;
            const int n = high * ((x + REACH < o->width ? x + REACH : o->width - 1) - (x > REACH ? x - REACH : 0) + 1);
            const int mixed = sums[FIRST] > 0 && sums[FIRST] < n && seg_mark_at(o->scribbles, p) < 0;
            o->to[p] = mixed ? side_of(sums, n, o->colour + 3 * p) : o->from[p];
        }
    }
}

seg_status seg_outline_settle(seg_context *ctx, const seg_image *photo, const seg_pixel_scribbles *scribbles,
                              uint8_t *label, size_t *changed) {
    const size_t width = (size_t)photo->width, height = (size_t)photo->height, n = width * height;
    const size_t worker = width * SUMS;
    SEG_LOCAL(uint8_t, colour, seg_alloc(ctx, n, 3));
    SEG_LOCAL(uint8_t, from, seg_alloc(ctx, n, 2));
    SEG_LOCAL(int32_t, rooms, seg_alloc(ctx, (size_t)seg_threads(ctx), worker * sizeof *rooms));
    outlining o = {photo->width, photo->height, colour, scribbles, from, label, rooms};
    for (int y = 0; y < photo->height; y++)
        seg_shown_row(photo, y, colour + 3 * width * (size_t)y);
    memcpy(from + n, label, n);
    for (int round = 0; round < ROUNDS; round++) {
        memcpy(from, label, n);
        SEG_TRY(seg_parallel_polled(ctx, height, ROWS, outline_rows, &o));
    }
    *changed = 0;
    for (size_t p = 0; p < n; p++)
        *changed += label[p] != from[n + p];
    return SEG_OK;
}
