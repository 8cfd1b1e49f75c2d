/* Painted pixels to the flat colours they were painted in. */
#include "base/base.h"
#include "image/strokes.h"

/* How far from a flat colour a pixel may be and still count as painted in it, and how far off the line from the ground
 * a blend may lie: small for soft brushes, larger for JPEG. */
#define SOFT_NEAR 32
#define SOFT_OFF  12
#define JPEG_NEAR 56
#define JPEG_OFF  40
#define CLOSE     16

typedef enum fate { EXACT, SNAPPED, LEFT, AMBIGUOUS } fate;

typedef struct rules {
    const seg_strokes *strokes;
    const seg_colour_count *flat;
    size_t flats;
    int near, off, tolerance;
} rules;

/* `distance`: from the flat colour, where the pixel gets one. */
static fate judge(const rules *r, size_t pixel, size_t *place, int *distance) {
    const uint32_t colour = seg_raster_colour(r->strokes->raster, pixel);
    ptrdiff_t found = seg_colour_find(r->flat, r->flats, colour);
    if (found >= 0) {
        *place = (size_t)found;
        *distance = 0;
        return EXACT;
    }
    const uint32_t ground = seg_strokes_ground(r->strokes, pixel);
    const int from_ground = seg_colour_distance(colour, ground);
    for (size_t f = 0; f < r->flats; f++) {
        int here = seg_colour_distance(colour, r->flat[f].colour);
        if (f == 0 || here < *distance) {
            *distance = here;
            *place = f;
        }
    }
    if (*distance <= r->near && *distance < from_ground)
        return SNAPPED;
    if (from_ground <= r->tolerance)
        return LEFT;
    for (size_t f = 0; f < r->flats; f++)
        if (seg_is_blend(colour, r->flat[f].colour, ground, r->off))
            return LEFT;
    return AMBIGUOUS;
}

#define LOST 255 /* marks ambiguous pixels until all labels are known */
#define NEAR 4   /* pixels from a stroke to what may belong to it */

static int any_label_near(const seg_strokes *strokes, size_t pixel) {
    const int width = strokes->raster->width, height = strokes->raster->height;
    const int x = (int)(pixel % (size_t)width), y = (int)(pixel / (size_t)width);
    for (int v = y - NEAR < 0 ? 0 : y - NEAR; v <= y + NEAR && v < height; v++)
        for (int u = x - NEAR < 0 ? 0 : x - NEAR; u <= x + NEAR && u < width; u++) {
            uint8_t label = strokes->label[(size_t)v * (size_t)width + (size_t)u];
            if (label != 0 && label != LOST)
                return 1;
        }
    return 0;
}

/* Ambiguous pixels become unmarked. @return those without a label near */
static size_t clear_ambiguous(seg_strokes *strokes) {
    size_t lost = 0;
    for (size_t i = 0; i < strokes->pixels; i++)
        if (strokes->label[i] == LOST)
            lost += !any_label_near(strokes, i);
    for (size_t i = 0; i < strokes->pixels; i++)
        if (strokes->label[i] == LOST)
            strokes->label[i] = 0;
    return lost;
}

seg_snapped seg_strokes_snap(seg_context *ctx, seg_strokes *strokes, const seg_colour_count *flat, size_t flats,
                             int tolerance, const uint8_t *label_of) {
    const int lossy = strokes->raster->lossy;
    const rules r = {strokes, flat, flats, lossy ? JPEG_NEAR : SOFT_NEAR, lossy ? JPEG_OFF : SOFT_OFF, 2 * tolerance};
    const int64_t pixels = (int64_t)strokes->pixels;
    size_t exact = 0, snapped = 0, left = 0, ambiguous = 0, close = 0;
#pragma omp parallel for num_threads(seg_threads(ctx)) schedule(static) reduction(+ : exact, snapped, left, ambiguous, close)
    for (int64_t i = 0; i < pixels; i++) {
        if (!strokes->label[i])
            continue;
        size_t place = 0;
        int distance = 256;
        fate f = judge(&r, (size_t)i, &place, &distance);
        exact += f == EXACT;
        snapped += f == SNAPPED;
        left += f == LEFT;
        ambiguous += f == AMBIGUOUS;
        close += f <= SNAPPED && distance <= CLOSE;
        strokes->label[i] = f <= SNAPPED ? label_of[place] : f == AMBIGUOUS ? LOST : 0;
    }
    const size_t lost = ambiguous ? clear_ambiguous(strokes) : 0;
    return (seg_snapped){exact, snapped, left, ambiguous, lost, close};
}
