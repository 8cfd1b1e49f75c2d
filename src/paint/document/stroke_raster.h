/* Strokes as pixels, exactly: a pixel is marked where its middle lies within the stroke. Whole numbers decide, so that
 * the same strokes give the same pixels on every machine. */
#ifndef PAINT_DOCUMENT_STROKE_RASTER_H
#define PAINT_DOCUMENT_STROKE_RASTER_H

#include <stdint.h>

/* What is wrong with what was sent: NULL where it went well, else a sentence. */
typedef const char *paint_refusal;

enum { PAINT_UNIT = 16 }; /* coordinates and radii are counted in such parts of a pixel */

/* A polyline drawn with a round brush. */
typedef struct paint_stroke {
    int label;   /* 1..254; 0 takes marks away */
    int radius;  /* units, >= 1 */
    int count;   /* points, >= 1 */
    int32_t *xy; /* 2 x count units from the image's top left corner; owned */
} paint_stroke;

/* Draw it over width x height labels; what lies outside is cut off. Of a brush thinner than a pixel the pixels that the
 * points lie in are marked too, so that no stroke vanishes. */
void paint_draw(const paint_stroke *stroke, int width, int height, uint8_t *label);

#endif
