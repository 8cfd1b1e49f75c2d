/* Strokes in colours, on any ground. One model for all: where a stroke of colour s covers the ground g with opacity a,
 * the pixel has the colour g + a (s - g), up to what compression and the quantisation of colours change. a is 1 in the
 * stroke's core and falls off towards its edge. (A translucent brush on ground of one colour has a core of one colour
 * too; on a copy of the image it is refused.) */
#ifndef SEG_SCRIBBLES_STROKES_H
#define SEG_SCRIBBLES_STROKES_H

#include "scribbles/ground.h"

/* How exact a file keeps colours. */
typedef struct seg_stroke_limits {
    int tight;    /* neighbours inside a stroke, and pixels of a core from the stroke's colour */
    int near;     /* pixels that get the stroke's label */
    int off;      /* blends from the line between stroke and ground */
    int slack;    /* contrast by which another pixel must be stronger to be nearer to the core */
    int contrast; /* of a core from the ground, at least */
} seg_stroke_limits;

/* The colour of a stroke. */
typedef struct seg_stroke_colour {
    uint32_t colour;
    size_t count; /* pixels of its core */
} seg_stroke_colour;

#define SEG_FEW_COLOURS 64 /* more are found in no file of strokes with soft edges */

typedef struct seg_strokes {
    const seg_raster *raster;
    const seg_ground *ground;
    unsigned least_opacity;
    seg_stroke_limits limits;
    int rough;                                 /* colours are not exact: of JPEG, or on ground that is known nearly */
    uint8_t *label;                            /* not 0 where a pixel may belong to a stroke; in the end the label */
    size_t pixels;                             /* of the image */
    size_t painted;                            /* pixels whose label is not 0 */
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

/* The colour of a pixel, and that which it had before it was painted. */
static inline uint32_t seg_strokes_colour(const seg_strokes *strokes, size_t pixel) {
    return seg_raster_colour(strokes->raster, pixel);
}
static inline uint32_t seg_strokes_ground(const seg_strokes *strokes, size_t pixel) {
    return seg_ground_at(strokes->ground, pixel);
}

/* How far a colour is from the ground; on transparent ground everything opaque is as far as can be. */
static inline int seg_strokes_contrast(const seg_strokes *strokes, uint32_t colour, uint32_t ground) {
    return strokes->ground->kind == SEG_GROUND_CLEAR ? 255 : seg_colour_distance(colour, ground);
}

/* Whether a pixel is one of those that are counted. */
typedef int seg_pixel_test(const seg_strokes *strokes, size_t pixel, const void *arg);

/* How many of the pixels at most `reach` across and down from one, itself included, pass a test; no more than `enough`
 * are counted. */
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
 * `residual`. Soft brushes mix so; some programs mix sRGB values, some light: either will do. */
int seg_is_blend(uint32_t x, uint32_t flat, uint32_t ground, int residual);

/* Whether lossless strokes have hard edges and exact colours: then the strokes get all of these, else *soft is 1. */
seg_status seg_flat_colours_find(seg_context *ctx, seg_strokes *strokes, int *soft);

/* The cores of strokes that are not exact. Sets SEG_STROKE_CORE in the label of each pixel of a core, then finds the
 * colours that explain them. *unexplained: share of the cores that none of them explains. */
#define SEG_STROKE_PAINTED 0x40
#define SEG_STROKE_CORE    0xc0
seg_status seg_stroke_colours_find(seg_context *ctx, seg_strokes *strokes, double *unexplained);

#endif
