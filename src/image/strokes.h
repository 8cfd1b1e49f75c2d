/* Strokes in flat colours, on black, on transparent ground or on a copy of the photograph. */
#ifndef SEG_IMAGE_STROKES_H
#define SEG_IMAGE_STROKES_H

#include "image/colour_counts.h"
#include "image/labels.h"

typedef struct seg_strokes {
    const seg_raster *raster;
    const seg_image *photo; /* what the strokes were painted on; NULL: black or transparent ground */
    uint8_t *label;         /* 1 where a pixel may belong to a stroke, else 0; seg_strokes_snap makes labels of it */
    size_t pixels;          /* of the picture */
    size_t painted;         /* pixels whose label is not 0 */
} seg_strokes;

/* The colour a pixel had before it was painted. */
static inline uint32_t seg_strokes_ground(const seg_strokes *strokes, size_t pixel) {
    return strokes->photo ? seg_image_colour(strokes->photo, pixel) : 0;
}

/* 1 where x lies between the ground and a flat colour: ground + a (flat - ground) with 0 < a < 1, each channel within
 * `residual`. Soft brushes mix so; some programs mix sRGB values, some light: either will do. */
int seg_is_blend(uint32_t x, uint32_t flat, uint32_t ground, int residual);

/* The flat colours of strokes, ascending. *flat is owned by the caller (free).
 * Exact: from the counts of the painted pixels' colours; *soft tells whether the strokes have soft edges, else every
 * colour is flat. Lossy: from the insides of strokes, where JPEG keeps a colour nearly as it was; SEG_ERR_INPUT where
 * two are too much alike (`name` is for the message). */
#define SEG_FEW_COLOURS 64
seg_status seg_flat_colours_exact(seg_context *ctx, const seg_strokes *strokes, const seg_colour_counts *counts,
                                  seg_colour_count **flat, size_t *flats, int *soft);
seg_status seg_flat_colours_lossy(seg_context *ctx, const seg_strokes *strokes, const char *name,
                                  seg_colour_count **flat, size_t *flats);

/* What became of the painted pixels. */
typedef struct seg_snapped {
    size_t exact;     /* had a flat colour */
    size_t snapped;   /* were near enough to one */
    size_t left;      /* blends of a flat colour and the ground, or hardly different from the ground: unmarked */
    size_t ambiguous; /* none of these: unmarked */
    size_t lost;      /* of the ambiguous: no labelled pixel is near, so a stroke of its own */
    size_t close;     /* of exact and snapped: hardly differ from their flat colour, as the insides of strokes do */
} seg_snapped;

/* Turn painted pixels into labels, label_of[f] for flat colour f. `tolerance`: as seg_is_painted_copy says. */
seg_snapped seg_strokes_snap(seg_context *ctx, seg_strokes *strokes, const seg_colour_count *flat, size_t flats,
                             int tolerance, const uint8_t *label_of);

/* 1 where the raster is a copy of the photograph with something painted on it. Then *tolerance is how far unpainted
 * pixels may be from the photograph: 0 where the copy is exact. */
seg_status seg_is_painted_copy(seg_context *ctx, const seg_raster *raster, const seg_image *photo,
                               unsigned least_opacity, int *painted_copy, int *tolerance);

#endif
