#include "image/colour_counts.h"
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

static seg_colour_count *find(const seg_colour_counts *counts, uint32_t colour) {
    size_t slot = (size_t)((colour * 0x9e3779b97f4a7c15u) >> 32) & (counts->capacity - 1);
    while (counts->slot[slot].count && counts->slot[slot].colour != colour)
        slot = (slot + 1) & (counts->capacity - 1);
    return &counts->slot[slot];
}

static seg_status resize(seg_context *ctx, seg_colour_counts *counts, size_t capacity) {
    seg_colour_counts larger = {.capacity = capacity, .used = counts->used};
    larger.slot = seg_alloc_zero(ctx, capacity, sizeof *larger.slot);
    if (!larger.slot)
        return SEG_ERR_MEMORY;
    for (size_t i = 0; i < counts->capacity; i++)
        if (counts->slot[i].count)
            *find(&larger, counts->slot[i].colour) = counts->slot[i];
    free(counts->slot);
    *counts = larger;
    return SEG_OK;
}

seg_status seg_colour_counts_create(seg_context *ctx, seg_colour_counts *out) {
    memset(out, 0, sizeof *out);
    return resize(ctx, out, 256);
}

void seg_colour_counts_free(seg_colour_counts *counts) {
    if (!counts)
        return;
    free(counts->slot);
    memset(counts, 0, sizeof *counts);
}

seg_status seg_colour_counts_add(seg_context *ctx, seg_colour_counts *counts, uint32_t colour, uint32_t times) {
    seg_colour_count *slot = find(counts, colour);
    if (times == 0)
        return SEG_OK;
    slot->count += times;
    if (slot->count > times) /* was there before; the pixels of an image never overflow 32 bits */
        return SEG_OK;
    slot->colour = colour;
    counts->used++;
    return counts->used * 2 > counts->capacity ? resize(ctx, counts, counts->capacity * 2) : SEG_OK;
}

static int by_colour(const void *a, const void *b) {
    uint32_t x = ((const seg_colour_count *)a)->colour, y = ((const seg_colour_count *)b)->colour;
    return x < y ? -1 : x > y;
}

seg_status seg_colour_counts_list(seg_context *ctx, const seg_colour_counts *counts, uint32_t least,
                                  seg_colour_count **list, size_t *size) {
    size_t listed = 0;
    for (size_t i = 0; i < counts->capacity; i++)
        listed += counts->slot[i].count && counts->slot[i].count >= least;
    *size = 0;
    *list = seg_alloc(ctx, listed, sizeof **list);
    if (!*list)
        return SEG_ERR_MEMORY;
    for (size_t i = 0; i < counts->capacity; i++)
        if (counts->slot[i].count && counts->slot[i].count >= least)
            (*list)[(*size)++] = counts->slot[i];
    qsort(*list, *size, sizeof **list, by_colour);
    return SEG_OK;
}

ptrdiff_t seg_colour_find(const seg_colour_count *list, size_t size, uint32_t colour) {
    size_t low = 0, high = size;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list[middle].colour < colour)
            low = middle + 1;
        else
            high = middle;
    }
    return low < size && list[low].colour == colour ? (ptrdiff_t)low : -1;
}
