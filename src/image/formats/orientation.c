/* The EXIF orientation of an image, and turning it upright. */
#include "base/base.h"
#include "base/parallel.h"
#include "image/formats/decoders.h"

#include <errno.h>
#include <libexif/exif-data.h>
#include <stdlib.h>
#include <string.h>

#define MOST_EXIF       4096  /* bytes; what the orientation is in stands first */
#define LONGEST_SEGMENT 65533 /* bytes a JPEG segment can hold */
#define TILE            32 /* pixels: a tile's rows and columns both stay in the first-level cache while it is turned */

/* Where pixel (x, y) of the file goes: offset + x * step_x + y * step_y, in pixels of the upright image. */
typedef struct placement {
    ptrdiff_t offset, step_x, step_y;
} placement;

static placement place(int width, int height, int orientation) {
    ptrdiff_t w = width, h = height;
    switch (orientation) {
    case 2: /* mirrored left to right */
        return (placement){w - 1, -1, w};
    case 3: /* half a turn */
        return (placement){w * h - 1, -1, -w};
    case 4: /* mirrored top to bottom */
        return (placement){w * (h - 1), 1, -w};
    case 5: /* mirrored along the main diagonal */
        return (placement){0, h, 1};
    case 6: /* to be turned clockwise: the file's left column becomes the top row, its bottom first */
        return (placement){h - 1, h, -1};
    case 7: /* mirrored along the other diagonal */
        return (placement){w * h - 1, -h, -1};
    case 8: /* to be turned anticlockwise */
        return (placement){h * (w - 1), -h, 1};
    default:
        return (placement){0, 1, w};
    }
}

static void turn_tile(const seg_turn *t, placement p, const uint8_t *from, uint8_t *to, ptrdiff_t columns,
                      ptrdiff_t rows) {
    const ptrdiff_t pixel = t->pixel;
    for (ptrdiff_t y = 0; y < rows; y++) {
        const uint8_t *source = from + y * t->width * pixel;
        uint8_t *target = to + y * p.step_y * pixel;
        for (ptrdiff_t x = 0; x < columns; x++, source += pixel, target += pixel * p.step_x)
            if (pixel == 3) {
                target[0] = source[0];
                target[1] = source[1];
                target[2] = source[2];
            } else {
                memcpy(target, source, (size_t)pixel);
            }
    }
}

void seg_orient_rows(const seg_turn *t, const uint8_t *samples, int first, int rows) {
    const placement p = place(t->width, t->height, t->orientation);
    for (ptrdiff_t x = 0; x < t->width; x += TILE)
        turn_tile(t, p, samples + x * t->pixel, t->out + (p.offset + x * p.step_x + first * p.step_y) * t->pixel,
                  t->width - x < TILE ? t->width - x : TILE, rows);
}

typedef struct turning {
    const uint8_t *samples;
    seg_turn turn;
} turning;

static void turn_rows(void *arg, size_t top, size_t bottom, SEG_UNUSED int worker) {
    const turning *t = arg;
    seg_orient_rows(&t->turn, t->samples + top * (size_t)t->turn.width * (size_t)t->turn.pixel, (int)top,
                    (int)(bottom - top));
}

/* The upright array of what has `pixel` bytes for each pixel, in its place; NULL without memory. */
static void *turn(seg_context *ctx, int orientation, const seg_raster *raster, int pixel, void *from) {
    uint8_t *upright = seg_alloc(ctx, (size_t)raster->width * (size_t)raster->height, (size_t)pixel);
    if (!upright)
        return NULL;
    turning t = {from, {raster->width, raster->height, pixel, orientation, upright}};
    seg_parallel(ctx, (size_t)raster->height, TILE, turn_rows, &t);
    free(from);
    return upright;
}

seg_status seg_raster_turn(seg_context *ctx, int orientation, seg_raster *raster) {
    void *upright = NULL;
    if (orientation < 2 || orientation > 8)
        return SEG_OK;
    if (raster->sample8 && (upright = turn(ctx, orientation, raster, raster->channels, raster->sample8)))
        raster->sample8 = upright;
    if (raster->sample16 && (upright = turn(ctx, orientation, raster, 2 * raster->channels, raster->sample16)))
        raster->sample16 = upright;
    if (upright && raster->alpha && (upright = turn(ctx, orientation, raster, 2, raster->alpha)))
        raster->alpha = upright;
    if (!upright)
        return SEG_ERR_MEMORY;
    seg_raster_turn_size(orientation, raster);
    return SEG_OK;
}

void seg_raster_turn_size(int orientation, seg_raster *raster) {
    const int width = raster->width;
    if (orientation < 5 || orientation > 8)
        return;
    raster->width = raster->height;
    raster->height = width;
}

int seg_exif_orientation(const unsigned char *bytes, size_t size) {
    const int before = errno;
    int orientation = 1;
    if (size < 6 || size > LONGEST_SEGMENT || memcmp(bytes, "Exif\0\0", 6) != 0)
        return 1;
    errno = 0; /* libexif does not report a lack of memory: malloc does */
    ExifData *data = exif_data_new();
    if (!data)
        return 0;
    exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION); /* read what is there, repair nothing */
    exif_data_load_data(data, bytes, (unsigned)size);
    ExifEntry *entry = exif_content_get_entry(data->ifd[EXIF_IFD_0], EXIF_TAG_ORIENTATION);
    if (entry && entry->format == EXIF_FORMAT_SHORT && entry->components >= 1 && entry->size >= 2)
        orientation = exif_get_short(entry->data, exif_data_get_byte_order(data));
    exif_data_unref(data);
    const int exhausted = errno == ENOMEM;
    errno = before;
    if (exhausted)
        return 0;
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
}

int seg_exif_plain_orientation(const unsigned char *bytes, size_t size) {
    unsigned char exif[MOST_EXIF + 6] = "Exif\0";
    const size_t look = size < MOST_EXIF ? size : MOST_EXIF;
    if (look >= 6 && memcmp(bytes, exif, 6) == 0)
        return seg_exif_orientation(bytes, look);
    memcpy(exif + 6, bytes, look);
    return seg_exif_orientation(exif, look + 6);
}
