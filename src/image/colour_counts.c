#include "image/colour_counts.h"
#include "base/base.h"
#include "image/labels.h"

#include <string.h>

size_t seg_colour_place(const seg_colour_count *list, size_t size, uint32_t colour) {
    size_t low = 0, high = size;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (list[middle].colour < colour)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

seg_status seg_colours_list(seg_context *ctx, const seg_colour_source *from, size_t most, seg_colour_count **list,
                            size_t *colours) {
    const size_t pixels = from->image ? (size_t)from->image->width * (size_t)from->image->height
                                      : (size_t)from->raster->width * (size_t)from->raster->height;
    seg_colour_count *found = *list = seg_alloc(ctx, most + 1, sizeof *found);
    size_t n = 0, place = 0;
    *colours = 0;
    if (!found)
        return SEG_ERR_MEMORY;
    for (size_t i = 0; i < pixels && n <= most; i++) {
        if ((from->label && !from->label[i]) || !(from->image || seg_raster_visible(from->raster, i, from->least)))
            continue;
        const uint32_t colour = from->image ? seg_image_colour(from->image, i) : seg_raster_colour(from->raster, i);
        if (!n || found[place].colour != colour) /* neighbouring pixels mostly have the same colour */
            place = seg_colour_place(found, n, colour);
        if (place == n || found[place].colour != colour) {
            memmove(found + place + 1, found + place, (n - place) * sizeof *found);
            found[place] = (seg_colour_count){colour, 0};
            n++;
        }
        found[place].count++;
    }
    *colours = n;
    return SEG_OK;
}
