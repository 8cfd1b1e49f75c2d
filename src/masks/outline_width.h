/* The width of outlines. */
#ifndef SEG_MASKS_OUTLINE_WIDTH_H
#define SEG_MASKS_OUTLINE_WIDTH_H

#include <segment/overlay.h>

/* The width of an outline that looks equally wide in any image when viewed whole: 2 pixels up to 0.3 megapixels, then
 * proportional to the square root of the number of pixels, rounded, at most 32. @return 2..32 */
int seg_outline_width(int width, int height);

#endif
