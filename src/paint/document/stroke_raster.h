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

/* Draw a stroke on width x height labels. The pixels of its points are always marked, so that a stroke thinner than a
 * pixel does not vanish. */
void paint_draw(const paint_stroke *stroke, int width, int height, uint8_t *label);
