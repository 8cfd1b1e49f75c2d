/* PNG's chunks besides the pixels, read here, because libpng would allocate any length that one states. */
#ifndef SEG_IMAGE_FORMATS_PNG_CHUNKS_H
#define SEG_IMAGE_FORMATS_PNG_CHUNKS_H

#include "image/raster.h"

/* The EXIF orientation, which may come after the pixels: 1 to 8, 1 where there is none, 0 where memory ran out. */
int seg_png_orientation(const unsigned char *bytes, size_t size);
/* Keep the colour space that the file names: cICP, else the profile in iCCP. What cannot be unpacked is left out with a
 * warning. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_png_keep_colours(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name,
                                seg_raster *raster);

#endif
