/* Painted pixels to the flat colours they were painted in. */
#include "base/base.h"
#include "base/parallel.h"
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

typedef struct snapping {
    const rules *r;
    seg_strokes *strokes;
    const uint8_t *label_of;
    size_t exact, snapped, left, ambiguous, close; /* atomic */
} snapping;

static void snap_pixels(void *arg, size_t first, size_t last, int worker) {
    snapping *s = arg;
    uint8_t *label = s->strokes->label;
    size_t exact = 0, snapped = 0, left = 0, ambiguous = 0, close = 0;
    (void)worker;
    for (size_t i = first; i < last; i++) {
        if (!label[i])
            continue;
        size_t place = 0;
        int distance = 256;
        fate f = judge(s->r, i, &place, &distance);
        exact += f == EXACT;
        snapped += f == SNAPPED;
        left += f == LEFT;
        ambiguous += f == AMBIGUOUS;
        close += f <= SNAPPED && distance <= CLOSE;
        label[i] = f <= SNAPPED ? s->label_of[place] : f == AMBIGUOUS ? LOST : 0;
    }
    __atomic_fetch_add(&s->exact, exact, __ATOMIC_RELAXED);
    __atomic_fetch_add(&s->snapped, snapped, __ATOMIC_RELAXED);
    __atomic_fetch_add(&s->left, left, __ATOMIC_RELAXED);
    __atomic_fetch_add(&s->ambiguous, ambiguous, __ATOMIC_RELAXED);
    __atomic_fetch_add(&s->close, close, __ATOMIC_RELAXED);
}

seg_snapped seg_strokes_snap(seg_context *ctx, seg_strokes *strokes, const seg_colour_count *flat, size_t flats,
                             int tolerance, const uint8_t *label_of) {
    const int lossy = strokes->raster->lossy;
    const rules r = {strokes, flat, flats, lossy ? JPEG_NEAR : SOFT_NEAR, lossy ? JPEG_OFF : SOFT_OFF, 2 * tolerance};
    snapping s = {&r, strokes, label_of, 0, 0, 0, 0, 0};
    seg_parallel(ctx, strokes->pixels, 0, snap_pixels, &s);
    const size_t lost = s.ambiguous ? clear_ambiguous(strokes) : 0;
    return (seg_snapped){s.exact, s.snapped, s.left, s.ambiguous, lost, s.close};
}
