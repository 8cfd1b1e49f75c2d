/* An image at halved sizes, cut into tiles for the page. */
#ifndef PAINT_PYRAMID_H
#define PAINT_PYRAMID_H

#include <segment/image.h>

enum { PAINT_TILE = 512, PAINT_MOST_LEVELS = 12 };

typedef struct paint_level {
    int width, height;
    uint8_t *rgb; /* owned, but for that of level 0, which may be the image's own */
} paint_level;

typedef struct paint_pyramid {
    int levels; /* the last fits a tile */
    int borrowed;
    paint_level level[PAINT_MOST_LEVELS];
} paint_pyramid;

/* @return 1, or 0 without memory. The image stays where it is as long as the pyramid. */
int paint_pyramid_make(const seg_image *image, paint_pyramid *out);
void paint_pyramid_free(paint_pyramid *pyramid);

/* Which tile of an image. */
typedef struct paint_tile {
    int level, column, row;
} paint_tile;

/* A tile, at most PAINT_TILE wide and high: pixels of red, green, blue and 255. NULL where there is no such tile or no
 * memory; to be freed. */
uint8_t *paint_tile_rgba(const paint_pyramid *pyramid, const paint_tile *at, size_t *size);

/* The tile of a raster of one byte per pixel, of reduced levels every 2^level-th value. */
uint8_t *paint_tile_values(const seg_mask *values, const paint_tile *at, size_t *size);

/* A small image for a folder's strip: width and height in a byte each, then red, green, blue and 255 of each pixel;
 * NULL where the image cannot be read. To be freed. */
uint8_t *paint_thumb(const char *photo, size_t *size);

#endif
