/* Which colours occur, and how often. */
#ifndef SEG_IMAGE_COLOUR_COUNTS_H
#define SEG_IMAGE_COLOUR_COUNTS_H

#include "image/raster.h"

typedef struct seg_colour_count {
    uint32_t colour; /* seg_colour_pack */
    uint32_t count;  /* pixels */
} seg_colour_count;

/* The pixels whose colours are listed: of an image, or the visible ones of a raster. */
typedef struct seg_colour_source {
    const seg_image *image; /* NULL: the raster */
    const seg_raster *raster;
    unsigned least;       /* of the raster: the least opacity that is visible (seg_raster_least_opacity) */
    const uint8_t *label; /* per pixel: 0 if its colour does not count; NULL: all count */
} seg_colour_source;

/* The colours in ascending order: *list (owned by the caller, free) has *colours of them. The search stops when there
 * are more than `most`: then *colours is most + 1. SEG_OK, SEG_ERR_MEMORY. Cost O(pixels log(most)). */
seg_status seg_colours_list(seg_context *ctx, const seg_colour_source *from, size_t most, seg_colour_count **list,
                            size_t *colours);
/* The index of a colour in an ascending list, or the index where it would be inserted. */
size_t seg_colour_place(const seg_colour_count *list, size_t size, uint32_t colour);

#endif
