/* Painted pixels to the labels of the strokes they belong to. */
#include "base/base.h"
#include "base/parallel.h"
#include "scribbles/strokes.h"

#define REACH 3  /* pixels to the core of the stroke whose label per pixel may have */
#define DENSE 12 /* of 25 pixels */
#define NEAR  4  /* pixels from a stroke to what may belong to it */
#define HOLE  5  /* of eight neighbours: more than lie on one side of a straight edge (3) or around a corner */

/* What a pixel is, in the lower six bits of its label until all are known: 1 + its colour's place, or one of these. */
#define PLACE     0x3f
#define LEFT      (PLACE - 1)
#define AMBIGUOUS PLACE
#define DROPPED   0x40
#define CORE      0x80

typedef struct rules {
    const seg_strokes *strokes;
    const seg_stroke_colour *colour;
    size_t colours;
    seg_stroke_limits limits;
} rules;

static unsigned judge(const rules *r, size_t pixel, int *exact) {
    const uint32_t colour = seg_raster_colour(r->strokes->raster, pixel);
    const uint32_t ground = seg_strokes_ground(r->strokes, pixel);
    const int contrast = seg_strokes_contrast(r->strokes, colour, ground);
    unsigned place = 0;
    int distance = 256;
    for (size_t f = 0; f < r->colours; f++) {
        const int here = seg_colour_distance(colour, seg_stroke_over(&r->colour[f], ground));
        if (here < distance) {
            distance = here;
            place = (unsigned)f;
        }
    }
    *exact = distance == 0;
    if (distance <= r->limits.near && distance < contrast)
        return place + 1;
    if (contrast <= 2 * r->strokes->ground->tolerance ||
        (seg_ground_is_copy(r->strokes->ground) && contrast < r->limits.contrast))
        return LEFT;
    for (size_t f = 0; f < r->colours && !r->strokes->ground->coarse; f++)
        if (seg_is_blend(colour, seg_stroke_over(&r->colour[f], ground), ground, r->limits.off))
            return LEFT;
    return AMBIGUOUS;
}

static int is_labelled(unsigned label) {
    return label && !(label & DROPPED) && (label & PLACE) < LEFT;
}

/* 1 where a pixel within `reach` has a label whose bits under `mask` are `wanted`. */
static int is_near(const seg_strokes *strokes, size_t pixel, int reach, unsigned mask, unsigned wanted) {
    const int width = strokes->raster->width, height = strokes->raster->height;
    const int x = (int)(pixel % (size_t)width), y = (int)(pixel / (size_t)width);
    for (int v = y - reach < 0 ? 0 : y - reach; v <= y + reach && v < height; v++)
        for (int u = x - reach < 0 ? 0 : x - reach; u <= x + reach && u < width; u++)
            if ((strokes->label[(size_t)v * (size_t)width + (size_t)u] & mask) == wanted)
                return 1;
    return 0;
}

/* 1 where a pixel that has a label is near. */
static int any_label_near(const seg_strokes *strokes, size_t pixel) {
    const int width = strokes->raster->width, height = strokes->raster->height;
    const int x = (int)(pixel % (size_t)width), y = (int)(pixel / (size_t)width);
    for (int v = y - NEAR < 0 ? 0 : y - NEAR; v <= y + NEAR && v < height; v++)
        for (int u = x - NEAR < 0 ? 0 : x - NEAR; u <= x + NEAR && u < width; u++) {
            const unsigned label = strokes->label[(size_t)v * (size_t)width + (size_t)u];
            if (is_labelled(label))
                return 1;
        }
    return 0;
}

/* On ground that is known nearly only, what is not dense is noise of the ground. */
static int is_dense(const seg_strokes *strokes, size_t pixel) {
    const int width = strokes->raster->width, height = strokes->raster->height;
    const int x = (int)(pixel % (size_t)width), y = (int)(pixel / (size_t)width);
    int dense = 0;
    for (int v = y - 2 < 0 ? 0 : y - 2; v <= y + 2 && v < height; v++)
        for (int u = x - 2 < 0 ? 0 : x - 2; u <= x + 2 && u < width; u++) {
            const unsigned label = strokes->label[(size_t)v * (size_t)width + (size_t)u];
            dense += (label & PLACE) == AMBIGUOUS || (label & DROPPED);
        }
    return dense >= DENSE;
}

/* Painted pixels without a label, counted by their neighbours: `solid` are ambiguous and have none with a label, so
 * more than a soft edge lies there; `holes` lie inside a stroke. */
static void count_gaps(const seg_strokes *strokes, seg_snapped *became) {
    const int width = strokes->raster->width, height = strokes->raster->height;
    for (int y = 1; y + 1 < height; y++)
        for (int x = 1; x + 1 < width; x++) {
            const size_t pixel = (size_t)y * (size_t)width + (size_t)x;
            const unsigned here = strokes->label[pixel];
            const int ambiguous = (here & PLACE) == AMBIGUOUS;
            int painted = 0, labelled = 0;
            if (!here || (!ambiguous && !(here & DROPPED) && !(here & CORE)) || is_labelled(here))
                continue;
            for (int v = y - 1; v <= y + 1; v++)
                for (int u = x - 1; u <= x + 1; u++) {
                    const unsigned label = strokes->label[(size_t)v * (size_t)width + (size_t)u];
                    painted += label != 0;
                    labelled += is_labelled(label);
                }
            became->solid += (size_t)(ambiguous && painted == 9 && labelled == 0);
            became->holes += (size_t)(labelled >= HOLE);
        }
}

typedef struct snapping {
    const rules *rules;
    uint8_t *label;
    size_t same; /* atomic: pixels of exactly their stroke's colour */
} snapping;

static void judge_pixels(void *arg, size_t first, size_t last, int worker) {
    snapping *s = arg;
    size_t same = 0;
    (void)worker;
    for (size_t i = first; i < last; i++) {
        uint8_t *label = &s->label[i];
        int exact = 0;
        if (!*label)
            continue;
        *label = (uint8_t)((*label == SEG_STROKE_CORE ? CORE : 0) | judge(s->rules, i, &exact));
        same += (size_t)exact;
    }
    __atomic_fetch_add(&s->same, same, __ATOMIC_RELAXED);
}

seg_snapped seg_strokes_snap(seg_context *ctx, seg_strokes *strokes, const seg_stroke_colour *colour, size_t colours,
                             const uint8_t *label_of) {
    const rules r = {strokes, colour, colours, seg_stroke_limits_of(strokes)};
    snapping s = {&r, strokes->label, 0};
    seg_snapped became = {0};
    seg_parallel(ctx, strokes->pixels, 0, judge_pixels, &s);
    /* The soft edge of one stroke may have the colour of another: without a core of that one it is an edge. */
    for (size_t i = 0; i < strokes->pixels; i++) {
        const unsigned label = strokes->label[i], place = label & PLACE;
        if (place >= 1 && place < LEFT && !(label & CORE) && !is_near(strokes, i, REACH, CORE | PLACE, CORE | place))
            strokes->label[i] |= DROPPED;
    }
    for (size_t i = 0; i < strokes->pixels; i++) {
        const unsigned label = strokes->label[i];
        if (!label)
            continue;
        const int ambiguous = (label & PLACE) == AMBIGUOUS, dropped = (label & DROPPED) != 0;
        became.ambiguous += (size_t)(ambiguous && (!strokes->ground->coarse || (label & CORE)));
        became.left += (label & PLACE) == LEFT || dropped;
        became.snapped += (label & PLACE) < LEFT && !dropped;
        const int gone = ambiguous || dropped;
        if (gone && !any_label_near(strokes, i))
            became.lost += !strokes->ground->tolerance || is_dense(strokes, i);
    }
    count_gaps(strokes, &became);
    became.exact = s.same < became.snapped ? s.same : became.snapped;
    became.snapped -= became.exact;
    for (size_t i = 0; i < strokes->pixels; i++) {
        const unsigned label = strokes->label[i], place = label & PLACE;
        strokes->label[i] = label && place < LEFT && !(label & DROPPED) ? label_of[place - 1] : 0;
    }
    return became;
}

seg_snapped seg_strokes_snap_exact(seg_strokes *strokes, const seg_colour_count *flat, size_t flats,
                                   const uint8_t *label_of) {
    seg_snapped became = {0};
    for (size_t i = 0; i < strokes->pixels; i++) {
        if (!strokes->label[i])
            continue;
        const ptrdiff_t place = seg_colour_find(flat, flats, seg_raster_colour(strokes->raster, i));
        strokes->label[i] = place >= 0 ? label_of[place] : 0;
        became.exact++;
    }
    return became;
}
