/* The flat colours of lossless strokes.
 *
 * Without soft edges every colour of a stroke is flat. A soft edge shows as colours between a flat one and the ground
 * that form no areas: a colour is a fringe of a more frequent one if nearly all its pixels are blends of that one with
 * what lies under them, and few of them are in a 2 x 2 square of the same colour. Thus dark red areas beside red ones
 * stay a label. Strokes are soft where some colour has several fringes or where there are many colours; then only
 * frequent colours that are no fringes are flat. */
#include "base/base.h"
#include "image/strokes.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLES     32  /* pixels of a colour that are looked at */
#define FRINGES     4   /* of one colour: soft edges */
#define RARE_PART   500 /* of the painted pixels: a flat colour of soft strokes has more */
#define RARE        4
#define STRONG      64 /* contrast from which a colour has fringes: label numbers used as colours have none */
#define BLEND_ERROR 3  /* rounding of the painting program */

typedef struct judged {
    seg_colour_count of;
    size_t sample[SAMPLES];
    uint32_t samples, seen;
    int in_areas, fringe;
} judged;

/* 1 where the pixel is in a 2 x 2 square of one colour. */
static int in_area(const seg_strokes *strokes, size_t pixel) {
    const int width = strokes->raster->width, height = strokes->raster->height;
    const int x = (int)(pixel % (size_t)width), y = (int)(pixel / (size_t)width);
    const uint32_t colour = seg_raster_colour(strokes->raster, pixel);
    for (int corner = 0; corner < 4; corner++) {
        int left = x - (corner & 1), top = y - (corner >> 1),
            same = left >= 0 && top >= 0 && left + 1 < width && top + 1 < height;
        for (int k = 0; k < 4 && same; k++) {
            size_t other = (size_t)(top + (k >> 1)) * (size_t)width + (size_t)(left + (k & 1));
            same = strokes->label[other] && seg_raster_colour(strokes->raster, other) == colour;
        }
        if (same)
            return 1;
    }
    return 0;
}

/* Note evenly spread pixels of each colour. `list` is ascending. */
static void take_samples(const seg_strokes *strokes, const seg_colour_count *list, size_t colours, judged *judge) {
    uint32_t last = 0;
    ptrdiff_t place = -2;
    for (size_t i = 0; i < strokes->pixels; i++) {
        if (!strokes->label[i])
            continue;
        uint32_t colour = seg_raster_colour(strokes->raster, i);
        if (place == -2 || colour != last)
            place = seg_colour_find(list, colours, last = colour);
        if (place < 0)
            continue;
        judged *j = &judge[place];
        /* the next sample is due after its share of the colour's pixels */
        if (j->samples < SAMPLES && (uint64_t)j->seen * SAMPLES >= (uint64_t)j->samples * j->of.count)
            j->sample[j->samples++] = i;
        j->seen++;
    }
}

static int is_fringe(const seg_strokes *strokes, const judged *j, uint32_t flat) {
    uint32_t blends = 0;
    if (4 * (uint32_t)j->in_areas >= j->samples)
        return 0;
    for (uint32_t s = 0; s < j->samples; s++) {
        uint32_t ground = seg_strokes_ground(strokes, j->sample[s]);
        blends += seg_colour_distance(flat, ground) >= STRONG && seg_is_blend(j->of.colour, flat, ground, BLEND_ERROR);
        if (s + 1 - blends > j->samples / 5)
            return 0;
    }
    return 1;
}

static int by_count(const void *a, const void *b) {
    const judged *x = a, *y = b;
    if (x->of.count != y->of.count)
        return x->of.count > y->of.count ? -1 : 1;
    return x->of.colour < y->of.colour ? -1 : x->of.colour > y->of.colour;
}

static int by_colour(const void *a, const void *b) {
    uint32_t x = ((const seg_colour_count *)a)->colour, y = ((const seg_colour_count *)b)->colour;
    return x < y ? -1 : x > y;
}

/* Mark the fringes among the colours (most frequent first afterwards). @return the most fringes one colour has */
static int find_fringes(const seg_strokes *strokes, judged *judge, size_t colours) {
    int most = 0;
    for (size_t c = 0; c < colours; c++)
        for (uint32_t s = 0; s < judge[c].samples; s++)
            judge[c].in_areas += in_area(strokes, judge[c].sample[s]);
    qsort(judge, colours, sizeof *judge, by_count);
    for (size_t flat = 0; flat < colours; flat++) {
        int fringes = 0;
        if (judge[flat].fringe)
            continue;
        for (size_t c = flat + 1; c < colours; c++)
            if (!judge[c].fringe && is_fringe(strokes, &judge[c], judge[flat].of.colour)) {
                judge[c].fringe = 1;
                fringes++;
            }
        most = fringes > most ? fringes : most;
    }
    return most;
}

seg_status seg_flat_colours_exact(seg_context *ctx, const seg_strokes *strokes, const seg_colour_counts *counts,
                                  seg_colour_count **flat, size_t *flats, int *soft) {
    const int few = counts->used <= SEG_FEW_COLOURS;
    size_t least = strokes->painted / RARE_PART, colours = 0;
    seg_colour_count *list = NULL;
    judged *judge = NULL;
    least = least < RARE ? RARE : least;
    *flat = NULL;
    *flats = 0;
    *soft = !few;
    seg_status status = seg_colour_counts_list(ctx, counts, few ? 1 : (uint32_t)least, &list, &colours);
    if (status != SEG_OK)
        return status;
    judge = seg_alloc_zero(ctx, colours, sizeof *judge);
    if (!judge) {
        free(list);
        return SEG_ERR_MEMORY;
    }
    for (size_t c = 0; c < colours; c++)
        judge[c].of = list[c];
    take_samples(strokes, list, colours, judge);
    if (find_fringes(strokes, judge, colours) >= FRINGES)
        *soft = 1;
    for (size_t c = 0; c < colours; c++)
        if (!*soft || (!judge[c].fringe && judge[c].of.count >= least))
            list[(*flats)++] = judge[c].of;
    qsort(list, *flats, sizeof *list, by_colour);
    *flat = list;
    free(judge);
    return SEG_OK;
}
