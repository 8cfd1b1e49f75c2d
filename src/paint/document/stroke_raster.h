/* Strokes as pixels: a pixel is marked if its centre lies within the stroke. This is decided in integers, so that the
 * same strokes give the same pixels on every machine. */
#pragma once

#include <stdint.h>

/* Why a request is refused, as a sentence; NULL if it is accepted. */
typedef const char *paint_refusal;

enum { PAINT_UNIT = 16 }; /* units of coordinates and radii per pixel */

/* A polyline drawn with a round brush. */
typedef struct paint_stroke {
    int label;   /* 1..254; 0 erases */
    int radius;  /* units, >= 1 */
    int count;   /* points, >= 1 */
    int32_t *xy; /* 2 x count units from the top left corner of the image; owned */
} paint_stroke;

/* Labels that strokes draw: width x height, of which rows are `slices` slices one below the other. */
typedef struct paint_sheet {
    int width, height, slices;
    uint8_t *label; /* borrowed */
} paint_sheet;

/* Draw a stroke, on the slice alone where it begins. The pixels of its points are always marked, so that a stroke
 * thinner than a pixel does not vanish. */
void paint_draw(const paint_stroke *stroke, paint_sheet on);
