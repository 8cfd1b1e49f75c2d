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
        strokes->label[i] = f <= SNAPPED ? label_of[place] : 0;
    }
    return (seg_snapped){exact, snapped, left, ambiguous, close};
}
