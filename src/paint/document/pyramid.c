#include "paint/document/pyramid.h"
#include "base/base.h"
#include "image/shown.h"
#include "pipeline/slice_files.h"

#include <pthread.h>

/* The size of a level of an image. @return 0 if there is no such level */
static int level_size(int width, int height, int level, int *level_width, int *level_height) {
    int w = width, h = height, l = 0;
    for (; l < level && (w > PAINT_TILE || h > PAINT_TILE); l++) {
        w = (w + 1) / 2;
        h = (h + 1) / 2;
    }
    *level_width = w;
    *level_height = h;
    return level >= 0 && l == level;
}

/* Average two by two pixels; the last row and column are repeated beyond the border. */
static void halve(const paint_level *from, paint_level *to) {
    for (int y = 0; y < to->height; y++) {
        const size_t y0 = (size_t)(2 * y), y1 = 2 * y + 1 < from->height ? y0 + 1 : y0;
        const uint8_t *a = from->rgb + 3 * y0 * (size_t)from->width, *b = from->rgb + 3 * y1 * (size_t)from->width;
        uint8_t *out = to->rgb + 3 * (size_t)y * (size_t)to->width;
        for (int x = 0; x < to->width; x++) {
            const int l = 6 * x, r = 2 * x + 1 < from->width ? l + 3 : l;
            for (int c = 0; c < 3; c++)
                *out++ = (uint8_t)((a[l + c] + a[r + c] + b[l + c] + b[r + c] + 2) / 4);
        }
    }
}

int paint_pyramid_make(const seg_image *image, paint_pyramid *out) {
    const size_t row = 3 * (size_t)image->width;
    memset(out, 0, sizeof *out);
    out->borrowed = image->depth == 8;
    uint8_t *first = out->borrowed ? image->data : malloc(row * (size_t)image->height);
    for (int y = 0; !out->borrowed && first && y < image->height; y++) /* from the black to the white level */
        seg_shown_row(image, y, first + (size_t)y * row);
    out->level[0] = (paint_level){image->width, image->height, first};
    out->levels = first != NULL;
    for (int l = 1; out->levels && l < PAINT_MOST_LEVELS; l++) {
        paint_level *level = &out->level[l];
        if (!level_size(image->width, image->height, l, &level->width, &level->height))
            break;
        level->rgb = malloc(3 * (size_t)level->width * (size_t)level->height);
        if (!level->rgb) {
            paint_pyramid_free(out);
            return 0;
        }
        out->levels = l + 1;
        halve(level - 1, level);
    }
    return out->levels > 0;
}

void paint_pyramid_free(paint_pyramid *pyramid) {
    for (int l = pyramid->borrowed ? 1 : 0; l < PAINT_MOST_LEVELS; l++)
        free(pyramid->level[l].rgb);
    memset(pyramid, 0, sizeof *pyramid);
}

/* The size of a tile of a level. @return 0 if there is no such tile */
static int tile_size(int width, int height, const paint_tile *at, int *w, int *h) {
    const int columns = (width + PAINT_TILE - 1) / PAINT_TILE, rows = (height + PAINT_TILE - 1) / PAINT_TILE;
    if (at->column < 0 || at->row < 0 || at->column >= columns || at->row >= rows)
        return 0;
    *w = at->column + 1 < columns ? PAINT_TILE : width - at->column * PAINT_TILE;
    *h = at->row + 1 < rows ? PAINT_TILE : height - at->row * PAINT_TILE;
    return 1;
}

uint8_t *paint_tile_rgba(const paint_pyramid *pyramid, const paint_tile *at, size_t *size) {
    int w, h;
    if (at->level < 0 || at->level >= pyramid->levels)
        return NULL;
    const paint_level *from = &pyramid->level[at->level];
    if (!tile_size(from->width, from->height, at, &w, &h))
        return NULL;
    *size = 4 * (size_t)w * (size_t)h;
    uint8_t *made = malloc(*size), *to = made;
    for (int y = 0; made && y < h; y++) {
        const size_t line = (size_t)(at->row * PAINT_TILE + y) * (size_t)from->width;
        const uint8_t *rgb = from->rgb + 3 * (line + (size_t)at->column * PAINT_TILE);
        for (int x = 0; x < w; x++, rgb += 3, to += 4) {
            memcpy(to, rgb, 3);
            to[3] = 255;
        }
    }
    return made;
}

uint8_t *paint_tile_values(const seg_mask *values, const paint_tile *at, size_t *size) {
    int w, h, level_width, level_height;
    if (!level_size(values->width, values->height, at->level, &level_width, &level_height) ||
        !tile_size(level_width, level_height, at, &w, &h))
        return NULL;
    *size = (size_t)w * (size_t)h;
    uint8_t *made = malloc(*size), *to = made;
    for (int y = 0; made && y < h; y++) {
        const size_t row = (size_t)(at->row * PAINT_TILE + y) << at->level;
        const uint8_t *line = values->label + row * (size_t)values->width;
        for (int x = 0; x < w; x++)
            *to++ = line[(size_t)(at->column * PAINT_TILE + x) << at->level];
    }
    return made;
}

static uint8_t *last_level(const paint_pyramid *pyramid, size_t *size) {
    const paint_level *from = &pyramid->level[pyramid->levels - 1];
    const uint16_t sides[] = {(uint16_t)from->width, (uint16_t)from->height};
    uint8_t *rgba = paint_tile_rgba(pyramid, &(paint_tile){pyramid->levels - 1, 0, 0}, size);
    uint8_t *made = rgba ? realloc(rgba, *size + sizeof sides) : NULL;
    if (!made) {
        free(rgba);
        return NULL;
    }
    memcpy(made + *size, sides, sizeof sides);
    *size += sizeof sides;
    return made;
}

uint8_t *paint_thumb(const char *photo, size_t *size) {
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER; /* one image in memory at a time */
    seg_context *ctx = seg_context_create();
    seg_image image = {0};
    paint_pyramid pyramid = {0};
    uint8_t *made = NULL;
    pthread_mutex_lock(&one);
    int channels = 0;
    const int is_array = seg_is_array_name(photo);
    if (ctx && (is_array ? seg_array_read_image(ctx, photo, &channels, NULL, &image)
                         : seg_image_read(ctx, photo, &image)) == SEG_OK) {
        image.height /= channels ? channels : 1;
        made = paint_pyramid_make(&image, &pyramid) ? last_level(&pyramid, size) : NULL;
    }
    paint_pyramid_free(&pyramid);
    seg_image_free(&image);
    seg_context_free(ctx);
    pthread_mutex_unlock(&one);
    return made;
}
