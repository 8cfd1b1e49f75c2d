/* Coloured strokes on any ground. The model: where a stroke of colour s covers the ground g with opacity a, the pixel
 * has the colour g + a (s - g), up to errors of compression and colour quantisation. a is 1 in the stroke's core and
 * decreases towards its edge. (A translucent brush on ground of one colour has a core of one colour too; on a copy of
 * the image it is refused.) */
#pragma once

#include "scribbles/ground.h"

/* Colour distances (0..255) that depend on how exactly a file stores colours. */
typedef struct seg_stroke_limits {
    int tight;    /* most between neighbours inside a stroke, and from a core pixel to the stroke's colour */
    int near;     /* most from a pixel that gets the stroke's label to the stroke's colour */
    int off;      /* most from a blend to the line between stroke and ground */
    int slack;    /* least excess in contrast of a pixel that counts as closer to the core */
    int contrast; /* least from a core to the ground */
} seg_stroke_limits;

/* The colour of a stroke. */
typedef struct seg_stroke_colour {
    uint32_t colour;
    size_t count; /* pixels of its core */
} seg_stroke_colour;

#define SEG_FEW_COLOURS 64 /* most flat colours: lossless strokes with more colours have soft edges */

typedef struct seg_strokes {
    const seg_raster *raster;
    const seg_ground *ground;
    unsigned least_opacity;
    seg_stroke_limits limits;
    int rough;      /* colours are not exact: in a JPEG, or on a ground that is known only approximately */
    uint8_t *label; /* not 0 where a pixel may belong to a stroke; finally the label */
    size_t pixels;  /* of the image */
    size_t painted; /* pixels whose label is not 0 */
    seg_stroke_colour colour[SEG_FEW_COLOURS]; /* in ascending order */
    size_t colours;
    int translucent; /* the ground shows through the strokes */
} seg_strokes;

/* Fill the mask of the job (created, all 0) from strokes on that ground. Strokes whose pixels are not exact are
 * snapped, with a warning. `about` gets the kind (COLOURS, PAINTED or SNAPPED), the ground's name and the number of
 * labels. SEG_ERR_INPUT: no strokes, too many colours, a colour missing from the map, colours or pixels that are
 * ambiguous. */
seg_status seg_scribbles_from_colours(const seg_scribbles_job *job, const seg_raster *raster, const seg_ground *ground,
                                      unsigned least_opacity);

/* The colour of a pixel, and its colour before it was painted. */
static inline uint32_t seg_strokes_colour(const seg_strokes *strokes, size_t pixel) {
    return seg_raster_colour(strokes->raster, pixel);
}
static inline uint32_t seg_strokes_ground(const seg_strokes *strokes, size_t pixel) {
    return seg_ground_at(strokes->ground, pixel);
}

/* The distance of a colour from the ground; on transparent ground the largest possible one. */
static inline int seg_strokes_contrast(const seg_strokes *strokes, uint32_t colour, uint32_t ground) {
    return strokes->ground->kind == SEG_GROUND_CLEAR ? 255 : seg_colour_distance(colour, ground);
}

/* The test of seg_strokes_around: not 0 where a pixel counts. */
typedef int seg_pixel_test(const seg_strokes *strokes, size_t pixel, const void *arg);

/* The pixels that pass a test in the square of `reach` around a pixel and at it; counting stops at `enough`. */
static inline size_t seg_strokes_around(const seg_strokes *strokes, size_t pixel, int reach, size_t enough,
                                        seg_pixel_test *test, const void *arg) {
    const int width = strokes->raster->width, height = strokes->raster->height;
    const int x = (int)(pixel % (size_t)width), y = (int)(pixel / (size_t)width);
    size_t count = 0;
    for (int v = y - reach < 0 ? 0 : y - reach; v <= y + reach && v < height; v++)
        for (int u = x - reach < 0 ? 0 : x - reach; u <= x + reach && u < width; u++)
            if (test(strokes, (size_t)v * (size_t)width + (size_t)u, arg) && ++count == enough)
                return count;
    return count;
}

/* 1 where x lies between the ground and a flat colour: ground + a (flat - ground) with 0 < a < 1, each channel within
 * `residual`. Soft brushes blend in this way; some programs blend sRGB values, others light: both count. */
int seg_is_blend(uint32_t x, uint32_t flat, uint32_t ground, int residual);

/* If lossless strokes have hard edges and exact colours, `strokes` gets the colours and *soft is 0; else *soft is 1. */
seg_status seg_flat_colours_find(seg_context *ctx, seg_strokes *strokes, int *soft);

/* Find the cores of strokes without exact colours: set SEG_STROKE_CORE in the label of each core pixel, then find the
 * colours that explain them. *unexplained: share of the core pixels that no colour explains. */
#define SEG_STROKE_PAINTED 0x40
#define SEG_STROKE_CORE    0xc0
seg_status seg_stroke_colours_find(seg_context *ctx, seg_strokes *strokes, double *unexplained);
