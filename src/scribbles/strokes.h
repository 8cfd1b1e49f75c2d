/* Strokes in colours, on any ground. One model for all: where a stroke of colour s covers the ground g with opacity a,
 * the pixel has the colour g + a (s - g), up to what compression and the quantisation of colours change. a is largest
 * in the stroke's core (1, but less where the brush is translucent) and falls off towards its edge. */
#ifndef SEG_SCRIBBLES_STROKES_H
#define SEG_SCRIBBLES_STROKES_H

#include "image/colour_counts.h"
#include "scribbles/ground.h"

typedef struct seg_strokes {
    const seg_raster *raster;
    const seg_ground *ground;
    unsigned least_opacity;
    uint8_t *label; /* not 0 where a pixel may belong to a stroke; seg_strokes_snap makes labels of it */
    size_t pixels;  /* of the image */
    size_t painted; /* pixels whose label is not 0 */
} seg_strokes;

/* The colour a pixel had before it was painted. */
static inline uint32_t seg_strokes_ground(const seg_strokes *strokes, size_t pixel) {
    return seg_ground_at(strokes->ground, pixel);
}

/* How far a colour is from the ground; on transparent ground everything opaque is as far as can be. */
static inline int seg_strokes_contrast(const seg_strokes *strokes, uint32_t colour, uint32_t ground) {
    return strokes->ground->kind == SEG_GROUND_CLEAR ? 255 : seg_colour_distance(colour, ground);
}

/* 1 where x lies between the ground and a flat colour: ground + a (flat - ground) with 0 < a < 1, each channel within
 * `residual`. Soft brushes mix so; some programs mix sRGB values, some light: either will do. */
int seg_is_blend(uint32_t x, uint32_t flat, uint32_t ground, int residual);

/* The colour of a stroke. */
typedef struct seg_stroke_colour {
    uint32_t colour;
    size_t count;   /* pixels of its core */
    double through; /* share of the ground that shows through the core: 0 where it is opaque */
} seg_stroke_colour;

/* The colour that the core of a stroke has over the ground. */
static inline uint32_t seg_stroke_over(const seg_stroke_colour *stroke, uint32_t ground) {
    if (stroke->through <= 0)
        return stroke->colour;
    unsigned rgb[3];
    for (int c = 0; c < 3; c++)
        rgb[c] = (unsigned)(stroke->through * seg_colour_channel(ground, c) +
                            (1 - stroke->through) * seg_colour_channel(stroke->colour, c) + 0.5);
    return seg_colour_pack(rgb[0], rgb[1], rgb[2]);
}

/* How exact a file keeps colours. */
typedef struct seg_stroke_limits {
    int alike;    /* colours of neighbours inside a stroke */
    int tight;    /* pixels of a core from the stroke's colour */
    int near;     /* pixels that get the stroke's label */
    int off;      /* blends from the line between stroke and ground */
    int slack;    /* contrast by which another pixel must be stronger to be nearer to the core */
    int contrast; /* of a core from the ground, at least */
} seg_stroke_limits;
seg_stroke_limits seg_stroke_limits_of(const seg_strokes *strokes);

/* Whether lossless strokes have hard edges and exact colours: then *flat (owned by the caller, ascending) has them all,
 * else it is NULL and *soft 1. */
#define SEG_FEW_COLOURS 64
seg_status seg_flat_colours_exact(seg_context *ctx, const seg_strokes *strokes, seg_colour_count **flat, size_t *flats,
                                  int *soft);

/* The cores of strokes that are not exact. Sets SEG_STROKE_CORE in the label of each pixel of a core, then finds the
 * colours that explain them: *found ascending by colour, at most SEG_MOST_SOFT. *unexplained: share of the cores that
 * none of them explains. */
#define SEG_STROKE_PAINTED 0x40
#define SEG_STROKE_CORE    0xc0
#define SEG_MOST_SOFT      60
seg_status seg_stroke_colours_find(seg_context *ctx, seg_strokes *strokes, seg_stroke_colour **found, size_t *colours,
                                   double *unexplained);

/* What became of the painted pixels. */
typedef struct seg_snapped {
    size_t exact;     /* had a flat colour */
    size_t snapped;   /* were near enough to one */
    size_t left;      /* blends of a flat colour and the ground, or hardly different from the ground: unmarked */
    size_t ambiguous; /* none of these: unmarked */
    size_t lost;      /* of the ambiguous: no labelled pixel is near, so a stroke of its own */
    size_t solid;     /* of the ambiguous: painted all around and without a labelled neighbour, so inside a stroke */
    size_t holes;     /* pixels of cores or ambiguous ones with labels on most sides */
} seg_snapped;

/* Turn painted pixels into labels, label_of[i] for colour i. A pixel gets a label only with a core of that stroke in
 * reach, so that the soft edge of one stroke is never taken for another one of a similar colour. */
seg_snapped seg_strokes_snap(seg_context *ctx, seg_strokes *strokes, const seg_stroke_colour *colour, size_t colours,
                             const uint8_t *label_of);
/* Likewise of exact strokes. */
seg_snapped seg_strokes_snap_exact(seg_strokes *strokes, const seg_colour_count *flat, size_t flats,
                                   const uint8_t *label_of);

#endif
