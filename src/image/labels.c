#include "image/labels.h"
#include "base/base.h"

#include <stdio.h>
#include <string.h>

unsigned seg_raster_least_opacity(const seg_raster *raster) {
    const size_t pixels = (size_t)raster->width * (size_t)raster->height;
    unsigned most = 0;
    if (!raster->alpha)
        return 0;
    for (size_t i = 0; i < pixels; i++)
        most = raster->alpha[i] > most ? raster->alpha[i] : most;
    return most / 2 + 1; /* above 0: a fully transparent raster has no visible pixels */
}

void seg_raster_count_values(const seg_raster *raster, unsigned least_opacity, uint32_t *count) {
    const size_t pixels = (size_t)raster->width * (size_t)raster->height;
    memset(count, 0, seg_raster_values(raster) * sizeof *count);
    for (size_t i = 0; i < pixels; i++)
        if (seg_raster_visible(raster, i, least_opacity))
            count[seg_raster_value(raster, i)]++;
}

int seg_raster_is_grey(const seg_raster *raster, const uint32_t *count) {
    if (raster->kind != SEG_RASTER_PALETTE)
        return raster->kind == SEG_RASTER_GREY;
    for (int i = 0; i < 256; i++)
        if (count[i] && (raster->palette[i][0] != i || raster->palette[i][1] != i || raster->palette[i][2] != i))
            return 0;
    return 1;
}

void seg_mask_take_palette(seg_mask *mask, const seg_raster *raster, const uint32_t *count) {
    for (int a = 1; a <= SEG_MAX_LABELS; a++) {
        if (!count[a])
            continue;
        if (a >= raster->palette_count || !(raster->palette[a][0] | raster->palette[a][1] | raster->palette[a][2]))
            return;
        for (int b = 1; b < a; b++)
            if (count[b] && memcmp(raster->palette[a], raster->palette[b], 3) == 0)
                return;
    }
    for (int label = 1; label <= SEG_MAX_LABELS && label < raster->palette_count; label++)
        memcpy(mask->colour[label], raster->palette[label], 3);
}

void seg_mask_set_colour(seg_mask *mask, int label, uint32_t colour) {
    for (int c = 0; c < 3; c++)
        mask->colour[label][c] = (uint8_t)seg_colour_channel(colour, c);
}

int seg_mask_describe(const seg_mask *mask, int with_colours, char *text, size_t size) {
    const size_t pixels = (size_t)mask->width * (size_t)mask->height;
    size_t count[256] = {0}, used = 0;
    int labels = 0;
    for (size_t i = 0; i < pixels; i++)
        count[mask->label[i]]++;
    text[0] = 0;
    for (int label = 1; label <= SEG_MAX_LABELS; label++) {
        if (!count[label])
            continue;
        char item[96], colour[32] = "";
        const uint8_t *rgb = mask->colour[label];
        if (with_colours)
            snprintf(colour, sizeof colour, " (%d,%d,%d)", rgb[0], rgb[1], rgb[2]);
        snprintf(item, sizeof item, "%s%d%s: %zu pixel%s", labels ? ", " : "", label, colour, count[label],
                 count[label] == 1 ? "" : "s");
        labels++;
        if (used + strlen(item) + 6 < size)
            used += (size_t)snprintf(text + used, size - used, "%s", item);
        else if (used + 6 < size) { /* later items are left out too, even shorter ones */
            snprintf(text + used, size - used, ", ...");
            size = 0;
        }
    }
    return labels;
}

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
