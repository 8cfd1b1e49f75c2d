/* The ground that strokes were painted on: transparency, one colour, or a possibly changed copy of the image. */
#pragma once

#include "scribbles/scribbles.h"

typedef enum seg_ground_kind {
    SEG_GROUND_COLOUR, /* one colour: black, white, grey */
    SEG_GROUND_CLEAR,  /* strokes are opaque, all other pixels transparent */
    SEG_GROUND_COPY,   /* the image */
    SEG_GROUND_CHANGED /* a desaturated, brightened, darkened or faded copy */
} seg_ground_kind;

typedef struct seg_ground {
    seg_ground_kind kind;
    uint32_t colour;        /* of SEG_GROUND_COLOUR; black for SEG_GROUND_CLEAR */
    const seg_image *photo; /* of copies; borrowed */
    int tolerance;          /* largest distance of unpainted pixels from the ground; 0 where it is exact */
    /* Of SEG_GROUND_CHANGED, per channel: a mixture of the channel and a grey (the saturation), then a curve
     * (brightness, contrast, gamma, and clipping at black and white). */
    int grey;    /* 0: luma, 1: mean, 2: value, 3: lightness */
    double keep; /* share of the channel in the mixture, 0..1 */
    uint8_t curve[3][256];
} seg_ground;

/* Find a raster's ground; opacities below `least` are unmarked. Black if no other rule applies. `photo` may be NULL. */
seg_status seg_ground_find(seg_context *ctx, const seg_raster *raster, const seg_image *photo, unsigned least,
                           seg_ground *out);

static inline int seg_ground_is_copy(const seg_ground *ground) {
    return ground->kind == SEG_GROUND_COPY || ground->kind == SEG_GROUND_CHANGED;
}

/* The colour that a pixel had before it was painted. */
uint32_t seg_ground_at(const seg_ground *ground, size_t pixel);

/* "black ground", "a copy of the image with changed colours" ... */
void seg_ground_name(const seg_ground *ground, char *text, size_t size);
