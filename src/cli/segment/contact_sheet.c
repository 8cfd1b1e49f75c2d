/* The overlay of a volume: some of its slices side by side. */
#include "cli/segment/photo_run.h"

enum { MOST_SLICES = 16, GAP = 4 /* pixels */ };

/* Places of slices on a sheet that is about as wide as it is high. */
typedef struct sheet {
    int count, columns, width, height; /* slices, and of one of them with its gap */
} sheet;

static sheet sheet_of(const seg_mask *mask) {
    sheet s = {.count = mask->slices < MOST_SLICES ? mask->slices : MOST_SLICES,
               .width = mask->width + GAP,
               .height = mask->height / mask->slices + GAP};
    s.columns = (int)ceil(sqrt((double)s.count * s.height / s.width));
    const int rows = (s.count + s.columns - 1) / s.columns;
    s.columns = (s.count + rows - 1) / rows; /* the last row is as full as can be */
    return s;
}

/* Copy rows of the shown slices, from the first to the last, evenly apart. `size`: bytes of a pixel. */
static void place(const sheet *s, const seg_mask *mask, size_t size, const void *from, void *to) {
    const size_t line = (size_t)(s->columns * s->width - GAP) * size, rows = (size_t)(s->height - GAP);
    const size_t own = (size_t)mask->width * size;
    for (int i = 0; i < s->count; i++) {
        const size_t slice = (size_t)i * (size_t)(mask->slices - 1) / (size_t)(s->count > 1 ? s->count - 1 : 1);
        char *at =
            (char *)to + (size_t)(i / s->columns * s->height) * line + (size_t)(i % s->columns * s->width) * size;
        for (size_t y = 0; y < rows; y++)
            memcpy(at + y * line, (const char *)from + (slice * rows + y) * own, own);
    }
}

seg_status cli_contact_sheet(seg_context *ctx, const seg_image *volume, const seg_mask *mask,
                             const seg_overlay_style *style, seg_image *out) {
    const sheet s = sheet_of(mask);
    const size_t size = 3 * (size_t)(volume->depth / 8);
    SEG_RELEASED(seg_image_free) seg_image image = *volume; /* whose samples are its own from below */
    seg_mask labels = *mask;
    image.width = labels.width = s.columns * s.width - GAP;
    image.height = labels.height = (s.count + s.columns - 1) / s.columns * s.height - GAP;
    labels.slices = 1;
    const size_t pixels = (size_t)image.width * (size_t)image.height;
    image.data = malloc(pixels * size);
    SEG_FREED uint8_t *label = labels.label = calloc(pixels, 1);
    SEG_TRY(seg_allocated(image.data && label));
    memset(image.data, 255, pixels * size);
    place(&s, mask, size, volume->data, image.data);
    place(&s, mask, 1, mask->label, label);
    SEG_TRY(seg_overlay_draw(ctx, &image, &labels, style, &image));
    seg_image_free(out);
    return SEG_HANDED_OVER(out, image);
}
