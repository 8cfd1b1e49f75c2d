/* The flat colours of lossless strokes.
 *
 * Without soft edges every colour of a stroke is flat. A soft edge has colours between a flat one and the ground that
 * form no areas. A colour is a fringe if less than a quarter of its pixels are in areas of the same colour, and at
 * least four fifths are blends of the ground under them and another colour near them. Thus dark red areas beside red
 * ones stay a label, and so do dark red pencil strokes away from red ones. Strokes are soft if some colour is a fringe,
 * if a translucent brush has left many colours of a few pixels, or if there are many colours; stroke_colours.c finds
 * the colours of soft strokes. */
#include "base/base.h"
#include "scribbles/strokes.h"

#define STRONG      64 /* least contrast of a colour with fringes; label numbers used as colours have less */
#define TOUCH_ERROR 12 /* residual of a blend (seg_is_blend): programs blend in different ways */
#define TOUCH       2  /* pixels from a fringe to its colour */
#define AREA        4  /* least pixels of one colour among 3 x 3 in an area: a line has three */
#define TOUCH_FEWER 8  /* a fringe is at most 8 times as frequent as the colour near it */
#define FEW_PIXELS  3  /* most pixels of a colour that a translucent brush left on a varying ground */
#define ALIKE       24 /* approximate distance of similar colours from such a brush */
#define FEW_ALIKE   3  /* at least this many such colours mean a translucent brush; dots of a pen differ more */

/* A pixel and the colours of all strokes. */
typedef struct touching {
    const seg_colour_count *list;
    size_t colours, own;
    uint32_t ground;
} touching;

static int has_colour(const seg_strokes *strokes, size_t pixel, const void *colour) {
    return strokes->label[pixel] && seg_strokes_colour(strokes, pixel) == *(const uint32_t *)colour;
}

/* 1 where the colour `own` may be a blend of the ground and the colour of pixel `other`. */
static int is_stronger(const seg_strokes *strokes, size_t other, const void *arg) {
    const touching *t = arg;
    const seg_colour_count *own = &t->list[t->own];
    const uint32_t colour = seg_strokes_colour(strokes, other);
    return strokes->label[other] && colour != own->colour &&
           seg_strokes_contrast(strokes, colour, t->ground) >= STRONG &&
           (uint64_t)t->list[seg_colour_place(t->list, t->colours, colour)].count * TOUCH_FEWER >= own->count &&
           seg_is_blend(own->colour, colour, t->ground, TOUCH_ERROR);
}

/* 1 where some colour is a fringe; up to one in five of its pixels may be exceptions. */
static int has_fringes(const seg_strokes *strokes, const seg_colour_count *list, size_t colours) {
    size_t in_areas[SEG_FEW_COLOURS] = {0}, beside[SEG_FEW_COLOURS] = {0};
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < strokes->pixels; i++) {
            if (!strokes->label[i])
                continue;
            const uint32_t colour = seg_strokes_colour(strokes, i);
            const size_t own = seg_colour_place(list, colours, colour);
            if (!round)
                in_areas[own] += seg_strokes_around(strokes, i, 1, AREA, has_colour, &colour) == AREA;
            else if (4 * in_areas[own] < list[own].count)
                beside[own] += seg_strokes_around(strokes, i, TOUCH, 1, is_stronger,
                                                  &(touching){list, colours, own, seg_strokes_ground(strokes, i)});
        }
    for (size_t c = 0; c < colours; c++)
        if (5 * beside[c] >= 4 * (size_t)list[c].count)
            return 1;
    return 0;
}

/* 1 where a translucent brush has left many colours on a copy of the image: several with a few pixels each, and each
 * similar to another of them. Each would become a label. */
static int looks_translucent(const seg_strokes *strokes, const seg_colour_count *list, size_t colours) {
    size_t alike = 0;
    if (!seg_ground_is_copy(strokes->ground))
        return 0;
    for (size_t a = 0; a < colours; a++) {
        int found = 0;
        for (size_t b = 0; b < colours && !found && list[a].count <= FEW_PIXELS; b++)
            found =
                b != a && list[b].count <= FEW_PIXELS && seg_colour_distance(list[a].colour, list[b].colour) < ALIKE;
        alike += (size_t)found;
    }
    return alike >= FEW_ALIKE;
}

seg_status seg_flat_colours_find(seg_context *ctx, seg_strokes *strokes, int *soft) {
    const seg_colour_source source = {
        .raster = strokes->raster, .least = strokes->least_opacity, .label = strokes->label};
    SEG_FREED seg_colour_count *list = NULL;
    size_t colours = 0;
    *soft = 1;
    SEG_TRY(seg_colours_list(ctx, &source, SEG_FEW_COLOURS, &list, &colours));
    if (colours > SEG_FEW_COLOURS || has_fringes(strokes, list, colours) || looks_translucent(strokes, list, colours))
        return SEG_OK;
    *soft = 0;
    for (size_t c = 0; c < colours; c++)
        strokes->colour[c] = (seg_stroke_colour){list[c].colour, list[c].count};
    strokes->colours = colours;
    return SEG_OK;
}
