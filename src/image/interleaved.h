/* Decoders' rows of colours and opacity side by side, parted into a raster's arrays. */
#ifndef SEG_IMAGE_INTERLEAVED_H
#define SEG_IMAGE_INTERLEAVED_H

#include "image/raster.h"

/* Bytes of the arrays that seg_raster_allocate makes, by the raster's size, channels and bits. */
size_t seg_raster_bytes(const seg_raster *raster, int opacity);
/* Allocate the samples and, where `opacity` is 1, the opacities. SEG_OK, SEG_ERR_MEMORY; the caller frees the raster.
 */
seg_status seg_raster_allocate(seg_context *ctx, seg_raster *raster, int opacity);
/* Row y: `width` pixels of the raster's channels and, where it has opacities, one sample more. */
void seg_raster_put_row8(seg_raster *raster, int y, const uint8_t *row);
/* Likewise samples of 16 bits, which may lie at any address; opacities are of the raster's bits. */
void seg_raster_put_row16(seg_raster *raster, int y, const void *row);
/* Free opacities that are all of them full. */
void seg_raster_drop_opaque(seg_raster *raster);

#endif
