/* sRGB to CIELAB [iec61966; cie15]. Samples are looked up in a table of the sRGB curve; everything after is plain
 * arithmetic on short arrays that the compiler turns into vector code. */
#include "features/lab.h"
#include "base/base.h"
#include "features/columns.h"
#include "image/shown.h"
#include "linalg/dense.h"

#define CHUNK     256                   /* pixels converted at a time: the work arrays stay in the first-level cache */
#define THRESHOLD 0.008856451679035631f /* (6/29)^3, where the cube root takes over from the straight line */
#define SLOPE     7.787037037037037f    /* (29/6)^2 / 3 */

/* Linear sRGB to XYZ, each row divided by the white point (its own sum), so that white is exactly (1, 1, 1). */
static const float xyz[3][3] = {
    {(float)(0.4124564 / 0.9504700), (float)(0.3575761 / 0.9504700), (float)(0.1804375 / 0.9504700)},
    {(float)(0.2126729 / 1.0000001), (float)(0.7151522 / 1.0000001), (float)(0.0721750 / 1.0000001)},
    {(float)(0.0193339 / 1.0888300), (float)(0.1191920 / 1.0888300), (float)(0.9503041 / 1.0888300)},
};

float *seg_lab_table(seg_context *ctx, const seg_image *image) {
    const size_t values = image->depth == 16 ? 65536 : 256;
    int black, white;
    seg_image_ends(image, &black, &white);
    float *table = seg_alloc(ctx, values, sizeof *table);
    if (!table)
        return NULL;
    for (size_t v = 0; v < values; v++) {
        const double s = fmin(fmax((double)v - black, 0) / (double)(white - black), 1);
        table[v] = (float)(s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4));
    }
    return table;
}

/* Cube root of a number in about 0.008..1.1. A third of the bit pattern approximates a third of the logarithm, with an
 * error of 6 %; two steps of Halley's iteration, which cubes the error, reduce it to rounding. */
static inline float cube_root(float x) {
    int32_t bits;
    float y;
    memcpy(&bits, &x, sizeof bits);
    bits = (int32_t)((float)bits * (1.0f / 3.0f)) + 709965728;
    memcpy(&y, &bits, sizeof y);
    for (int step = 0; step < 2; step++) {
        float cube = y * y * y;
        y *= (cube + 2 * x) / (2 * cube + x);
    }
    return y;
}

static inline float lab_function(float t) {
    /* The clamp avoids slow denormal numbers in the root, which is not used for dark pixels. */
    float root = cube_root(t > THRESHOLD ? t : THRESHOLD);
    float line = SLOPE * t + 16.0f / 116.0f;
    return t > THRESHOLD ? root : line;
}

static void look_up(const seg_image *image, const float *restrict table, size_t first, size_t count,
                    float *restrict rgb) {
    const seg_image own = *image; /* which nothing else reaches: its depth is looked at once, not per sample */
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < 3; c++)
            rgb[c * CHUNK + i] = table[seg_image_sample(&own, 3 * (first + i) + c)];
}

static inline float row_of_xyz(const float *row, float red, float green, float blue) {
    return row[0] * red + row[1] * green + row[2] * blue;
}

static void convert(const float *restrict rgb, size_t count, float *restrict L, float *restrict a, float *restrict b) {
    for (size_t i = 0; i < count; i++) {
        float red = rgb[i], green = rgb[CHUNK + i], blue = rgb[2 * CHUNK + i];
        float fx = lab_function(row_of_xyz(xyz[0], red, green, blue));
        float fy = lab_function(row_of_xyz(xyz[1], red, green, blue));
        float fz = lab_function(row_of_xyz(xyz[2], red, green, blue));
        L[i] = 116.0f * fy - 16.0f;
        a[i] = 500.0f * (fx - fy);
        b[i] = 200.0f * (fy - fz);
    }
}

static void convert_lightness(const float *restrict rgb, size_t count, float *restrict L) {
    for (size_t i = 0; i < count; i++)
        L[i] = 116.0f * lab_function(row_of_xyz(xyz[1], rgb[i], rgb[CHUNK + i], rgb[2 * CHUNK + i])) - 16.0f;
}

void seg_lab_pixels(const seg_image *image, const float *table, size_t first, size_t count, seg_lab out) {
    float rgb[3 * CHUNK];
    for (size_t done = 0; done < count; done += CHUNK) {
        size_t now = count - done < CHUNK ? count - done : CHUNK;
        look_up(image, table, first + done, now, rgb);
        if (out.a)
            convert(rgb, now, out.L + done, out.a + done, out.b + done);
        else
            convert_lightness(rgb, now, out.L + done);
    }
}

typedef struct planes {
    const seg_image *image;
    const float *table;
    seg_lab out;
} planes;

static void convert_rows(void *arg, size_t top, size_t bottom, SEG_UNUSED int worker) {
    const planes *p = arg;
    const size_t width = (size_t)p->image->width, first = top * width;
    seg_lab to = {p->out.L + first, p->out.a ? p->out.a + first : NULL, p->out.b ? p->out.b + first : NULL};
    seg_lab_pixels(p->image, p->table, first, (bottom - top) * width, to);
}

seg_status seg_lab_planes(seg_context *ctx, const seg_image *image, seg_lab out) {
    SEG_LOCAL(float, table, seg_lab_table(ctx, image));
    seg_parallel(ctx, (size_t)image->height, 0, convert_rows, &(planes){image, table, out});
    return SEG_OK;
}

#define OFFSET    0.16  /* added to L / 100: the 16 of 116 f - 16 in CIELAB */
#define MIDDLE    0.5   /* L / 100 at which the columns equal a and b */
#define NO_CHROMA 0.005 /* half a unit of CIELAB: chroma of grey images by rounding or a scanner's tint */

static int any_colour(const seg_matrix *X, double weight) {
    for (size_t i = 0; i < X->rows; i++)
        for (size_t c = 1; c < 3; c++)
            if (fabs(X->at[i * X->cols + c]) > NO_CHROMA * weight)
                return 1;
    return 0;
}

seg_status seg_chromaticity_append(seg_context *ctx, const seg_feature_spec *spec, seg_matrix *X) {
    const double weight = spec->weight[SEG_FEATURE_MEAN];
    if (!(weight > 0) || !any_colour(X, weight))
        return SEG_OK;
    SEG_TRY(seg_matrix_widen(ctx, 2, X));
    for (size_t i = 0; i < X->rows; i++) {
        double *row = X->at + i * X->cols;
        const double factor = (MIDDLE + OFFSET) / (row[0] / weight + OFFSET); /* L >= 0 */
        row[X->cols - 2] = row[1] * factor;
        row[X->cols - 1] = row[2] * factor;
    }
    return SEG_OK;
}
