/* The arrays of a raster. */
#ifndef SEG_IMAGE_FORMATS_INTERLEAVED_H
#define SEG_IMAGE_FORMATS_INTERLEAVED_H

#include "image/raster.h"

/* Bytes of the arrays that seg_raster_allocate makes, by the raster's size, channels and bits. */
size_t seg_raster_bytes(const seg_raster *raster, int opacity);
/* Allocate the samples and, where `opacity` is 1, the opacities. SEG_OK, SEG_ERR_MEMORY; the caller frees the raster.
 */
seg_status seg_raster_allocate(seg_context *ctx, seg_raster *raster, int opacity);
/* Free opacities that are all of them full. */
void seg_raster_drop_opaque(seg_raster *raster);

#endif
