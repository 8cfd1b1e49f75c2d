/* How often each colour occurs: a hash table of packed colours. */
#ifndef SEG_IMAGE_COLOUR_COUNTS_H
#define SEG_IMAGE_COLOUR_COUNTS_H

#include <segment/context.h>

typedef struct seg_colour_count {
    uint32_t colour; /* seg_colour_pack */
    uint32_t count;  /* 0: free slot */
} seg_colour_count;

typedef struct seg_colour_counts {
    seg_colour_count *slot;
    size_t capacity; /* a power of two */
    size_t used;
} seg_colour_counts;

seg_status seg_colour_counts_create(seg_context *ctx, seg_colour_counts *out);
void seg_colour_counts_free(seg_colour_counts *counts);
/* Count `times` more of a colour. */
seg_status seg_colour_counts_add(seg_context *ctx, seg_colour_counts *counts, uint32_t colour, uint32_t times);

/* The colours that occur at least `least` times, ascending. *list is owned by the caller (free). */
seg_status seg_colour_counts_list(seg_context *ctx, const seg_colour_counts *counts, uint32_t least,
                                  seg_colour_count **list, size_t *size);
/* The place of a colour in an ascending list, -1 where it is not in it. */
ptrdiff_t seg_colour_find(const seg_colour_count *list, size_t size, uint32_t colour);

#endif
