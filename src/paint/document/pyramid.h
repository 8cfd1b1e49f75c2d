/* An image at successively halved sizes, divided into tiles for the page. */
#pragma once

#include <segment/image.h>

enum { PAINT_TILE = 512, PAINT_MOST_LEVELS = 12 };

typedef struct paint_level {
    int width, height;
    uint8_t *rgb; /* owned, except that level 0 may borrow the samples of the image */
} paint_level;

typedef struct paint_pyramid {
    int levels; /* the last one fits into a tile */
    int borrowed;
    paint_level level[PAINT_MOST_LEVELS];
} paint_pyramid;

/* @return 1, or 0 if out of memory. The image must outlive the pyramid. */
int paint_pyramid_make(const seg_image *image, paint_pyramid *out);
void paint_pyramid_free(paint_pyramid *pyramid);

/* The position of a tile. */
typedef struct paint_tile {
    int level, column, row;
} paint_tile;

/* A tile of at most PAINT_TILE^2 pixels: red, green, blue and 255. Free it; NULL if there is none, or no memory. */
uint8_t *paint_tile_rgba(const paint_pyramid *pyramid, const paint_tile *at, size_t *size);

/* The same for one byte per pixel; on level l, every 2^l-th value is taken. */
uint8_t *paint_tile_values(const seg_mask *values, const paint_tile *at, size_t *size);

/* The last level as a thumbnail: a tile, then width and height as 16 bits each. Free it; NULL: no image. */
uint8_t *paint_thumb(const char *photo, size_t *size);
