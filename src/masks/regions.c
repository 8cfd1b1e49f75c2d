/* Measurements of a mask's labels. All sums are integers but those of probabilities, which are added in pixel order. */
#include "base/base.h"
#include "base/bytes.h"
#include "image/shown.h"

#include <segment/regions.h>

/* The sums of a label from which its seg_region is computed. */
typedef struct sums {
    uint64_t x, y, z, colour[3], straight, diagonal;
    double probability;
    int column; /* of the scores; -1 where it has none */
} sums;

typedef struct measuring {
    const seg_mask *mask;
    const seg_image *image;
    const seg_region_scores *scores;
    seg_region *out;
    sums of[SEG_MAX_LABELS];
} measuring;

static int is_region(uint8_t label) {
    return label != 0 && label != SEG_VOID;
}

/* Rows of a slice; of an image all. */
static int rows_of(const seg_mask *mask) {
    return mask->height / (mask->slices > 1 ? mask->slices : 1);
}

/* Count the straight and the diagonal neighbours with other labels; pixels outside the slice have another label. */
static void add_borders(const seg_mask *mask, int x, int row, sums *s) {
    const int width = mask->width, height = rows_of(mask), y = row % height;
    const uint8_t *at = mask->label + (size_t)row * (size_t)width + (size_t)x;
    const uint8_t own = *at;
    const int west = x > 0, east = x + 1 < width, north = y > 0, south = y + 1 < height;
    const uint8_t *above = north ? at - width : at, *below = south ? at + width : at;
    s->straight += (uint64_t)(!(west && at[-1] == own) + !(east && at[1] == own) + !(north && *above == own) +
                              !(south && *below == own));
    s->diagonal += (uint64_t)(!(west && north && above[-1] == own) + !(east && north && above[1] == own) +
                              !(west && south && below[-1] == own) + !(east && south && below[1] == own));
}

/* Add a run of equal labels, x from..to-1 of a line of pixels. */
static void add_run(measuring *m, int line, int from, int to) {
    const seg_mask *mask = m->mask;
    const size_t row = (size_t)line * (size_t)mask->width;
    const int y = line % rows_of(mask), z = line / rows_of(mask);
    const int label = mask->label[row + (size_t)from];
    sums *s = &m->of[label - 1];
    seg_region *r = &m->out[label - 1];
    const uint64_t count = (uint64_t)(to - from);
    if (!r->pixels) {
        r->left = mask->width;
        r->top = y;
        r->first = z;
    }
    r->pixels += count;
    r->left = from < r->left ? from : r->left;
    r->right = to > r->right ? to : r->right;
    r->top = y < r->top ? y : r->top;
    r->bottom = y + 1 > r->bottom ? y + 1 : r->bottom;
    r->last = z + 1;
    s->x += count * (uint64_t)(from + to - 1) / 2; /* the sum of from..to-1 */
    s->y += count * (uint64_t)y;
    s->z += count * (uint64_t)z;
    for (int x = from; x < to; x++)
        add_borders(mask, x, line, s);
    for (size_t p = 3 * (row + (size_t)from); m->image && p < 3 * (row + (size_t)to); p++)
        s->colour[p % 3] += seg_image_sample(m->image, p);
    if (s->column >= 0)
        for (size_t p = row + (size_t)from; p < row + (size_t)to; p++)
            s->probability += (double)m->scores->probability[p * (size_t)m->scores->columns + (size_t)s->column];
}

/* A mean sample scaled for display: black is 0, white 255. */
static double shown(const seg_image *image, double mean) {
    int black = 0, white = 255;
    seg_image_ends(image, &black, &white);
    return fmin(fmax(255 * (mean - black) / (white - black), 0), 255);
}

static void finish(measuring *m, int label) {
    const sums *s = &m->of[label - 1];
    seg_region *r = &m->out[label - 1];
    const double pixels = (double)r->pixels;
    r->label = label;
    r->share = pixels / ((double)m->mask->width * m->mask->height);
    r->x = r->pixels ? (double)s->x / pixels + 0.5 : (double)NAN;
    r->y = r->pixels ? (double)s->y / pixels + 0.5 : (double)NAN;
    r->z = r->pixels ? (double)s->z / pixels + 0.5 : (double)NAN;
    r->outline = (double)s->straight;
    r->perimeter = acos(-1) / 8 * ((double)s->straight + (double)s->diagonal * sqrt(0.5)); /* [legland2007] */
    for (int c = 0; c < 3; c++)
        r->colour[c] = m->image && r->pixels ? shown(m->image, (double)s->colour[c] / pixels) : (double)NAN;
    r->probability = s->column >= 0 && r->pixels ? s->probability / pixels : (double)NAN;
}

static seg_status add_rows(seg_context *ctx, measuring *m) {
    const seg_mask *mask = m->mask;
    for (int y = 0; y < mask->height; y++) {
        const uint8_t *label = mask->label + (size_t)y * (size_t)mask->width;
        for (int from = 0, end; from < mask->width; from = end) {
            end = (int)seg_run_end(label, (size_t)from, (size_t)mask->width);
            if (is_region(label[from]))
                add_run(m, y, from, end);
        }
        SEG_TRY(y % 64 == 0 ? seg_poll(ctx) : SEG_OK);
    }
    return SEG_OK;
}

seg_status seg_regions_measure(seg_context *ctx, const seg_mask *mask, const seg_image *image,
                               const seg_region_scores *scores, seg_region *out) {
    measuring m = {.mask = mask, .image = image, .scores = scores, .out = out};
    memset(out, 0, SEG_MAX_LABELS * sizeof *out);
    if (image && (image->width != mask->width || image->height != mask->height))
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "the mask has %d x %d pixels, the image %d x %d; regions are measured of a mask of the image",
                        mask->width, mask->height, image->width, image->height);
    for (int l = 1; l <= SEG_MAX_LABELS; l++)
        m.of[l - 1].column = -1;
    for (int c = 0; scores && c < scores->columns; c++)
        if (is_region(scores->column_label[c]))
            m.of[scores->column_label[c] - 1].column = c;
    const seg_status status = add_rows(ctx, &m);
    for (int l = 1; l <= SEG_MAX_LABELS; l++)
        finish(&m, l);
    return status;
}
