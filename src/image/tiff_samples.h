/* The samples of a TIFF page as they are stored, at their depth. */
#ifndef SEG_IMAGE_TIFF_SAMPLES_H
#define SEG_IMAGE_TIFF_SAMPLES_H

#include "image/raster.h"

#include <tiffio.h>

/* What decides how a page is read. */
typedef struct seg_tiff_kind {
    uint16_t bits, samples, photometric, planar, format, orientation, compression;
    int colours;    /* samples that are the colour: 1 or 3 */
    int alpha;      /* place of the opacity among the samples, 0 where there is none */
    int associated; /* 1 where the colours are multiplied by it */
} seg_tiff_kind;

/* What decides how the current page is read. */
void seg_tiff_read_kind(TIFF *tiff, seg_tiff_kind *out);

/* Whether seg_tiff_samples knows the kind: grey, RGB and palettes (of up to 8 bits); unsigned whole numbers of 1
 * to 16 bits, and the wide ones: of 32 and 64 bits, signed ones, floating-point numbers of 16, 32 and 64 bits. */
int seg_tiff_has_samples(const seg_tiff_kind *kind);

/* Set bits, channels and kind of the raster that a page becomes; what seg_tiff_has_samples does not know is read as an
 * 8-bit picture. */
void seg_tiff_form(const seg_tiff_kind *kind, seg_raster *out);

/* Read strips or tiles, of planes or of pixels, into out, whose size and form are set. Wide numbers become 16-bit ones:
 * as they are where they are whole and fit (labels are), floating-point numbers of 0 to 1 times 65535, all others so
 * that the smallest becomes 0 and the largest 65535, which is logged.
 * @return 0 where libtiff complained or sizes do not agree; where memory ran out the context says so. */
int seg_tiff_samples(seg_context *ctx, TIFF *tiff, const seg_tiff_kind *kind, const char *name, seg_raster *out);

/* The parts of it, for readers of some blocks only. Whether samples are wide numbers, which need a look at all of them
 * first. Put `columns` pixels of a decoded block's row, from pixel `skip` of it on, at pixel `to` of the raster; plane:
 * 0, or the one that the block holds. When all are there: turn what is stored the other way, and take the palette; 0
 * where there is none. */
int seg_tiff_is_wide(const seg_tiff_kind *kind);
void seg_tiff_put_row(const seg_tiff_kind *kind, const uint8_t *row, int plane, size_t skip, size_t to, size_t columns,
                      seg_raster *out);
int seg_tiff_finish(TIFF *tiff, const seg_tiff_kind *kind, seg_raster *out);

#endif
