#include "image/tiff_pages.h"
#include "base/base.h"
#include "image/raw_names.h"

#include <string.h>

#define MOST_PAGES 64 /* looked at */
#define MOST_BELOW 16 /* images below a page */

/* Photometric interpretations that only raw files have: a mosaic of colour filters, and what was made of one. */
#define COLOUR_FILTERS 32803
#define LINEAR_RAW     34892

/* 1 where the current image is a preview of another or its mask. */
static int is_reduced(TIFF *tiff) {
    uint32_t type = 0;
    uint16_t old = 0;
    if (TIFFGetField(tiff, TIFFTAG_SUBFILETYPE, &type))
        return (type & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) != 0;
    return TIFFGetField(tiff, TIFFTAG_OSUBFILETYPE, &old) && old == OFILETYPE_REDUCEDIMAGE;
}

static int is_mosaic(TIFF *tiff) {
    uint16_t photometric = 0;
    return TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric) &&
           (photometric == COLOUR_FILTERS || photometric == LINEAR_RAW);
}

/* Look through the images below the first page, the current one. *found: the place of the first of full resolution, 0
 * where there is none. *raw: one of them is a mosaic. */
static void look_below(TIFF *tiff, toff_t *found, int *raw) {
    uint16_t count = 0;
    toff_t *offsets = NULL, below[MOST_BELOW];
    *found = 0;
    if (!TIFFGetField(tiff, TIFFTAG_SUBIFD, &count, &offsets) || !offsets)
        return;
    count = count < MOST_BELOW ? count : MOST_BELOW;
    memcpy(below, offsets, count * sizeof *below); /* they go with the page */
    for (int i = 0; i < count; i++) {
        uint32_t width = 0;
        if (!TIFFSetSubDirectory(tiff, below[i]))
            continue;
        *raw |= is_mosaic(tiff);
        if (*found == 0 && !is_reduced(tiff) && TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width))
            *found = below[i];
    }
}

seg_status seg_tiff_choose_page(seg_context *ctx, TIFF *tiff, const char *name, int *page) {
    const char *make = NULL;
    const void *version = NULL;
    char maker[32] = "";
    toff_t below = 0;
    int raw = is_mosaic(tiff);
    const int reduced = is_reduced(tiff);
    *page = 1;
    if (TIFFGetField(tiff, TIFFTAG_DNGVERSION, &version))
        return seg_refuse_raw(ctx, name, "a digital negative (DNG)");
    if (TIFFGetField(tiff, TIFFTAG_MAKE, &make) && make)
        strncat(maker, make, sizeof maker - 1);
    if (TIFFGetField(tiff, TIFFTAG_SUBIFD, &(uint16_t){0}, &(toff_t *){NULL})) {
        look_below(tiff, &below, &raw);
        if (!TIFFSetDirectory(tiff, 0))
            return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is a damaged TIFF: use a good copy", name);
    }
    if (raw)
        return seg_refuse_raw(ctx, name, seg_raw_of_maker(maker));
    if (!reduced)
        return SEG_OK;
    for (int p = 1; p < MOST_PAGES && TIFFReadDirectory(tiff); p++)
        if (!is_reduced(tiff)) {
            if (is_mosaic(tiff))
                return seg_refuse_raw(ctx, name, seg_raw_of_maker(maker));
            *page = p + 1;
            return SEG_OK;
        }
    *page = 0;
    if (below && TIFFSetSubDirectory(tiff, below))
        return SEG_OK;
    return seg_fail(
        ctx, SEG_ERR_INPUT,
        "'%s' has a reduced image (a preview) only, or its full image cannot be read: export the full image "
        "from the program or camera it comes from",
        name);
}

void seg_tiff_say_pages(seg_context *ctx, TIFF *tiff, const char *name, int page) {
    int pages = 0, full = 0;
    if (page == 0) {
        seg_log(ctx, SEG_LOG_WARNING, "'%s' begins with a reduced image; the full image below it is used", name);
        return;
    }
    for (int more = TIFFSetDirectory(tiff, 0); more && pages < MOST_PAGES; more = TIFFReadDirectory(tiff)) {
        pages++;
        full += !is_reduced(tiff);
    }
    if (full > 1)
        seg_log(ctx, SEG_LOG_WARNING, "'%s' has several pages (%d%s); page %d is used", name, pages,
                pages == MOST_PAGES ? " or more" : "", page);
    else if (page > 1)
        seg_log(ctx, SEG_LOG_WARNING, "'%s' begins with a reduced image; page %d, the full image, is used", name, page);
}
