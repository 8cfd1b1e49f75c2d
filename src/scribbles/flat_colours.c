/* The flat colours of lossless strokes.
 *
 * Without soft edges every colour of a stroke is flat. A soft edge shows as colours between a flat one and the ground
 * that form no areas. A colour is a fringe of another if few of its pixels are in a 2 x 2 square of the same colour,
 * and nearly all are blends of the other one with what lies under them and touch it. Thus dark red areas beside red
 * ones stay a label, and so do dark red pencil strokes apart from red ones. Strokes are soft where some colour is a
 * fringe, where a translucent brush has left many colours of a few pixels, or where there are many colours;
 * stroke_colours.c finds the colours of those. */
#include "base/base.h"
#include "image/colour_counts.h"
#include "scribbles/strokes.h"

#define SAMPLES     32 /* pixels of a colour that are looked at */
#define STRONG      64 /* least contrast of a colour that has fringes; label numbers that are used as colours have less */
#define TOUCH_ERROR 12 /* of a blend beside its colour: programs blend in different ways */
#define TOUCH       2  /* pixels */
#define TOUCH_FEWER 8  /* a fringe is at most so many times as frequent as the colour that it touches */
#define FEW_PIXELS  3  /* of a colour that a translucent brush left on a changing ground */
#define ALIKE       24 /* colours that such a brush leaves beside each other, about */
#define FEW_ALIKE   3  /* so many such colours mean a translucent brush; dots of a pen differ more */

typedef struct judged {
    seg_colour_count of;
    size_t sample[SAMPLES];
    uint32_t samples, seen;
    int in_areas;
} judged;

static int has_colour(const seg_strokes *strokes, size_t pixel, const void *colour) {
    return strokes->label[pixel] && seg_strokes_colour(strokes, pixel) == *(const uint32_t *)colour;
}

/* 1 where the pixel is in a 2 x 2 square of one colour. */
static int in_area(const seg_strokes *strokes, size_t pixel) {
    const int width = strokes->raster->width, height = strokes->raster->height;
    const int x = (int)(pixel % (size_t)width), y = (int)(pixel / (size_t)width);
    const uint32_t colour = seg_strokes_colour(strokes, pixel);
    for (int corner = 0; corner < 4; corner++) {
        int left = x - (corner & 1), top = y - (corner >> 1),
            same = left >= 0 && top >= 0 && left + 1 < width && top + 1 < height;
        for (int k = 0; k < 4 && same; k++) {
            size_t other = (size_t)(top + (k >> 1)) * (size_t)width + (size_t)(left + (k & 1));
            same = has_colour(strokes, other, &colour);
        }
        if (same)
            return 1;
    }
    return 0;
}

/* Note evenly spread pixels of each colour. */
static void take_samples(const seg_strokes *strokes, const seg_colour_count *list, size_t colours, judged *judge) {
    size_t place = 0;
    for (size_t i = 0; i < strokes->pixels; i++) {
        if (!strokes->label[i])
            continue;
        const uint32_t colour = seg_strokes_colour(strokes, i);
        if (colour != list[place].colour)
            place = seg_colour_place(list, colours, colour);
        judged *j = &judge[place];
        /* the next sample is due after its share of the colour's pixels */
        if (j->samples < SAMPLES && (uint64_t)j->seen * SAMPLES >= (uint64_t)j->samples * j->of.count)
            j->sample[j->samples++] = i;
        j->seen++;
    }
}

/* 1 where j is a fringe of the colour `of`. One sample in five may say otherwise. */
static int is_fringe(const seg_strokes *strokes, const judged *j, const seg_colour_count *of) {
    uint32_t against = 0;
    if (4 * (uint32_t)j->in_areas >= j->samples || (uint64_t)of->count * TOUCH_FEWER < j->of.count)
        return 0;
    for (uint32_t s = 0; s < j->samples && against <= j->samples / 5; s++) {
        const uint32_t ground = seg_strokes_ground(strokes, j->sample[s]);
        against += seg_strokes_contrast(strokes, of->colour, ground) < STRONG ||
                   !seg_is_blend(j->of.colour, of->colour, ground, TOUCH_ERROR) ||
                   !seg_strokes_around(strokes, j->sample[s], TOUCH, 1, has_colour, &of->colour);
    }
    return against <= j->samples / 5;
}

/* 1 where some colour is a fringe of another. */
static int has_fringes(const seg_strokes *strokes, judged *judge, size_t colours) {
    for (size_t c = 0; c < colours; c++)
        for (uint32_t s = 0; s < judge[c].samples; s++)
            judge[c].in_areas += in_area(strokes, judge[c].sample[s]);
    for (size_t of = 0; of < colours; of++)
        for (size_t c = 0; c < colours; c++)
            if (c != of && is_fringe(strokes, &judge[c], &judge[of].of))
                return 1;
    return 0;
}

/* 1 where a translucent brush has left many colours on a copy of the image: several of a few pixels each, and each much
 * like another of them. Each would become a label. */
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
    const seg_status status = seg_colours_list(ctx, &source, SEG_FEW_COLOURS, &list, &colours);
    if (status != SEG_OK || colours > SEG_FEW_COLOURS)
        return status;
    SEG_FREED judged *judge = seg_alloc_zero(ctx, colours, sizeof *judge);
    if (!judge)
        return SEG_ERR_MEMORY;
    for (size_t c = 0; c < colours; c++) {
        judge[c].of = list[c];
        strokes->colour[c] = (seg_stroke_colour){list[c].colour, list[c].count};
    }
    take_samples(strokes, list, colours, judge);
    *soft = has_fringes(strokes, judge, colours) || looks_translucent(strokes, list, colours);
    strokes->colours = *soft ? 0 : colours;
    return SEG_OK;
}
